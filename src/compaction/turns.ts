import { invalidOption } from "../errors.js";
import { isBlank } from "../message/content.js";
import { logOf } from "../message/log.js";
import { OPENER } from "../message/repair.js";
import { checkMessages } from "../message/seal-message.js";
import type { Message } from "../message/types.js";

/** A conversation cut between two turns. All parts are legal: calls and results in pairs, late ones moved up. */
export interface TurnSplit {
  /** The system messages that stand before the conversation. */
  readonly system: readonly Message[];
  /** Everything before the recent turns; a system message inside the conversation belongs to its turn. */
  readonly old: readonly Message[];
  /** The last turns, each a user message and all until the next one. */
  readonly recent: readonly Message[];
}

/** The opener of this version, and that of 0.1.0. */
const OPENERS: readonly unknown[] = [OPENER.content, "[The user has not spoken yet.]"];

/**
 * Splits a conversation at the user message that opens the last `turns` turns. Nothing is old where there are no more
 * turns than that. An exchange is never split, also where its results came after the next user message.
 *
 * @example
 * ```ts
 * const hello: Message[] = [
 *   { role: "user", content: "Hello" },
 *   { role: "assistant", content: "Hi!" },
 *   { role: "user", content: "What is a varve?" },
 * ];
 * splitByTurns(hello, 1).recent; // [{ role: "user", content: "What is a varve?" }]
 * ```
 */
export function splitByTurns(messages: readonly Message[], turns: number): TurnSplit {
  checkMessages(messages);
  if (!(typeof turns === "number" && turns >= 0))
    throw invalidOption({ option: "turns", value: turns, allowed: "a number of turns from 0" });
  // The opener is a stand-in, and opens no turn. It may have been through a file: its words count, not its identity.
  const log = logOf(messages.filter(({ role, content }) => role !== "user" || !OPENERS.includes(content)));
  const { requests, start } = log;
  const opening =
    requests.length > turns ? (requests[Math.floor(requests.length - turns)] ?? log.entries.length) : start;
  log.reach(start);
  const at = log.exchangeFrom(opening);
  const legal = (exchanges: typeof log.exchanges) => exchanges.flatMap((exchange) => log.legal(exchange));
  return {
    system: log.entries.slice(0, start).flatMap(({ message }) => (isBlank(message) ? [] : [message])),
    old: legal(log.exchanges.slice(0, at)),
    recent: legal(log.exchanges.slice(at)),
  };
}

/**
 * The leading system messages and the last turns, and nothing between.
 *
 * @example
 * ```ts
 * const history: Message[] = [
 *   { role: "system", content: "Be brief." },
 *   { role: "user", content: "Hello" },
 *   { role: "user", content: "What is a varve?" },
 * ];
 * takeLastTurns(history, 1).map(({ content }) => content); // ["Be brief.", "What is a varve?"]
 * ```
 */
export function takeLastTurns(messages: readonly Message[], turns: number): Message[] {
  const { system, recent } = splitByTurns(messages, turns);
  return [...system, ...recent];
}
