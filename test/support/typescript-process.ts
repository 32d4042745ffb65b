import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Lets Node run the sources as they are. */
const HOOKS = new URL("typescript-hooks.mjs", import.meta.url).href;

/** Without it, each process strips the types of all sources again. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/varve-test", import.meta.url));

/** A script in a process of its own. */
export interface ScriptProcess {
  /** The lines that it has written; one that it could not finish is none. */
  readonly lines: readonly string[];
  /** Resolves when it has written this line; rejects when it ends without. */
  said(line: string): Promise<void>;
  /** Resolves when it has written so many lines, or has ended. */
  wrote(count: number): Promise<void>;
  /** Resolves with the exit code when it has ended; null where it was killed. */
  readonly ended: Promise<number | null>;
  /** What it has written on its error output. */
  errors(): string;
  kill(): void;
}

/** Waits for processes to end; throws with what they said of it where one failed. */
export async function succeed(processes: readonly ScriptProcess[]): Promise<void> {
  const codes = await Promise.all(processes.map(({ ended }) => ended));
  const failed = processes.flatMap(({ errors }, at) => (codes[at] === 0 ? [] : [`exit ${codes[at]}: ${errors()}`]));
  if (failed.length > 0) throw new Error(`${failed.length} of ${codes.length} processes failed\n${failed.join("\n")}`);
}

/** Starts a script of `test/support`, written in TypeScript. */
export function startScript(script: string, parameters: readonly string[]): ScriptProcess {
  const child = spawnScript(script, parameters);
  const lines: string[] = [];
  let errors = "";
  child.stderr?.on("data", (data: Buffer) => {
    errors += data;
  });
  let over = false;
  const ended = readLines(child, lines).finally(() => {
    over = true;
  });
  return {
    lines,
    ended,
    errors: () => errors,
    said: async (line) => {
      while (!lines.includes(line)) {
        if (over) throw new Error(`${script} ended without saying "${line}": ${errors}`);
        await wait(5);
      }
    },
    wrote: async (count) => {
      while (!over && lines.length < count) await wait(2);
    },
    kill: () => child.kill("SIGKILL"),
  };
}

function spawnScript(script: string, parameters: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--import", HOOKS, path, ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
  });
}

function readLines(child: ChildProcess, lines: string[]): Promise<number | null> {
  let rest = "";
  child.stdout?.on("data", (data: Buffer) => {
    const read = (rest + data).split("\n");
    rest = read.pop() ?? "";
    lines.push(...read);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}
