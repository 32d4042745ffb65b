import type { ModelPrice } from "../../tokens/models.js";

/** What the input of a replay costs: sent whole each time, and with the provider's cache. */
export interface Cost {
  readonly plain: number;
  readonly cached: number;
}

/** The sums of one conversation under one setting. */
export interface Figures {
  readonly views: number;
  readonly tokens: number;
  /** Tokens at the start of a view that the view before had as well. */
  readonly cachedTokens: number;
  readonly compactions: number;
  /** Views beyond the window, and views that a provider would refuse. */
  readonly over: number;
  readonly illegal: number;
  /** Identifiers that the agent used next, and those of them in its view. */
  readonly needed: number;
  readonly found: number;
  /** The same of those that were last said more than a window before. */
  readonly far: number;
  readonly farFound: number;
  readonly farInContext: number;
  /** Tokens of all histories, sent whole; and those of them that the one before had as well. */
  readonly fullTokens: number;
  readonly fullCachedTokens: number;
  readonly milliseconds: number;
}

export const NO_FIGURES: Figures = {
  views: 0,
  tokens: 0,
  cachedTokens: 0,
  compactions: 0,
  over: 0,
  illegal: 0,
  needed: 0,
  found: 0,
  far: 0,
  farFound: 0,
  farInContext: 0,
  fullTokens: 0,
  fullCachedTokens: 0,
  milliseconds: 0,
};

const NAMES = Object.keys(NO_FIGURES) as readonly (keyof Figures)[];

export function addFigures(all: readonly Figures[]): Figures {
  const sums = NAMES.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)] as const);
  return { ...NO_FIGURES, ...Object.fromEntries(sums) };
}

/** What a token of input costs. */
export interface Rates {
  /** USD where the model's prices are known, else tokens of input. */
  readonly unit: "USD" | "tokens";
  readonly input: number;
  readonly read: number;
  readonly write: number;
}

/** A read and a write of the cache against plain input, as most providers have it. */
const USUAL: Rates = { unit: "tokens", input: 1, read: 0.1, write: 1.25 };
const MILLION = 1_000_000;

export function ratesOf(price: ModelPrice | undefined): Rates {
  if (price === undefined) return USUAL;
  const { input, cacheRead = input, cacheWrite = input } = price;
  return { unit: "USD", input: input / MILLION, read: cacheRead / MILLION, write: cacheWrite / MILLION };
}

const costOf = (tokens: number, cached: number, { input, read, write }: Rates): Cost => ({
  plain: tokens * input,
  cached: cached * read + (tokens - cached) * write,
});

/** Sums as people compare them. Shares of nothing are null. */
export interface Rating extends Figures {
  readonly meanTokens: number;
  readonly cachedShare: number | null;
  readonly overShare: number | null;
  readonly illegalShare: number | null;
  readonly recall: number | null;
  readonly farRecall: number | null;
  readonly farContextShare: number | null;
  readonly cost: Cost;
  /** What the whole history would have cost each time. */
  readonly fullCost: Cost;
}

export function rate(figures: Figures, rates: Rates): Rating {
  const { views, tokens, cachedTokens, needed, far, fullTokens, fullCachedTokens } = figures;
  return {
    ...figures,
    meanTokens: views === 0 ? 0 : tokens / views,
    cachedShare: share(cachedTokens, tokens),
    overShare: share(figures.over, views),
    illegalShare: share(figures.illegal, views),
    recall: share(figures.found, needed),
    farRecall: share(figures.farFound, far),
    farContextShare: share(figures.farInContext, far),
    cost: costOf(tokens, cachedTokens, rates),
    fullCost: costOf(fullTokens, fullCachedTokens, rates),
  };
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
