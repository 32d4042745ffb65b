import type { AssistantPart, Message, ToolResultPart } from "../../message/types.js";

/**
 * Turns what an agent did in one answer into messages: for each step an assistant message and, after it, one tool
 * message with the results of its calls.
 */
export class StepBuilder {
  readonly #messages: Message[] = [];
  #parts: AssistantPart[] = [];
  #results: ToolResultPart[] = [];

  get hasResults(): boolean {
    return this.#results.length > 0;
  }

  add(...parts: AssistantPart[]): void {
    this.#parts.push(...parts);
  }

  answer(result: ToolResultPart): void {
    this.#results.push(result);
  }

  endStep(): void {
    if (this.#parts.length > 0) this.#messages.push({ role: "assistant", content: this.#parts });
    if (this.#results.length > 0) this.#messages.push({ role: "tool", content: this.#results });
    this.#parts = [];
    this.#results = [];
  }

  finish(): Message[] {
    this.endStep();
    return this.#messages;
  }
}
