import { invalidOption } from "../errors.js";
import { messageText } from "../message/content.js";
import type { Entry } from "../message/entry.js";
import { checkNames, type OptionNames } from "../message/option-names.js";
import { positionOf } from "../store/branch.js";
import type { TokenCounter } from "../tokens/counter.js";

export interface ExpandOptions {
  /** Character to start at; 0 unless given. */
  readonly offset?: number;
  /** Characters to return at most; 8,000 unless given. */
  readonly limit?: number;
  /** Ends a page where a view would shorten it, were it the result of a tool; false unless given. */
  readonly asResult?: boolean;
}

/** What says how long a result may be. */
interface Setting {
  /** Tokens that a view shows of a result. */
  readonly cap: number;
  readonly counter: TokenCounter;
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
/** Tokens of a result that are left to what is said around the page, and the share left to errors of counting. */
const AROUND = 32;
const CAUTION = 0.1;

/** The entries of a range, by the id that notes have for it: its first and its last entry, "e12-e80". */
export function rangeOf(entries: readonly Entry[], id: string): readonly Entry[] | undefined {
  const [first, last, ...more] = typeof id === "string" ? id.split("-") : [];
  if (first === undefined || last === undefined || more.length > 0) return undefined;
  const [from, to] = [positionOf(entries, first), positionOf(entries, last)];
  return from < 0 || to < from ? undefined : entries.slice(from, to + 1);
}

/** Pages through the text of entries exactly as they were said: all pages put together are the whole. */
export function expandEntries(entries: readonly Entry[], options: ExpandOptions, setting: Setting): Expansion {
  const { offset = 0, limit = PAGE, asResult = false } = checkExpandOptions(options);
  const texts = entries.map(textOf);
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const least = Math.min(total, offset + limit);
  const end = safeEnd(texts, asResult ? fittingEnd(texts, { offset, end: least }, setting) : least);
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

/** The end of a page that is as long as a result may be. A page has at least one character: the next one goes on. */
function fittingEnd(
  texts: readonly string[],
  { offset, end }: { offset: number; end: number },
  { cap, counter }: Setting,
): number {
  const room = Math.max(1, Math.floor(cap * (1 - CAUTION)) - Math.min(AROUND, Math.floor(cap / 2)));
  let length = end - offset;
  while (length > 1) {
    const tokens = counter.text(slice(texts, offset, offset + length));
    if (tokens <= room) break;
    length = Math.max(1, Math.floor(((length * room) / tokens) * (1 - CAUTION)));
  }
  return offset + length;
}

const OPTIONS: OptionNames<ExpandOptions> = { offset: true, limit: true, asResult: true };

function checkExpandOptions(options: ExpandOptions): ExpandOptions {
  const { offset, limit, asResult } = checkNames(options, OPTIONS, "session.expand");
  checkWhole({ offset }, 0);
  checkWhole({ limit }, 1);
  if (asResult !== undefined && typeof asResult !== "boolean")
    throw invalidOption({ option: "asResult", value: asResult, allowed: "true or false" });
  return options;
}

function checkWhole(option: Readonly<Record<string, unknown>>, least: number): void {
  const [name, value] = Object.entries(option)[0]!;
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least)) return;
  throw invalidOption({ option: name, value, allowed: `a whole number of characters from ${least}` });
}
