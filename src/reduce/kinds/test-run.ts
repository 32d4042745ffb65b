import {
  anyOf,
  type LineRule,
  liftContext,
  liftEdges,
  liftTotals,
  SEVERE,
  scoreByRules,
  TIER,
  WARNING,
} from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";

/** Lines that only a test runner prints. One of them is enough to know a test run. */
export const TEST_RUN_SIGN = anyOf([
  /^=+ (?:test session starts|FAILURES|ERRORS|short test summary info) =+/,
  /^=+ .{0,120}\b\d+ (?:passed|failed|errors?|skipped|deselected)\b.{0,120} in [\d.]+s/,
  /^(?:FAILED|PASSED|ERROR) \S+(?:::| - )/,
  /^\s*--- (?:FAIL|PASS|SKIP): \S+ \([\d.]+s\)/,
  /^(?:ok|FAIL)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[build failed\])/,
  /^test \S+ \.\.\. (?:ok|FAILED|ignored)/,
  /^test result: /,
  /^(?:not )?ok \d+(?: |$)/,
  /^\s*Test(?:s| Suites| Files):?\s+.{0,60}\d+ (?:passed|failed|total)/,
  /^\s*\d+ (?:passing|failing)\b/,
  /^Ran \d+ tests? in [\d.]+s/,
  /Tests run: \d+, Failures: \d+/,
  /^\d+ examples?, \d+ failures?/,
  /^\d+% tests passed, \d+ tests failed/,
  /^\[ {2}(?:FAILED|PASSED) {2}\]/,
  /^\d+ tests? completed, \d+ failed/,
  /^[#ℹ] (?:pass|fail) \d+$/,
]);

/** The verdict and the names of failing tests, whatever the runner. */
const VERDICT = anyOf([
  /^(?:FAILED|ERROR) \S/,
  /^FAILED \(/,
  /^=+ .{0,120}\b\d+ (?:passed|failed|errors?|skipped|deselected|warnings?)\b/,
  /^=+ no tests ran/,
  /^(?:FAIL|ERROR): \S/,
  /^\s*--- FAIL: /,
  /^FAIL\s+\S/,
  /^\s+FAIL\s+\S/,
  /^test \S+ \.\.\. FAILED/,
  /^test result: /,
  /^\s*not ok \d+/,
  /^\s*● (?!Console)\S/,
  /^\s*Test(?:s| Suites| Files):?\s+.{0,60}\d+ (?:passed|failed|total)/,
  /^\s*\d+ (?:passing|failing|pending)\b/,
  /^\s{0,4}\d+\) \S/,
  /^\s*(?:✕|✗|×|✖) \S/,
  /^Ran \d+ tests? in /,
  /^rspec \.?\S+:\d+ #/,
  /^\d+ examples?, \d+ failures?/,
  /Tests run: \d+, Failures: (?:[1-9]|0, Errors: [1-9])/,
  /<<< (?:FAILURE|ERROR)!/,
  /^\[ERROR\] {2,}\S/,
  /^\d+% tests passed/,
  /^\s+\d+ - .{1,160} \((?:Failed|Timeout|SEGFAULT|Not Run)\)/,
  /^\[ {2}FAILED {2}\] /,
  /^\S[^>]{0,160} > .{1,160} FAILED$/,
  /^\d+ tests? completed, \d+ failed/,
  /^# (?:fail|cancelled) [1-9]/,
  /^ℹ (?:tests|pass|fail) \d+/,
]);

/** How many tests ran and failed. */
const TOTALS = anyOf([
  /^=+ .{0,120}\b\d+ (?:passed|failed|errors?|skipped|deselected)\b/,
  /^FAILED \((?:failures|errors|skipped)=/,
  /^test result: /,
  /^\s*Test(?:s| Suites| Files):?\s+.{0,60}\d+ (?:passed|failed|total)/,
  /^\s*\d+ (?:passing|failing)\b/,
  /^Ran \d+ tests? in /,
  /^(?:\[\w+\] )?Tests run: \d+, Failures: \d+/,
  /^\d+ examples?, \d+ failures?/,
  /^\d+% tests passed/,
  /^\d+ tests? completed, \d+ failed/,
  /^ ?\d+ FAILED TESTS?$/,
  /^[#ℹ] (?:tests|pass|fail) \d+$/,
]);

/** What went wrong: the runner's own words for it. */
const ERRORS = anyOf([
  /^E\s+\S/,
  /^thread '.{0,160}' (?:\(\d+\) )?panicked at/,
  /^panic: /,
  /^\s*(?:Assertion|Type|Reference|Syntax|Range|Value|Key|Index|Attribute|Import|Runtime|OS|IO|Name)?Error\b(?: \[\w+\])?:/,
  /^\s{0,8}[\w.$]{0,120}(?:Error|Exception|Failure)(?::|$)/,
  /^\s+(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Ww]ant)\b.{0,24}[:=]/,
  /^\s+(?:left|right): /,
  /^\s+Failure\/Error:/,
  /^\s+\S+_test\.go:\d+: /,
  /^\s+(?:message|error|code|failureType): \S/,
  /^\s*Caused by: /,
  /^\S+:\d+: Failure$/,
  /^\s*(?:[Ee]xpected:?|but was:?|to equal|Which is:) /,
]);

const DETAILS: readonly LineRule[] = [
  [/^\S+:\d+: \w+(?:Error|Exception|Failed|Failure|Exit)?$/, TIER.place],
  [/^> {2,}\S/, TIER.place],
  [/^ {6,9}\S[^:]{0,160}:$/, TIER.place],
  [/^\s*❯ \S+:\d+/, TIER.place],
  [/^\s+at (?!.{0,200}(?:node_modules|node:internal|java\.base|org\.junit)).{0,200}:\d+/, TIER.detail],
  [/^\s+File "(?!.{0,200}site-packages)[^"]{1,200}", line \d+/, TIER.detail],
  [/^\s+-->? \S+:\d+/, TIER.place],
  [/^\s*[-+] (?!\S+==)\S/, TIER.detail],
  [/^={60,}$|^-{60,}$/, TIER.none],
  [/\bPASSED\b|^ok\b|^\s*✓/, TIER.none],
];

/** A failing test below its file or its suite, as it is printed while the tests run. */
const CROSS = /^\s*[✕✗×✖] \S/;
/** A failing test with its suite, as it is printed above its error. */
const FULL_NAME = /^\s*FAIL\s+\S.{0,200} > \S|^\s*● .{1,200} › \S/;

const HEADING = /^_{3,} .{1,200} _{3,}$|^-{4} .{1,200} stdout -{4}$/;

/** How many lines from the end are looked through. */
const FAR_BACK = 2_000;

export function scoreTestRun(lines: SourceLines): Uint8Array {
  const headings: LineRule = [HEADING, namesFailures(lines) ? TIER.detail : TIER.verdict];
  const rules: LineRule[] = [
    headings,
    ...(namesInFull(lines) ? [[CROSS, TIER.repeat] as const] : []),
    [VERDICT, TIER.verdict],
    [ERRORS, TIER.error],
    ...DETAILS,
    [SEVERE, TIER.notice],
    [WARNING, TIER.repeat],
  ];
  const scored = preferSummary(lines, scoreByRules(lines, rules));
  const tiers = liftTotals(lines, liftWrapped(lines, scored), { pattern: TOTALS });
  return liftEdges(liftContext(tiers, { before: 3, after: 1 }), { first: 1, last: 2 });
}

/** Whether the run ends with a list of its failures; their headings then repeat the names. */
function namesFailures(lines: SourceLines): boolean {
  for (let index = lines.count - 1; index >= Math.max(0, lines.count - FAR_BACK); index--) {
    if (/^(?:FAILED|ERROR) \S|^test \S+ \.\.\. FAILED/.test(lines.head(index, 80))) return true;
  }
  return false;
}

/** Whether failing tests are named with their suites; crosses before names then repeat them, with less. */
function namesInFull(lines: SourceLines): boolean {
  for (let index = lines.count - 1; index >= Math.max(0, lines.count - FAR_BACK); index--) {
    if (FULL_NAME.test(lines.head(index, 240))) return true;
  }
  return false;
}

/** Where the failing tests are told again at the end, with their errors, they are shown there and not above. */
function preferSummary(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  const summary = findSummary(lines);
  for (let index = 0; summary >= 0 && index < lines.count; index++) {
    if (!CROSS.test(lines.head(index, 80))) continue;
    tiers[index] = index < summary ? TIER.repeat : TIER.verdict;
  }
  return tiers;
}

function findSummary(lines: SourceLines): number {
  for (let index = lines.count - 1; index >= 0; index--) {
    if (/^✖ failing tests:$/.test(lines.head(index, 80))) return index;
  }
  return -1;
}

/** A terminal of fixed width breaks long lines: what follows a full line belongs to it. */
function liftWrapped(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  const width = widestLine(lines);
  for (let index = 1; index < tiers.length; index++) {
    const above = tiers[index - 1]!;
    if (above >= TIER.error && tiers[index] === TIER.none && lines.length(index - 1) === width)
      tiers[index] = above - 1;
  }
  return tiers;
}

function widestLine(lines: SourceLines): number {
  let widest = 0;
  for (let index = 0; index < lines.count; index++) widest = Math.max(widest, lines.length(index));
  return widest;
}
