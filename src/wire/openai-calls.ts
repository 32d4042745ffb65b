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

/** Ids and names as Chat Completions take them: an id may stand there again in another turn. */
export class ChatCalls {
  readonly #names: SendableTexts;
  readonly #ids: SendableTexts;
  /** How ids that are too long are written. */
  readonly #long = new Map<string, string>();

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

  /** A result has the id of its call. */
  resultId(id: string, fields: Fields | undefined): string {
    if (isShort(id)) return id;
    return this.#long.get(id) ?? (isOwn(fields) ? id : this.#ids.written(id));
  }
}
