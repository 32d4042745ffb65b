/**
 * Reasoning that a provider has signed may be bound to all that stood before it: newer Claude models refuse a request in
 * which it stands under another prefix. Where a view changes its prefix, the reasoning behind that place goes; what is
 * thought from then on stays.
 */

import type { Position } from "../message/positions.js";
import type { Message } from "../message/types.js";

export type Ranges = readonly (readonly [Position, Position])[];

/** A message without reasoning; itself where it has none. Nothing is left of one that held nothing else. */
export function withoutReasoning(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const content = message.content.filter(({ type }) => type !== "reasoning" && type !== "reasoning-file");
  return content.length === message.content.length ? message : { ...message, content };
}

/** Whether reasoning of an exchange that opens here is not sent. */
export const isUnthought = (ranges: Ranges, at: Position): boolean =>
  ranges.some(([from, to]) => at >= from && at < to);

/** The ranges with all from a position to the end of the log among them. */
export function unthoughtFrom(ranges: Ranges, from: Position, to: Position): Ranges {
  const before = ranges.flatMap(([start, end]): Ranges => (start < from ? [[start, Math.min(end, from)]] : []));
  return [...before, [from, to]];
}
