import type { ShortenedMessage, ShownExchange, ShownExchanges } from "../../compaction/shown.js";
import type { Block } from "../../compaction/view.js";
import type { Log } from "../../message/log.js";
import { OPENER } from "../../message/repair.js";
import type { Message } from "../../message/types.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { type Counted, totalTokens } from "./counted.js";
import type { FixedBlocks } from "./fixed.js";
import type { LastTurn } from "./last-turn.js";
import type { Lead } from "./lead.js";
import type { EarlierRequests } from "./requests.js";

/** What there is to compose from. */
export interface Scene {
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly shown: ShownExchanges;
  readonly requests: EarlierRequests;
  readonly pinned: readonly number[];
  /** The latest user message; undefined where the log has none. */
  readonly latest: number | undefined;
  /** The last exchange with something to show. */
  readonly last: number;
}

/** What was chosen to be shown. */
export interface Choice {
  readonly fixed: FixedBlocks;
  /** What stands in for the part before the cut. */
  readonly memory: readonly Counted[];
  readonly context: Counted | undefined;
  readonly lead: Lead;
  readonly cut: number;
  /** The last turn in a shorter form, where it alone was too large. */
  readonly turn?: LastTurn | undefined;
}

export interface Composition {
  readonly messages: Message[];
  readonly tokens: number;
  readonly blocks: readonly Block[];
  /** The exchanges shown, in order. */
  readonly exchanges: readonly number[];
  /** Messages of the log that are shown shorter than they are. */
  readonly shortened: readonly ShortenedMessage[];
}

/** Puts the chosen parts in order. */
export function compose(scene: Scene, choice: Choice): Composition {
  const { fixed, memory, context, lead } = choice;
  const exchanges = [...lead.exchanges, ...tailOf(scene, choice.cut)];
  const opener = lead.needsOpener ? [OPENER] : [];
  const history = exchanges.map((at) => exchangeMessages(scene, choice, at));
  const before = scene.latest === undefined ? 0 : Math.max(0, exchanges.indexOf(scene.latest));
  const blocks: Block[] = [
    { name: "system", tokens: fixed.system },
    { name: "tools", tokens: fixed.tools },
    { name: "context", tokens: context?.tokens ?? 0 },
    { name: "memory", tokens: totalTokens(memory) },
    { name: "history", tokens: historyTokens(scene, choice, exchanges) },
  ];
  const messages: Message[] = [...fixed.messages];
  for (const { message } of memory) messages.push(message);
  for (const each of opener) messages.push(each);
  for (const [at, group] of history.entries()) {
    if (at === before && context !== undefined) messages.push(context.message);
    for (const message of group) messages.push(message);
  }
  const shortened = exchanges.flatMap((at) => shortenedIn(scene, choice, at));
  return { messages, tokens: blocks.reduce((sum, { tokens }) => sum + tokens, 0), blocks, exchanges, shortened };
}

function tailOf({ log, last }: Scene, cut: number): number[] {
  const tail: number[] = [];
  for (let at = cut; at <= last; at++) if (log.exchanges[at]!.kind !== "system") tail.push(at);
  return tail;
}

function exchangeMessages(scene: Scene, { cut, turn }: Choice, at: number): readonly Message[] {
  if (turn !== undefined && at === scene.last) return turn.final;
  if (turn !== undefined && at === scene.latest && turn.request.length > 0) return turn.request;
  return leadOrTail(scene, at, cut).messages;
}

/** An exchange as it stands in a view cut here: earlier requests in front of the tail are shortened, pins are not. */
export function leadOrTail(scene: Scene, at: number, cut: number): ShownExchange {
  const isRequest = at < cut && at !== scene.latest && !scene.pinned.includes(at);
  return isRequest ? scene.requests.at(at) : scene.shown.at(at);
}

const isReplaced = (scene: Scene, { turn }: Choice, at: number): boolean =>
  turn !== undefined && (at === scene.last || (at === scene.latest && turn.request.length > 0));

function exchangeTokens(scene: Scene, choice: Choice, at: number): number {
  if (!isReplaced(scene, choice, at)) return leadOrTail(scene, at, choice.cut).tokens;
  return exchangeMessages(scene, choice, at).reduce((sum, message) => sum + scene.counter.message(message), 0);
}

function historyTokens(scene: Scene, choice: Choice, exchanges: readonly number[]): number {
  const opener = choice.lead.needsOpener ? scene.counter.message(OPENER) : 0;
  return exchanges.reduce((sum, at) => sum + exchangeTokens(scene, choice, at), opener);
}

function shortenedIn(scene: Scene, choice: Choice, at: number): readonly ShortenedMessage[] {
  if (!isReplaced(scene, choice, at)) return leadOrTail(scene, at, choice.cut).shortened;
  const tokensBefore = scene.shown.tokens(at);
  const tokensAfter = exchangeTokens(scene, choice, at);
  return tokensAfter < tokensBefore ? [{ at: scene.log.exchanges[at]!.first, tokensBefore, tokensAfter }] : [];
}
