import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { runs } from "../../../test/support/runs.js";
import { memoriesChecks } from "../../testing/memories-checks.js";
import {
  asking,
  byWords,
  idsOf,
  listAll,
  memoryOf,
  mustWrite,
  nearTo,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "../../testing/memories-subject.js";
import { entriesOf, mustCommit, mustRead, user } from "../../testing/store-subject.js";
import { memoryStore } from "../drivers/memory.js";
import { sqliteStore } from "../drivers/sqlite.js";
import {
  type Memories,
  type MemoryHit,
  type MemoryQuestion,
  type NewMemory,
  type ScopeParts,
  scopeKey,
} from "./memories.js";

const folder = mkdtempSync(join(tmpdir(), "varve-memories-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

async function open(name: string) {
  const store = await sqliteStore(at(name));
  return { store, memories: store.memories! };
}

/** Runs statements on the file behind the store's back. */
function behind<T>(name: string, act: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(at(name));
  try {
    return act(database);
  } finally {
    database.close();
  }
}

/** Throws where the index says anything else than the passages do. */
const checkIndex = (name: string) =>
  behind(name, (database) =>
    database.exec("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)"),
  );

const bytesOf = (name: string) => ["", "-wal"].map((end) => readFileSync(at(`${name}${end}`), "latin1")).join("");

describe("memories in SQLite", () => {
  for (const { name, run } of memoriesChecks({ open: (place) => sqliteStore(at(`${place}.db`)) })) test(name, run);
});

describe("the SQLite file of memories", () => {
  test("holds nothing of a removed memory, its index and its vectors included", async () => {
    const { store, memories } = await open("traces.db");
    const vectorOf = (number: number) => Array.from({ length: 64 }, (_, each) => Math.sin(number * 997 + each));
    const bytesOfVector = (number: number) =>
      Buffer.from(Float32Array.from(vectorOf(number)).buffer).toString("latin1");
    const rows = Array.from({ length: 300 }, (_, number) =>
      memoryOf(`id${number}xq`, `shared secret${number}xq words${number % 7}`, {
        keys: [`key${number}xq`],
        tags: [`tag${number}xq`],
        vectors: vectorsOf("e", vectorOf(number)),
      }),
    );
    for (let from = 0; from < rows.length; from += 50) await putAll(memories, ...rows.slice(from, from + 50));
    const gone = [3, 77, 78, 149, 298];
    for (const number of [...gone, 4]) expect(bytesOf("traces.db")).toContain(`secret${number}xq`);
    for (const number of gone) await mustWrite(memories, { remove: [`id${number}xq`] });
    const left = bytesOf("traces.db");
    for (const number of gone) {
      for (const word of ["id", "secret", "key", "tag"]) expect(left).not.toMatch(new RegExp(`${word}${number}xq`));
      expect(left).not.toContain(bytesOfVector(number));
    }
    expect(left).toContain("secret4xq");
    expect(left).toContain(bytesOfVector(4));
    checkIndex("traces.db");
    await store.close();
  });

  test("keeps index and passages in step through many changes", async () => {
    const { store, memories } = await open("steps.db");
    const random = fc.sample(fc.array(fc.nat({ max: 40 }), { minLength: 6, maxLength: 6 }), {
      numRuns: runs(40),
    });
    for (const numbers of random) {
      const [put, remove] = [numbers.slice(0, 4), numbers.slice(4)];
      const memoriesToPut = put.map((number) =>
        memoryOf(`m${number}`, `word${number} common`, {
          passages: Array.from({ length: number % 4 }, (_, each) => [`word${number}`, `part${each}`]),
          vectors: vectorsOf("e", ...Array.from({ length: number % 4 }, () => [1, number])),
        }),
      );
      await mustWrite(memories, { put: memoriesToPut, remove: remove.map((number) => `m${number}`) });
    }
    checkIndex("steps.db");
    expect(await memories.orphans()).toEqual({ passages: 0, vectors: 0, keys: 0 });
    const counted = behind("steps.db", (database) =>
      database
        .prepare(
          `SELECT (SELECT sum(rows) FROM memory_shelves) - (SELECT count(*) FROM memories) AS rows,
             (SELECT sum(passages) FROM memory_shelves) - (SELECT count(*) FROM memory_passages) AS passages,
             (SELECT sum(terms) FROM memory_shelves) - (SELECT sum(length) FROM memory_passages) AS terms,
             (SELECT sum(rows) FROM memory_embedders) - (SELECT count(*) FROM memories) AS embedded`,
        )
        .get(),
    );
    expect({ ...counted }).toEqual({ rows: 0, passages: 0, terms: 0, embedded: 0 });
    await store.close();
  });

  test("brings a file without memories up to date and leaves its sessions alone", async () => {
    const before = await open("older.db");
    await mustCommit(before.store, "s", { entries: entriesOf([user("hello")]) });
    await before.store.close();
    behind("older.db", (database) => {
      const names = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'memor%'")
        .all();
      database.exec("DROP TABLE memory_words");
      for (const { name } of names) if (!String(name).startsWith("memory_words")) database.exec(`DROP TABLE ${name}`);
      database.exec("PRAGMA user_version = 1");
    });
    const { store, memories } = await open("older.db");
    expect((await mustRead(store, "s")).entries[0]!.message.content).toBe("hello");
    await putAll(memories, memoryOf("a", "apple"));
    expect(await byWords(memories, "apple")).toEqual(["a"]);
    await store.close();
  });

  test("is rid of what belongs to no row", async () => {
    const { store, memories } = await open("orphans.db");
    const given = { keys: ["k"], vectors: vectorsOf("e", [1, 0]) };
    await putAll(memories, memoryOf("a", "apple", given), memoryOf("b", "pear", given));
    behind("orphans.db", (database) => database.exec("DELETE FROM memories WHERE id = 'a'"));
    expect(await memories.orphans()).toEqual({ passages: 1, vectors: 1, keys: 1 });
    expect(await memories.orphans({ remove: true })).toEqual({ passages: 1, vectors: 1, keys: 1 });
    expect(await memories.orphans()).toEqual({ passages: 0, vectors: 0, keys: 0 });
    checkIndex("orphans.db");
    expect(idsOf(await memories.search(OWN, nearTo("e", [1, 0])))).toEqual(["b"]);
    await store.close();
  });

  test("says that it is busy when another writer takes too long", async () => {
    const store = await sqliteStore(at("busy.db"), { timeout: 100 });
    const other = new DatabaseSync(at("busy.db"));
    other.exec("BEGIN IMMEDIATE");
    const change = { scope: OWN_KEY, version: undefined, put: [memoryOf("a", "apple")] };
    await expect(store.memories!.write(change)).rejects.toMatchObject({ code: "store-busy", retryable: true });
    other.exec("ROLLBACK");
    other.close();
    await expect(store.memories!.write(change)).resolves.toMatchObject({ status: "written" });
    await store.close();
    await expect(store.memories!.write(change)).rejects.toMatchObject({ code: "closed" });
  });
});

describe("a search in SQLite", () => {
  const circle = (number: number) => [Math.cos(number / 1_000), Math.sin(number / 1_000)];

  test("does not believe what this process knows of vectors that another one removed", async () => {
    const [one, other] = [await open("removed.db"), await open("removed.db")];
    const rows = Array.from({ length: 1_500 }, (_, number) =>
      memoryOf(`m${String(number).padStart(4, "0")}`, "text", { vectors: vectorsOf("e", circle(number)) }),
    );
    await putAll(one.memories, ...rows);
    const nearest = () => one.memories.search(OWN, nearTo("e", [1, 0], { limit: 3 }));
    expect(idsOf(await nearest())).toEqual(["m0000", "m0001", "m0002"]);
    await mustWrite(other.memories, { remove: ["m0001"] });
    expect(idsOf(await nearest())).toEqual(["m0000", "m0002", "m0003"]);
    await mustWrite(other.memories, { remove: rows.slice(0, 700).map(({ id }) => id) });
    expect(idsOf(await nearest())).toEqual(["m0700", "m0701", "m0702"]);
    await putAll(other.memories, memoryOf("new", "text", { vectors: vectorsOf("e", [1, 0]) }));
    expect(idsOf(await nearest())).toEqual(["m0700", "m0701", "new"]);
    await other.memories.dropVectors("e");
    expect(await nearest()).toEqual([]);
    expect(behind("removed.db", (file) => file.prepare("SELECT count(*) AS n FROM memory_codes").get()!.n)).toBe(0);
    expect((await listAll(one.memories, OWN, 1_000)).length).toBe(801);
    await Promise.all([one.store.close(), other.store.close()]);
  });

  test("finds rows by vectors where the first of the embedder had no text", async () => {
    const { store, memories } = await open("empty.db");
    const nearest = async () => idsOf(await memories.search(OWN, nearTo("e", [1, 0])));
    await putAll(memories, memoryOf("a", "", { passages: [], vectors: vectorsOf("e") }));
    expect([await nearest(), Object.fromEntries(await memories.embedders())]).toEqual([[], { e: 1 }]);
    await putAll(memories, memoryOf("b", "", { vectors: vectorsOf("e", [1, 0]) }));
    expect(await nearest()).toEqual(["b"]);
    await mustWrite(memories, { remove: ["a", "b"] });
    expect(await nearest()).toEqual([]);
    expect(await memories.orphans()).toEqual({ passages: 0, vectors: 0, keys: 0 });
    await store.close();
  });

  test("gives the scores that memories in a process's own memory give", async () => {
    let files = 0;
    const word = fc.constantFrom("apple", "pear", 'q"uote', "AND", "näh", "木木", "a b", "(", "*");
    const row = fc.record({
      owner: fc.constantFrom<ScopeParts>({ user: "ann" }, { user: "ann", project: "p" }, { user: "Bob" }),
      tags: fc.subarray(["x", "y"]),
      passages: fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      until: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
      time: fc.nat({ max: 10 }),
      vector: fc.option(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { nil: undefined }),
    });
    const question = fc.record({
      terms: fc.uniqueArray(word, { maxLength: 4 }),
      scope: fc.constantFrom<ScopeParts>({}, { user: "ann" }, { project: "p" }, { user: "Bob" }, { user: "no" }),
      openAt: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
      to: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 12 }),
        fc.array(question, { minLength: 1, maxLength: 4 }),
        async (rows, asked) => {
          const { store, memories } = await open(`scores${++files}.db`);
          const pure = memoryStore();
          const put = rows.map(({ owner, vector, ...rest }, number): NewMemory => {
            const vectors = vector && vectorsOf("e", ...rest.passages.map(() => vector));
            return memoryOf(`m${number}`, "", { ...rest, scope: scopeKey(owner), vectors });
          });
          for (const each of [memories, pure.memories!]) await putAll(each, ...put);
          for (const { scope, ...given } of asked) {
            const whole = asking("", {
              ...defined(given),
              vectors: [{ embedder: "e", values: Float32Array.of(1, 2) }],
            });
            expect(await scores(memories, scope, whole)).toEqual(await scores(pure.memories!, scope, whole));
          }
          await store.close();
        },
      ),
      { numRuns: runs(25) },
    );
  });
});

const defined = <T extends object>(given: T): Partial<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<T>;

/** Hits in the order of their ids, with scores that a last digit makes no difference to. */
async function scores(memories: Memories, scope: ScopeParts, question: MemoryQuestion): Promise<MemoryHit[]> {
  const rounded = (score: number): number => Math.round(score * 1e5) / 1e5 + 0;
  const hits = await memories.search(scope, question);
  return hits
    .map((hit) => {
      const cosines = Object.entries(hit.cosines).map(([name, cosine]) => [name, rounded(cosine)]);
      return { ...hit, words: rounded(hit.words), cosines: Object.fromEntries(cosines) };
    })
    .sort((left, right) => (left.id < right.id ? -1 : 1));
}
