import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { countOf } from "../../terminal/format.js";
import type { Place } from "./place.js";
import { type ChatTool, countIn, textIn } from "./tool.js";

const SECONDS = 120;
const MOST_SECONDS = 1_800;
/** Characters of output that are kept, half of them from the end. */
const MOST = 2_000_000;

/**
 * Variables that a shell and what it starts work with, and that hold no secret: those that MCP clients hand on to servers
 * (https://modelcontextprotocol.io, `getDefaultEnvironment`), with languages, time zone and temporary folders.
 */
const USUAL = new Set(
  [
    "HOME LOGNAME PATH SHELL TERM USER PWD LANG LANGUAGE TZ TMPDIR COLORTERM NO_COLOR",
    "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES",
    "SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR",
  ].flatMap((names) => names.split(" ")),
);

/** On Windows names are the same in capitals and without. */
const isUsual = (name: string): boolean =>
  name.startsWith("LC_") || USUAL.has(process.platform === "win32" ? name.toUpperCase() : name);

/** Besides the usual variables a command sees those that are named: nobody can list the names of all that hold secrets. */
export const runCommandTool = (place: Place, environment: readonly string[]): ChatTool => ({
  name: "run_command",
  description:
    'Runs a shell command in the working folder and returns what it prints. The user is asked first. It sees PATH, HOME and the like, and the variables that "chat.environment" of varve.json names.',
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string" },
      seconds: { type: "integer", minimum: 1, description: `After which it is ended; ${SECONDS} unless given` },
    },
    required: ["command"],
  },
  about: ({ command }) => String(command ?? ""),
  consent: async (input) => {
    const command = textIn(input, "command");
    return {
      kind: "run",
      always: { key: `run\n${command}`, words: "this very command" },
      question: "Run this command?",
      lines: command.split("\n").map((line) => `$ ${line}`),
    };
  },
  execute: (input, signal) => {
    const seconds = Math.min(MOST_SECONDS, countIn(input, "seconds") ?? SECONDS);
    const variables = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => isUsual(name) || environment.includes(name)),
    );
    return run(textIn(input, "command"), { folder: place.folder, variables, seconds, signal });
  },
});

interface Running {
  readonly folder: string;
  readonly variables: NodeJS.ProcessEnv;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** Ends with the output and how it ended; a command that is stopped takes what it has started with it. */
async function run(command: string, { folder, variables, seconds, signal }: Running): Promise<string> {
  const detached = process.platform !== "win32";
  const child = spawn(command, { cwd: folder, env: variables, shell: true, detached, stdio: STDIO });
  const output = new Output(child);
  let ending = "";
  const stop = (why: string) => () => {
    ending = why;
    end(child);
  };
  const timer = setTimeout(stop(`ended after ${countOf(seconds, "second")}`), seconds * 1_000);
  const onAbort = stop("stopped by the user");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const [code, killed] = await once(child, "close");
    return `${output.text()}[${ending || (killed === null ? `exit code ${code}` : `ended by ${killed}`)}]`;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

const STDIO: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];

function end({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === "win32") spawn("taskkill", ["/pid", String(pid), "/T", "/F"]);
    else process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** The beginning and the end of what a command prints. */
class Output {
  #start = "";
  #end = "";
  #missing = 0;

  constructor({ stdout, stderr }: ChildProcess) {
    for (const stream of [stdout, stderr]) stream?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
  }

  #take(text: string): void {
    const room = MOST / 2 - this.#start.length;
    this.#start += text.slice(0, room);
    const all = this.#end + text.slice(room);
    this.#end = all.slice(-MOST / 2);
    this.#missing += all.length - this.#end.length;
  }

  text(): string {
    const gap = this.#missing === 0 ? "" : `\n[${countOf(this.#missing, "character")} left out]\n`;
    const text = this.#start + gap + this.#end;
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  }
}
