import { IdentifierIndex, readFrom } from "../notes/identifier-index.js";
import { markdownNotes } from "../notes/markdown-notes.js";
import { plainMarkdown } from "../notes/markdown-text.js";
import { type Notes, noNotes } from "../notes/notes.js";
import { sourceOf, takeNotes } from "../notes/take-notes.js";
import { worthIn } from "../notes/worth.js";
import type { Engine } from "./engine.js";

/** A session told in so many tokens. */
export interface SessionNotes {
  /** Markdown. */
  readonly text: string;
  readonly tokens: number;
  /** The statements that the text shows, as data; positions are those of `session.entries()`. */
  readonly notes: Notes;
}

/** The notes on a whole session, made anew from its log: they do not depend on what views were cut to. */
export function notesOf(id: string, { log, counter }: Pick<Engine, "log" | "counter">, room: number): SessionNotes {
  const now = log.entries.length;
  const index = new IdentifierIndex(Math.max(log.start, readFrom(now)));
  index.readTo(now, log);
  const notes = takeNotes(noNotes(log.start), now, sourceOf(log, counter));
  const idAt = (at: number) => log.entries[at]!.id;
  const all = log.start === now ? "Nothing was said yet." : `${idAt(log.start)} to ${idAt(now - 1)}. ${OPENED}`;
  const heading = `# Notes on ${plainMarkdown(id.replace(/\s+/g, " ").slice(0, LONGEST_TITLE))}\n\n${all}`;
  const input = { room, counter, now, worth: worthIn({ index, now }), idAt };
  return markdownNotes(heading, notes, input) ?? { text: "", tokens: 0, notes: { ...notes, notes: [] } };
}

const OPENED = "What is not told here the ids open: `varve context expand ID`.";
const LONGEST_TITLE = 80;
