import { countMessages } from "../../compaction/count-messages.js";
import type { ShownExchange } from "../../compaction/shown.js";
import type { Shrinker } from "../../compaction/shrink.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";

/** The last turn in the form that fits. */
export interface FittedTurn {
  /** Its request, where that stands in front of the final exchange and is not pinned. */
  readonly request: ShownExchange | undefined;
  readonly final: ShownExchange;
}

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;
/** Nor to fewer tokens of its words, beside parts that cannot be cut: the rest of it would say nothing of what is wanted. */
const LEAST_WORDS = 12;

export interface LastTurn {
  /** The request of the turn, where the final exchange is not the request itself. */
  readonly request: Shrinker | undefined;
  readonly final: Shrinker;
}

/** True where the request fits untouched beside the shortest form of the final exchange. */
export function fitsWithRequest({ request, final }: LastTurn, room: number): boolean {
  return request === undefined ? final.tokens <= room : request.tokens + final.least <= room;
}

/**
 * Shortens a last turn that alone is larger than the window. The request stays word for word as long as any form of
 * the final exchange fits beside it; only then it is shortened too. Undefined where nothing helps.
 */
export function fitLastTurn(
  { request, final }: LastTurn,
  room: number,
  counter: TokenCounter,
): { request: readonly Message[] | undefined; final: readonly Message[] } | undefined {
  if (request === undefined) {
    const shrunk = isRequest(final) ? shortenRequest(final, room) : final.fit(room);
    return shrunk && { request: undefined, final: shrunk };
  }
  const short = shortenRequest(request, room - final.least);
  if (short === undefined) return undefined;
  const taken = short === request.messages ? request.tokens : countMessages(short, counter);
  const shrunk = final.fit(room - taken);
  return shrunk && { request: short, final: shrunk };
}

const isRequest = ({ messages }: Shrinker): boolean => messages[0]?.role === "user";

/** Tokens that a request takes at least. */
const floorOf = (request: Shrinker): number =>
  Math.min(request.tokens, Math.max(REQUEST_FLOOR, request.least + LEAST_WORDS));

const shortenRequest = (request: Shrinker, room: number): readonly Message[] | undefined =>
  room < floorOf(request) ? undefined : request.fit(room);

/** Tokens that the shortest form of the turn takes, for the error that says why it cannot fit. */
export function leastTokens({ request, final }: LastTurn): number {
  if (request !== undefined) return floorOf(request) + final.least;
  return isRequest(final) ? floorOf(final) : final.least;
}
