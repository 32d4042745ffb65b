/**
 * Notes: a record of the work so far, kept as plain data. It holds whole statements, each with the entry that it comes
 * from; what a later statement replaces is gone. A view renders as much of it as there is room for.
 */
import type { Position } from "../message/positions.js";

/** What a statement is, which decides what it is worth and how it is shown. */
export type NoteKind =
  /** What the user said, word for word. */
  | "user"
  /** What the agent said at the end of a turn, and what it said on the way. */
  | "answer"
  | "remark"
  /** A list, table or report of the agent's, as a unit that later turns may refer to. */
  | "list"
  /** What the agent did: a file changed, a command run, something looked at. */
  | "change"
  | "run"
  | "look"
  /** The state of a plan or to-do list. */
  | "tasks"
  /** A whole line of what was read, found or printed. */
  | "fact";

export interface Note {
  readonly at: Position;
  readonly kind: NoteKind;
  readonly text: string;
  /** A shorter form, for when there is no room for all of it. */
  readonly short?: string;
  /** What the statement is about: a later one about the same replaces it. */
  readonly about?: string;
  /** Where a fact stands: a path or a tool. Facts of one place are shown together. */
  readonly of?: string;
  /** The number or letter that an item of a list goes by. */
  readonly number?: string;
  /** What it was in the agent's text, where that is no sentence. */
  readonly form?: "item" | "row" | "code";
  /** True for a command that failed when it last ran. */
  readonly failed?: true;
  /** Its identifiers; those that a call named come again with a mark. */
  readonly identifiers: readonly string[];
  /** Identifiers that stand there beside those that the statement names, without a statement of their own. */
  readonly inside?: readonly string[];
  /** The file that it is about. */
  readonly file?: string;
  /** Worth beyond its identifiers, on the scale of likelihoods. */
  readonly bonus: number;
  readonly tokens: number;
  readonly shortTokens?: number;
}

/** A note before its identifiers are found and its tokens counted. */
export interface Draft extends Omit<Note, "identifiers" | "inside" | "tokens" | "shortTokens"> {
  /** Arguments that are a name by themselves: naming them again is worth something. */
  readonly named?: readonly string[];
  /** Text of which the names alone are kept. */
  readonly inside?: string;
}

export interface Notes {
  readonly version: 1;
  /** Positions of the entries that they cover, the end not included. */
  readonly from: Position;
  readonly to: Position;
  /** How often they were carried on. */
  readonly level: number;
  readonly notes: readonly Note[];
}

export const noNotes = (from: Position): Notes => ({ version: 1, from, to: from, level: 0, notes: [] });
