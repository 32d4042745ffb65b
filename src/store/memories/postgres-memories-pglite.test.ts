import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteServer, startPGlite } from "../../../test/support/pglite.js";
import { memoriesChecks } from "../../testing/memories-checks.js";
import { memoryOf, nearTo, OWN, OWN_KEY, putAll } from "../../testing/memories-subject.js";
import { postgresStore } from "../drivers/postgres.js";
import { PostgresDatabase } from "../drivers/postgres-database.js";
import { postgresSettings } from "../drivers/postgres-options.js";
import type { ScopeParts } from "./memories.js";
import { indexName } from "./postgres-hnsw.js";
import { postgresMemories } from "./postgres-memories.js";

const DIMENSIONS = 8;
const ROWS = 200;

describe("memories in PGlite, with pgvector", () => {
  let server: LiteServer;

  beforeAll(async () => {
    server = await startPGlite();
  }, 60_000);
  afterAll(() => server?.stop());

  describe("keep the rules of all memories", () => {
    const open = (schema: string) => postgresStore({ url: server.url, schema, poolSize: 2 });
    for (const { name, run } of memoriesChecks({ open })) test(name, run, 30_000);
  });

  describe("with many vectors", () => {
    const schema = "many";
    let database: PostgresDatabase;

    beforeAll(async () => {
      await (await postgresStore({ url: server.url, schema })).close();
      database = await PostgresDatabase.open(postgresSettings({ url: server.url, schema, poolSize: 2 }));
    });
    afterAll(() => database?.close());

    const nearest = async (
      memories: ReturnType<typeof postgresMemories>,
      query: Float32Array,
      scope: ScopeParts = OWN,
    ) => {
      const hits = await memories.search(scope, nearTo("e", [...query], { limit: 10 }));
      return hits.toSorted((left, right) => right.cosines.e! - left.cosines.e!).map(({ id }) => id);
    };

    test("are found through an index as without it, which is made when it pays", async () => {
      const plain = postgresMemories(database, { vector: true });
      const rows = Array.from({ length: ROWS }, (_, at) =>
        memoryOf(`m${at}`, "word", {
          tags: at % 20 === 0 ? ["rare"] : [],
          vectors: { embedder: "e", values: [vectorOf(at)] },
        }),
      );
      await putAll(plain, ...rows);
      const indexed = postgresMemories(database, { vector: true, indexFrom: ROWS });
      await nearest(indexed, vectorOf(0));
      const [embedder] = await database.repeatable<{ number: number }>({
        text: `SELECT number FROM ${schema}.memory_embedders`,
      });
      await untilTrue(() => isBuilt(`${schema}.${indexName(embedder!.number)}`));
      for (const scope of [OWN, { ...OWN, tags: ["rare"] }])
        for (let at = 0; at < 20; at++)
          expect(await nearest(indexed, vectorOf(1_000 + at), scope)).toEqual(
            await nearest(plain, vectorOf(1_000 + at), scope),
          );
      await indexed.dropVectors("e");
      expect(await isBuilt(`${schema}.${indexName(embedder!.number)}`)).toBe(false);
      await indexed.close();
    });

    test("are found wherever the extension's types are", async () => {
      await database.repeatable({ text: "CREATE SCHEMA elsewhere" });
      await database.repeatable({ text: "ALTER EXTENSION vector SET SCHEMA elsewhere" });
      const memories = postgresMemories(database, { vector: true });
      await memories.write({
        scope: OWN_KEY,
        version: undefined,
        put: [memoryOf("far", "word", { vectors: { embedder: "e", values: [vectorOf(1)] } })],
      });
      expect(await nearest(memories, vectorOf(1))).toEqual(["far"]);
      await memories.close();
    });

    async function isBuilt(index: string): Promise<boolean> {
      const text = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)";
      const rows = await database.repeatable<{ indisvalid: boolean }>({ text, values: [index] });
      return rows[0]?.indisvalid === true;
    }
  });
});

const vectorOf = (seed: number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(seed * 12.9898 + at * 78.233));

async function untilTrue(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}
