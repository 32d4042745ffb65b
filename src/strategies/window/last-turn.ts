import { shrinkMessages, smallestTokens } from "../../compaction/shrink.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";

/** The latest user message is never cut below this. */
const REQUEST_FLOOR = 24;

export interface LastTurn {
  /** The request of the turn, where the final exchange is not the request itself. */
  readonly request: readonly Message[];
  readonly final: readonly Message[];
}

const tokensOf = (messages: readonly Message[], counter: TokenCounter): number =>
  messages.reduce((sum, message) => sum + counter.message(message), 0);

/** True where the request fits untouched beside the shortest form of the final exchange. */
export function fitsWithRequest({ request, final }: LastTurn, room: number, counter: TokenCounter): boolean {
  if (request.length === 0) return tokensOf(final, counter) <= room;
  return tokensOf(request, counter) + smallestTokens(final, counter) <= room;
}

/**
 * Shortens a last turn that alone is larger than the window. The request stays word for word as long as any form of
 * the final exchange fits beside it; only then it is shortened too. Undefined where nothing helps.
 */
export function fitLastTurn(turn: LastTurn, room: number, counter: TokenCounter): LastTurn | undefined {
  const { request, final } = turn;
  if (request.length === 0) return fitFinal(final, room, counter);
  const least = smallestTokens(final, counter);
  const wanted = tokensOf(request, counter);
  const short = wanted + least <= room ? request : shortenRequest(request, room - least, counter);
  if (short === undefined) return undefined;
  const shrunk = shrinkMessages(final, { maxTokens: room - tokensOf(short, counter), counter });
  return shrunk && { request: short, final: shrunk };
}

function fitFinal(final: readonly Message[], room: number, counter: TokenCounter): LastTurn | undefined {
  const isRequest = final[0]?.role === "user";
  const shrunk = isRequest ? shortenRequest(final, room, counter) : shrinkMessages(final, { maxTokens: room, counter });
  return shrunk && { request: [], final: shrunk };
}

function shortenRequest(request: readonly Message[], room: number, counter: TokenCounter): Message[] | undefined {
  if (room < Math.min(REQUEST_FLOOR, tokensOf(request, counter))) return undefined;
  return shrinkMessages(request, { maxTokens: room, counter });
}

/** Tokens that the shortest form of the turn takes, for the error that says why it cannot fit. */
export function leastTokens({ request, final }: LastTurn, counter: TokenCounter): number {
  const floor = (messages: readonly Message[]) => Math.min(REQUEST_FLOOR, tokensOf(messages, counter));
  if (request.length > 0) return floor(request) + smallestTokens(final, counter);
  return final[0]?.role === "user" ? floor(final) : smallestTokens(final, counter);
}
