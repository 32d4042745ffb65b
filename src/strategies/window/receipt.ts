import type { Receipt, ReceiptItem } from "../../compaction/receipt.js";
import type { ShownExchanges } from "../../compaction/shown.js";
import { messageText } from "../../message/content.js";
import { membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";

export interface ReceiptInput {
  readonly id: string;
  readonly log: Log;
  readonly shown: ShownExchanges;
  /** The positions of the cut before and after; equal where only something was shortened. */
  readonly from: number;
  readonly to: number;
  /** Exchanges from before the cut that are shown all the same. */
  readonly kept: readonly number[];
  readonly items: readonly ReceiptItem[];
  readonly tokensAfter: number;
  readonly strategy: string;
  readonly replacedBy: string;
}

/** Writes the account of what one view left out and shortened. */
export function receiptOf(input: ReceiptInput): Receipt {
  const { items } = input;
  const left = leftOutTokens(input);
  const saved = items.reduce((sum, item) => sum + item.tokensBefore - item.tokensAfter, 0);
  const isCut = input.to > input.from;
  return {
    id: input.id,
    strategy: input.strategy,
    reason: isCut ? "the history exceeded its part of the window" : "a message exceeded its part of the window",
    tokensBefore: input.tokensAfter + left.tokens + saved,
    tokensAfter: input.tokensAfter,
    estimated: left.estimated,
    leftOut: isCut ? rangeOf(input) : undefined,
    items,
    replacedBy: isCut ? input.replacedBy : undefined,
    recover: "The log keeps every entry whole: session.entries() returns them.",
  };
}

function rangeOf({ log, from, to, kept }: ReceiptInput): Receipt["leftOut"] {
  const shown = kept
    .flatMap((at) => membersOf(log.exchanges[at]!))
    .filter((position) => position >= from && position < to);
  return { from: log.entries[from]!.id, to: log.entries[to - 1]!.id, entries: to - from - shown.length };
}

/** Of a long range that no view ever showed, this many entries are looked at. */
const SAMPLES = 500;

/** Tokens of what was left out; what no view ever showed is estimated from its length, since counting it is dear. */
function leftOutTokens(input: ReceiptInput): { tokens: number; estimated: boolean } {
  const { log, from, to, kept } = input;
  const known = Math.max(from, Math.min(to, log.horizon));
  const unseen = sampledTokens(log, from, known);
  let tokens = unseen;
  let estimated = known > from;
  for (let at = log.exchangeFrom(known); at < log.exchangeFrom(to); at++) {
    if (kept.includes(at)) continue;
    const { first, end } = log.exchanges[at]!;
    const counted = input.shown.counted(first);
    tokens += counted ?? sampledTokens(log, first, end);
    estimated ||= counted === undefined;
  }
  return { tokens, estimated };
}

function sampledTokens(log: Log, from: number, to: number): number {
  if (to <= from) return 0;
  const step = Math.max(1, Math.floor((to - from) / SAMPLES));
  let characters = 0;
  let samples = 0;
  for (let at = from; at < to; at += step) {
    characters += messageText(log.messages[at]!).length;
    samples++;
  }
  return Math.round((characters / 4 / samples) * (to - from));
}
