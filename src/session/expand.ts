import { VarveError } from "../errors.js";
import { messageText } from "../message/content.js";
import type { Entry } from "../message/entry.js";

export interface ExpandOptions {
  /** Character to start at; 0 unless given. */
  readonly offset?: number;
  /** Characters to return at most; 8,000 unless given. */
  readonly limit?: number;
}

/** A page of the original text. */
export interface Expansion {
  readonly text: string;
  readonly offset: number;
  /** Where the next page starts; undefined on the last. */
  readonly next: number | undefined;
  /** Characters of the whole. */
  readonly total: number;
  readonly entries: { readonly from: string; readonly to: string };
}

const PAGE = 8_000;

/** Pages through the text of entries exactly as they were said: all pages put together are the whole. */
export function expandEntries(entries: readonly Entry[], { offset = 0, limit = PAGE }: ExpandOptions): Expansion {
  if (!(offset >= 0) || !(limit >= 1)) throw invalid(offset, limit);
  const texts = entries.map(textOf);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const end = safeEnd(texts, Math.min(total, offset + limit));
  return {
    text: slice(texts, offset, end),
    offset,
    next: end < total ? end : undefined,
    total,
    entries: { from: entries[0]?.id ?? "", to: entries.at(-1)?.id ?? "" },
  };
}

/** One entry alone is its bare text; where several follow each other, each has a line of its own in front. */
function textOf(entry: Entry, at: number, all: readonly Entry[]): string {
  const text = messageText(entry.message);
  return all.length === 1 ? text : `${at === 0 ? "" : "\n\n"}[${entry.id} ${entry.message.role}]\n${text}`;
}

function slice(texts: readonly string[], from: number, to: number): string {
  let result = "";
  let start = 0;
  for (const text of texts) {
    if (start < to && start + text.length > from) result += text.slice(Math.max(0, from - start), to - start);
    start += text.length;
  }
  return result;
}

/** A page does not end between the halves of a character. */
function safeEnd(texts: readonly string[], end: number): number {
  const last = slice(texts, Math.max(0, end - 1), end).charCodeAt(0);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}

const invalid = (offset: number, limit: number): VarveError =>
  new VarveError({
    code: "invalid-option",
    message: `A page cannot start at ${offset} with at most ${limit} characters.`,
    hint: "Give offset as a number from 0 and limit as one from 1.",
    details: { offset, limit },
  });
