/** BM25: how much the words that a passage shares with a question say for it. */

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** What a search counts over: the passages that it looks among. */
export interface PassageCounts {
  readonly passages: number;
  /** Terms in all of them. */
  readonly length: number;
}

/** How much one term says that stands in `holding` of the passages. */
export const termWeight = ({ passages }: PassageCounts, holding: number): number =>
  Math.log(1 + (passages - holding + 0.5) / (holding + 0.5));

/** What a passage of `length` terms, a term `count` times among them, gets for a term of weight 1. */
export function termScore(count: number, length: number, average: number): number {
  const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / average);
  return (count * (SATURATION + 1)) / (count + norm);
}

/** Terms of a passage, on average; never 0, so that it can be divided by. */
export const averageLength = ({ passages, length }: PassageCounts): number => (length > 0 ? length / passages : 1);
