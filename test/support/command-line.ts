import { execFile, execFileSync } from "node:child_process";

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a plain terminal, with some variables on top. */
export function environment(variables: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { NO_COLOR: _no, FORCE_COLOR: _force, COLUMNS: _columns, CI: _ci, ...clean } = process.env;
  return { ...clean, TERM: "xterm-256color", ...variables };
}

export interface RunOptions {
  readonly variables?: NodeJS.ProcessEnv | undefined;
  readonly folder?: string | undefined;
  /** What it reads from stdin. */
  readonly input?: string | undefined;
}

/** Runs a program to its end. */
export function run(program: string, parameters: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const { variables, folder, input } = options;
  return new Promise((resolve) => {
    const settings = { env: environment(variables), maxBuffer: 1 << 26, ...(folder && { cwd: folder }) };
    const child = execFile(program, [...parameters], settings, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** `script` of util-linux opens a pseudo-terminal; that of BSD takes other parameters. */
export const SCRIPT = "script";

export function hasScript(): boolean {
  try {
    return execFileSync(SCRIPT, ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

/** What `script` takes to run a command on a terminal of this size. */
export const scriptParameters = (command: string, { columns = 80, rows = 30 } = {}): string[] => [
  "-qec",
  `stty cols ${columns} rows ${rows}; exec ${command}`,
  "/dev/null",
];
