import { strict as assert } from "node:assert";
import { type Memories, scopeKey } from "../store/memories/memories.js";
import {
  asking,
  listAll,
  type MemoriesActs,
  type MemoriesPlace,
  memoryOf,
  mustWrite,
  OWN,
  OWN_KEY,
  vectorsOf,
} from "./memories-subject.js";

const WRITERS = 6;
const EACH = 8;
const ATTEMPTS = 5_000;

export const memoriesConcurrencyChecks: MemoriesActs = {
  "lets one of several win who write on the same version": async (place) => {
    const many = await openMany(place);
    const outcomes = await Promise.all(
      many.map((memories, at) => memories.write({ scope: OWN_KEY, version: 0, put: [memoryOf(`m${at}`, "apple")] })),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), [...Array(WRITERS - 1).fill("stale"), "written"]);
    assert.equal((await listAll(place.memories)).length, 1);
  },

  "loses and doubles nothing of writers on one scope": async (place) => {
    const many = await openMany(place);
    await Promise.all(many.map((memories, writer) => writeEach(memories, writer)));
    const ids = await listAll(place.memories);
    assert.equal(new Set(ids).size, WRITERS * EACH);
    const rows = await place.memories.get(OWN, ids);
    const places = rows.map((row) => row.place).sort((left, right) => left - right);
    assert.deepEqual(places, [...Array(WRITERS * EACH).keys()]);
    assert.equal((await place.memories.search(OWN, asking("apple"))).length, WRITERS * EACH);
    assert.equal((await place.memories.find(OWN, ["slot"])).rows.length, 1);
  },

  "lets writers on different scopes alone, and counts their places apart": async (place) => {
    const many = await openMany(place);
    const scopes = many.map((_, writer) => ({ user: `user${writer}` }));
    await Promise.all(
      many.map(async (memories, writer) => {
        const scope = scopeKey(scopes[writer]!);
        for (let at = 0; at < EACH; at++)
          await mustWrite(memories, { scope, put: [memoryOf(`${writer}-${at}`, "apple", { scope, thread: "talk" })] });
      }),
    );
    for (const [writer, scope] of scopes.entries()) {
      const rows = (await many[(writer + 1) % WRITERS]!.list(scope)).rows;
      assert.deepEqual(
        rows.map((row) => row.place),
        [...Array(EACH).keys()],
      );
    }
  },

  "never shows a reader half a change": async (place) => {
    const { memories: reader } = await place.again();
    let writing = true;
    const write = async () => {
      for (let count = 0; count < 20; count++) await mustWrite(place.memories, changeOf(count));
    };
    const read = async () => {
      while (writing) {
        const { rows } = await reader.list(OWN, { limit: 1_000 });
        assert.equal(rows.length % 3, 0);
        assert.equal((await reader.search(OWN, asking("apple"))).length % 3, 0);
        assert.equal((await reader.find(OWN, ["k"])).rows.length % 3, 0);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const written = write().finally(() => {
      writing = false;
    });
    await Promise.all([written, read()]);
  },

  "keeps vectors right that are added while rows are written": async (place) => {
    const { memories: embedding } = await place.again();
    const write = async () => {
      for (let count = 0; count < 12; count++) await mustWrite(place.memories, changeOf(count));
    };
    const embed = async () => {
      for (let round = 0; round < 12; round++) {
        const rows = await embedding.without("late", { limit: 100 });
        const values = [Float32Array.of(0, 1)];
        await embedding.addVectors(
          "late",
          rows.map(({ id, body }) => ({ id, body, values })),
        );
      }
    };
    await Promise.all([write(), embed()]);
    await embed();
    const counts = await place.memories.embedders();
    const rows = (await listAll(place.memories)).length;
    assert.deepEqual(Object.fromEntries(counts), { e: rows, late: rows });
    assert.deepEqual(await place.memories.orphans(), { passages: 0, vectors: 0, keys: 0 });
  },
};

/** Three rows more, and in every third change three less. */
function changeOf(count: number) {
  const ids = (number: number) => ["a", "b", "c"].map((letter) => `${letter}${number}`);
  const put = ids(count).map((id) => memoryOf(id, "apple", { keys: ["k"], vectors: vectorsOf("e", [1, count]) }));
  return { put, remove: count % 3 === 2 ? ids(count - 1) : [] };
}

const openMany = async ({ memories, again }: MemoriesPlace): Promise<Memories[]> => {
  const many = [memories];
  while (many.length < WRITERS) many.push((await again()).memories);
  return many;
};

/** Each one takes the slot from the row that has it, so that a lost change would show. */
async function writeEach(memories: Memories, writer: number): Promise<void> {
  for (let at = 0; at < EACH; at++) await takeSlot(memories, `${writer}-${at}`);
}

async function takeSlot(memories: Memories, id: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { version, rows } = await memories.find(OWN, ["slot"]);
    const amend = rows.map(({ id, body }) => ({ id, until: 1, keys: [], body }));
    const put = [memoryOf(id, "apple", { keys: ["slot"], thread: "talk" })];
    const { status } = await memories.write({ scope: OWN_KEY, version, put, amend });
    if (status === "written") return;
  }
  assert.fail(`A change was stale ${ATTEMPTS} times in a row.`);
}
