import type { ShortenedMessage } from "../../compaction/shown.js";
import { isVisible, membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import type { Composition } from "./compose.js";
import type { FixedBlocks } from "./fixed.js";

/**
 * What one view showed of its log. Left out are the positions from the start of the conversation up to the cut but for
 * those kept, and those that were dropped. Receipts are the difference between two accounts, so that their numbers add
 * up to what the latest view leaves out.
 */
export interface Account {
  readonly start: number;
  readonly cut: number;
  /** Positions before the cut that were shown all the same, with tokens: an exchange's stand at its first. */
  readonly kept: ReadonlyMap<number, number>;
  /** Positions at which the pinned ones among the exchanges kept open. */
  readonly pins: ReadonlySet<number>;
  /**
   * Positions behind the cut: of system messages from inside the conversation for which there was no room, and of late
   * results whose calls lie before it.
   */
  readonly dropped: ReadonlySet<number>;
  readonly shortened: ReadonlySet<ShortenedMessage>;
  /** Tokens that lines in place of results saved, by position. */
  readonly lines: ReadonlyMap<number, number>;
  readonly context: Composition["context"];
  /** Tokens of the whole view, of what stood for the part before the cut, and of the opener. */
  readonly tokens: number;
  readonly memory: number;
  readonly memoryWhole: boolean;
  readonly opener: number;
  /** How much the views have grown from one to the next where none was cut: tokens in all, and how often. */
  readonly growth: { readonly tokens: number; readonly times: number };
}

export interface AccountInput {
  readonly fixed: FixedBlocks;
  readonly composition: Composition;
  /** The account of the view before; undefined for the first. */
  readonly before: Account | undefined;
}

export function accountOf(log: Log, { fixed, composition, before }: AccountInput): Account {
  const cut = Math.max(log.start, composition.cut);
  const { lead, shortened, context, tokens, memory, memoryWhole, opener } = composition;
  const kept = keptBefore(log, cut, { fixed, composition });
  return {
    start: log.start,
    cut,
    kept,
    pins: new Set(lead.filter(({ pinned }) => pinned).map(({ exchange }) => exchange.first)),
    dropped: new Set([...fixed.late.droppedFrom(cut), ...lateResultsLeftOut(log, cut, kept)]),
    shortened: new Set(shortened),
    lines: linesOf(shortened),
    context,
    tokens,
    memory,
    memoryWhole,
    opener,
    growth: growthOf(before, cut, tokens),
  };
}

function keptBefore(
  log: Log,
  cut: number,
  { fixed, composition }: Pick<AccountInput, "fixed" | "composition">,
): Map<number, number> {
  const kept = new Map<number, number>();
  for (const { exchange, tokens } of composition.lead) {
    for (const position of membersOf(exchange)) if (position < cut) kept.set(position, 0);
    kept.set(exchange.first, tokens);
  }
  for (const position of fixed.late.shown) {
    if (position < cut) kept.set(position, log.entries[position]!.tokens ?? 0);
  }
  return kept;
}

function linesOf(shortened: readonly ShortenedMessage[]): Map<number, number> {
  const lines = shortened.filter(({ fate }) => fate !== undefined);
  return new Map(lines.map(({ at, tokensBefore, tokensAfter }) => [at, tokensBefore - tokensAfter]));
}

/** A message may hold results of several exchanges: it is shown with any of them. */
function lateResultsLeftOut(log: Log, cut: number, kept: ReadonlyMap<number, number>): ReadonlySet<number> {
  const { lateResults } = log;
  const isShown = (first: number) => first >= cut || kept.has(first);
  const left = new Set<number>();
  const shown = new Set<number>();
  for (let at = lateResults.length - 1; at >= 0 && lateResults[at]!.at >= cut; at--) {
    const { at: position, first } = lateResults[at]!;
    if (isShown(first) || standsInShown(log, position, isShown)) shown.add(position);
    else left.add(position);
  }
  for (const position of shown) left.delete(position);
  return left;
}

function standsInShown(log: Log, position: number, isShown: (first: number) => boolean): boolean {
  const around = log.exchanges[log.exchangeFrom(position + 1) - 1];
  return around !== undefined && position < around.end && isVisible(around) && isShown(around.first);
}

function growthOf(before: Account | undefined, cut: number, tokens: number): Account["growth"] {
  const { tokens: known, times } = before?.growth ?? { tokens: 0, times: 0 };
  const grown = before === undefined || before.cut !== cut ? 0 : tokens - before.tokens;
  return grown <= 0 ? { tokens: known, times } : { tokens: known + grown, times: times + 1 };
}

/** How many entries a view left out. */
export function leftOutOf({ start, cut, kept, dropped }: Account): number {
  let beyond = 0;
  for (const position of dropped) if (position >= cut) beyond++;
  return cut - start - kept.size + beyond;
}

/** What one view leaves out that the one before did not. */
export interface NewlyLeftOut {
  readonly entries: number;
  /** The first and the last position; -1 where there are none. */
  readonly first: number;
  readonly last: number;
  /** Entries that the view before had kept, and dropped ones: positions outside the range. */
  readonly single: readonly number[];
  /** The part between the two cuts; what is kept now or was dropped before is not left out anew. */
  readonly from: number;
  readonly to: number;
}

export function newlyLeftOut(before: Account | undefined, now: Account): NewlyLeftOut {
  const from = Math.max(now.start, before?.cut ?? 0);
  const to = Math.max(from, now.cut);
  const single = singles(before, now);
  let entries = to - from + single.length;
  for (const position of now.kept.keys()) if (position >= from && position < to) entries--;
  for (const position of before?.dropped ?? []) {
    if (position >= from && position < to && !now.kept.has(position)) entries--;
  }
  const isNew = (at: number) => !now.kept.has(at) && !before?.dropped.has(at);
  let low = from;
  while (low < to && !isNew(low)) low++;
  let high = to - 1;
  while (high >= low && !isNew(high)) high--;
  const ends = low <= high ? [low, high, ...single] : single;
  const [first, last] = ends.length === 0 ? [-1, -1] : [Math.min(...ends), Math.max(...ends)];
  return { entries, first, last, single, from, to };
}

function singles(before: Account | undefined, now: Account): number[] {
  const gone = [...(before?.kept.keys() ?? [])].filter((at) => at < now.cut && !now.kept.has(at));
  const dropped = [...now.dropped].filter((at) => at >= now.cut && !before?.dropped.has(at) && !wasLeftOut(before, at));
  return [...gone, ...dropped].sort((a, b) => a - b);
}

const wasLeftOut = (before: Account | undefined, at: number): boolean =>
  before !== undefined && at < before.cut && !before.kept.has(at);
