import type { CharacterClass } from "./character-class.js";
import { COSTS } from "./estimate-costs.js";
import { CELL_COUNT, Cell, scriptCells, tallyRuns } from "./runs.js";

/** How a tokenizer differs from o200k, to which the costs are fitted. */
export interface EstimateProfile {
  /** Tokens for each token of o200k, over English and code. 1 unless given. */
  readonly factor?: number;
  /** The same for single scripts, where they differ from `factor`. */
  readonly scripts?: Partial<Readonly<Record<keyof typeof CharacterClass, number>>>;
  /** Whether every digit is a token of its own; else three digits share one. */
  readonly singleDigits?: boolean;
}

/**
 * An estimator of tokens that needs no tokenizer: it looks at the scripts of a text and the kinds of its runs.
 *
 * @example
 * ```ts
 * const estimate = createEstimator({ factor: 1.3 });
 * estimate("The quick brown fox jumps over the lazy dog."); // 14
 * ```
 */
export function createEstimator(profile: EstimateProfile = {}): (text: string) => number {
  const costs = profileCosts(profile);
  return (text) => {
    amounts.fill(0);
    // Half of a surrogate pair is sent as U+FFFD.
    tallyRuns(text.toWellFormed(), amounts);
    let total = 0;
    for (let cell = 0; cell < CELL_COUNT; cell++) total += amounts[cell]! * costs[cell]!;
    return Math.ceil(total);
  };
}

/** Scratch space of one call, kept between calls because most texts are short. */
const amounts = new Float64Array(CELL_COUNT);

function profileCosts({ factor = 1, scripts = {}, singleDigits = false }: EstimateProfile): Float64Array {
  const costs = COSTS.map((cost) => cost * factor);
  for (const [script, scriptFactor] of Object.entries(scripts)) {
    for (const cell of scriptCells(script)) costs[cell] = COSTS[cell]! * scriptFactor;
  }
  if (singleDigits) {
    costs[Cell.digits] = 0;
    costs[Cell.digitCharacters] = 1;
  }
  return costs;
}

/**
 * Estimates the o200k tokens of a text, leaning to over-counting: the median error is a few percent, and texts of 200
 * tokens and more are seldom under-counted by more than a tenth.
 *
 * @example
 * ```ts
 * estimateTokens("The quick brown fox jumps over the lazy dog."); // 11
 * ```
 */
export const estimateTokens: (text: string) => number = createEstimator();
