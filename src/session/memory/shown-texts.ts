import type { Memory } from "../../memory/memory.js";
import { messageText } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import type { Message } from "../../message/types.js";
import { positionOf } from "../../store/branch.js";
import type { View } from "../../view/view.js";

export interface ShownInput {
  readonly session: string;
  /** The entries of the present branch. */
  readonly entries: readonly Entry[];
  readonly view: Pick<View, "messages">;
}

/** A shorter text occurs by chance. */
const TELLING = 12;

/** What a view shows in full, so that no memory says it a second time. */
export class ShownTexts {
  readonly #input: ShownInput;
  readonly #messages: ReadonlySet<Message>;
  readonly #texts: readonly string[];

  constructor(input: ShownInput) {
    this.#input = input;
    this.#messages = new Set(input.view.messages);
    this.#texts = input.view.messages.map(messageText);
  }

  /** Whether a view shows all that a memory came from, or its very text. */
  has({ entries = [], content }: Memory): boolean {
    if (entries.length > 0 && entries.every(({ session, sequence }) => this.#isShown(session, sequence))) return true;
    const text = content.trim();
    return this.#texts.some((shown) => (text.length < TELLING ? shown.trim() === text : shown.includes(text)));
  }

  #isShown(session: string, sequence: number): boolean {
    const { session: own, entries } = this.#input;
    const entry = session === own ? entries[positionOf(entries, `e${sequence}`)] : undefined;
    return entry !== undefined && this.#messages.has(entry.message);
  }
}
