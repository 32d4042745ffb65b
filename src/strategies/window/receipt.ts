import type { Receipt, ReceiptItem } from "../../compaction/receipt.js";
import type { ShownExchanges } from "../../compaction/shown.js";
import { messageText } from "../../message/content.js";
import { isVisible } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import type { TokenCounter } from "../../tokens/counter.js";
import { type Account, type NewlyLeftOut, newlyLeftOut } from "./account.js";
import type { Composition } from "./compose.js";

export interface ReceiptInput {
  readonly id: string;
  readonly strategy: string;
  readonly log: Log;
  readonly counter: TokenCounter;
  readonly shown: ShownExchanges;
  /** The account of the view before; undefined for the first. */
  readonly before: Account | undefined;
  readonly account: Account;
  readonly composition: Composition;
}

/** Writes the account of what a view reduced that the view before had not; undefined where it reduced nothing. */
export function receiptOf(input: ReceiptInput): Receipt | undefined {
  const { log, composition, before, account } = input;
  const left = newlyLeftOut(before, account);
  const fresh = composition.shortened.filter((form) => !before?.shortened.has(form));
  const context = contextReduction(input);
  const memoryGaveWay = !account.memoryWhole && (before === undefined || before.memoryWhole);
  if (left.entries === 0 && fresh.length === 0 && context === undefined && !memoryGaveWay) return undefined;
  const leftOut = leftOutTokens(input, left);
  const reduced = context === undefined ? 0 : context.tokensBefore - context.tokensAfter;
  const saved = fresh.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0);
  return {
    id: input.id,
    strategy: input.strategy,
    reason: reasonOf({ cut: account.cut > (before?.cut ?? account.start), left: left.entries, short: fresh.length }),
    tokensBefore: composition.tokens + leftOut.tokens + saved + otherwise(input) + reduced,
    tokensAfter: composition.tokens,
    estimated: leftOut.estimated || fresh.some(({ estimated }) => estimated),
    leftOut:
      left.entries === 0
        ? undefined
        : { from: log.entries[left.first]!.id, to: log.entries[left.last]!.id, entries: left.entries },
    items: fresh.map(({ at, tokensBefore, tokensAfter }): ReceiptItem => {
      const reason = "larger than its share of the window";
      return { entry: log.entries[at]!.id, fate: "shortened", reason, tokensBefore, tokensAfter };
    }),
    context,
    replacedBy: left.entries === 0 || composition.replacedBy === "" ? undefined : composition.replacedBy,
    recover: "The log keeps every entry whole: session.entries() returns them.",
  };
}

function reasonOf({ cut, left, short }: { cut: boolean; left: number; short: number }): string {
  if (cut) return "the history exceeded its part of the window";
  if (left > 0) return "it was unpinned, or newer system messages took its room";
  return short > 0 ? "a message exceeded its part of the window" : "the last turn left no room for more";
}

function contextReduction({ composition: { context }, before }: ReceiptInput): Receipt["context"] {
  if (context === undefined || context === before?.context) return undefined;
  const tokensAfter = context.shown?.tokens ?? 0;
  return tokensAfter < context.whole ? { tokensBefore: context.whole, tokensAfter } : undefined;
}

/** What the stand-in and the opener took before, beyond what they take now. */
function otherwise({ composition: { memory, opener }, before }: ReceiptInput): number {
  return before === undefined ? -memory : before.memory - memory + before.opener - opener;
}

interface Tokens {
  readonly tokens: number;
  readonly estimated: boolean;
}

/** Tokens of what was left out, as it was shown or would have been; what no view ever showed is estimated. */
function leftOutTokens(input: ReceiptInput, { single, from, to }: NewlyLeftOut): Tokens {
  const { log, before } = input;
  const known = Math.max(from, Math.min(to, log.horizon));
  let tokens = 0;
  let uncounted = lengthBetween(log, from, known);
  for (const at of single) tokens += before?.kept.get(at) ?? log.entries[at]!.tokens ?? 0;
  for (let at = log.exchangeFrom(known); at < log.exchangeFrom(to); at++) {
    const counted = exchangeTokens(input, at);
    if (counted === undefined) uncounted += lengthBetween(log, log.exchanges[at]!.first, log.exchanges[at]!.end);
    else tokens += counted;
  }
  const estimate = uncounted === 0 ? 0 : Math.round(uncounted * tokensPerCharacter(input, from, to));
  return { tokens: tokens + estimate, estimated: uncounted > 0 };
}

/** Undefined where it was never counted. */
function exchangeTokens({ log, account, before, shown }: ReceiptInput, at: number): number | undefined {
  const exchange = log.exchanges[at]!;
  const { first, kind } = exchange;
  if (account.kept.has(first) || before?.dropped.has(first)) return 0;
  if (kind === "system") return log.entries[first]!.tokens ?? 0;
  return isVisible(exchange) ? shown.counted(first) : 0;
}

/** So many entries of a long range are measured, and so many of its beginnings counted: counting is dear. */
const MEASURED = 500;
const COUNTED = 24;
const COUNTED_LENGTH = 600;

/** Characters of a range of the log; of a long one by the mean of some of its messages. */
function lengthBetween(log: Log, from: number, to: number): number {
  if (to <= from) return 0;
  const step = Math.max(1, Math.floor((to - from) / MEASURED));
  let length = 0;
  let measured = 0;
  for (let at = from; at < to; at += step, measured++) length += messageText(log.messageAt(at)).length;
  return (length / measured) * (to - from);
}

/** How dense the text of a range is, by the beginnings of some of its messages. */
function tokensPerCharacter({ log, counter }: ReceiptInput, from: number, to: number): number {
  const step = Math.max(1, Math.floor((to - from) / COUNTED));
  const pieces: string[] = [];
  for (let at = from; at < to; at += step) pieces.push(messageText(log.messageAt(at)).slice(0, COUNTED_LENGTH));
  const counted = pieces.reduce((sum, text) => sum + counter.text(text), 0);
  return counted / Math.max(1, lengthOf(pieces));
}

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
