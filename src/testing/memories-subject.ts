import { strict as assert } from "node:assert";
import {
  type Memories,
  type MemoryChange,
  type MemoryHit,
  type MemoryQuestion,
  type NewMemory,
  type ScopeParts,
  scopeKey,
} from "../store/memories/memories.js";
import type { Store } from "../store/store.js";
import { TIME } from "./store-subject.js";

/** What a check of memories is given: they are the store's, and `again` opens the same place once more. */
export interface MemoriesPlace {
  readonly store: Store;
  readonly memories: Memories;
  readonly again: () => Promise<{ readonly store: Store; readonly memories: Memories }>;
}

export type MemoriesAct = (place: MemoriesPlace) => Promise<void>;

export type MemoriesActs = Readonly<Record<string, MemoriesAct>>;

/** The owners of what checks store unless they say otherwise. */
export const OWN: ScopeParts = { user: "ann", project: "atlas" };

export const OWN_KEY = scopeKey(OWN);

/** A memory of one passage whose words are its text, split at spaces. */
export function memoryOf(id: string, text: string, given: Partial<NewMemory> = {}): NewMemory {
  return {
    id,
    scope: OWN_KEY,
    thread: "",
    tags: [],
    time: TIME,
    until: undefined,
    speaker: "",
    keys: [],
    body: JSON.stringify({ text }),
    passages: [text.split(" ").filter((word) => word !== "")],
    vectors: undefined,
    ...given,
  };
}

/** Vectors of one embedder, one for each passage. */
export const vectorsOf = (embedder: string, ...values: readonly (readonly number[])[]): NewMemory["vectors"] => ({
  embedder,
  values: values.map((numbers) => Float32Array.from(numbers)),
});

/** Writes a change that must go through, and returns the version after it. */
export async function mustWrite(memories: Memories, change: Partial<MemoryChange>): Promise<number> {
  const outcome = await memories.write({ scope: OWN_KEY, version: undefined, ...change });
  assert.equal(outcome.status, "written");
  return outcome.status === "written" ? outcome.version : 0;
}

export const putAll = (memories: Memories, ...put: readonly NewMemory[]): Promise<number> =>
  mustWrite(memories, { put });

/** A question of words, split at spaces. */
export const asking = (text: string, given: Partial<MemoryQuestion> = {}): MemoryQuestion => ({
  terms: text.split(" ").filter((word) => word !== ""),
  vectors: [],
  limit: 100,
  ...given,
});

/** A question of one embedder's vector alone. */
export const nearTo = (
  embedder: string,
  values: readonly number[],
  given: Partial<MemoryQuestion> = {},
): MemoryQuestion => asking("", { vectors: [{ embedder, values: Float32Array.from(values) }], ...given });

/** What a question finds, the best by words first. */
export async function byWords(memories: Memories, text: string, scope: ScopeParts = OWN): Promise<string[]> {
  const hits = await memories.search(scope, asking(text));
  return hits.toSorted((left, right) => right.words - left.words).map(({ id }) => id);
}

export const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id).sort();

export function hitOf(hits: readonly MemoryHit[], id: string): MemoryHit {
  const hit = hits.find((each) => each.id === id);
  assert.ok(hit, `"${id}" was not found.`);
  return hit;
}

/** Cosines may be a little off where a driver keeps vectors in less room. */
export function nearly(actual: number | undefined, expected: number): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 0.005, `${actual} is not ${expected}`);
}

/** All that a scope sees, page by page. */
export async function listAll(memories: Memories, scope: ScopeParts = OWN, limit = 100): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await memories.list(scope, { limit, ...(after !== undefined && { after }) });
    assert.ok(page.rows.length <= limit);
    ids.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return ids;
}
