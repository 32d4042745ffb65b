import type { SourceLines } from "./source-lines.js";

/**
 * Tiers of lines in an excerpt. What decides is how much worse an agent would act without the line: it cannot go on
 * without the verdict and the names, hardly without the error, and can look the rest up.
 */
export const TIER = {
  totals: 10,
  verdict: 9,
  error: 8,
  place: 7,
  detail: 6,
  notice: 5,
  edge: 4,
  context: 2,
  repeat: 1,
  none: 0,
} as const;

/** The first rule that matches a line gives its tier. Patterns see the head of a line only and must not backtrack far. */
export type LineRule = readonly [pattern: RegExp, tier: number];

/** One pattern for several, which is faster to ask than each in turn. They ignore case if one of them does. */
export function anyOf(patterns: readonly RegExp[]): RegExp {
  const flags = patterns.some(({ ignoreCase }) => ignoreCase) ? "i" : "";
  return new RegExp(patterns.map(({ source }) => source).join("|"), flags);
}

/** Enough to recognise a line. */
const HEAD = 240;
const REMEMBERED = 20_000;

/** Scores each line by rules; a line that repeats an earlier one literally is worth little. */
export function scoreByRules(lines: SourceLines, rules: readonly LineRule[]): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  const seen = new Map<string, number>();
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, HEAD);
    const known = seen.get(head);
    const tier = known ?? tierOf(head, rules);
    tiers[index] = known === undefined ? tier : Math.min(tier, TIER.repeat);
    if (known === undefined && seen.size < REMEMBERED) seen.set(head, tier);
  }
  return tiers;
}

function tierOf(head: string, rules: readonly LineRule[]): number {
  return rules.find(([pattern]) => pattern.test(head))?.[1] ?? TIER.none;
}

/** How many lines from the end totals are looked for, and how many of them count: those of the whole stand last. */
const FAR_BACK = 2_000;
const TOTALS_LINES = 3;

interface Totals {
  readonly pattern: RegExp;
  /** Above all others when left out. */
  readonly tier?: number;
}

/** Lifts the last lines that say how much went wrong. Names may be too many to show; these say how many there are. */
export function liftTotals(lines: SourceLines, tiers: Uint8Array, { pattern, tier = TIER.totals }: Totals): Uint8Array {
  const lifted = tiers.slice();
  const least = Math.max(0, lines.count - FAR_BACK);
  let found = 0;
  for (let index = lines.count - 1; index >= least && found < TOTALS_LINES; index--) {
    if (!pattern.test(lines.head(index, HEAD))) continue;
    lifted[index] = Math.max(lifted[index]!, tier);
    found++;
  }
  return lifted;
}

/** Lifts the lines around important ones, `before` and `after`, where nothing better is known of them. */
export function liftContext(tiers: Uint8Array, { before, after }: { before: number; after: number }): Uint8Array {
  const lifted = tiers.slice();
  for (let index = 0; index < tiers.length; index++) {
    if (tiers[index]! < TIER.place) continue;
    const end = Math.min(tiers.length, index + after + 1);
    for (let near = Math.max(0, index - before); near < end; near++) {
      lifted[near] = Math.max(lifted[near]!, TIER.context);
    }
  }
  return lifted;
}

/** The first and the last lines say what ran and how it ended. */
export function liftEdges(tiers: Uint8Array, { first, last }: { first: number; last: number }): Uint8Array {
  const lifted = tiers.slice();
  for (let index = 0; index < tiers.length; index++) {
    if (index >= first && index < tiers.length - last) continue;
    lifted[index] = Math.max(lifted[index]!, TIER.edge);
  }
  return lifted;
}

/** Words that make any line of any tool worth a look. */
export const SEVERE =
  /\b(?:error|errors|fatal|panic|panicked|exception|traceback|failed|failure|failures|critical|severe|denied|refused|aborted|segfault|segmentation fault|SIG(?:ABRT|BUS|FPE|ILL|KILL|QUIT|SEGV|SYS|TERM|TRAP)|E(?:CONN[A-Z]+|ACCES|ADDRINUSE|NOENT|NOSPC|NOTFOUND|PERM|TIMEDOUT)|unhandled|undefined reference|not found|no such file|cannot|can't|unable to|timed out|out of memory|killed)\b|\w(?:Error|Exception)\b|[✖✗✘❌]|\bERR!/i;
export const WARNING = /\bwarn(?:ing|ings)?\b|\bdeprecated\b|⚠/i;
