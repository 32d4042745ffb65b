import { messageText } from "../../message/content.js";
import type { Message } from "../../message/types.js";
import type { Needed, RecordedSteps } from "./recorded-steps.js";

/** Whether a view holds an identifier, and whether with what it stood in. */
export interface Presence {
  readonly found: boolean;
  readonly inContext: boolean;
}

const NOWHERE: Presence = { found: false, inContext: false };
const WHOLE: Presence = { found: true, inContext: true };
/** Characters on either side that an identifier has to be repeated with to stand in its context. */
const AROUND = 16;

/** Looks identifiers up in views of one conversation. */
export class ViewSearch {
  readonly #texts: readonly string[];
  readonly #positions = new Map<string, number>();
  readonly #textOf = new WeakMap<Message, string>();

  constructor({ texts }: RecordedSteps) {
    this.#texts = texts;
    for (const [at, text] of texts.entries()) if (!this.#positions.has(text)) this.#positions.set(text, at);
  }

  /** A function that says of an identifier whether a recorded message that holds it is shown, or other text repeats it. */
  in(view: readonly Message[]): (needed: Needed) => Presence {
    const shown = new Set<number>();
    const other: string[] = [];
    for (const message of view) {
      const text = this.#read(message);
      const at = this.#positions.get(text);
      if (at === undefined) other.push(text);
      else shown.add(at);
    }
    const rest = other.join("\n\0\n");
    return (needed) => this.#look(needed, shown, rest);
  }

  #look({ text, held }: Needed, shown: ReadonlySet<number>, rest: string): Presence {
    if (held.some(({ message }) => shown.has(message))) return WHOLE;
    if (!rest.includes(text)) return NOWHERE;
    const surroundings = held.map(({ message, end }) =>
      this.#texts[message]!.slice(Math.max(0, end - text.length - AROUND), end + AROUND),
    );
    return { found: true, inContext: surroundings.some((around) => rest.includes(around)) };
  }

  /** Views repeat the same messages. */
  #read(message: Message): string {
    const known = this.#textOf.get(message);
    if (known !== undefined) return known;
    const text = messageText(message);
    this.#textOf.set(message, text);
    return text;
  }
}
