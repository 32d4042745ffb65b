import type { StreamUsage } from "../../model/streaming.js";
import { findModel, type ModelPrice } from "../../tokens/models.js";

export interface Metered {
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** US dollars; null where the model's prices are not known. */
  readonly cost: number | null;
}

const MILLION = 1_000_000;

/** Adds up what the provider counted, and what that costs. */
export class Meter {
  readonly #price: ModelPrice | undefined;
  #metered: Metered;

  constructor(model: string) {
    this.#price = findModel(model)?.price;
    const cost = this.#price === undefined ? null : 0;
    this.#metered = { requests: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cost };
  }

  get metered(): Metered {
    return this.#metered;
  }

  add(usage: StreamUsage): void {
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = usage;
    const { requests, cost, ...sums } = this.#metered;
    this.#metered = {
      requests: requests + 1,
      inputTokens: sums.inputTokens + inputTokens,
      outputTokens: sums.outputTokens + outputTokens,
      cacheReadTokens: sums.cacheReadTokens + cacheReadTokens,
      cost: this.#price === undefined || cost === null ? null : cost + costOf(usage, this.#price),
    };
  }
}

/** Cached input is part of the input, and has prices of its own where there are some. */
function costOf(usage: StreamUsage, { input, output, cacheRead = input, cacheWrite = input }: ModelPrice): number {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const dearest = plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
  return (dearest + outputTokens * output) / MILLION;
}
