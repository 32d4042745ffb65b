import type { Log } from "../message/log.js";
import type { EntryId, Position } from "../message/positions.js";
import type { History } from "../message/types.js";
import type { TokenCounter } from "../tokens/counter.js";
import { ownText } from "../tokens/own-text.js";
import { chooseNotes } from "./choose-notes.js";
import { GENERATION } from "./identifier-index.js";
import { findIdentifiers } from "./identifiers.js";
import type { Draft, Note, Notes } from "./notes.js";
import { readRequest, readStretch } from "./read-stretch.js";
import { lineOf } from "./render-notes.js";
import { named, type Worth } from "./worth.js";

export interface Source {
  readonly history: History;
  /** Messages of the history. */
  readonly length: number;
  /** Where the user speaks; looked at where a stretch is too long to be read whole. */
  readonly requests?: readonly Position[];
  readonly idAt: (position: Position) => EntryId;
  readonly counter: TokenCounter;
}

export const sourceOf = (log: Log, counter: TokenCounter): Source => ({
  history: log,
  length: log.entries.length,
  requests: log.requests,
  idAt: (position) => log.entries[position]!.id,
  counter,
});

/** Of a stretch that was never shown so many of the newest messages are read, and before them what the user said last. */
const MOST_REQUESTS = 200;

/** The notes with the log covered up to a position. What is said anew about a thing replaces what was said before. */
export function takeNotes(notes: Notes, to: Position, { counter, ...source }: Source): Notes {
  if (to <= notes.to) return notes;
  const from = Math.max(notes.to, to - GENERATION);
  const unread = (source.requests ?? []).filter((at) => at >= notes.to && at < from).slice(-MOST_REQUESTS);
  const drafts = [...unread.flatMap((at) => readRequest(at, source)), ...readStretch({ ...source, from, to })];
  const fresh = drafts.map((draft) => noteOf(draft, counter));
  return { ...notes, to, level: notes.level + 1, notes: current([...notes.notes, ...fresh]) };
}

const MOST_INSIDE = 400;
/** What a note is about may be all the arguments of a call: the ends of them and their length tell it from others. */
const LONGEST_ABOUT = 200;
const endsOf = (text: string): string => `${text.slice(0, 100)}…${text.length}…${text.slice(-80)}`;

/** What notes keep of long messages must not keep all of them in memory. */
export function noteOf(draft: Draft, counter: TokenCounter): Note {
  const { named: names = [], text, short, of, inside, about, file, ...rest } = draft;
  const found = new Set([...findIdentifiers(text).map((each) => each.text), ...names.map(named)]);
  const others = new Set(inside === undefined ? [] : findIdentifiers(inside).map((each) => each.text));
  for (const each of found) others.delete(each);
  const note = { ...rest, text: ownText(text), identifiers: Array.from(found, ownText), tokens: 0 };
  const tokens = (said: string) => sizeOf(lineOf({ ...note, text: said }), note.kind, counter);
  return {
    ...note,
    ...(others.size > 0 && { inside: Array.from(others, ownText).slice(0, MOST_INSIDE) }),
    ...(about !== undefined && { about: ownText(about.length <= LONGEST_ABOUT ? about : endsOf(about)) }),
    ...(file !== undefined && { file: ownText(file) }),
    ...(of !== undefined && { of: ownText(of) }),
    ...(short !== undefined && { short: ownText(short), shortTokens: tokens(short) }),
    tokens: tokens(text),
  };
}

/** Of notes about the same, and of those that say the same, the latest is kept. */
function current(notes: readonly Note[]): Note[] {
  const keyOf = ({ kind, about, text, of }: Note) => about ?? (kind === "user" ? undefined : `${of ?? ""}\n${text}`);
  const latest = new Map<string, Note>();
  for (const note of notes) {
    const key = keyOf(note);
    if (key !== undefined) latest.set(key, note);
  }
  return notes.filter((note) => {
    const key = keyOf(note);
    return key === undefined || latest.get(key) === note;
  });
}

/** Names without a statement that notes carry, the newest first. */
const MOST_NAMES = 6_000;

/** The notes without those that are worth least, where they take more than so many tokens. */
export function compacted(notes: Notes, most: number, appraisal: { worth: Worth; now: number }): Notes {
  const tokens = notes.notes.reduce((sum, each) => sum + each.tokens, 0);
  const kept = tokens <= most ? notes.notes : chooseNotes(notes.notes, most, appraisal);
  let left = MOST_NAMES;
  const bounded = kept.toReversed().map((note) => {
    left -= note.inside?.length ?? 0;
    if (left >= 0 || note.inside === undefined) return note;
    const { inside: _, ...rest } = note;
    return rest;
  });
  return { ...notes, notes: bounded.reverse() };
}

/** Most lines of results are never shown: those of plain letters are measured, and counted with the text that they get into. */
const LETTERS_A_TOKEN = 3.2;

function sizeOf(line: string, kind: Note["kind"], counter: TokenCounter): number {
  const isMeasured = kind === "fact" && /^[\x20-\x7e]*$/.test(line);
  return isMeasured ? Math.ceil(line.length / LETTERS_A_TOKEN) + 1 : counter.text(line) + 1;
}
