import { lineTemplate } from "../line-template.js";

/**
 * The history of a repository with one line for each commit, as `git log --oneline` prints it. Much else opens its
 * lines with a hexadecimal word: logs with the id of a request, symbol tables, dumps, `git blame`, checksums. Each of
 * those would lose what matters if it were shown as commits, so whatever speaks against a history decides.
 */
export const SHORT_COMMIT = /^[*|\\/_ ]{0,40}(?:[\da-f]{7,12}|[\da-f]{40}) (?=\S)/;

interface ShortCommit {
  readonly hash: string;
  readonly subject: string;
}

const GRAPH_ALONE = /^[*|\\/_ ]+$/;
const LEAST = 3;
/** Share of lines that may be unlike the others, since a subject may say anything. */
const FEW = 0.1;
const LOUD_LEVEL = /^\W{0,2}(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|SEVERE|PANIC)\b/;
const OPENING_LEVEL = /^\W{0,2}(?:trace|debug|info|notice|warn|warning|error|err|fatal|critical|severe|panic)\b/i;
const LEVEL = /\b(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b|\b(?:level|severity)=/;
const TIME = /\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d{4}[-/.]\d\d[-/.]\d\d\b/;
/** The author, the time and the number of a line, as `git blame` puts them before it. */
const BLAME = /^(?:\S+ +)?\([^()]* \d+\) /;
const SYMBOL = /^[A-Za-z?-] \S/;
const HEX_GROUPS = /^[\da-f]{2,8} +[\da-f]{2,8}(?: |$)/;
const COLUMNS = /\S {2,}\S/;
/** What speaks against a subject, and the share of subjects that may have it. */
const AGAINST = [
  ...[OPENING_LEVEL, LEVEL, TIME, BLAME].map((sign) => [sign, FEW] as const),
  ...[SYMBOL, HEX_GROUPS, COLUMNS].map((sign) => [sign, 3 * FEW] as const),
];
const SPEECH = /\p{L}{2}.* .*\p{L}{2}|[^\0-\x7f]{2}/u;

/** Whether each line is a commit: a hash and a subject in words. */
export function isShortCommits(sample: readonly string[]): boolean {
  const rows = sample.filter((line) => !GRAPH_ALONE.test(line));
  const commits = ofOneLength(rows.flatMap(readCommit));
  if (commits.length < LEAST || commits.length < rows.length * (1 - FEW)) return false;
  return areHashes(commits.map(({ hash }) => hash)) && areSubjects(commits.map(({ subject }) => subject));
}

function readCommit(line: string): ShortCommit[] {
  const [opening] = SHORT_COMMIT.exec(line) ?? [];
  if (opening === undefined) return [];
  return [{ hash: /[\da-f]+ $/.exec(opening)![0].trimEnd(), subject: line.slice(opening.length) }];
}

/** Git prints all hashes in one length, and more of one that would stand for two commits. */
function ofOneLength(commits: readonly ShortCommit[]): readonly ShortCommit[] {
  const lengths = commits.map(({ hash }) => hash.length).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)];
  return commits.filter(({ hash }) => hash.length === usual);
}

/** Hashes have letters and digits, and no order; numbers, addresses and offsets do not look so. */
function areHashes(words: readonly string[]): boolean {
  if (new Set(words).size < words.length) return false;
  const ascents = words.filter((word, i) => i > 0 && word > words[i - 1]!).length;
  if (ascents > (words.length - 1) * 0.8) return false;
  return share(words, (word) => /[a-f]/.test(word) && /\d/.test(word)) >= 0.8;
}

/** Subjects are words, each commit has its own, and none carries the time or the level of a log. */
function areSubjects(subjects: readonly string[]): boolean {
  if (subjects.some((subject) => LOUD_LEVEL.test(subject))) return false;
  if (AGAINST.some(([sign, few]) => share(subjects, (subject) => sign.test(subject)) > few)) return false;
  const kinds = new Set(subjects.map((subject) => lineTemplate(subject).kind)).size;
  return kinds >= subjects.length / 2 && share(subjects, (subject) => SPEECH.test(subject)) >= 0.6;
}

function share<T>(values: readonly T[], test: (value: T) => boolean): number {
  return values.filter(test).length / values.length;
}
