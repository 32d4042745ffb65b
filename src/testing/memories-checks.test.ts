import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/drivers/memory.js";
import type { Memories, ScopeParts } from "../store/memories/memories.js";
import { memoriesChecks } from "./memories-checks.js";

/** Memories with one fault each, made from those that have none. */
const FAULTS: Record<string, (memories: Memories) => Partial<Memories>> = {
  "take any version": (memories) => ({
    write: (change) => memories.write({ ...change, version: undefined }),
  }),
  "show tags that a reader did not ask for": (memories) => {
    const untagged = ({ tags: _tags, ...owners }: ScopeParts) => owners;
    return { search: (scope, question) => memories.search(untagged(scope), question) };
  },
  "show the rows of every user": (memories) => {
    const anybody = ({ user: _user, ...scope }: ScopeParts) => scope;
    return { list: (scope, options) => memories.list(anybody(scope), options) };
  },
  "remove nothing": (memories) => ({ write: (change) => memories.write({ ...change, remove: [] }) }),
  "amend nothing": (memories) => ({ write: (change) => memories.write({ ...change, amend: [] }) }),
  "redact nothing": (memories) => ({ write: (change) => memories.write({ ...change, redact: [] }) }),
  "leave vectors out": (memories) => ({
    write: (change) => {
      const put = (change.put ?? []).map((memory) => ({ ...memory, vectors: undefined }));
      return memories.write({ ...change, put });
    },
  }),
  "find by one passage only": (memories) => ({
    write: (change) => {
      const put = (change.put ?? []).map((memory) => ({ ...memory, passages: memory.passages.slice(0, 1) }));
      return memories.write({ ...change, put });
    },
  }),
  "fold terms": (memories) => ({
    search: (scope, question) =>
      memories.search(scope, { ...question, terms: question.terms.map((term) => term.normalize("NFKC")) }),
  }),
  "pay no heed to times": (memories) => ({
    search: (scope, { terms, vectors, limit }) => memories.search(scope, { terms, vectors, limit }),
  }),
  "ask the first embedder alone": (memories) => ({
    search: (scope, question) => memories.search(scope, { ...question, vectors: question.vectors.slice(0, 1) }),
  }),
  "add vectors to rows that have changed": (memories) => ({
    addVectors: async (embedder, vectors) => {
      const rows = await memories.get(
        {},
        vectors.map(({ id }) => id),
      );
      const bodies = new Map(rows.map(({ id, body }) => [id, body]));
      return memories.addVectors(
        embedder,
        vectors.map((each) => ({ ...each, body: bodies.get(each.id) ?? each.body })),
      );
    },
  }),
  "drop no vectors": () => ({ dropVectors: async () => undefined }),
  "list one page only": (memories) => ({
    list: async (scope, options) => ({ ...(await memories.list(scope, options)), next: undefined }),
  }),
  "always list the oldest first": (memories) => ({
    list: (scope, options) => memories.list(scope, { ...options, newest: false }),
  }),
  "leave something behind": () => ({ orphans: async () => ({ passages: 1, vectors: 0, keys: 0 }) }),
  "turn rows round": (memories) => ({
    get: async (scope, ids) => (await memories.get(scope, ids)).toReversed(),
  }),
};

describe("the checks of memories", () => {
  for (const { name, run } of memoriesChecks({ open: async () => memoryStore(), durable: false })) it(name, run);

  it.each(Object.entries(FAULTS))("find memories that %s", async (_name, spoil) => {
    const open = async () => {
      const store = memoryStore();
      const memories = store.memories!;
      return { ...store, memories: { ...memories, ...spoil(memories) } };
    };
    const failed: string[] = [];
    for (const { name, run } of memoriesChecks({ open, durable: false })) {
      await run().catch(() => failed.push(name));
      if (failed.length > 0) break;
    }
    expect(failed).not.toEqual([]);
  });
});
