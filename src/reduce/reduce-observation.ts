import { invalidOption } from "../errors.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { isObject } from "../message/plain-value.js";
import { classify, type ObservationKind } from "./classify.js";
import { hasBytes } from "./kinds/binary.js";
import { reduceJsonWithin } from "./kinds/json-within.js";
import { findMarkup } from "./kinds/markup-root.js";
import { rewritesMark } from "./marks.js";
import {
  type CountTokens,
  checkBudget,
  checkedCounter,
  defaultCounter,
  fitsWithin,
  measureTokens,
  rememberLast,
} from "./measure.js";
import { type PlainText, plainText } from "./normalise.js";
import { type Reduction, reduceJsonText, reduceKind } from "./reduce-kind.js";
import { shortenText } from "./shorten-text.js";
import { sourceLines } from "./source-lines.js";

export interface ReduceOptions {
  /** The result has at most so many tokens. */
  readonly maxTokens: number;
  /** Exact o200k when left out. */
  readonly counter?: CountTokens;
  readonly hint?: {
    /** Name of the tool that returned the text; decides only where the text itself does not. */
    readonly toolName?: string;
  };
}

export interface ReducedObservation {
  readonly text: string;
  /** False if the text came back unchanged. */
  readonly reduced: boolean;
  /** `whole` for a text that came back unchanged. */
  readonly kind: ObservationKind | "whole";
  /** Exact up to 8,192 characters; an estimate from samples beyond. */
  readonly tokensBefore: number;
  /** Exact. */
  readonly tokensAfter: number;
  /** Lines that are not shown; of HTML, lines of the form it is shown in; 0 where lines mean nothing, as in JSON. */
  readonly linesOmitted: number;
}

/**
 * Shortens the output of a tool to a token budget. It recognises what it looks at (a test run, a log, JSON, a diff …)
 * and keeps what an agent needs of it: names of failing tests and their errors, each kind of log line, the structure
 * of JSON. What is left out is marked in place, with line numbers; the marks are listed in `marks.ts`. Text that fits
 * is returned unchanged. The same input gives the same output.
 *
 * @example
 * ```ts
 * const { text } = reduceObservation(await readFile("build.log", "utf8"), { maxTokens: 1024 });
 * ```
 */
export function reduceObservation(text: string, options: ReduceOptions): ReducedObservation {
  checkArguments(text, options);
  const { maxTokens, hint } = options;
  const counter = rememberLast(options.counter === undefined ? defaultCounter : checkedCounter(options.counter));
  if (fitsWithin(text, maxTokens, counter)) {
    const tokens = counter(text);
    return { text, reduced: false, kind: "whole", tokensBefore: tokens, tokensAfter: tokens, linesOmitted: 0 };
  }
  // Bytes hold carriage returns and escape signs by chance; to follow them would leave hardly any.
  const plain = hasBytes(text) ? { text, statesOmitted: 0 } : plainText(text);
  const reduction = reduceText(plain, { maxTokens, counter, toolName: hint?.toolName, source: text });
  const fits = counter(reduction.text) <= maxTokens;
  const shorter = fits ? reduction.text : shortenText(reduction.text, { maxTokens, counter });
  const tokensAfter = counter(shorter);
  return { ...reduction, text: shorter, reduced: true, tokensBefore: measureTokens(text, counter), tokensAfter };
}

const OPTIONS: OptionNames<ReduceOptions> = { maxTokens: true, counter: true, hint: true };
const HINT: OptionNames<NonNullable<ReduceOptions["hint"]>> = { toolName: true };

function checkArguments(text: unknown, options: unknown): void {
  if (typeof text !== "string")
    throw invalidOption({ option: "text", value: text, allowed: "the tool's output, a string" });
  const { maxTokens, counter, hint } = checkNames(options, OPTIONS, "reduceObservation");
  checkBudget(maxTokens);
  if (hint !== undefined && hint !== null) checkHint(hint);
  if (counter !== undefined && typeof counter !== "function")
    throw invalidOption({ option: "counter", value: counter, allowed: "a function from text to tokens" });
}

function checkHint(hint: unknown): void {
  if (!isObject(hint)) throw invalidOption({ option: "hint", value: hint, allowed: "an object with toolName" });
  checkNames(hint, HINT, "the hint");
}

interface TextOptions {
  readonly maxTokens: number;
  readonly counter: CountTokens;
  readonly toolName: string | undefined;
  /** The text as it was given. */
  readonly source: string;
}

type KindReduction = Reduction & { readonly kind: ObservationKind };

function reduceText(plain: PlainText, { maxTokens, counter, toolName, source }: TextOptions): KindReduction {
  const { text, statesOmitted } = plain;
  if (text !== source) {
    const marked = statesOmitted === 0 ? [] : [`${rewritesMark(statesOmitted)}\n${text}`];
    const whole = [...marked, text].find((form) => fitsWithin(form, maxTokens, counter));
    if (whole !== undefined) return { kind: "text", text: whole, linesOmitted: 0 };
  }
  const json = reduceJsonText(text, { maxTokens, count: counter });
  if (json !== undefined) return { kind: "json", text: json, linesOmitted: 0 };
  // A page shows its data below what its reader sees.
  const isPage = findMarkup(text)?.kind === "html";
  const within = isPage ? undefined : reduceJsonWithin(text, { maxTokens, count: counter });
  if (within !== undefined) return { ...within, linesOmitted: 0 };
  const lines = sourceLines(text);
  const kind = classify(text, lines, toolName);
  return { kind, ...reduceKind(kind, { text, lines, sourceLength: source.length, maxTokens, count: counter }) };
}
