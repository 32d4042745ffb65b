import type { CountTokens } from "./measure.js";
import { type ShortenOptions, shortenText } from "./shorten-text.js";

export interface FittedLine {
  readonly text: string;
  /** Tokens of the text and of the newline before it. */
  readonly cost: number;
}

const SMALLEST_CAP = 24;
/** Characters that few tokens exceed: a line longer than so many for each token is not counted whole. */
const LONG_TOKEN = 16;

/** The most tokens that one line may take of a budget. */
export function lineCap(maxTokens: number, share: number): number {
  return Math.max(SMALLEST_CAP, Math.floor(maxTokens * share));
}

/** A line with its middle cut if it is too long. */
export function fitLine(text: string, options: ShortenOptions & { readonly counter: CountTokens }): FittedLine {
  const { maxTokens, counter } = options;
  const whole = text.length > maxTokens * LONG_TOKEN ? Number.POSITIVE_INFINITY : counter(text);
  if (whole <= maxTokens) return { text, cost: whole + 1 };
  const shorter = shortenText(text, options);
  return { text: shorter, cost: counter(shorter) + 1 };
}
