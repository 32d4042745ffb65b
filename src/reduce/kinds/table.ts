import { liftEdges, TIER } from "../line-rules.js";
import { type SourceLines, sampleIndexes } from "../source-lines.js";

const DELIMITERS = [",", "\t", ";", "|"] as const;
const HEADER_ROWS = 3;
const SAMPLE_ROWS = 60;
const ODD_ROWS = 40;

/** The delimiter that splits nearly all sampled lines into the same number of cells, at least three. */
export function findDelimiter(sample: readonly string[]): string | undefined {
  return DELIMITERS.find((delimiter) => isRegular(sample.map((line) => cellCount(line, delimiter))));
}

function isRegular(counts: readonly number[]): boolean {
  const usual = mostCommon(counts);
  return usual >= 3 && counts.filter((count) => count === usual).length >= counts.length * 0.85;
}

/** Header, first and last rows, rows spread over the whole, and those whose form differs from the usual. */
export function scoreTable(lines: SourceLines): Uint8Array {
  const tiers = new Uint8Array(lines.count);
  for (const index of sampleIndexes(lines.count, SAMPLE_ROWS)) tiers[index] = TIER.repeat;
  for (const index of oddRows(lines)) tiers[index] = TIER.detail;
  for (let index = 0; index < Math.min(HEADER_ROWS, lines.count); index++) tiers[index] = TIER.verdict - index;
  return liftEdges(tiers, { first: HEADER_ROWS, last: 2 });
}

function oddRows(lines: SourceLines): number[] {
  const sample = sampleIndexes(lines.count, SAMPLE_ROWS).map((index) => lines.head(index, 4_000));
  const delimiter = findDelimiter(sample) ?? ",";
  const usual = mostCommon(sample.map((line) => cellCount(line, delimiter)));
  const odd: number[] = [];
  for (let index = 1; index < lines.count && odd.length < ODD_ROWS; index++) {
    if (isOdd(lines.head(index, 4_000), delimiter, usual)) odd.push(index);
  }
  return odd.length < ODD_ROWS ? odd : [];
}

function isOdd(line: string, delimiter: string, usual: number): boolean {
  if (line === "") return false;
  return cellCount(line, delimiter) !== usual || /\b(?:error|failed|nan|inf|null|n\/a)\b/i.test(line);
}

/** Cells of a row; a delimiter between double quotes does not count. */
function cellCount(line: string, delimiter: string): number {
  let cells = 1;
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) cells++;
  }
  return cells;
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]!;
}
