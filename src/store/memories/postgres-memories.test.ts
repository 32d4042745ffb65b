import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startCuttingProxy } from "../../../test/support/cutting-proxy.js";
import { rememberTogether, surviveMemoryKills } from "../../../test/support/memory-writers.js";
import { describePostgres, type PostgresServer, startPostgres } from "../../../test/support/postgres.js";
import { runs } from "../../../test/support/runs.js";
import { memoriesChecks } from "../../testing/memories-checks.js";
import { asking, listAll, memoryOf, mustWrite, OWN, OWN_KEY, putAll } from "../../testing/memories-subject.js";
import { memoryStore } from "../drivers/memory.js";
import { postgresStore } from "../drivers/postgres.js";
import { type MemoryHit, type NewMemory, scopeKey } from "./memories.js";

/** A short run by default; VARVE_KILLS=50 for the long one. */
const KILLS = Number(process.env.VARVE_KILLS ?? 3);
const TIMEOUT = 60_000 + 10_000 * KILLS;

describePostgres("memories in a PostgreSQL server without pgvector", () => {
  let server: PostgresServer;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres();
    url = await server.database("agents");
  }, 60_000);
  afterAll(() => server?.stop(), 60_000);

  const open = (schema: string) => postgresStore({ url, schema, poolSize: 3 });

  describe("keep the rules of all memories", () => {
    for (const { name, run } of memoriesChecks({ open })) test(name, run, 30_000);
  });

  test("have the scores that they have in this process's memory", async () => {
    const store = await open("scores");
    let schemas = 0;
    await fc.assert(
      fc.asyncProperty(corpus, question, async (texts, words) => {
        const user = `user${++schemas}`;
        const scope = scopeKey({ user });
        const put = texts.map((passages, at) => rowOf(`${user}-${at}`, scope, passages));
        const here = memoryStore().memories!;
        for (const memories of [store.memories!, here]) await mustWrite(memories, { scope, put });
        const asked = { ...asking(words.join(" "), { limit: 4 }), vectors: [{ embedder: "e", values: embed(words) }] };
        const found = await store.memories!.search({ user }, asked);
        expect(scoresOf(found)).toEqual(scoresOf(await here.search({ user }, asked)));
      }),
      { numRuns: runs(60) },
    );
    await store.close();
  });

  test("find what a rare word is in first, and fill up with what only a frequent one is in", async () => {
    const store = await open("frequent");
    const frequent = Array.from({ length: 6_500 }, (_, at) => memoryOf(`frequent${at}`, `port ${at % 7} more`));
    await putAll(store.memories!, ...frequent, ...["a", "b"].map((id) => memoryOf(id, "kubernetes in passing")));
    const hits = await store.memories!.search(OWN, asking("kubernetes port", { limit: 20 }));
    const best = hits.toSorted((left, right) => right.words - left.words).map(({ id }) => id);
    expect(best).toHaveLength(20);
    expect(best.slice(0, 2).sort()).toEqual(["a", "b"]);
    await store.close();
  }, 30_000);

  test("keep the counts of a scope right, whatever is written", async () => {
    const store = await open("counts");
    for (let round = 0; round < 30; round++) {
      const id = `m${(round * 7) % 5}`;
      if (round % 4 === 3) await mustWrite(store.memories!, { remove: [id] });
      else await putAll(store.memories!, memoryOf(id, "word ".repeat((round % 6) + 1)));
    }
    const [kept] = await server.sql("SELECT passages::int, terms::int FROM counts.memory_scopes", "agents");
    const [there] = await server.sql(
      "SELECT count(*)::int AS passages, sum(length)::int AS terms FROM counts.memory_passages",
      "agents",
    );
    expect(kept).toEqual(there);
    await store.close();
  });

  test("remove what was left behind without a row, where asked", async () => {
    const store = await open("orphans");
    const vectors = { embedder: "e", values: [Float32Array.of(1, 0)] };
    await putAll(store.memories!, memoryOf("m", "word", { keys: ["k"], vectors }), memoryOf("other", "word"));
    await server.sql("SET session_replication_role = replica; DELETE FROM orphans.memories WHERE id = 'm'", "agents");
    expect(await store.memories!.orphans({ remove: true })).toEqual({ passages: 1, vectors: 1, keys: 1 });
    expect(await store.memories!.orphans()).toEqual({ passages: 0, vectors: 0, keys: 0 });
    await store.close();
  });

  test("take turns where several scopes put one id at the same time", async () => {
    const store = await postgresStore({ url, schema: "turns", poolSize: 8 });
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 8 }, (_, at) => {
          const scope = scopeKey({ user: `user${at}` });
          return mustWrite(store.memories!, { scope, put: [memoryOf(`m${round}`, "word", { scope })] });
        }),
      );
    expect(await listAll(store.memories!, {})).toHaveLength(5);
    await store.close();
  });

  test("do not double a write whose answer got lost on the way", async () => {
    const proxy = await startCuttingProxy(server.port);
    const cut = await postgresStore({ url: url.replace(`:${server.port}/`, `:${proxy.port}/`), schema: "lossy" });
    for (let version = 0; version < 3; version++) {
      proxy.cutNext("written");
      const put = [memoryOf(`m${version}`, "word")];
      expect(await cut.memories!.write({ scope: OWN_KEY, version, put })).toEqual({
        status: "written",
        version: version + 1,
      });
    }
    expect(proxy.cuts()).toBe(3);
    expect(await listAll(cut.memories!)).toEqual(["m0", "m1", "m2"]);
    await cut.close();
    await proxy.stop();
  });

  test("say that a server is away, and go on when it is back", async () => {
    const [lasting, hasty] = await Promise.all([open("away"), postgresStore({ url, schema: "away", retryFor: 0 })]);
    const failure = { code: "store-unreachable", retryable: true };
    let written: Promise<unknown> | undefined;
    await server.restart(async () => {
      await expect(hasty.memories!.search(OWN, asking("word"))).rejects.toMatchObject(failure);
      written = mustWrite(lasting.memories!, { put: [memoryOf("m", "word")] });
    });
    await written;
    expect(await listAll(lasting.memories!)).toEqual(["m"]);
    await Promise.all([lasting.close(), hasty.close()]);
    await expect(lasting.memories!.search(OWN, asking("word"))).rejects.toMatchObject({ code: "closed" });
  });

  async function idle(database: string): Promise<void> {
    const text = `SELECT FROM pg_stat_activity WHERE application_name = 'varve' AND datname = '${database}'`;
    while ((await server.sql(text)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  describe("of several processes", () => {
    test(
      "are kept together with sessions when they are killed at any moment",
      async () => {
        const address = await server.database("killed");
        await surviveMemoryKills({ address, kills: KILLS, lines: 10, milliseconds: 12, settled: () => idle("killed") });
      },
      TIMEOUT,
    );

    test("are all there in one scope", async () => rememberTogether(await server.database("two"), 2, 9), TIMEOUT);
  });
});

const WORDS = ["apple", "pear", "plum", "fig", "it's", "a|b"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 });
const corpus = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 });
const question = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 });

/** How often each word occurs: texts of the same words have the same direction. */
const embed = (words: readonly string[]): Float32Array =>
  Float32Array.from(WORDS, (word) => words.filter((each) => each === word).length);

const rowOf = (id: string, scope: string, passages: readonly string[][]): NewMemory => ({
  ...memoryOf(id, "", { scope }),
  passages,
  vectors: { embedder: "e", values: passages.map(embed) },
});

/** Rounded, as sums are not made in the same order. Rows with equal scores may stand for each other. */
const scoresOf = (hits: readonly MemoryHit[]): string[] =>
  hits.map(({ words, cosines }) => `${words.toFixed(6)} ${cosines.e?.toFixed(4)}`).sort();
