import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { entriesOf, TIME, user } from "../../testing/store-subject.js";
import { openStore } from "../open-store.js";
import { rollBack } from "./sqlite-database.js";

const folder = mkdtempSync(join(tmpdir(), "varve-database-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a Node without SQLite", () => {
  afterEach(() => {
    vi.doUnmock("node:sqlite");
  });

  const commitTo = async (address: string) => {
    const store = await openStore(address);
    return store.commit("s", { version: 0, time: TIME, entries: entriesOf([user("a")]) });
  };

  test.each(["sqlite", "file"])("is told by a %s store, with the Node to use", async (kind) => {
    vi.doMock("node:sqlite", () => {
      throw new Error("No such built-in module: node:sqlite");
    });
    const refusal = { code: "store-failed", hint: expect.stringContaining("Node 22.13"), cause: expect.any(Error) };
    await expect(commitTo(`${kind}:${join(folder, kind)}`)).rejects.toMatchObject(refusal);
  });
});

test("rolls back what is open, and does nothing where SQLite has done so itself", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE rows (x); BEGIN; INSERT INTO rows VALUES (1)");
  rollBack(database);
  expect(database.prepare("SELECT * FROM rows").all()).toEqual([]);
  expect(() => rollBack(database)).not.toThrow();
  database.close();
});
