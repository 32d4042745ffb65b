import { isBinary } from "./kinds/binary.js";
import { isCommits } from "./kinds/commits.js";
import { isShortCommits } from "./kinds/commits-short.js";
import { isDiagnostic } from "./kinds/compiler.js";
import { DIFF_SIGN } from "./kinds/diff.js";
import { isDirectoryListing, LONG_ENTRY } from "./kinds/directory-listing.js";
import { isListing, TREE_ENTRY } from "./kinds/listing.js";
import { findLogPrefix } from "./kinds/log-prefix.js";
import { findMarkup, type Markup } from "./kinds/markup-root.js";
import { HEADING } from "./kinds/prose.js";
import { isCode } from "./kinds/source.js";
import { FRAME } from "./kinds/stack-trace.js";
import { findDelimiter, hasTitles, isSqlDump } from "./kinds/table-cells.js";
import { TEST_RUN_SIGN } from "./kinds/test-run.js";
import { lineTemplate } from "./line-template.js";
import { type SourceLines, sampleIndexes } from "./source-lines.js";

/** What an observation is; decides what of it is kept. */
export type ObservationKind =
  | "binary"
  | "json"
  | "json-lines"
  | "diff"
  | "test-run"
  | "compiler"
  | "stack-trace"
  | "html"
  | "xml"
  | "table"
  | "listing"
  | "tree"
  | "log"
  | "git-log"
  | "source"
  | "prose"
  | "text";

const SAMPLE = 600;
const HEAD = 400;
const TIME =
  /^\W{0,3}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[ T-]|\d\d\/\d\d\/\d\d|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:|[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} |\d{1,2}:\d\d:\d\d|\d{8}[-T ]\d|\d{10})|^\[ *\d+\.\d{3,}\] |^.{0,60}\d\d:\d\d:\d\d[.,:\]|Z ]/;
/** A line of a step of a container build, as BuildKit prints it where there is no terminal. */
const BUILD_STEP = /^#\d+ (?:\d+\.\d+ |\[|DONE|CACHED|ERROR|CANCELED|sha256:|[a-z]+ing )/;
/** A line that says something; one kind of such lines is worth showing once, one kind of values is not. */
const WORDY = /^\s*(?:\S+\s+){3}\S.*[a-z]{2}/i;
const SENTENCE = /^(?:[-*+>] |\d+\. )?["'(*_]{0,3}[A-Z](?=.{30}).{0,200}[a-z]+ [a-z]+ [a-z]+/;
const COLUMN_TITLES = /^\s*[A-Z][A-Z\d%_/+()-]*(?:\s+[A-Z%][A-Z\d%_/+()-]*){2,}\s*$/;

interface Sample {
  readonly text: string;
  readonly lines: SourceLines;
  /** Heads of lines from the whole text that are not blank. */
  readonly heads: readonly string[];
  readonly markup: Markup | undefined;
  share(test: (head: string) => boolean): number;
}

/** Sorts a text that is not JSON by its form, from a sample of its lines. The surest signs are asked first. */
export function classify(text: string, lines: SourceLines, toolName = ""): ObservationKind {
  const sample = takeSample(text, lines);
  const found = CHECKS.find(([, holds]) => holds(sample));
  return found?.[0] ?? fromTool(toolName);
}

const CHECKS: readonly (readonly [ObservationKind, (sample: Sample) => boolean])[] = [
  ["binary", ({ text, heads }) => isBinary(text, heads)],
  ["json-lines", ({ heads, share }) => heads.length > 2 && share((head) => /^\s*\{\s*"/.test(head)) > 0.8],
  ["html", ({ markup }) => markup?.kind === "html" && markup.sure],
  ["xml", ({ markup }) => markup?.kind === "xml" && markup.sure],
  ["test-run", ({ share }) => share((head) => TEST_RUN_SIGN.test(head)) > 0],
  ["diff", ({ heads }) => heads.filter((head) => DIFF_SIGN.test(head)).length >= 2],
  ["html", ({ markup, heads }) => markup?.kind === "html" && !hasHeadings(heads)],
  ["xml", ({ markup, heads }) => markup?.kind === "xml" && !hasHeadings(heads)],
  ["tree", ({ share }) => share((head) => TREE_ENTRY.test(head)) > 0.7],
  ["compiler", ({ heads }) => heads.filter(isDiagnostic).length >= Math.max(2, heads.length * 0.05)],
  ["listing", ({ lines }) => isDirectoryListing(lines)],
  ["table", ({ share }) => share((head) => LONG_ENTRY.test(head)) > 0.7],
  ["git-log", ({ heads }) => isCommits(heads)],
  ["log", isLog],
  ["log", ({ share }) => share((head) => BUILD_STEP.test(head)) > 0.5],
  ["git-log", ({ heads }) => isShortCommits(heads)],
  ["table", isTable],
  ["listing", ({ heads }) => isListing(heads)],
  ["stack-trace", ({ share }) => share((head) => FRAME.test(head)) > 0.2],
  ["source", ({ share }) => share(isCode) > 0.5],
  ["prose", ({ heads }) => hasHeadings(heads)],
  ["log", repeatsKinds],
  ["prose", ({ share }) => share((head) => SENTENCE.test(head)) > 0.5],
];

function takeSample(text: string, lines: SourceLines): Sample {
  const heads = sampleIndexes(lines.count, SAMPLE)
    .map((index) => lines.head(index, HEAD))
    .filter((head) => head.trim() !== "");
  const share = (test: (head: string) => boolean) => heads.filter(test).length / Math.max(1, heads.length);
  return { text, lines, heads, markup: findMarkup(text), share };
}

/** Prose in Markdown may begin with an element of HTML. */
function hasHeadings(heads: readonly string[]): boolean {
  return heads.filter((head) => HEADING.test(head)).length >= 2;
}

/** A time opens most lines; in a table of times the cells are split by commas or tabs. */
function isLog({ heads, share }: Sample): boolean {
  if (share((head) => TIME.test(head)) < 0.5) return false;
  const delimiter = findDelimiter(heads);
  return delimiter === undefined || delimiter === "|";
}

/** Many lines of few kinds, most often behind a prefix of columns: a log whose lines carry no time of a known form. */
function repeatsKinds({ lines, heads }: Sample): boolean {
  if (heads.length < 20) return false;
  const prefix = findLogPrefix(lines);
  const kinds = new Set(heads.map((head) => lineTemplate(head).kind)).size;
  if (prefix === undefined || prefix.columns.length < 2)
    return (kinds > 1 || WORDY.test(heads[0]!)) && kinds < heads.length * 0.1;
  return prefix.hasLevel || kinds < heads.length * 0.4;
}

function isTable({ heads }: Sample): boolean {
  if (heads.length <= 3) return false;
  return isSqlDump(heads) || findDelimiter(heads) !== undefined || COLUMN_TITLES.test(heads[0]!) || hasTitles(heads);
}

function fromTool(toolName: string): ObservationKind {
  if (/read|cat|view|open/i.test(toolName)) return "source";
  return "text";
}
