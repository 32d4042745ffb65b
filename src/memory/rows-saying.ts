/** Rows that say a forgotten text, whoever said it, in their words or in what they are labelled with. */
import { mapValue } from "../message/map-texts.js";
import { type Memories, type MemoryRow, type Scope, scopeOf } from "../store/memories/memories.js";
import { FORGOTTEN, ForgottenTexts } from "./forgotten-texts.js";
import { isCurrent, keyOf } from "./keys.js";
import { rowsOf } from "./listing.js";
import { bodyOf } from "./row.js";
import { replaceText, type StorePorts } from "./storing.js";

/** The texts whose very words go with rows: of those that were asked for, and of those that others said. */
export const saidIn = (wanted: readonly MemoryRow[], told: readonly MemoryRow[]): string[] => [
  ...new Set([
    ...wanted.map((row) => bodyOf(row).content),
    ...told.map(bodyOf).flatMap(({ source, content }) => (source === "agent" ? [] : [content])),
  ]),
];

export const distinctRows = (rows: readonly MemoryRow[]): MemoryRow[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

interface Sought {
  readonly said: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly known: readonly MemoryRow[];
}

/** The other rows of a scope in which one of these texts stands. */
export async function rowsWith(
  scope: Scope,
  { said, words, known }: Sought,
  { memories }: { readonly memories: Memories },
): Promise<MemoryRow[]> {
  if (said.length === 0) return [];
  const texts = new ForgottenTexts(said, words);
  const ids = new Set(known.map(({ id }) => id));
  const found: MemoryRow[] = [];
  for await (const row of rowsOf(memories, scope)) if (!ids.has(row.id) && isTold(row, texts)) found.push(row);
  return found;
}

const isTold = (row: MemoryRow, texts: ForgottenTexts): boolean => {
  const { content, metadata = {}, facts = [] } = bodyOf(row);
  const labels = [row.thread, row.speaker, ...row.tags, ...facts.map(({ text }) => text)];
  const without = (text: string): string => texts.without(text, FORGOTTEN);
  return [content, ...labels].some((text) => texts.isIn(text)) || mapValue(metadata, without) !== metadata;
};

/**
 * The rows that go with these texts: those that say nothing else. A memory that says more is given another version without
 * the words, and its former ones go.
 */
export async function rowsSaying(
  scope: Scope,
  { said, words, known }: Sought,
  ports: StorePorts,
): Promise<{ readonly rows: readonly MemoryRow[]; readonly rewritten: readonly string[] }> {
  const texts = new ForgottenTexts(said, words);
  const rows: MemoryRow[] = [];
  const rewritten: string[] = [];
  for (const row of await rowsWith(scope, { said, words, known }, ports)) {
    if (!(await isRewritten(row, texts, ports))) rows.push(row);
    else {
      const { id } = bodyOf(row);
      rewritten.push(id);
      const { rows: former } = await ports.memories.find(scopeOf(row.scope), [keyOf.former(id)]);
      rows.push(...former.filter((each) => isTold(each, texts)));
    }
  }
  return { rows, rewritten };
}

/** Gives a memory that holds, and says more, a version without the texts; false where there is none to be given. */
async function isRewritten(row: MemoryRow, texts: ForgottenTexts, ports: StorePorts): Promise<boolean> {
  const { id, content: before, source, metadata = {}, entries } = bodyOf(row);
  const content = texts.without(before, "…").replace(/^[\s….,;!?]+/u, "");
  if (!isCurrent(row) || row.until !== undefined || !/[\p{L}\p{N}]{2}/u.test(content)) return false;
  const label = (text: string): string => texts.without(text, FORGOTTEN);
  const { speaker, thread, time } = row;
  const input = {
    ...{ id, content, source, at: time + 1, metadata: mapValue(metadata, label) as typeof metadata },
    ...(speaker !== "" && { speaker: label(speaker) }),
    ...(thread !== "" && { thread: label(thread) }),
    ...(entries !== undefined && { entries }),
  };
  const scope = { ...scopeOf(row.scope), tags: row.tags.map(label) };
  return (await replaceText(scope, async () => ({ scope, input }), ports)).status === "stored";
}
