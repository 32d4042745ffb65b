/** The commands of a chat. Those of `varve context` and `varve memory` are the same here, on the session that is open. */
import { CommanderError } from "commander";
import type { Call } from "../command.js";
import { reportFailure } from "../report.js";
import type { Chat } from "./open-chat.js";
import { isUnclosed, splitWords } from "./split-words.js";

/** What a line that begins with a slash means. */
export type Slash =
  | { readonly kind: "run"; readonly parameters: readonly string[] }
  | { readonly kind: "help" | "exit" | "continue" | "unclosed" }
  | { readonly kind: "confirm" | "dismiss"; readonly request: string | undefined }
  | { readonly kind: "unknown"; readonly name: string };

export type SlashOf<Kind extends Slash["kind"]> = Extract<Slash, { readonly kind: Kind }>;

const GROUPS = ["context", "memory"] as const;
const SHORT: ReadonlyMap<string, readonly [group: string, name: string]> = new Map(
  ["status", "checkpoint", "restore", "undo"].map((name) => [name, ["context", name]]),
);
const PLAIN: ReadonlyMap<string, "help" | "exit" | "continue"> = new Map([
  ["help", "help"],
  ["?", "help"],
  ["exit", "exit"],
  ["quit", "exit"],
  ["continue", "continue"],
]);
/** Commands whose words are one text, so that it needs no quotes. */
const ONE_TEXT = new Set(["context search", "context checkpoint", "context restore", "memory add", "memory search"]);

export function parseSlash(line: string): Slash {
  const [first = "", ...rest] = splitWords(line.slice(1));
  if (first === "confirm" || first === "dismiss") return { kind: first, request: rest[0] };
  const plain = PLAIN.get(first);
  if (plain !== undefined) return { kind: plain };
  const [group = "", name = ""] = SHORT.get(first) ?? [first, rest[0]];
  if (!GROUPS.some((known) => known === group)) return { kind: "unknown", name: first };
  if (group === "context" && name === "") return { kind: "run", parameters: ["context", "status"] };
  const behind = SHORT.has(first) ? 1 : 2;
  const isText = ONE_TEXT.has(`${group} ${name}`);
  const parameters = isText ? textAndOptions(line, behind) : rest.slice(behind - 1);
  if (isText ? /^(?:"[^"]*|'[^']*)$/.test(parameters[0] ?? "") : isUnclosed(line)) return { kind: "unclosed" };
  return { kind: "run", parameters: [group, name, ...parameters].filter((word) => word !== "") };
}

/** What stands behind so many words, as it is, and the options behind that. */
function textAndOptions(line: string, words: number): string[] {
  const behind = line.trim().replace(new RegExp(`^(?:\\S+\\s*){${words}}`), "");
  const options = /(?:^|\s)--?[a-z][\s\S]*$/.exec(behind)?.index ?? behind.length;
  const text = behind.slice(0, options).trim();
  return [/^"[^"]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1) : text, ...splitWords(behind.slice(options))];
}

type OpenProgram = Call["program"];

/** The commands of a chat, as far as they are those of the program. */
export class SlashCommands {
  readonly #program: OpenProgram;
  readonly #groups: ReadonlyMap<string, readonly string[]>;

  private constructor(program: OpenProgram, groups: ReadonlyMap<string, readonly string[]>) {
    this.#program = program;
    this.#groups = groups;
  }

  static async open(program: OpenProgram): Promise<SlashCommands> {
    const groups = new Map<string, readonly string[]>();
    for (const group of GROUPS) {
      const { commands } = await program([group]);
      const found = commands.find((command) => command.name() === group);
      groups.set(group, found?.commands.map((command) => command.name()) ?? []);
    }
    return new SlashCommands(program, groups);
  }

  /** Runs a command on the open chat; what fails is told, and ends nothing. */
  async run(parameters: readonly string[], { varve, loaded, session, scope }: Chat): Promise<void> {
    await session.flush();
    const { store } = loaded.config;
    const address = typeof store === "string" ? { store } : {};
    try {
      const program = await this.#program(parameters, {
        ...address,
        ...scope,
        session: session.id,
        opened: { varve, loaded },
      });
      await program.parseAsync([...parameters], { from: "user" });
    } catch (error) {
      if (!(error instanceof CommanderError)) reportFailure(error, { name: parameters.join(" "), json: false });
    }
  }

  /** What a line may begin with. */
  get beginnings(): string[] {
    const within = [...this.#groups].flatMap(([group, names]) => names.map((name) => `/${group} ${name}`));
    return [...within, ...[...SHORT.keys()].map((name) => `/${name}`), ...OWN];
  }

  get help(): (readonly [string, string])[] {
    return [...[...this.#groups].map(([group, names]) => [`/${group} …`, names.join(", ")] as const), ...HELP];
  }
}

const OWN = ["/confirm", "/dismiss", "/help", "/continue", "/exit"];

const HELP: readonly (readonly [string, string])[] = [
  ["/status", "what fills the window"],
  ["/checkpoint NAME", "a name to come back to"],
  ["/restore NAME", "goes back there; nothing is lost"],
  ["/undo", "takes the latest compaction back"],
  ["/continue", "asks for the answer that is missing, or for more of the last one"],
  ["/confirm [ID]", "does what a message asked of the memory, and was not done"],
  ["/dismiss [ID]", "leaves it undone"],
  ["/help", "this; `/context status --help` and the like tell more"],
  ["/exit", "leaves; Ctrl-D and Ctrl-C twice do too"],
  ["Ctrl-C", "stops the answer; what was said so far is kept"],
];
