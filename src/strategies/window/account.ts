import type { ShortenedMessage } from "../../compaction/shown.js";
import { membersOf } from "../../message/exchanges.js";
import type { Log } from "../../message/log.js";
import type { Composition } from "./compose.js";
import type { FixedBlocks } from "./fixed.js";

/**
 * What one view showed of its log. Left out are the positions from the start of the conversation up to the cut but for
 * those kept, and the system messages that were dropped. Receipts are the difference between two accounts, so that
 * their numbers add up to what the latest view leaves out.
 */
export interface Account {
  readonly start: number;
  readonly cut: number;
  /** Positions before the cut that were shown all the same, with tokens: an exchange's stand at its first. */
  readonly kept: ReadonlyMap<number, number>;
  /** Positions of system messages from inside the conversation for which there was no room. */
  readonly dropped: ReadonlySet<number>;
  readonly shortened: ReadonlySet<ShortenedMessage>;
  readonly context: Composition["context"];
  /** Tokens of what stood for the part before the cut, and of the opener. */
  readonly memory: number;
  readonly memoryWhole: boolean;
  readonly opener: number;
}

export function accountOf(log: Log, { fixed, composition }: { fixed: FixedBlocks; composition: Composition }): Account {
  const cut = Math.max(log.start, composition.cut);
  return {
    start: log.start,
    cut,
    kept: keptBefore(log, cut, { fixed, composition }),
    dropped: new Set(fixed.late.dropped),
    shortened: new Set(composition.shortened),
    context: composition.context,
    memory: composition.memory,
    memoryWhole: composition.memoryWhole,
    opener: composition.opener,
  };
}

function keptBefore(
  log: Log,
  cut: number,
  { fixed, composition }: { fixed: FixedBlocks; composition: Composition },
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
  /** Entries that the view before had kept, or dropped system messages: positions outside the range. */
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
  return [...gone, ...dropped];
}

const wasLeftOut = (before: Account | undefined, at: number): boolean =>
  before !== undefined && at < before.cut && !before.kept.has(at);
