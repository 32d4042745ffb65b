/**
 * Whether a cut pays. A view that stays as it is costs little, for the provider's cache holds it; a cut makes the rest
 * of the steps cheaper, and has what stands behind it written anew, once.
 */
import { z } from "zod";
import { checkNames } from "../message/option-names.js";
import { thousands } from "../reduce/thousands.js";
import type { ModelPrice } from "../tokens/models.js";

const term = <T>() => z.custom<T>();
const TERMS = {
  /** The model's prices; where they are not known the sum is in tokens of input, a cached one counting a tenth. */
  price: term<ModelPrice>().optional(),
  tokensBefore: term<number>(),
  tokensAfter: term<number>(),
  /** Tokens at the start of the view that the cut leaves as they are. */
  prefix: term<number>(),
  /** Steps that are expected until the next cut, this one included. */
  steps: term<number>(),
  /** Whether the cache holds nothing of the view, so that all of it is written anew with or without the cut. */
  cold: term<boolean>(),
  /** Tokens that a summariser reads and writes for the cut. */
  summariser: term<{ readonly input: number; readonly output: number }>().optional(),
};
/** One cut in numbers. */
export type CutTerms = Readonly<z.input<z.ZodObject<typeof TERMS>>>;

/** The sum of a cut. Amounts are USD where prices are known, else tokens of input. */
export interface Economics {
  readonly unit: "USD" | "tokens";
  readonly saving: number;
  readonly cost: number;
  readonly pays: boolean;
  readonly steps: number;
  /** The terms of the sum, one a line. */
  readonly lines: readonly string[];
  /** The outcome in a sentence. */
  readonly text: string;
}

const MILLION = 1_000_000;

/** What a token costs: read from the cache, written to it, read by a model and written by it. */
export function ratesOf(price: ModelPrice | undefined) {
  if (price === undefined) return { unit: "tokens", cached: 0.1, fresh: 1, input: 1, output: 5 } as const;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const each = (amount: number) => amount / MILLION;
  const unit = "USD" as const;
  return { unit, cached: each(cacheRead), fresh: each(cacheWrite), input: each(input), output: each(output) };
}

/**
 * Adds up what a cut saves and what it costs.
 *
 * @example
 * ```ts
 * const sum = cutEconomics({ tokensBefore: 120_000, tokensAfter: 90_000, prefix: 8_000, steps: 40, cold: false });
 * sum.pays; // true: 120,000 tokens saved for 73,800
 * ```
 */
export function cutEconomics(terms: CutTerms): Economics {
  checkNames(terms, TERMS, "cutEconomics");
  const { price, tokensBefore, tokensAfter, prefix, steps, cold, summariser } = terms;
  const { unit, cached, fresh, input, output } = ratesOf(price);
  const removed = tokensBefore - tokensAfter;
  const behind = Math.max(0, tokensAfter - prefix);
  const saving = cold ? removed * (fresh + cached * (steps - 1)) : removed * cached * steps;
  const rewriting = cold ? 0 : behind * Math.max(0, fresh - cached);
  const summary = summariser === undefined ? 0 : summariser.input * input + summariser.output * output;
  const cost = rewriting + summary;
  const pays = saving > cost;
  const amount = (value: number) => (unit === "USD" ? dollars(value) : `${grouped(value)} tokens`);
  const ahead = `${steps} ${steps === 1 ? "step" : "steps"}`;
  const state = cold ? "the first of them on a cold cache" : "read from the cache";
  const anew = `${grouped(behind)} tokens written to the cache anew = ${amount(rewriting)}`;
  const lines = [
    `saving: ${grouped(removed)} tokens in each of ${ahead}, ${state} = ${amount(saving)}`,
    `cost: ${cold ? "the cache is cold and is written anew in any case = 0" : anew}`,
  ];
  if (summariser !== undefined) {
    const { input: read, output: written } = summariser;
    lines.push(`cost: a summariser reads ${grouped(read)} tokens and writes ${grouped(written)} = ${amount(summary)}`);
  }
  const verdict = `${amount(saving)} saved in ${ahead} for ${amount(cost)}`;
  const text = pays ? `The cut pays: ${verdict}.` : `The cut does not pay by itself: ${verdict}.`;
  return { unit, saving, cost, pays, steps, lines, text };
}

const grouped = (value: number): string => thousands(Math.round(value));
const dollars = (value: number): string => `$${value.toFixed(Math.abs(value) < 1 ? 4 : 2)}`;

/** Steps that are looked ahead where the growth of the view is not known, and at most. */
const USUAL_STEPS = 10;
const MOST_STEPS = 1_000;

/** How many steps it takes a view to grow from one size to another. */
export function stepsUntil(room: number, growth: number | undefined): number {
  if (growth === undefined) return USUAL_STEPS;
  return Math.min(MOST_STEPS, Math.max(1, Math.floor(room / Math.max(1, growth))));
}
