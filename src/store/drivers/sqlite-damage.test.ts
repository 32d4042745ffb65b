import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import type { VarveError } from "../../errors.js";
import { entriesOf, mustCommit, mustRead, sameMessages, user } from "../../testing/store-subject.js";
import type { Store } from "../store.js";
import { sqliteStore } from "./sqlite.js";

const folder = mkdtempSync(join(tmpdir(), "varve-sqlite-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, `${name}.db`);

async function watched(name: string): Promise<{ store: Store; warnings: VarveError[] }> {
  const warnings: VarveError[] = [];
  return { warnings, store: await sqliteStore(at(name), { onWarning: (warning) => warnings.push(warning) }) };
}

function sql(name: string, text: string): void {
  const database = new DatabaseSync(at(name));
  database.exec(text);
  database.close();
}

async function closed(name: string, entries = ["port 5030", "b", "c"]): Promise<void> {
  const { store } = await watched(name);
  const documents = new Map<string, unknown>([
    ["receipt/000000001", { id: "r1" }],
    ["state/pins", { pins: [], ended: [] }],
  ]);
  await mustCommit(store, "s", { entries: entriesOf(entries.map(user)), documents, key: "k" });
  await mustCommit(store, "t", { entries: entriesOf([user("other")]) });
  await store.close();
}

describe("a damaged SQLite file", () => {
  test("reads no other number than was written where one bit was flipped", async () => {
    await closed("flipped");
    const bytes = readFileSync(at("flipped"));
    const place = bytes.indexOf("5030") + 3;
    bytes[place] = bytes[place]! ^ 1;
    writeFileSync(at("flipped"), bytes);
    const { store } = await watched("flipped");
    const { entries } = await mustRead(store, "s");
    expect(() => entries[0]!.message).toThrow(
      expect.objectContaining({
        code: "store-damaged",
        hint: expect.stringContaining("varve store repair"),
        details: { session: "s", entry: "e0" },
      }),
    );
    sameMessages(entries.slice(1), [user("b"), user("c")]);
    expect((await store.verify!()).faults).toMatchObject([{ details: { session: "s", entry: "e0" } }]);
    await store.close();
  });

  test.each([
    ["the parent of an entry", "UPDATE entries SET parent = 0 WHERE message LIKE '%\"c\"%'", { entry: "e2" }],
    ["the role of an entry", "UPDATE entries SET kind = kind + 1 WHERE message LIKE '%\"c\"%'", { entry: "e2" }],
    ["an entry that is gone", "DELETE FROM entries WHERE message LIKE '%\"c\"%'", { entry: "e2" }],
    ["the head of a session", "UPDATE sessions SET head = 0 WHERE id = 's'", {}],
  ])("names the session that lost %s, and shows the others", async (name, change, details) => {
    await closed(name);
    sql(name, change);
    const { store } = await watched(name);
    await expect(store.read("s")).rejects.toMatchObject({
      code: "store-damaged",
      details: { session: "s", ...details },
    });
    sameMessages((await mustRead(store, "t")).entries, [user("other")]);
    await store.close();
  });

  test.each([
    ["changed", "UPDATE documents SET value = replace(value, 'r1', 'r2')", { document: "receipt/000000001" }],
    ["no JSON any more", "UPDATE documents SET value = '{', sum = NULL WHERE name LIKE 'r%'", { session: "s" }],
    ["gone", "DELETE FROM documents WHERE name LIKE 'r%'", { rows: 'documents "receipt/…"' }],
  ])("costs a receipt that is %s, and nothing else of its session", async (name, change, details) => {
    await closed(name);
    sql(name, change);
    const { store, warnings } = await watched(name);
    const { documents, entries } = await mustRead(store, "s");
    expect([...documents.keys()]).toEqual(["state/pins"]);
    expect(entries).toHaveLength(3);
    expect(warnings).toMatchObject([{ code: "store-damaged", details: { session: "s", ...details } }]);
    await mustRead(store, "s");
    expect(warnings).toHaveLength(1);
    await store.close();
  });

  test("says that a session may be missing rather than that it never was", async () => {
    await closed("index");
    const bytes = readFileSync(at("index"));
    const database = new DatabaseSync(at("index"));
    const [page] = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_sessions_1'")
      .all();
    const [size] = database.prepare("PRAGMA page_size").all();
    database.close();
    const end = Number(page!.rootpage) * Number(size!.page_size);
    bytes[bytes.lastIndexOf("s", end - 1)] = "r".charCodeAt(0);
    writeFileSync(at("index"), bytes);
    const { store } = await watched("index");
    await expect(store.read("s")).rejects.toMatchObject({ code: "store-damaged" });
    await expect(store.sessions()).rejects.toMatchObject({ code: "store-damaged" });
    await store.close();
  });
});

describe("a file of 0.1.0", () => {
  test("is read as it is, and gets sums where it is written", async () => {
    await closed("former");
    sql(
      "former",
      `UPDATE sessions SET sum = NULL, documents = '{}'; UPDATE entries SET sum = NULL, kind = kind % 256;
       UPDATE documents SET sum = NULL; UPDATE keys SET sum = NULL; UPDATE runs SET sum = NULL;
       DROP TRIGGER unsummed;
       ${["sessions", "entries", "documents", "keys", "runs", "memories"].map((table) => `ALTER TABLE ${table} DROP COLUMN sum;`).join("\n")}
       ALTER TABLE sessions DROP COLUMN documents; PRAGMA user_version = 2`,
    );
    const { store, warnings } = await watched("former");
    const { entries, documents } = await mustRead(store, "s");
    sameMessages(entries, [user("port 5030"), user("b"), user("c")]);
    expect([...documents.keys()]).toEqual(["receipt/000000001", "state/pins"]);
    await mustCommit(store, "s", { entries: entriesOf([user("d")], 3) });
    expect((await store.verify!()).faults).toEqual([]);
    await store.repair!();
    sql("former", "UPDATE entries SET message = replace(message, '5030', '5031')");
    const { store: again } = await watched("former");
    expect((await again.verify!()).faults).toMatchObject([{ details: { session: "s", entry: "e0" } }]);
    expect(warnings).toEqual([]);
    await again.close();
  });
});
