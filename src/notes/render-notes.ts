/** Notes as a text of so many tokens: what the user said first, then what is worth most, told by stretch in order of time. */
import { foreignText } from "../message/foreign-text.js";
import type { Position } from "../message/positions.js";
import type { TokenCounter } from "../tokens/counter.js";
import { chooseNotes } from "./choose-notes.js";
import { nameIndex } from "./name-index.js";
import type { Note, NoteKind, Notes } from "./notes.js";
import type { Worth } from "./worth.js";

export interface RenderInput {
  readonly room: number;
  readonly counter: TokenCounter;
  readonly worth: Worth;
  /** Length of the log. */
  readonly now: number;
  readonly idAt: (position: Position) => string;
  /** Entries that the view shows in any case: what the user said in them is not said again. */
  readonly shown?: ReadonlySet<Position>;
}

/** A range of the log that a part of the text tells of. */
export interface Told {
  readonly from: Position;
  readonly to: Position;
}

export interface RenderedNotes {
  readonly text: string;
  readonly told: readonly Told[];
}

/** Share of the room for names without a statement: more where there is little, for they say most for their tokens. */
const NAMES_SHARE = 0.15;
const LARGEST_NAMES_SHARE = 0.2;
const LEAST_NAMES = 420;
const TRIES = 4;

export function renderNotes(notes: Notes, input: RenderInput): RenderedNotes | undefined {
  const fit = fitted(notes, {
    ...input,
    share: 1 - Math.max(NAMES_SHARE, Math.min(LARGEST_NAMES_SHARE, LEAST_NAMES / input.room)),
    write: textOf,
  });
  if (fit === undefined || fit.chosen.length === 0) return undefined;
  const { text, told, chosen, tokens } = fit;
  return { text: text + nameIndex({ ...input, notes: notes.notes, chosen, room: input.room - tokens }), told };
}

/** A part of the log with what is told of it. */
export interface Stretch extends Told {
  /** Opens it. */
  readonly id: string;
  readonly notes: readonly Note[];
}

interface Fitted extends RenderedNotes {
  readonly chosen: readonly Note[];
  readonly tokens: number;
}

interface FitInput extends RenderInput {
  /** Share of the room that statements are chosen for at first. */
  readonly share: number;
  readonly write: (stretches: readonly Stretch[]) => string;
}

/** The statements that fit once they are written down: where they take more room than they should, fewer of them. */
export function fitted(notes: Notes, { share, write, ...input }: FitInput): Fitted | undefined {
  const { room, counter, shown } = input;
  const candidates = notes.notes.filter(({ kind, at }) => kind !== "user" || shown?.has(at) !== true);
  let left = room * share;
  for (let tries = 0; tries < TRIES; tries++) {
    const chosen = chooseNotes(candidates, left, input);
    const told = stretchesOf(chosen, notes, input);
    const text = write(told);
    const tokens = counter.text(text);
    if (tokens <= room) return { text, told, chosen, tokens };
    left = (left * room) / tokens - 8;
  }
  return undefined;
}

/** Entries after which a stretch without a word of the user's ends. */
const LONGEST_STRETCH = 40;

function stretchesOf(chosen: readonly Note[], { from, to }: Notes, { idAt }: RenderInput): Stretch[] {
  const stretches: Note[][] = [];
  for (const note of chosen) {
    const last = stretches.at(-1);
    if (last === undefined || note.kind === "user" || note.at - last[0]!.at >= LONGEST_STRETCH) stretches.push([note]);
    else last.push(note);
  }
  return stretches.map((all, at) => {
    const told = { from: at === 0 ? from : all[0]!.at, to: stretches[at + 1]?.[0]?.at ?? to };
    return { ...told, id: idOf(told, idAt), notes: all };
  });
}

const idOf = ({ from, to }: Told, idAt: RenderInput["idAt"]): string =>
  to - from <= 1 ? idAt(from) : `${idAt(from)}-${idAt(to - 1)}`;

const textOf = (stretches: readonly Stretch[]): string =>
  stretches.flatMap(({ id, notes }) => [`[${id}]`, ...linesOf(notes)]).join("\n");

function linesOf(stretch: readonly Note[]): string[] {
  const lines: string[] = [];
  let place: string | undefined;
  let speaker: Position | undefined;
  let head: string | undefined;
  for (const note of stretch) {
    if (note.kind === "fact" && note.of !== undefined && note.of !== place) lines.push(`- ${indented(note.of)}`);
    if (note.kind === "fact") place = note.of ?? place;
    else place = note.kind === "change" || note.kind === "run" || note.kind === "look" ? placeOf(note) : undefined;
    const isSaid = note.kind === "answer" || note.kind === "remark";
    const isNew = isSaid && note.of !== undefined && (note.of !== head || speaker !== note.at);
    if (isNew) lines.push(`${speaker === note.at ? "  " : "Agent: "}${indented(note.of!)}`);
    lines.push(isSaid && (isNew || speaker === note.at) ? `  ${indented(note.text)}` : lineOf(note));
    if (isSaid) head = note.of;
    speaker = isSaid ? note.at : undefined;
  }
  return lines;
}

/** Facts of a run stand under its line, whatever came of it. */
const placeOf = ({ text, of }: Note): string => of ?? text;

/** A statement as it stands in the text. What it says never begins a line: nothing in it can pass for a heading. */
export function lineOf({ kind, text }: Pick<Note, "kind" | "text">): string {
  return LEADS[kind] + indented(text);
}

/** What a statement begins with. */
const LEADS: Readonly<Record<NoteKind, string>> = {
  user: "User: ",
  answer: "Agent: ",
  remark: "Agent: ",
  list: "- ",
  change: "- ",
  run: "- ",
  look: "- ",
  tasks: "- tasks:\n  ",
  fact: "  ",
};

/** What lines of ours begin with: lines of others that do so are quoted. */
const MARKS = [
  "user:",
  "agent:",
  "[memorysummary]",
  "namesthatcameup",
  ...Array.from("0123456789", (digit) => `[e${digit}`),
];

const indented = (text: string): string => foreignText(text, MARKS).replace(/\n+/g, "\n  ");
