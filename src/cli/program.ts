import { Command, CommanderError } from "commander";
import type { Call, CliCommand, CommandEntry, Result } from "./command.js";
import { COMMANDS } from "./commands.js";
import { EXIT_CODES } from "./exit-codes.js";
import { endOnFailedOutput } from "./failed-output.js";
import { packageVersion } from "./package-version.js";
import { reportFailure, reportUsage } from "./report.js";
import { commonOptions, SHARED } from "./shared-options.js";
import { openScreen } from "./terminal/screen.js";

/** Runs one command line and says with which code to exit. Data goes to stdout, words about it to stderr. */
export async function runProgram(given: readonly string[]): Promise<number> {
  endOnFailedOutput();
  const parameters = askingForHelp(given);
  const outcome = { exitCode: 0 };
  try {
    const onExit = (code: number) => {
      outcome.exitCode = code;
    };
    const program = await createProgram(parameters, { onExit });
    await program.parseAsync(parameters, { from: "user" });
    return outcome.exitCode;
  } catch (error) {
    const failed = { name: nameIn(parameters), json: parameters.includes("--json") };
    if (!(error instanceof CommanderError)) return reportFailure(error, failed);
    return error.exitCode === 0 ? 0 : reportUsage(usageWords(error), failed);
  }
}

/** `varve help context status` is `varve context status --help`; a name that there is none of is refused as ever. */
function askingForHelp(parameters: readonly string[]): readonly string[] {
  const at = isGroup(parameters[0]) ? 1 : 0;
  if (parameters[at] !== "help") return parameters;
  const rest = parameters.toSpliced(at, 1);
  const known = nameIn(rest).split(" ").filter(Boolean).length;
  const unknown = known === 0 || (known === 1 && isGroup(rest[0])) ? rest[known] : undefined;
  return unknown === undefined || unknown.startsWith("-") ? [...rest, "--help"] : rest.slice(0, known + 1);
}

const usageWords = ({ code, message }: CommanderError): string =>
  code === "commander.help" ? "No command is named." : message.replace(/^error: /, "");

/** The program with the commands named by the parameters loaded, or all of them where none are given. */
export async function createProgram(
  parameters: readonly string[] | undefined,
  { onExit = () => undefined, over = {} }: ProgramOptions = {},
): Promise<Command> {
  const program = new Command("varve")
    .description("The context engine for LLM agents: every view fits its window, and nothing is lost.")
    .version(packageVersion(), "-V, --version", "print the version");
  explain(program).addHelpText("after", EXIT_CODES).exitOverride();
  await attach(program, COMMANDS, { parameters, path: [], onExit, over });
  return program;
}

interface ProgramOptions {
  readonly onExit?: (code: number) => void;
  /** Options that hold where the command line does not give them. */
  readonly over?: object;
}

interface Attached {
  /** What is left of the command line behind the names so far; undefined loads everything. */
  readonly parameters: readonly string[] | undefined;
  readonly path: readonly string[];
  readonly onExit: (code: number) => void;
  readonly over: object;
}

async function attach(parent: Command, entries: readonly CommandEntry[], at: Attached): Promise<void> {
  for (const entry of entries) {
    const path = [...at.path, entry.name];
    const command = explain(parent.command(entry.name), path).description(entry.summary).exitOverride();
    if (at.parameters !== undefined && at.parameters[0] !== entry.name) continue;
    const next = { ...at, parameters: at.parameters?.slice(1), path };
    if (entry.commands !== undefined) await attach(command, entry.commands, next);
    if (entry.load !== undefined) declare(command, (await entry.load()).command, next);
  }
}

/** What every command and group has in common. */
const explain = (command: Command, path: readonly string[] = []): Command =>
  command
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .showHelpAfterError(`Run ${["varve", ...path].join(" ")} --help to see what there is.`);

function declare(command: Command, definition: CliCommand, { path, onExit, over }: Attached): void {
  definition.define(command);
  for (const group of definition.shares ?? []) SHARED[group](command);
  commonOptions(command).addHelpText("after", "\nExit codes: see varve --help.");
  const name = path.join(" ");
  command.action(async () => {
    const options: Readonly<Record<string, unknown>> = { ...over, ...command.opts() };
    const screen = openScreen(process.stdout, options.color !== false, process.env);
    const operands = command.processedArgs as readonly (string | undefined)[];
    const program: Call["program"] = (parameters, given = {}) => createProgram(parameters, { over: given });
    const call = { name, operands, options, screen, say: (text: string) => console.error(text), program };
    const result = await definition.run(call);
    print(result, { name, json: options.json === true, screen });
    onExit(result.exitCode ?? 0);
  });
}

function print(
  result: Result,
  { name, json, screen }: { name: string; json: boolean; screen: ReturnType<typeof openScreen> },
): void {
  if (result.written) return;
  if (json) screen.output.write(`${JSON.stringify({ varve: 1, command: name, ...result.data }, null, 2)}\n`);
  else screen.print(result.lines(screen));
}

/** The command's name as far as the parameters give one that there is: "context status". */
function nameIn([first = "", second]: readonly string[], entries: readonly CommandEntry[] = COMMANDS): string {
  const entry = entries.find(({ name }) => name === first);
  if (entry === undefined) return "";
  const inner = second === undefined ? "" : nameIn([second], entry.commands ?? []);
  return `${entry.name} ${inner}`.trim();
}

const isGroup = (first: string | undefined): boolean =>
  COMMANDS.some(({ name, commands }) => name === first && commands !== undefined);
