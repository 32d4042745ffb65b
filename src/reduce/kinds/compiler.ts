import { type LineRule, liftContext, liftEdges, scoreByRules, TIER } from "../line-rules.js";
import type { SourceLines } from "../source-lines.js";
import { ANNOTATION, annotationSort, BLOCK_HEADING, scoreBlocks, tieBlocks } from "./lint-blocks.js";

/** Lines of compilers, type checkers and linters that name a place and a complaint. */
const DIAGNOSTIC =
  /^\s*\S{1,200}[:(]\d+(?:[:,]\d+)?\)?:? (?:- )?(?:fatal |internal )?(?:error|warning|note|info|style)\b|\berror TS\d+:|^(?:error|warning)(?:\[\w+\])?: |^\s+\d+:\d+\s+(?:error|warning|✖)\s|^\S{1,200}:\d+:\d+:? [A-Z]{1,5}\d{2,4}\b/;

/** Whether a line is a complaint, or the heading of one. */
export function isDiagnostic(line: string): boolean {
  return DIAGNOSTIC.test(line) || ANNOTATION.test(line) || BLOCK_HEADING.test(line);
}

const PLACE = /^\s+--> \S+:\d+/;
/** A path alone on its line: the complaints below are of that file. */
const FILE = /^(?:\/|\.{0,2}\/|[A-Z]:\\|\w[\w.-]*\/)[^\s:]{1,200}\.\w{1,6}$/;

const COMPLAINT = /^\s+\d+:\d+\s+(?:error|warning|✖)\s/;

/** Each level of a recursive build says that it failed; only the last of them speaks for the whole. */
const LEVEL_FAILED = /^\S{0,40}make(?:\.exe)?(?:\[\d+\])?: \*\*\* /;

const RULES: readonly LineRule[] = [
  [
    /^(?:Found \d+ error|✖ \d+ problem|\d+ errors? generated|error: aborting|error: could not compile|\d+ errors?$)/,
    TIER.verdict,
  ],
  [LEVEL_FAILED, TIER.notice],
  [/^FAILED: /, TIER.place],
  [/^(?:ninja: build stopped|BUILD FAILED|npm ERR!|Success: no issues|Diagnostics not shown: )/, TIER.verdict],
  [
    /^Found \d+|^\d+ (?:errors?|warnings?|problems?)\b|^\s*Finished |^collect2: error|ld returned \d+ exit/,
    TIER.verdict,
  ],
  [/\berror\b(?:\[\w+\])?(?: TS\d+)?:|^\s+\d+:\d+\s+error\s|: error |undefined reference/i, TIER.error],
  [PLACE, TIER.place],
  [/^::error\b/, TIER.error],
  [/^::warning\b/, TIER.notice],
  [/^\S{1,200}:\d+:\d+:? [A-Z]{1,5}\d{2,4}\b/, TIER.error],
  [FILE, TIER.place],
  [/\bwarning\b(?:\[\w+\])?:|^\s+\d+:\d+\s+warning\s|: warning /i, TIER.notice],
  [/^\s*(?:\d+ )?\|.{0,160}\^|^\s*[~^]+/, TIER.context],
  [/\bnote: |^\s*= (?:help|note)|^help: /, TIER.context],
];

export function scoreCompiler(lines: SourceLines): Uint8Array {
  const tiers = lowerPlaces(lines, lowerRepeatedComplaints(lines, scoreByRules(lines, RULES)));
  liftLastFailure(lines, tiers);
  scoreBlocks(lines, tiers);
  return liftEdges(liftContext(tiers, { before: 0, after: 2 }), { first: 1, last: 2 });
}

function liftLastFailure(lines: SourceLines, tiers: Uint8Array): void {
  for (let index = lines.count - 1; index >= 0; index--) {
    if (!LEVEL_FAILED.test(lines.head(index, 80))) continue;
    tiers[index] = TIER.verdict;
    return;
  }
}

/** Ties each complaint to the file above it, and that file to the gravest of its complaints. */
export function tieToFiles(lines: SourceLines, tiers: Uint8Array): Uint32Array {
  const partners = tieBlocks(lines);
  let file = -1;
  for (let index = 0; index < lines.count; index++) {
    const head = lines.head(index, 240);
    if (FILE.test(head)) file = index;
    else if (head.trim() === "") file = -1;
    else if (file >= 0 && COMPLAINT.test(head)) {
      partners[index] = file + 1;
      const gravest = partners[file]! - 1;
      if (gravest < 0 || tiers[index]! > tiers[gravest]!) partners[file] = index + 1;
    }
  }
  for (let index = 0; index < lines.count; index++) {
    const gravest = partners[index]! - 1;
    if (gravest > index) tiers[index] = Math.min(tiers[index]!, tiers[gravest]!);
  }
  return partners;
}

/** The first error of each sort outranks its repetitions elsewhere. */
function lowerRepeatedComplaints(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  const seen = new Set<string>();
  for (let index = 0; index < tiers.length; index++) {
    if (tiers[index] !== TIER.error && tiers[index] !== TIER.notice) continue;
    const sort = complaint(lines.head(index, 200));
    if (seen.has(sort)) tiers[index] = tiers[index] === TIER.error ? TIER.detail : TIER.repeat;
    else seen.add(sort);
  }
  return tiers;
}

/** The place that follows a complaint on its own line matters as much as the complaint. */
function lowerPlaces(lines: SourceLines, tiers: Uint8Array): Uint8Array {
  for (let index = 1; index < tiers.length; index++) {
    if (tiers[index] !== TIER.place || !PLACE.test(lines.head(index, 80))) continue;
    tiers[index] = Math.min(TIER.place, Math.max(TIER.none, tiers[index - 1]! - 1));
  }
  return tiers;
}

/** A complaint without its place and its names. */
function complaint(line: string): string {
  if (ANNOTATION.test(line)) return annotationSort(line);
  return line.replace(/^\s*\S{1,160}[:(]\d+\S*/, "").replace(/['"‘`][^'"’`]{0,80}['"’`]|(?<![A-Za-z\d])\d+/g, "#");
}
