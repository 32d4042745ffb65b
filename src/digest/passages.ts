import type { Message } from "../message/types.js";
import { findIdentifiers, type Identifier } from "./identifiers.js";
import { type Piece, piecesOf } from "./pieces.js";

/** A stretch of a message, word for word, with the identifiers that stand in it. */
export interface Passage extends Piece {
  readonly identifiers: readonly string[];
  /** Those of a call that are an argument by themselves: the file to read, the name to give. */
  readonly whole: readonly string[];
}

/** Characters shown on either side of an identifier: enough to see what it is about. */
const AROUND = 20;
const LONGEST = 180;
/** A cut this close to the end of a line or word moves there. */
const SNAP = 24;
/** Identifiers of one piece of text beyond these are left to search. */
const MOST = 1_200;

/** The passages of a message: around each identifier, where it was last named in it. */
export function passagesOf(message: Message): Passage[] {
  return piecesOf(message).flatMap((piece) => passagesIn(piece));
}

function passagesIn(piece: Piece): Passage[] {
  const last = new Map<string, Identifier>();
  const filling = new Map<string, Identifier>();
  for (const identifier of findIdentifiers(piece.text)) {
    if (identifier.start === 0 && piece.source === "call") continue; // the tool's own name
    last.delete(identifier.text);
    last.set(identifier.text, identifier);
    if (piece.source === "call" && fillsString(piece.text, identifier)) filling.set(identifier.text, identifier);
    if (last.size >= MOST) break;
  }
  const isLong = piece.source === "call" && piece.text.length > SHORT_CALL;
  const alone = isLong ? [...filling.values()] : [];
  const rest = isLong ? [...last.values()].filter(({ text }) => !filling.has(text)) : [...last.values()];
  const stretches = joined(rest.sort((a, b) => a.start - b.start));
  const passages = stretches.map(({ from, to, identifiers }) => {
    const whole = filling.size === 0 ? NONE : identifiers.filter((text) => filling.has(text));
    return { ...piece, text: cut(piece.text, from, to), identifiers, whole };
  });
  return [...alone.map((identifier) => argumentOf(piece, identifier)), ...passages];
}

/** A call as long as this is read as a whole; of longer ones the short arguments are read one by one. */
const SHORT_CALL = 240;

/** An argument with its name: `cronjob "name": "nightly-build"`. */
function argumentOf(piece: Piece, { text, start, end }: Identifier): Passage {
  const key = /"[\w-]{1,30}":\s*\[?\s*"$/.exec(piece.text.slice(Math.max(0, start - 40), start));
  const words = piece.text.slice(start - (key?.[0].length ?? 1), end + 1);
  return { ...piece, text: `${piece.tool} ${words}`, identifiers: [text], whole: [text] };
}

const NONE: readonly string[] = [];

/** Whether an identifier fills a string of JSON. */
const fillsString = (text: string, { start, end }: Identifier): boolean =>
  text[start - 1] === '"' && text[start - 2] !== "\\" && text[end] === '"';

interface Stretch {
  from: number;
  to: number;
  identifiers: string[];
}

/** Neighbouring identifiers share a stretch as long as it stays short. */
function joined(identifiers: readonly Identifier[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const { text, start, end } of identifiers) {
    const from = Math.max(0, start - AROUND);
    const before = stretches.at(-1);
    if (before !== undefined && from <= before.to + 8 && end + AROUND - before.from <= LONGEST) {
      before.to = Math.max(before.to, end + AROUND);
      before.identifiers.push(text);
    } else stretches.push({ from, to: end + AROUND, identifiers: [text] });
  }
  return stretches;
}

function cut(text: string, from: number, to: number): string {
  return text.slice(startOf(text, from), endOf(text, Math.min(to, text.length)));
}

function startOf(text: string, from: number): number {
  if (from <= SNAP) return 0;
  const line = text.lastIndexOf("\n", from);
  if (from - line <= SNAP) return line + 1;
  let start = from;
  while (start > from - SNAP && !isBorder(text, start - 1)) start--;
  if (!isBorder(text, start - 1)) start = from;
  return isLowSurrogate(text, start) ? start - 1 : start;
}

function endOf(text: string, to: number): number {
  if (text.length - to <= SNAP) return text.length;
  const line = text.indexOf("\n", to);
  if (line >= 0 && line - to <= SNAP) return line;
  let end = to;
  while (end < to + SNAP && !isBorder(text, end)) end++;
  if (!isBorder(text, end)) end = to;
  return isLowSurrogate(text, end) ? end + 1 : end;
}

/** Where a word of prose, code or JSON ends. */
const BORDERS = " \t\r\n\"'`,;(){}[]<>|";
const isBorder = (text: string, at: number): boolean => BORDERS.includes(text[at]!);

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
