/**
 * Compares two outputs of the same call by their lines. What is not plainly in the later output counts as lost, so each
 * line is taken as it is, its numbers included, and as often as it stands there.
 */

/** A longer text is held only by one that is the same. */
const MOST_LINES = 4000;
/** JSON comes on one line as often as on many. */
const JSON_PIECE = /[\n,{}[\]]/;
/** What a shell wraps around each output. */
const WRAPPING = /^(?:wall time|chunk id|process (?:exited|running)|original token count|exit code|output:?$)/i;
const CUT_SHORT =
  /^.{0,80}\b(?:truncated|omitted|(?:more|remaining|hidden) (?:lines?|rows?|characters?)|(?:lines?|rows?) not shown)\b.{0,80}$/im;
const TIME =
  /\b\d{1,4}-\d\d-\d\d(?:T[\d:.,]{1,20}Z?)?\b|\b\d\d?:\d\d(?::\d\d)?(?:[.,]\d+)?\b|\b\d{1,9}(?:[.,]\d{1,9})?\s?(?:m?s|seconds?)\b/g;
/** A number by itself, no part of a name. */
const COUNT = /(?<![\w./-])\d[\d.,]*%?(?![\w/-])/g;
const LINE_NUMBER = /^\s*(\d+)(?:\t|: ?|→|\s*[|│] ?| {2})/;
const NEARLY_ALL = 0.9;
/** In a state that has moved on, as much as this is as it was. */
const HALF = 0.5;

type Form = (line: string) => string;

const asItIs: Form = (line) => line;
const numbersAside: Form = (line) => line.replace(TIME, "0").replace(COUNT, "0");

/** Whether a later output says all that an earlier one does, but for lines amid it that have changed. */
export function holds(later: string, earlier: string): boolean {
  const share = containedShare(earlier, later);
  if (share === 1) return true;
  return share >= NEARLY_ALL && hasEnds(later, earlier) && !isCutShort(later, earlier);
}

/** Whether the same part of a file was read to the same end: then what differs amid it was changed there. */
export function isSamePart(later: string, earlier: string): boolean {
  const [after, before] = [linesOf(later).length, linesOf(earlier).length];
  if (after < before * NEARLY_ALL || isCutShort(later, earlier)) return false;
  return hasEnds(later, earlier) && containedShare(earlier, later) >= HALF;
}

/** True where a tool says that it left a part of the later output out, which it did not for the earlier one. */
export const isCutShort = (later: string, earlier: string): boolean =>
  CUT_SHORT.test(later) && !CUT_SHORT.test(earlier);

/** The share of the lines of one text that stand in another too; where no line tells, 1 for the same text, else 0. */
export function containedShare(text: string, other: string): number {
  return shareOf(text, other, asItIs);
}

/** As `containedShare`, with times and counts aside: those of a state differ each time that it is looked at. */
export function stateShare(text: string, other: string): number {
  return shareOf(text, other, numbersAside);
}

function shareOf(text: string, other: string, form: Form): number {
  if (text.trim() === other.trim()) return 1;
  const wanted = linesOf(text);
  if (wanted.length === 0 || wanted.length > MOST_LINES) return 0;
  const there = counted(linesOf(other), form);
  const found = wanted.filter((line) => takeOne(there, form(line)));
  return found.length / wanted.length;
}

function counted(lines: readonly string[], form: Form): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(form(line), (counts.get(form(line)) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, line: string): boolean {
  const left = counts.get(line) ?? 0;
  if (left > 0) counts.set(line, left - 1);
  return left > 0;
}

/** The lines with a letter or a digit in them: brackets, rulers and blanks are alike everywhere. */
function linesOf(text: string): string[] {
  return text.split(/^\s*[[{]/.test(text) ? JSON_PIECE : "\n").flatMap((line) => {
    const plain = line.trim();
    return /[\p{L}\p{N}]/u.test(plain) && !WRAPPING.test(plain) ? [plain] : [];
  });
}

function hasEnds(later: string, earlier: string): boolean {
  const lines = linesOf(earlier);
  const there = new Set(linesOf(later));
  return lines.length > 0 && there.has(lines[0]!) && there.has(lines.at(-1)!);
}

/** The texts without the numbers before their lines, where those count on by one and the later begins no further down. */
export function withoutLineNumbers(later: string, earlier: string): [later: string, earlier: string] {
  const [after, before] = [firstNumber(later), firstNumber(earlier)];
  if (after === undefined && before === undefined) return [later, earlier];
  if (after !== undefined && before !== undefined && after > before) return [later, earlier];
  return [after === undefined ? later : bare(later), before === undefined ? earlier : bare(earlier)];
}

/** The number of the first line, where each line has one more than the line before it. */
function firstNumber(text: string): number | undefined {
  let first: number | undefined;
  let next: number | undefined;
  for (const line of text.split("\n")) {
    const number = numberOf(line);
    if (number === undefined && (line.trim() === "" || first === undefined)) continue;
    if (number === undefined || (next !== undefined && number !== next)) return undefined;
    first ??= number;
    next = number + 1;
  }
  return next === first ? undefined : first;
}

function numberOf(line: string): number | undefined {
  const digits = LINE_NUMBER.exec(line)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const bare = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(LINE_NUMBER, ""))
    .join("\n");
