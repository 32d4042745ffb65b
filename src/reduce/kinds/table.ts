import { lineCap } from "../fit-line.js";
import { liftEdges, TIER } from "../line-rules.js";
import { linesMark } from "../marks.js";
import type { CountTokens } from "../measure.js";
import { type SourceLines, sampleIndexes } from "../source-lines.js";
import { findOddRows } from "./odd-rows.js";

interface TableBudget {
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const HEADER_ROWS = 3;
const LAST_ROWS = 2;
const SAMPLE_ROWS = 60;
const MEASURED_ROWS = 24;
const ROW_SHARE = 0.12;
/** Share of the budget for rows that are unlike the others, with their marks. */
const ODD_SHARE = 0.4;
/** Share of the budget that is planned for; estimates are off by less than the rest. */
const PLANNED_SHARE = 0.95;
const LONGEST_RUN = 5;

/** Header, first and last rows, those unlike the others, and runs of rows that are spread over the whole. */
export function scoreTable(lines: SourceLines, budget: TableBudget): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  const cost = rowCost(lines, budget);
  const mark = budget.count(linesMark(1, lines.count)) + 1;
  const mostOdd = Math.max(1, Math.floor((budget.maxTokens * ODD_SHARE) / (cost + mark)));
  const odd = findOddRows(lines, sampleIndexes(lines.count, SAMPLE_ROWS)).slice(0, mostOdd);
  const fixed = 2 * mark + (HEADER_ROWS + LAST_ROWS) * cost + odd.length * (cost + mark);
  const room = budget.maxTokens * PLANNED_SHARE - fixed;
  for (const index of spreadRows(lines.count, { room, cost, mark })) tiers[index] = TIER.repeat;
  for (const index of odd) tiers[index] = TIER.detail;
  for (let index = 0; index < Math.min(HEADER_ROWS, lines.count); index++) tiers[index] = TIER.verdict - index;
  tiers[lines.count - 1] = Math.max(tiers[lines.count - 1]!, TIER.notice);
  return liftEdges(tiers, { first: HEADER_ROWS, last: LAST_ROWS });
}

/** Tokens of a row on average. */
function rowCost(lines: SourceLines, { maxTokens, count }: TableBudget): number {
  const cap = lineCap(maxTokens, ROW_SHARE);
  const rows = sampleIndexes(lines.count, MEASURED_ROWS).map((index) => lines.head(index, cap * 8));
  return 1 + rows.reduce((sum, row) => sum + Math.min(cap, count(row)), 0) / Math.max(1, rows.length);
}

/** Runs of rows at even distances, as many as there is room for. A run is long enough for its mark to be the lesser part. */
function spreadRows(rows: number, { room, cost, mark }: { room: number; cost: number; mark: number }): number[] {
  const length = Math.min(LONGEST_RUN, Math.ceil((2 * mark) / cost));
  const runs = Math.min(Math.floor(room / (length * cost + mark)), Math.floor(rows / length));
  const starts = Array.from({ length: Math.max(0, runs) }, (_, run) => Math.floor(((run + 1) * rows) / (runs + 1)));
  return starts.flatMap((start) => Array.from({ length }, (_, at) => start + at)).filter((index) => index < rows);
}
