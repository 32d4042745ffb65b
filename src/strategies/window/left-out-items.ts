import type { ShownExchanges } from "../../compaction/shown.js";
import { type Exchange, isVisible, membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";
import type { Account, NewlyLeftOut } from "./account.js";
import type { LateSystem } from "./late-system.js";
import { Samples } from "./samples.js";
import type { Standings } from "./standings.js";
import type { Touched } from "./touched.js";

export interface LeftOutInput {
  readonly log: Log;
  readonly late: LateSystem;
  readonly counter: TokenCounter;
  readonly shown: ShownExchanges;
  readonly before: Account | undefined;
  readonly account: Account;
  /** What the messages that stand in for the past speak for. */
  readonly standings: Standings;
  /** Why the cut was made. */
  readonly reason: string;
}

/** Neighbouring entries between the two cuts: an exchange, or a part of the log that nobody has looked at. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** As it was shown or would have been; undefined where it was never counted. */
  readonly tokens: number | undefined;
}

/** What became of each exchange that a view leaves out and the view before did not. */
export function leftOutItems(input: LeftOutInput, left: NewlyLeftOut): Touched[] {
  const samples = new Samples(input, left.from, left.to);
  const isNew = (at: number) => !input.account.kept.has(at) && !input.before?.dropped.has(at);
  const between = stretches(input, left).flatMap((stretch) => stretchItem(input, stretch, { samples, isNew }));
  return [...between, ...left.single.map((at) => singleItem(input, at, left))];
}

function stretches(input: LeftOutInput, { from, to }: NewlyLeftOut): Stretch[] {
  const { log } = input;
  const known = Math.max(from, Math.min(to, log.horizon));
  const found: Stretch[] = unknownParts(input.standings, from, known);
  const end = log.exchangeFrom(to);
  for (let at = log.exchangeFrom(known); at < end; at++) {
    const { first } = log.exchanges[at]!;
    const stretch = { from: first, to: Math.min(to, log.exchanges[at + 1]?.first ?? to), tokens: tokensOf(input, at) };
    const before = found.at(-1);
    if (before !== undefined && isOneUnknown(input, before, stretch))
      found[found.length - 1] = { ...before, to: stretch.to };
    else found.push(stretch);
  }
  return found;
}

/** What was never counted is estimated in long stretches, for each needs samples. */
function isOneUnknown({ standings }: LeftOutInput, before: Stretch, after: Stretch): boolean {
  if (before.tokens !== undefined || after.tokens !== undefined) return false;
  return standings.at(before.from) === standings.at(after.from);
}

/** A part of the log in which exchanges are not known, in pieces that one standing covers. */
function unknownParts(standings: Standings, from: number, to: number): Stretch[] {
  if (to <= from) return [];
  const starts = [from, ...standings.edges(from, to)];
  return starts.map((start, at) => ({ from: start, to: starts[at + 1] ?? to, tokens: undefined }));
}

/** Undefined where it was never counted. */
function tokensOf({ log, late, account, before, shown }: LeftOutInput, at: number): number | undefined {
  const exchange = log.exchanges[at]!;
  const { first, kind } = exchange;
  if (account.kept.has(first) || before?.dropped.has(first)) return 0;
  if (kind === "system") return systemTokens({ log, late }, first);
  const counted = isVisible(exchange) ? shown.counted(first) : 0;
  return counted === undefined ? undefined : counted - savedByLines(before, exchange);
}

/** A system message that repeats another took no room. */
const systemTokens = ({ log, late }: Pick<LeftOutInput, "log" | "late">, at: number): number =>
  late.isRepeat(at) ? 0 : (log.entries[at]!.tokens ?? 0);

/** Tokens that an exchange took less in the view before, with lines in place of results. */
function savedByLines(before: Account | undefined, exchange: Exchange): number {
  if (before === undefined || before.lines.size === 0) return 0;
  return membersOf(exchange).reduce((sum, at) => sum + (before.lines.get(at) ?? 0), 0);
}

interface Look {
  readonly samples: Samples;
  readonly isNew: (position: number) => boolean;
}

function stretchItem(input: LeftOutInput, { from, to, tokens }: Stretch, { samples, isNew }: Look): Touched[] {
  let [first, last, entries] = [-1, -1, 0];
  for (let at = from; at < to; at++) {
    if (!isNew(at)) continue;
    if (first < 0) first = at;
    last = at;
    entries++;
  }
  if (entries === 0) return [];
  const tokensBefore = tokens ?? samples.tokens(from, to);
  const estimated = tokens === undefined && tokensBefore > 0;
  return [{ first, last, entries, ...fateAt(input, from), tokensBefore, tokensAfter: 0, estimated }];
}

function fateAt({ standings, reason }: LeftOutInput, position: number): Pick<Touched, "fate" | "reason" | "digest"> {
  const standing = standings.at(position);
  if (standing === undefined) return { fate: "left-out", reason };
  if (standing.digest === undefined) return { fate: "kept", reason: "it is likely to be used again" };
  return { fate: "digested", reason, digest: standing.digest };
}

/** An entry outside of the range between the two cuts. */
function singleItem(input: LeftOutInput, at: number, { from, to }: NewlyLeftOut): Touched {
  const { log, before, counter } = input;
  const { fate, digest } = fateAt(input, at);
  const reason = singleReason(input, at);
  const given = { first: at, last: at, entries: 1, fate, reason, digest, tokensAfter: 0 };
  const kept = before?.kept.get(at);
  if (kept !== undefined) return { ...given, tokensBefore: kept, estimated: false };
  const owner = log.lateResults.findLast((late) => late.at === at)?.first;
  if (owner === undefined) return { ...given, tokensBefore: systemTokens(input, at), estimated: false };
  if (owner >= from && owner < to) return { ...given, tokensBefore: 0, estimated: false };
  const counted = log.entries[at]!.tokens;
  const tokensBefore = counted ?? new Samples({ log, counter }, at, at + 1).tokens(at, at + 1);
  return { ...given, tokensBefore, estimated: counted === undefined };
}

function singleReason({ log, before }: LeftOutInput, at: number): string {
  const { role } = log.entries[at]!;
  if (role === "system") return "newer system messages took its room";
  if (!before?.kept.has(at)) return "its call is left out";
  const holding = log.exchangeHolding(at);
  const exchange = log.exchanges[holding];
  const wasPinned = exchange !== undefined && before.pins.has(exchange.first);
  return wasPinned ? "it is no longer pinned" : "its turn left the window";
}
