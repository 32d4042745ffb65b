import { evidenceOf } from "../../model/failure-evidence.js";
import { SHARES } from "../../model/overflow-wordings.js";

/** What a provider says of a request that does not fit. */
export interface OverflowNumbers {
  /** Tokens that it takes. */
  readonly limit: number;
  /** Tokens that it counted; undefined where it does not say. */
  readonly count: number | undefined;
}

const NUMBER = "(?<limit>\\d[\\d,]{2,})";
const LIMITS: readonly RegExp[] = [
  new RegExp(`${NUMBER}(?: tokens?)? maximum`),
  new RegExp(
    `(?:max(?:imum)?|limit|supports? up to|less than|cannot exceed|context (?:length|window|size))(?<between>[^\\d\\n]{0,40}?)\\b${NUMBER}(?<behind> tokens?\\b)?`,
  ),
];

/** The numbers in a provider's error. A lone number counts where it is one of tokens: others are codes. */
export function overflowNumbers(error: unknown): OverflowNumbers | undefined {
  const { text } = evidenceOf(error);
  const shares = SHARES.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  if (shares !== undefined) return sharesOf(shares);
  const found = LIMITS.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined || /\bby\W*$/.test(found.between ?? "")) return undefined;
  const limit = numberOf(found.limit);
  const counts = [...text.matchAll(/(?<![\w.-])\d[\d,]*(?![\w-])/g)].map(([digits]) => numberOf(digits));
  const count = counts.find((each) => each > limit);
  return count === undefined && found.behind === undefined ? undefined : { limit, count };
}

const sharesOf = ({ window, input, output }: Readonly<Record<string, string | undefined>>): OverflowNumbers => ({
  limit: numberOf(window),
  count: numberOf(input) + numberOf(output),
});

const numberOf = (digits = ""): number => Number(digits.replaceAll(",", ""));
