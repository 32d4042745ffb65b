import { strict as assert } from "node:assert";
import { type NewMemory, OWNERS, type ScopeParts, scopeKey, sees } from "../store/memories/memories.js";
import {
  asking,
  idsOf,
  listAll,
  type MemoriesActs,
  memoryOf,
  mustWrite,
  nearTo,
  putAll,
  vectorsOf,
} from "./memories-subject.js";
import { Random } from "./random.js";

const VALUES = ["a", "A", "", "null", "%", "'", undefined, undefined, undefined];
const TAGS = ["red", "Red", "a%", '"'];
const ROWS = 80;
const READERS = 60;

/** Owners and tags by chance, few enough of each that many scopes see each other. */
function someScope(random: Random): ScopeParts {
  const owners = OWNERS.map((owner) => [owner, random.pick(VALUES)] as const);
  const tags = TAGS.filter(() => random.chance(0.3));
  return { ...Object.fromEntries(owners.filter(([, value]) => value !== undefined)), tags };
}

export const scopeChecks: MemoriesActs = {
  "shows a reader what its scope sees and nothing else, however it asks": async ({ memories }) => {
    const random = new Random(5);
    const stored = Array.from({ length: ROWS }, (_, at) => ({ id: `m${at}`, scope: someScope(random) }));
    const given = { keys: ["k"], vectors: vectorsOf("e", [1, 0]) };
    const put = stored.map(({ id, scope }) =>
      memoryOf(id, "word", { ...given, scope: scopeKey(scope), tags: scope.tags ?? [] }),
    );
    await putAll(memories, ...put);
    const ids = stored.map(({ id }) => id);
    for (let reader = 0; reader < READERS; reader++) {
      const scope = reader === 0 ? {} : someScope(random);
      const seen = idsOf(stored.filter((row) => sees(scope, row.scope)));
      assert.deepEqual((await listAll(memories, scope, 7)).sort(), seen);
      assert.deepEqual(idsOf(await memories.get(scope, ids)), seen);
      assert.deepEqual(idsOf((await memories.find(scope, ["k"])).rows), seen);
      assert.deepEqual(idsOf(await memories.search(scope, asking("word"))), seen);
      assert.deepEqual(idsOf(await memories.search(scope, nearTo("e", [1, 0]))), seen);
    }
  },

  "finds what one owner has among thousands of others that answer better": async ({ memories }) => {
    const others = Array.from({ length: 3_000 }, (_, at) =>
      memoryOf(`other${at}`, "port port number", {
        scope: scopeKey({ tenant: `t${at % 50}` }),
        vectors: vectorsOf("e", [1, 0, 0]),
      }),
    );
    await mustWrite(memories, { put: others });
    const own: NewMemory[] = ["a", "b"].map((id) =>
      memoryOf(id, "a long text that speaks of the port only once", {
        scope: scopeKey({ tenant: "own" }),
        vectors: vectorsOf("e", [0.5, 0.5, 0.1]),
      }),
    );
    await mustWrite(memories, { put: own });
    const scope = { tenant: "own" };
    assert.deepEqual(idsOf(await memories.search(scope, asking("port number", { limit: 5 }))), ["a", "b"]);
    assert.deepEqual(idsOf(await memories.search(scope, nearTo("e", [1, 0, 0], { limit: 5 }))), ["a", "b"]);
  },

  "finds what has a tag or a time among thousands without that answer better": async ({ memories }) => {
    const others = Array.from({ length: 3_000 }, (_, at) =>
      memoryOf(`other${at}`, "port port number", { tags: ["x"], time: at, vectors: vectorsOf("e", [1, 0, 0]) }),
    );
    const given = { tags: ["x", "rare"], time: 5_000, vectors: vectorsOf("e", [0.5, 0.5, 0.1]) };
    await mustWrite(memories, { put: [...others, memoryOf("own", "the port is in here somewhere", given)] });
    const rare: ScopeParts = { user: "ann", tags: ["rare"] };
    const late = { limit: 5, from: 4_000 };
    for (const question of [asking("port number", { limit: 5 }), nearTo("e", [1, 0, 0], { limit: 5 })]) {
      assert.deepEqual(idsOf(await memories.search(rare, question)), ["own"]);
      assert.deepEqual(idsOf(await memories.search({ user: "ann" }, { ...question, ...late })), ["own"]);
    }
  },
};
