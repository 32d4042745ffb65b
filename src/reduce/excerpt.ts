import { type FittedLine, fitLine, lineCap } from "./fit-line.js";
import { TIER } from "./line-rules.js";
import { HEAD_MARK_FROM, headMark, linesMark } from "./marks.js";
import type { CountTokens } from "./measure.js";
import { shareRoom } from "./share-room.js";
import { shortenText } from "./shorten-text.js";
import type { SourceLines } from "./source-lines.js";

/**
 * An excerpt is made of source lines in their order, with a mark for each run left out. Lines are chosen by tier,
 * the highest first; what room is left goes to the head and the tail of the text.
 */
export interface ExcerptRequest {
  readonly lines: SourceLines;
  /** One tier per line; a line of tier 0 is kept only as head or tail. */
  readonly tiers: Uint8Array;
  /** For a line that is not shown without another, the index of that other and one; 0 for all others. */
  readonly partners?: Uint32Array;
  readonly kind: string;
  readonly maxTokens: number;
  readonly count: CountTokens;
  /** Share of the budget that tiers may use before head and tail get theirs; 1 when left out. */
  readonly tierShare?: number;
  /** Share of head against tail in the room that is left; 0.4 when left out. */
  readonly headShare?: number;
}

export interface Excerpt {
  readonly text: string;
  readonly linesOmitted: number;
}

/** An excerpt of lines; says also how many lines of its highest tiers, from that of errors, it leaves out. */
export interface LineExcerpt extends Excerpt {
  readonly essentialsOmitted: number;
}

interface Selection {
  /** Index of a chosen line to the text that is shown for it. */
  readonly chosen: Map<number, string>;
  readonly costs: Map<number, number>;
  /** Tokens of one mark, at its longest. */
  readonly gap: number;
  used: number;
}

const MISSES = 64;
const READABLE = 1.5;
const SHRINK_ROUNDS = 12;
/** Gaps that are shown instead of marked leave room for more lines. */
const TIER_ROUNDS = 2;
const WIDEN_ROUNDS = 4;
/** A line that says what went wrong is not cut up to so many tokens, or this share of the budget. */
const SANE_LENGTH = 80;
const LONGEST_SHARE = 0.4;
/** A line may take this share of the budget before its middle is cut: more where it matters more. */
const LINE_SHARE = [0.1, 0.12, 0.12, 0.12, 0.15, 0.15, 0.2, 0.2, 0.3, 0.3];

export function excerpt(request: ExcerptRequest): LineExcerpt {
  const selection = startSelection(request);
  for (let round = 0; round < TIER_ROUNDS; round++) {
    chooseByTier(request, selection);
    bridgeGaps(request, selection);
  }
  chooseEnds(request, selection);
  bridgeGaps(request, selection);
  const { text, linesOmitted } = widenLines(request, selection, shrinkToFit(request, selection));
  return { text, linesOmitted, essentialsOmitted: essentialsOmitted(request, selection) };
}

function essentialsOmitted({ tiers }: ExcerptRequest, { chosen }: Selection): number {
  return tiers.reduce((sum, tier, index) => (tier >= TIER.error && !chosen.has(index) ? sum + 1 : sum), 0);
}

function startSelection({ lines, kind, maxTokens, count }: ExcerptRequest): Selection {
  const head = maxTokens >= HEAD_MARK_FROM ? count(headMark(kind, `${lines.count} lines`)) + 1 : 0;
  const gap = count(linesMark(lines.number(0), lines.number(Math.max(0, lines.count - 1)))) + 1;
  return { chosen: new Map(), costs: new Map(), gap, used: head + gap };
}

function chooseByTier(request: ExcerptRequest, selection: Selection): void {
  const { tiers, maxTokens, tierShare = 1 } = request;
  const highest = tiers.reduce((a, b) => Math.max(a, b), 0);
  for (let tier = highest; tier > 0; tier--) {
    let misses = 0;
    for (let index = tiers.indexOf(tier); index >= 0 && misses < MISSES; index = tiers.indexOf(tier, index + 1)) {
      if (!choose(request, selection, { index, limit: maxTokens * tierShare })) misses++;
    }
  }
}

interface Candidate {
  readonly index: number;
  readonly limit: number;
}

/** Adds a line if it fits, with its partner and with the marks that they make necessary or superfluous. */
function choose(request: ExcerptRequest, selection: Selection, { index, limit }: Candidate): boolean {
  if (selection.chosen.has(index)) return true;
  const { used } = selection;
  if (!chooseAlone(request, selection, { index, limit })) return false;
  const partner = request.partners?.[index] ?? 0;
  if (partner === 0 || selection.chosen.has(partner - 1)) return true;
  if (chooseAlone(request, selection, { index: partner - 1, limit })) return true;
  selection.chosen.delete(index);
  selection.used = used;
  return false;
}

function chooseAlone(request: ExcerptRequest, selection: Selection, { index, limit }: Candidate): boolean {
  const { text, cost } = shownLine(request, index);
  const change = cost + gapChange(request, selection, index);
  if (selection.used + change > limit) return false;
  selection.chosen.set(index, text);
  selection.costs.set(index, cost);
  selection.used += change;
  return true;
}

function gapChange({ lines }: ExcerptRequest, { chosen, gap }: Selection, index: number): number {
  const before = index === 0 || chosen.has(index - 1);
  const after = index === lines.count - 1 || chosen.has(index + 1);
  if (before !== after) return 0;
  return before ? -gap : gap;
}

function shownLine({ lines, tiers, maxTokens, count }: ExcerptRequest, index: number): FittedLine {
  const share = LINE_SHARE[Math.min(tiers[index]!, LINE_SHARE.length - 1)]!;
  const least = tiers[index]! >= TIER.place ? Math.min(SANE_LENGTH, Math.floor(maxTokens * LONGEST_SHARE)) : 0;
  const cap = Math.max(least, Math.min(maxTokens, lineCap(maxTokens, share)));
  return fitLine(lines.at(index), { maxTokens: cap, counter: count });
}

/** A gap that costs hardly more than its mark is shown instead of marked. */
function bridgeGaps(request: ExcerptRequest, selection: Selection): void {
  const { lines, count } = request;
  const mark = selection.gap;
  for (const [from, to] of gaps(selection.chosen, lines.count)) {
    if (to - from >= mark || charactersBetween(lines, from, to) > mark * 8) continue;
    const texts = range(from, to).map((index) => lines.at(index));
    const costs = texts.map((text) => count(text) + 1);
    const total = costs.reduce((a, b) => a + b, 0);
    const worthwhile =
      total <= mark || (total <= mark * READABLE && selection.used + total - mark <= request.maxTokens);
    if (!worthwhile) continue;
    range(from, to).forEach((index, i) => {
      selection.chosen.set(index, texts[i]!);
      selection.costs.set(index, costs[i]!);
    });
    selection.used += total - mark;
  }
}

function charactersBetween(lines: SourceLines, from: number, to: number): number {
  return range(from, to).reduce((sum, index) => sum + lines.length(index), 0);
}

/** Fills the room that is left from both ends inwards. */
function chooseEnds(request: ExcerptRequest, selection: Selection): void {
  const { lines, maxTokens, headShare = 0.4 } = request;
  const spent = { head: 0, tail: 0 };
  let head = 0;
  let tail = lines.count - 1;
  let open = { head: true, tail: true };
  while ((open.head || open.tail) && head <= tail) {
    const side = open.head && (!open.tail || spent.head * (1 - headShare) < spent.tail * headShare) ? "head" : "tail";
    const index = side === "head" ? head++ : tail--;
    const fits = choose(request, selection, { index, limit: maxTokens });
    if (fits) spent[side] += selection.costs.get(index)!;
    else open = { ...open, [side]: false };
  }
}

/** The sum of the parts is an estimate of the whole: where it was too low, the lines chosen last go first. */
function shrinkToFit(request: ExcerptRequest, selection: Selection): Excerpt {
  const { maxTokens, count, lines } = request;
  const order = [...selection.chosen.keys()];
  for (let round = 0; round < SHRINK_ROUNDS; round++) {
    const text = render(request, selection.chosen);
    const over = count(text) - maxTokens;
    if (over <= 0) return { text, linesOmitted: lines.count - selection.chosen.size };
    for (let freed = 0; freed < over * (round + 1) && order.length > 0; ) {
      const index = order.pop()!;
      freed += selection.costs.get(index)!;
      selection.chosen.delete(index);
      const partner = (request.partners?.[index] ?? 0) - 1;
      if (request.partners?.[partner] === index + 1) selection.chosen.delete(partner);
    }
  }
  const text = shortenText(render(request, selection.chosen), { maxTokens, counter: count });
  return { text, linesOmitted: lines.count - selection.chosen.size };
}

/** Gives what room is left to the lines that were cut. */
function widenLines(request: ExcerptRequest, { chosen, costs }: Selection, narrow: Excerpt): Excerpt {
  const { maxTokens, count, lines } = request;
  const cut = [...chosen]
    .filter(([index, text]) => text.length !== lines.length(index))
    .map(([index]) => ({ index, length: lines.length(index), cost: costs.get(index)! }));
  let room = maxTokens - count(narrow.text);
  for (let round = 0; round < WIDEN_ROUNDS && room > 0 && cut.length > 0; round++) {
    const wider = new Map(chosen);
    shareRoom(cut, room, ({ index }, tokens) => {
      const fitted = fitLine(lines.at(index), { maxTokens: tokens, counter: count });
      wider.set(index, fitted.text);
      return fitted.cost;
    });
    const text = render(request, wider);
    const over = count(text) - maxTokens;
    if (over <= 0) return { ...narrow, text };
    room -= over + round;
  }
  return narrow;
}

function render({ lines, kind, maxTokens }: ExcerptRequest, chosen: ReadonlyMap<number, string>): string {
  const parts = maxTokens >= HEAD_MARK_FROM ? [headMark(kind, `${lines.count} lines`)] : [];
  let next = 0;
  const mark = (to: number) => {
    if (to > next) parts.push(linesMark(lines.number(next), lines.number(to - 1)));
  };
  for (const index of [...chosen.keys()].sort((a, b) => a - b)) {
    mark(index);
    parts.push(chosen.get(index)!);
    next = index + 1;
  }
  mark(lines.count);
  return parts.join("\n");
}

function gaps(chosen: ReadonlyMap<number, string>, count: number): [number, number][] {
  const found: [number, number][] = [];
  let next = 0;
  for (const index of [...[...chosen.keys()].sort((a, b) => a - b), count]) {
    if (index > next) found.push([next, index]);
    next = index + 1;
  }
  return found;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}
