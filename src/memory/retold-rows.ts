import type { Memories, MemoryRow, Scope } from "../store/memories/memories.js";
import { isOnly, namesIn, tells } from "./echoes.js";
import { keyOf } from "./keys.js";
import type { EntryReference } from "./memory.js";
import { bodyOf, type MemoryBody } from "./row.js";
import { termsOf } from "./text/terms.js";

export interface RetoldPorts {
  readonly memories: Memories;
  /** The agent's entries that retell texts which came out of these entries, in the same sessions. */
  retellings(entries: readonly EntryReference[], of: RetoldOf): Promise<readonly EntryReference[]>;
  /** Where the forgetting was asked for: its words name what is to go, and so do the answers among its entries. */
  readonly request?: { readonly texts: readonly string[]; readonly entries: readonly EntryReference[] };
}

export interface RetoldOf {
  /** Whose memories came out of the entries. */
  readonly scope: Scope;
  /** What is forgotten: the agent's entries of the same sessions that retell it lose their text as well. */
  readonly texts: readonly string[];
}

/** Where more go at once, what was made of them is known by its links alone. */
const MOST_TEXTS = 200;

/** Where rows came from, and where they were retold. */
export const entriesOf = (rows: readonly MemoryRow[]): EntryReference[] =>
  rows.map(bodyOf).flatMap(({ entries = [], retold = [] }) => [...entries, ...retold]);

/** The texts of rows whose retellings are looked for: those that are not the agent's own. */
export const textsOf = (rows: readonly MemoryRow[]): string[] =>
  rows.length > MOST_TEXTS
    ? []
    : rows.map(bodyOf).flatMap(({ source, content }) => (source === "agent" ? [] : [content]));

/** The agent's entries that retell what is forgotten, and are not themselves to go: they keep what else they say. */
export interface RetoldIn {
  /** Keys of the entries. */
  readonly entries: ReadonlySet<string>;
  /** All that is forgotten and may be retold in them. */
  readonly texts: readonly string[];
}

/** Of all rows that go and the entries that retell them, given the rows that were asked for. */
export function retoldIn(
  wanted: readonly MemoryRow[],
  rows: readonly MemoryRow[],
  retold: readonly EntryReference[],
): RetoldIn {
  const sources = new Set(wanted.flatMap((row) => (bodyOf(row).entries ?? []).map(keyOf.entry)));
  const keys = [...entriesOf(rows), ...retold].map(keyOf.entry).filter((key) => !sources.has(key));
  return { entries: new Set(keys), texts: textsOf(rows) };
}

/** Rows with those of the agent's entries that retell them. */
export async function withRetoldRows(
  rows: readonly MemoryRow[],
  retold: readonly EntryReference[],
  { memories, scope }: { readonly memories: Memories; readonly scope: Scope },
): Promise<readonly MemoryRow[]> {
  if (retold.length === 0) return rows;
  const { rows: found } = await memories.find(scope, retold.map(keyOf.entry));
  const known = new Set(rows.map(({ id }) => id));
  const told = rows.map((row) => bodyOf(row).content);
  const names = namesIn(told);
  const isEcho = ({ source, content }: MemoryBody): boolean =>
    source === "agent" &&
    (termsOf(content).some((term) => names.has(term)) ||
      told.some((text) => tells(content, text) || isOnly(content, text)));
  return [...rows, ...found.filter((row) => !known.has(row.id) && isEcho(bodyOf(row)))];
}

/** The agent's entries that retell rows, in the sessions that those have to do with. */
export async function retellingsOf(
  scope: Scope,
  rows: readonly MemoryRow[],
  { retellings, request }: RetoldPorts,
): Promise<readonly EntryReference[]> {
  const [entries, texts] = [[...entriesOf(rows), ...(request?.entries ?? [])], textsOf(rows)];
  return entries.length === 0 || texts.length === 0 ? [] : retellings(entries, { scope, texts });
}
