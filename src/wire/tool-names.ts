import type { Message } from "../message/types.js";

/** The longest name that any format takes. */
const LONGEST = 128;

/**
 * The names of tools as a format takes them. A name that the format takes stays as it is; any other is mended, with a
 * number behind it where a tool of the conversation has the mended name already.
 */
export class ToolNames {
  readonly #messages: readonly Message[];
  readonly #mend: (name: string) => string;
  readonly #mended = new Map<string, string>();
  /** The latest number put behind a name. */
  readonly #numbers = new Map<string, number>();
  #taken: Set<string> | undefined;

  constructor(messages: readonly Message[], mend: (name: string) => string) {
    this.#messages = messages;
    this.#mend = mend;
  }

  written(name: string): string {
    const base = this.#mend(name);
    return base === name ? name : (this.#mended.get(name) ?? this.#add(name, base));
  }

  #add(name: string, base: string): string {
    this.#taken ??= new Set(callNames(this.#messages));
    let written = base;
    let number = this.#numbers.get(base) ?? 1;
    while (this.#taken.has(written)) {
      number++;
      written = `${base.slice(0, LONGEST - String(number).length - 1)}_${number}`;
    }
    this.#numbers.set(base, number);
    this.#taken.add(written);
    this.#mended.set(name, written);
    return written;
  }
}

const callNames = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string"
      ? content.flatMap((part) => (part.type === "tool-call" ? [part.toolName] : []))
      : [],
  );
