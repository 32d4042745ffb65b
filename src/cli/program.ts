import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { VarveError } from "../errors.js";
import { registerDemo } from "./demo.js";

const FAILURE = 1;
const WRONG_USAGE = 2;
const EXIT_CODES = `
Exit codes:
  0    it worked
  1    it failed; stderr says why and what to do
  2    wrong usage: an unknown command or option
  3    this Node is too old
  130  interrupted`;

/** Runs one command line and says with which code to exit. Data goes to stdout, words about it to stderr. */
export async function runProgram(parameters: readonly string[]): Promise<number> {
  process.stdout.on("error", endOnClosedPipe);
  try {
    await createProgram().parseAsync(parameters, { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function createProgram(): Command {
  const program = new Command("varve")
    .description("The context engine for LLM agents: every view fits its window, and nothing is lost.")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .addHelpText("after", EXIT_CODES)
    .showHelpAfterError("Run varve --help to see what there is.")
    .exitOverride();
  registerDemo(program);
  return program;
}

function packageVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

/** Whoever reads has read enough, such as `head`: that is no failure. */
function endOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  if (!VarveError.isInstance(error)) {
    console.error(error);
    return FAILURE;
  }
  console.error(error.message);
  if (error.hint !== undefined) console.error(`What to do: ${error.hint}`);
  return FAILURE;
}
