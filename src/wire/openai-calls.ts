/**
 * What OpenAI takes in a call: names of 64 letters, digits, `_` and `-`, ids of 64 characters in Responses and 40 in Chat
 * Completions.
 */
import type { Message } from "../message/types.js";
import type { Fields } from "./carried.js";
import { CHAT_IDS } from "./openai-chat-mend.js";
import { plainNames, type SendableTexts, shortened } from "./sendable-text.js";
import { toolNames } from "./tool-names.js";

const NAMES = plainNames(64);
export const isOpenAIName = (name: string): boolean => NAMES.mend(name) === name;
export const OPENAI_IDS = shortened(64);

export const openAINames = (messages: readonly Message[]): SendableTexts => toolNames(messages, NAMES);

/** The older `function_call` has its own kind of result; servers without ids name the tool as Ollama does. */
const nameOf = (name: string, isFunction: boolean): Fields =>
  isFunction ? { role: "function", tool_call_id: false, name } : { tool_call_id: false, tool_name: name };

/** Ids and names as Chat Completions take them: an id may stand there again in another turn. */
export class ChatCalls {
  readonly #names: SendableTexts;
  /** For each call that was written without an id, what its result has in place of one. */
  readonly #withoutId = new Map<string, Fields>();

  constructor(messages: readonly Message[]) {
    this.#names = openAINames(messages);
  }

  name(name: string): string {
    return this.#names.written(name);
  }

  /** The id of a call and of its result. */
  id(id: string): string {
    return CHAT_IDS.mend(id);
  }

  /** A call is written; what came without an id goes without one, and so must its result. */
  wrote(id: string, name: string, fields: Fields | undefined): void {
    if (fields?.id !== undefined) this.#withoutId.set(id, nameOf(name, fields.type === "function_call"));
    else if (this.#withoutId.size > 0) this.#withoutId.delete(id);
  }

  /** What the result has in place of this id where the latest call that has it was written without one. */
  withoutId(id: string): Fields | undefined {
    return this.#withoutId.size === 0 ? undefined : this.#withoutId.get(id);
  }
}
