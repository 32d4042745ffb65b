/**
 * Gemini 3 refuses a step of the current turn whose first call has no signature. The turn begins where the user spoke
 * last; a step is what the model said between two inputs.
 */
import type { Message } from "../message/types.js";

export class Steps {
  readonly #start: number;
  #at = -1;
  #isFirst: boolean;

  constructor(messages: readonly Message[]) {
    this.#start = messages.findLastIndex(isSpoken);
    this.#isFirst = this.#start < 0;
  }

  /** The next message begins. */
  enter({ role }: Message): void {
    this.#at++;
    if (role !== "assistant" && this.#at >= this.#start) this.#isFirst = true;
  }

  /** Whether the next call is the first of a step of the turn; the one after it is not. */
  takeFirst(): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst;
  }
}

/** System messages inside the conversation are sent as text of the user. */
function isSpoken({ role, content }: Message): boolean {
  if (role !== "user" && role !== "system") return false;
  if (typeof content === "string") return content !== "";
  return content.some((part) => part.type === "text" && part.text !== "");
}
