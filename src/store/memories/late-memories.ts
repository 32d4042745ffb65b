import type { Memories } from "./memories.js";

/** Memories whose code is loaded by the first call: most programs that open a store only look at its sessions. */
export function lateMemories(mostRemoved: number, load: () => Promise<Memories>): Memories {
  let loading: Promise<Memories> | undefined;
  const loaded = (): Promise<Memories> => {
    loading ??= load();
    return loading;
  };
  return {
    mostRemoved,
    write: async (change) => (await loaded()).write(change),
    find: async (scope, keys) => (await loaded()).find(scope, keys),
    get: async (scope, ids) => (await loaded()).get(scope, ids),
    at: async (places) => (await loaded()).at(places),
    list: async (scope, options) => (await loaded()).list(scope, options),
    search: async (scope, question) => (await loaded()).search(scope, question),
    embedders: async () => (await loaded()).embedders(),
    without: async (embedder, options) => (await loaded()).without(embedder, options),
    addVectors: async (embedder, vectors) => (await loaded()).addVectors(embedder, vectors),
    dropVectors: async (embedder) => (await loaded()).dropVectors(embedder),
    erase: async (texts) => (await (await loaded()).erase?.(texts)) ?? { found: [], remains: [] },
    orphans: async (options) => (await loaded()).orphans(options),
  };
}
