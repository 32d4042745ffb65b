import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteServer, startPGlite } from "../../../test/support/pglite.js";
import { storeChecks } from "../../testing/store-checks.js";
import { postgresStore } from "./postgres.js";

describe("PGlite", () => {
  let server: LiteServer;

  beforeAll(async () => {
    server = await startPGlite();
  }, 60_000);
  afterAll(() => server?.stop());

  describe("keeps the rules of every store", () => {
    const open = (schema: string) => postgresStore({ url: server.url, schema, poolSize: 2 });
    for (const { name, run } of storeChecks({ open })) test(name, run);
  });

  test("has vectors, as any server that has pgvector", async () => {
    const store = await postgresStore({ url: server.url });
    expect(store.vector).toBe(true);
    await store.close();
  });
});
