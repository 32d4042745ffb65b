/** Texts as whole statements: sentences, items of lists, rows of tables, lines of code. None is ever cut inside. */
import { safeCut } from "../reduce/safe-cut.js";

export interface Statement {
  readonly text: string;
  readonly kind: "sentence" | "item" | "row" | "code" | "heading";
  /** The number or letter that an item goes by: "27", "B". */
  readonly number?: string;
  readonly short?: string;
  /** The heading, or the line with a colon, that it stands under. */
  readonly head?: string;
  /** Paragraphs, lists and tables are counted from the start of the text. */
  readonly block: number;
}

/** Longer statements end with a mark of omission at a word. */
const LONGEST = 400;
/** Texts are read this far, from the start and from the end. */
const REACH = 24_000;

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}(?:#{1,6}\s+(\S.*)|\*\*([^*]+)\*\*:?|__([^_]+)__:?)\s*$/;
const ITEM = /^\s*(?:([-*+•‣◦–])|\**(\d{1,4}|\p{L})[.):]\**|\**#(\d{1,4})[.):]?\**)\s+(?=\S)/u;
const NUMBERED_HEADING = /^(?:\p{L}+ )?#?(\d{1,4}|\p{L})[.):]\s/u;
const ROW = /^\s*\|.*\|\s*$/;
const RULE = /^[\s|:=*_+-]*$/;
const TAG = /^\s*<\/?[\w-]+(?:\s[^<>]*)?>\s*$/;
/** Where one sentence ends and another begins. Scripts without capitals have signs of their own. */
const BORDER = /(?<=[.!?…]["'”’»)\]*_`]{0,3})\s+(?=[^\s\p{Ll}])|(?<=[。！？؟।]["'”’」』）]?)\s*(?=\S)/u;

/** Lists and tables of no more letters than this are one statement, with the line that opens them. */
const LONGEST_UNIT = 1_600;
/** Of those that are longer than this there is a form with the beginning of each item: none of them is lost. */
const SHORT_UNIT = 320;
const SHORT_ITEM = 70;

/** The statements of a text in Markdown or without any form: short lists as one, the items of longer ones under their head. */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  const pieces = piecesOf(text);
  let head: string | undefined;
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at]!;
    const opens = piece.kind === "sentence" && /[:：]$/.test(piece.text);
    const listed = opens ? listedFrom(pieces, at + 1) : [];
    const unit = [piece, ...listed];
    const length = unit.reduce((sum, each) => sum + each.text.length + 3, 0);
    if (opens && listed.length > 0 && length <= LONGEST_UNIT) {
      statements.push({
        ...piece,
        ...(head !== undefined && { head }),
        kind: "item",
        text: unit.map(lineOf).join("\n"),
        ...(length > SHORT_UNIT && { short: unit.map((each) => shortened(lineOf(each), SHORT_ITEM)).join("\n") }),
        block: unit.at(-1)!.block,
      });
      at += unit.length;
      continue;
    }
    if (piece.kind === "heading" || (opens && listed.length > 0)) head = piece.text;
    else statements.push({ ...piece, ...(head !== undefined && { head }) });
    at++;
  }
  return statements;
}

/** The items that follow each other from a place on. */
function listedFrom(pieces: readonly Statement[], from: number): Statement[] {
  let end = from;
  while (end < pieces.length && pieces[end]!.kind !== "sentence" && pieces[end]!.kind !== "heading") end++;
  return pieces.slice(from, end);
}

const lineOf = ({ kind, text, number }: Statement): string =>
  kind === "item" && number === undefined ? `- ${text}` : text;

function piecesOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let block = 0;
  let fenced = false;
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) for (const each of sentencesOf(paragraph.join(" "))) add("sentence", each);
    paragraph = [];
  };
  const add = (kind: Statement["kind"], said: string, number?: string) =>
    void statements.push({
      text: shortened(kind === "code" ? said : said.replaceAll("**", "")),
      kind,
      block,
      ...(number !== undefined && { number }),
    });
  for (const line of linesOf(text)) {
    const item = fenced ? null : ITEM.exec(line);
    const heading = fenced ? null : HEADING.exec(line);
    const isPlain = !fenced && item === null && heading === null && !ROW.test(line) && !FENCE.test(line);
    if (!isPlain || line.trim() === "") flush();
    if (FENCE.test(line)) fenced = !fenced;
    else if (line.trim() === "") block++;
    else if (fenced) add("code", line.trim());
    else if (RULE.test(line) || TAG.test(line)) continue;
    else if (heading !== null) {
      block++;
      const title = heading.slice(1).find(Boolean)!;
      add("heading", title, NUMBERED_HEADING.exec(title)?.[1]);
    } else if (ROW.test(line)) add("row", line.trim(), /^\s*\|\s*\**#?(\d{1,4}|\p{L})\**\s*\|/u.exec(line)?.[1]);
    else if (item !== null) {
      const number = item[2] ?? item[3];
      add("item", number === undefined ? line.slice(item[0].length).trim() : line.trim(), number);
    } else paragraph.push(line.trim());
  }
  flush();
  return statements;
}

function linesOf(text: string): string[] {
  if (text.length <= REACH * 2) return text.split("\n");
  return [...text.slice(0, REACH).split("\n"), "", ...text.slice(-REACH).split("\n").slice(1)];
}

/** So short a sentence stands with the one before it. */
const SHORTEST = 12;

function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = [];
  for (const each of paragraph.split(BORDER)) {
    const before = sentences.at(-1);
    if (before !== undefined && (each.length < SHORTEST || before.length < SHORTEST)) {
      sentences[sentences.length - 1] = `${before} ${each}`;
    } else if (each.trim() !== "") sentences.push(each.trim());
  }
  return sentences;
}

/** The beginning of a text, to the end of a word, with a mark where that is not all. */
export function shortened(text: string, most = LONGEST): string {
  if (text.length <= most) return text;
  const space = text.lastIndexOf(" ", most);
  const end = space > most * 0.6 ? space : wordEnd(text, safeCut(text, most));
  return `${text.slice(0, end).trimEnd()} …`;
}

/** Where the word ends that a place lies in; some scripts write none, and long rows of signs have none. */
function wordEnd(text: string, place: number): number {
  for (let at = place; at > place - 60 && at > 0; at--) if (!/[\p{L}\p{N}_]/u.test(text[at - 1]!)) return at;
  return place;
}
