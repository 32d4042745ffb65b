import { fitLine, lineCap } from "./fit-line.js";
import { HEAD_MARK_FROM, headMark, rowMark } from "./marks.js";
import type { CountTokens } from "./measure.js";
import { shortenText } from "./shorten-text.js";

/**
 * A digest of kinds shows one line for many alike: its number, how many it stands for, and its text. It suits texts
 * whose lines repeat a few forms, where an excerpt would show one form over and over.
 */
export interface Row {
  /** Number of the line in the source, from 1. */
  readonly line: number;
  readonly count: number;
  readonly text: string;
  /** How much room the row is worth; twice the weight may cost twice the tokens. */
  readonly weight: number;
  /** Rows of one family say nearly the same: each further one is worth half the one before. */
  readonly family: number;
}

export interface RowsRequest {
  readonly rows: readonly Row[];
  readonly kind: string;
  readonly facts: readonly string[];
  readonly maxTokens: number;
  readonly count: CountTokens;
}

const MISSES = 24;
const SMALLEST_ROW = 6;
const ROW_SHARE = 0.08;
const MAX_HALVINGS = 5;

export interface RowsDigest {
  readonly text: string;
  readonly rows: number;
}

export function digestRows(request: RowsRequest): RowsDigest {
  const { kind, facts, maxTokens, count } = request;
  const head = maxTokens >= HEAD_MARK_FROM ? headMark(kind, ...facts) : headMark(kind);
  const chosen = chooseRows(request, count(head));
  for (;;) {
    const lines = [...chosen].sort((a, b) => a.line - b.line).map((row) => row.text);
    const text = [head, ...lines].join("\n");
    const over = count(text) - maxTokens;
    if (over <= 0) return { text, rows: chosen.length };
    if (chosen.length === 0) return { text: shortenText(text, { maxTokens, counter: count }), rows: 0 };
    chosen.length -= Math.min(chosen.length, 1 + Math.floor(over / 8));
  }
}

interface ChosenRow {
  readonly line: number;
  readonly text: string;
}

function chooseRows({ rows, maxTokens, count }: RowsRequest, headCost: number): ChosenRow[] {
  const chosen: ChosenRow[] = [];
  const cap = { maxTokens: lineCap(maxTokens, ROW_SHARE), counter: count, headShare: 1, bare: true };
  let used = headCost;
  let misses = 0;
  for (const row of byWorth(rows)) {
    if (misses > MISSES || maxTokens - used < SMALLEST_ROW) break;
    const { text, cost } = fitLine(rowMark(row.line, row.count) + row.text, cap);
    if (used + cost > maxTokens) misses++;
    else {
      used += cost;
      chosen.push({ line: row.line, text });
    }
  }
  return chosen;
}

/** Cheap rows first, since one kind kept is worth as much as another; weight and family correct that. */
function byWorth(rows: readonly Row[]): Row[] {
  const byCost = [...rows].sort((a, b) => price(a) - price(b) || a.line - b.line);
  const rank = new Map<number, number>();
  const priced = byCost.map((row) => {
    const earlier = rank.get(row.family) ?? 0;
    rank.set(row.family, earlier + 1);
    return { row, price: price(row) * 2 ** Math.min(earlier, MAX_HALVINGS) };
  });
  return priced.sort((a, b) => a.price - b.price || a.row.line - b.row.line).map(({ row }) => row);
}

const ROW_OVERHEAD = 12;

function price(row: Row): number {
  return (row.text.length + ROW_OVERHEAD) / row.weight;
}
