/**
 * Gemini 3 refuses a step of the current turn whose first call has no signature ("Function call is missing a
 * thought_signature in functionCall parts"); a step is what the model said between two inputs
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). Steps of earlier turns are treated alike, so that they stay as they were when the user speaks again.
 */
import type { Message } from "../message/types.js";

export class Steps {
  #isFirst = true;

  /** The next message begins. */
  enter({ role }: Message): void {
    if (role !== "assistant") this.#isFirst = true;
  }

  /** Whether the next call is the first of a step; the one after it is not. */
  takeFirst(): boolean {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst;
  }
}
