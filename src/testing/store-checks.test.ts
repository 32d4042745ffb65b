import { describe, expect, it } from "vitest";
import { memoryStore } from "../store/drivers/memory.js";
import type { Store } from "../store/store.js";
import { storeChecks } from "./store-checks.js";

/** Stores with one fault each, made from one that has none. */
const FAULTS: Record<string, (store: Store) => Partial<Store>> = {
  "loses the last entry of a commit": (store) => ({
    commit: (id, change) => store.commit(id, { ...change, entries: change.entries?.slice(0, -1) ?? [] }),
  }),
  "turns entries round": (store) => ({
    read: async (id, options) => {
      const stored = await store.read(id, options);
      return stored && { ...stored, entries: stored.entries.toReversed() };
    },
  }),
  "takes any version": (store) => ({
    commit: async (id, change) => store.commit(id, { ...change, version: await store.version(id) }),
  }),
  "forgets keys": (store) => ({
    commit: (id, { key: _key, ...change }) => store.commit(id, change),
  }),
  "mixes up ids that differ in case": (store) => ({
    read: (id, options) => store.read(id.toLowerCase(), options),
    commit: (id, change) => store.commit(id.toLowerCase(), change),
  }),
  "writes no documents": (store) => ({
    commit: (id, { documents: _documents, ...change }) => store.commit(id, change),
  }),
  "keeps documents that were removed": (store) => ({
    commit: (id, { documents = new Map(), ...change }) =>
      store.commit(id, { ...change, documents: new Map([...documents].filter(([, value]) => value !== undefined)) }),
  }),
  "moves no head": (store) => ({
    commit: (id, { head: _head, ...change }) => store.commit(id, change),
  }),
  "deletes nothing": () => ({
    delete: async () => ({ entries: 0, documents: 0, keys: 0, bytes: 0 }),
  }),
  "replaces nothing": (store) => ({
    replace: async (id) => ({ status: "committed", version: await store.version(id) }),
  }),
  "replaces whatever version there is": (store) => ({
    replace: (id, { changes }) => store.replace(id, { changes }),
  }),
  "makes one commit of a replacement": (store) => ({
    replace: (id, { changes, ...rest }) =>
      store.replace(id, {
        ...rest,
        changes: [{ ...changes.at(-1)!, entries: changes.flatMap(({ entries = [] }) => entries) }],
      }),
  }),
  "replaces a session step by step": (store) => ({
    replace: async (id, { version, changes }) => {
      const there = await store.version(id);
      if (version !== undefined && version !== there) return { status: "stale", version: there };
      await store.delete(id);
      for (const change of changes) {
        await store.commit(id, { ...change, version: await store.version(id) });
        await new Promise((resolve) => setImmediate(resolve));
      }
      return { status: "committed", version: await store.version(id) };
    },
  }),
  "lists one page only": (store) => ({
    sessions: async (options) => ({ ...(await store.sessions(options)), next: undefined }),
  }),
  "goes on when it is closed": () => ({ close: async () => undefined }),
  "has the same first version for all": (store) => ({
    version: async (id) => Math.min(1, await store.version(id)),
  }),
};

describe("the checks of stores", () => {
  it("find nothing wrong with a store that keeps its promises", async () => {
    for (const { run } of storeChecks({ open: async () => memoryStore(), durable: false })) await run();
  });

  it.each(Object.entries(FAULTS))("find a store that %s", async (_name, spoil) => {
    const open = async () => {
      const store = memoryStore();
      return { ...store, ...spoil(store) };
    };
    const failed: string[] = [];
    for (const { name, run } of storeChecks({ open, durable: false }))
      await run().catch(() => {
        failed.push(name);
      });
    expect(failed).not.toEqual([]);
  });
});
