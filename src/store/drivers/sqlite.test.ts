import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { storeChecks } from "../../testing/store-checks.js";
import { entriesOf, mustCommit, TIME, user } from "../../testing/store-subject.js";
import { sqliteStore } from "./sqlite.js";

const folder = mkdtempSync(join(tmpdir(), "varve-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

describe("the SQLite store", () => {
  for (const { name, run } of storeChecks({ open: (place) => sqliteStore(at(`${place}.db`)) })) test(name, run);

  test("makes missing folders and a file that only its user may read", async () => {
    const store = await sqliteStore(at("deep/er/varve.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    for (const file of ["varve.db", "varve.db-wal", "varve.db-shm"])
      expect(statSync(at(`deep/er/${file}`)).mode & 0o777).toBe(0o600);
    expect(statSync(at("deep/er")).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test("refuses a file of a later release and leaves it alone", async () => {
    await (await sqliteStore(at("newer.db"))).close();
    const database = new DatabaseSync(at("newer.db"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    const before = readFileSync(at("newer.db"));
    await expect(sqliteStore(at("newer.db"))).rejects.toMatchObject({ code: "store-newer", details: { version: 99 } });
    expect(readFileSync(at("newer.db")).equals(before)).toBe(true);
  });

  test("refuses a database of another program, and a file that is none", async () => {
    const database = new DatabaseSync(at("other.db"));
    database.exec("CREATE TABLE theirs (x)");
    database.close();
    writeFileSync(at("text.db"), "this is no database at all, whatever it is called".repeat(30));
    for (const name of ["other.db", "text.db"])
      await expect(sqliteStore(at(name))).rejects.toMatchObject({ code: "store-damaged", hint: expect.any(String) });
  });

  test("leaves no word of a deleted session in its files", async () => {
    const store = await sqliteStore(at("secret.db"));
    await mustCommit(store, "kept", { entries: entriesOf([user("an ordinary word")]) });
    const secrets = Array.from({ length: 50 }, (_, each) => user(`xyzzy-${each} `.repeat(each * 20)));
    await mustCommit(store, "s", { entries: entriesOf(secrets), documents: new Map([["note", "xyzzy-note"]]) });
    const bytes = () => ["", "-wal"].map((end) => readFileSync(at(`secret.db${end}`)).toString("latin1")).join("");
    expect(bytes()).toContain("xyzzy");
    const size = bytes().length;
    await store.delete("s");
    expect(bytes()).not.toContain("xyzzy");
    expect(bytes()).toContain("an ordinary word");
    expect(bytes().length).toBeLessThan(size / 2);
    await store.close();
  });

  test("waits for another writer without holding up the process, and says so when it takes too long", async () => {
    const store = await sqliteStore(at("busy.db"), { timeout: 150 });
    const other = new DatabaseSync(at("busy.db"));
    other.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    const change = { version: 0, time: TIME, entries: entriesOf([user("a")]) };
    await expect(store.commit("s", change)).rejects.toMatchObject({ code: "store-busy", retryable: true });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
    other.exec("ROLLBACK");
    other.close();
    await expect(store.commit("s", change)).resolves.toMatchObject({ status: "committed" });
    await store.close();
  });

  test("says of a text whose session was deleted that it is gone, and never shows another's", async () => {
    const store = await sqliteStore(at("gone.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    const stored = await store.read("s");
    await store.delete("s");
    await mustCommit(store, "t", { entries: entriesOf([user("another's")]) });
    expect(() => stored!.entries[0]!.message).toThrow(expect.objectContaining({ code: "not-found" }));
    await store.close();
  });
});
