import type { Command } from "commander";
import type { Screen } from "./terminal/screen.js";

/** A command as the list of commands knows it; its module is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  /** A group has commands of its own. */
  readonly commands?: readonly CommandEntry[];
  readonly load?: () => Promise<CommandModule>;
}

/** What the module of a command exports. */
export interface CommandModule {
  readonly command: CliCommand;
}

/** One command: what it takes, and what it does. */
export interface CliCommand {
  /** Options that many commands share, by group. */
  readonly shares?: readonly SharedOptions[];
  define(command: Command): void;
  run(call: Call): Promise<Result>;
}

export type SharedOptions = "store" | "session" | "window";

/** One call of a command. */
export interface Call<Options extends object = Readonly<Record<string, unknown>>> {
  /** Its full name, such as "context status". */
  readonly name: string;
  /** What stands behind the name, as it was declared. */
  readonly operands: readonly (string | undefined)[];
  readonly options: Options;
  /** Where data goes; words about it go to stderr by `say`. */
  readonly screen: Screen;
  say(text: string): void;
  /**
   * The program, to be looked at or run: with the commands that the parameters name, or all of them, and with options that
   * hold where the command line does not give them.
   */
  program(parameters?: readonly string[], over?: object): Promise<Command>;
}

/** What a command found out: data for programs, and lines for people. */
export interface Result {
  /** What `--json` prints besides the version and the command's name. */
  readonly data: object;
  lines(screen: Screen): readonly string[];
  /** 0 unless given. */
  readonly exitCode?: number;
  /** True where the data has been written already, as by an export. */
  readonly written?: boolean;
}

interface CommandDefinition<Options extends object> {
  readonly shares?: readonly SharedOptions[];
  define?(command: Command): void;
  run(call: Call<Options>): Promise<Result>;
}

/** A command whose options have the types that its `define` declares. */
export function defineCommand<Options extends object = Record<never, never>>(
  definition: CommandDefinition<Options>,
): CliCommand {
  const { shares = [], define = () => undefined } = definition;
  return { shares, define, run: (call) => definition.run(call as unknown as Call<Options>) };
}
