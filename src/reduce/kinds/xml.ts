import { excerptForm } from "../changed-form.js";
import type { Excerpt } from "../excerpt.js";
import {
  type LineRule,
  liftContext,
  liftEdges,
  liftTotals,
  SEVERE,
  scoreByRules,
  TIER,
  WARNING,
} from "../line-rules.js";
import type { CountTokens } from "../measure.js";
import type { SourceLines } from "../source-lines.js";

/** What a report names, and what says that it went wrong: a test of JUnit, xUnit, NUnit or TRX, a file of Checkstyle. */
const NAMED = /<(?:testcase|test-case|test|UnitTestResult|file)\s/;
const FAULT = /<(?:failure|error|rerunFailure|rerunError)(?=[\s>/])/;
const FAULTY =
  /<(?:testcase|test-case|test|UnitTestResult)\s[^>]*\b(?:failure="|result="Fail|outcome="(?:Failed|Error|Timeout))/;
const END =
  /<\/(?:testcase|test-case|test|UnitTestResult|file)>|<(?:testcase|test-case|test|UnitTestResult|file)\s[^>]*\/>/;
/** What a report says of all tests; and what a suite says of its own, which matters less where there is the other. */
const SUITE = /^\s*<testsuite\s.{0,220}\b(?:failures|errors)="[1-9]/;
const TOTALS = /^\s*<!-- (?:fail \d+|cancelled [1-9]\d*) -->|^\s*<testsuites\s.{0,220}\bfailures="/;
const HEAD = 400;
const WIDE = 400;

export const XML_SHARES = { tierShare: 0.9, headShare: 0.6 };

const RULES: readonly LineRule[] = [
  [FAULTY, TIER.verdict],
  [/^\s*<(?:testsuites|test-run|Counters|assemblies)\s/, TIER.verdict],
  [SUITE, TIER.detail],
  [/^\s*<!-- tests \d+ -->/, TIER.detail],
  [FAULT, TIER.error],
  [/\b(?:errors|failures|failed)="0"/, TIER.none],
  [SEVERE, TIER.place],
  [WARNING, TIER.repeat],
];

/** What went wrong and what it happened to, then how the text begins and ends. */
export function scoreXml(lines: SourceLines): Uint8Array {
  const named = liftNames(lines, scoreByRules(lines, RULES));
  const totalled = liftTotals(lines, named, { pattern: TOTALS });
  const tier = totalled.includes(TIER.totals) ? TIER.error : TIER.totals;
  const tiers = liftTotals(lines, totalled, { pattern: SUITE, tier });
  return liftEdges(liftContext(tiers, { before: 1, after: 2 }), { first: 2, last: 3 });
}

/** Where something went wrong, its name stands in an element that opened before. */
function liftNames(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  const lifted = tiers.slice();
  let named = -1;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, HEAD);
    const fault = FAULT.test(head);
    if (NAMED.test(head)) named = index;
    if (fault && named >= 0) lifted[named] = TIER.verdict;
    if (!fault && END.test(head)) named = -1;
  }
  return lifted;
}

export interface MarkupRequest {
  readonly text: string;
  /** Characters of the text before terminal control was taken out of it. */
  readonly sourceLength: number;
  readonly maxTokens: number;
  readonly count: CountTokens;
}

/** The elements themselves below a mark, each on a line of its own where lines are long. */
export function reduceElements(kind: "html" | "xml", request: MarkupRequest): Excerpt {
  const { sourceLength, maxTokens, count } = request;
  const wide = isWide(request.text);
  const text = wide ? request.text.replace(/>(?=<[^/])/g, ">\n") : request.text;
  const name = wide ? `${kind}, reflowed` : kind;
  const fullName = wide ? `${kind} of ${sourceLength} chars, reflowed` : kind;
  const form = { text, source: request.text, name, fullName, score: scoreXml, maxTokens, count, ...XML_SHARES };
  const { text: short, linesOmitted } = excerptForm(form);
  return { text: short, linesOmitted };
}

/** Whether markup is written with hardly any line breaks. */
export function isWide(markup: string): boolean {
  let lines = 1;
  for (let at = markup.indexOf("\n"); at >= 0; at = markup.indexOf("\n", at + 1)) lines++;
  return markup.length / lines > WIDE;
}
