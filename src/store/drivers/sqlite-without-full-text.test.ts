import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { memoryOf, OWN, putAll } from "../../testing/memories-subject.js";
import { entriesOf, mustCommit, mustRead, user } from "../../testing/store-subject.js";
import { sqliteStore } from "./sqlite.js";

const sqlite = vi.hoisted(() => ({ lacksFullText: false }));

/** What `node:sqlite` is on older Nodes: no FTS5 where so wanted, and none of the later properties. */
vi.mock("node:sqlite", async (original) => {
  const { DatabaseSync: Present } = await original<typeof import("node:sqlite")>();
  const refuse = (sql: string) => {
    if (sqlite.lacksFullText && /USING fts5|memory_words/.test(sql)) throw new Error("no such module: fts5");
    return sql;
  };
  class Older extends Present {
    override exec(sql: string) {
      super.exec(refuse(sql));
    }
    override prepare(sql: string) {
      return super.prepare(sqlite.lacksFullText ? refuse(sql).replace("'fts5'", "'none'") : sql);
    }
  }
  for (const later of ["isOpen", "isTransaction"]) Object.defineProperty(Older.prototype, later, { value: undefined });
  return { DatabaseSync: Older };
});

const folder = mkdtempSync(join(tmpdir(), "varve-older-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  sqlite.lacksFullText = false;
});
const at = (name: string) => join(folder, name);

/** Opens a store as a Node without FTS5 does. */
async function openWithout(name: string) {
  sqlite.lacksFullText = true;
  return sqliteStore(at(name));
}

describe("SQLite without full-text search", () => {
  test("refuses what needs memories, and says what to do", async () => {
    const store = await openWithout("refusing.db");
    const refusal = { code: "memory-unavailable", hint: expect.stringContaining("Node 22.16") };
    await expect(store.memories!.list(OWN)).rejects.toMatchObject(refusal);
    await expect(putAll(store.memories!, memoryOf("a", "some words"))).rejects.toMatchObject(refusal);
    await store.close();
  });

  test("leaves a file that another Node brings up, with its sessions", async () => {
    const before = await openWithout("left.db");
    await mustCommit(before, "s", { entries: entriesOf([user("a")]) });
    await before.close();
    sqlite.lacksFullText = false;
    const after = await sqliteStore(at("left.db"));
    await putAll(after.memories!, memoryOf("a", "some words"));
    expect((await mustRead(after, "s")).entries).toHaveLength(1);
    expect((await after.memories!.list(OWN)).rows).toHaveLength(1);
    await after.close();
  });

  test("uses the sessions of a file that has memories, and harms neither", async () => {
    const before = await sqliteStore(at("up.db"));
    await putAll(before.memories!, memoryOf("a", "some words"));
    await before.close();
    const between = await openWithout("up.db");
    await mustCommit(between, "s", { entries: entriesOf([user("a")]) });
    await mustCommit(between, "t", { entries: entriesOf([user("b")]) });
    expect(await between.delete("t")).toMatchObject({ entries: 1 });
    await between.close();
    sqlite.lacksFullText = false;
    const after = await sqliteStore(at("up.db"));
    expect((await after.memories!.list(OWN)).rows).toHaveLength(1);
    expect((await mustRead(after, "s")).entries).toHaveLength(1);
    await after.close();
  });
});
