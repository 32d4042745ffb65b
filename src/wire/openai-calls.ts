/**
 * What OpenAI takes in a call, be it Chat Completions or Responses: names of 64 letters, digits, `_` and `-`, ids of 64
 * characters. Servers that speak its formats take more, so a call that came in one of them and has more carries a mark,
 * and goes back as it came.
 */
import type { Message } from "../message/types.js";
import type { Fields } from "./carried.js";
import { cutTo, plainNames, type SendableTexts, type TextForm } from "./sendable-text.js";
import { repeatableIds, toolNames } from "./tool-names.js";

const LONGEST = 64;
const NAMES = plainNames(LONGEST);

export const OPENAI_IDS: TextForm = { mend: (id) => (isShort(id) ? id : cutTo(id, LONGEST)), longest: LONGEST };

/** The carried name that is no field of a call or a result. */
export const OWN = "varve_own";

export const isOwn = (fields: Fields | undefined): boolean => fields?.[OWN] === true;

export const isShort = (id: string): boolean => id.length <= LONGEST;

/** The latest name that was found good: most calls of a history are of few tools. */
let latest: string | undefined;

/** Whether OpenAI takes the id and the name of a call as they are. */
export function isTaken(id: string, name: string): boolean {
  if (name !== latest && NAMES.mend(name) !== name) return false;
  latest = name;
  return isShort(id);
}

export const openAINames = (messages: readonly Message[]): SendableTexts => toolNames(messages, NAMES);

/** The older `function_call` has its own kind of result; servers without ids name the tool as Ollama does. */
const nameOf = (name: string, isFunction: boolean): Fields =>
  isFunction ? { role: "function", tool_call_id: false, name } : { tool_call_id: false, tool_name: name };

/** Ids and names as Chat Completions take them: an id may stand there again in another turn. */
export class ChatCalls {
  readonly #names: SendableTexts;
  readonly #ids: SendableTexts;
  /** How ids that are too long are written. */
  readonly #long = new Map<string, string>();
  /** For each call that was written without an id, what its result has in place of one. */
  readonly #withoutId = new Map<string, Fields>();

  constructor(messages: readonly Message[]) {
    this.#names = openAINames(messages);
    this.#ids = repeatableIds(messages, OPENAI_IDS);
  }

  name(name: string, fields: Fields | undefined): string {
    return isOwn(fields) ? name : this.#names.written(name);
  }

  callId(id: string, fields: Fields | undefined): string {
    if (isShort(id)) return id;
    const written = isOwn(fields) ? id : this.#ids.written(id);
    this.#long.set(id, written);
    return written;
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

  /** A result has the id of its call. */
  resultId(id: string, fields: Fields | undefined): string {
    if (isShort(id)) return id;
    return this.#long.get(id) ?? (isOwn(fields) ? id : this.#ids.written(id));
  }
}
