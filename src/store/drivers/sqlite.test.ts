import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from "node:fs";
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

/** What an open file is; a file may be closed before we look. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

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

  test("changes nothing in a file that it refuses, and lets go of it", async () => {
    await (await sqliteStore(at("later.db"))).close();
    for (const [name, sql] of [
      ["theirs.db", "CREATE TABLE theirs (x)"],
      ["later.db", "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99"],
    ] as const) {
      const database = new DatabaseSync(at(name));
      database.exec(sql);
      database.close();
      const before = readFileSync(at(name));
      await expect(sqliteStore(at(name))).rejects.toMatchObject({ code: expect.stringMatching(/^store-/) });
      expect(readFileSync(at(name)).equals(before)).toBe(true);
      expect(readdirSync(folder).filter((each) => each.startsWith(`${name}-`))).toEqual([]);
      if (process.platform !== "linux") continue;
      const open = readdirSync("/proc/self/fd").map((each) => linkOf(`/proc/self/fd/${each}`));
      expect(open).not.toContain(at(name));
    }
  });

  test("says of a text that is no message that the store is damaged", async () => {
    const store = await sqliteStore(at("spoilt.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b"), user("c")]) });
    const other = new DatabaseSync(at("spoilt.db"));
    other.exec("UPDATE entries SET message = substr(message, 1, 9) WHERE place % 2 = 0");
    other.exec("UPDATE entries SET message = '5' WHERE place % 2 = 1");
    other.close();
    const { entries } = (await store.read("s"))!;
    for (const entry of entries.slice(0, 2))
      expect(() => entry.message).toThrow(
        expect.objectContaining({ code: "store-damaged", details: { session: "s", entry: entry.id } }),
      );
    await store.close();
  });

  test("says of a failure while a text is fetched what it is", async () => {
    const store = await sqliteStore(at("dropped.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    const { entries } = (await store.read("s"))!;
    const other = new DatabaseSync(at("dropped.db"));
    other.exec("DROP TABLE entries");
    other.close();
    expect(() => entries[0]!.message).toThrow(expect.objectContaining({ code: "store-damaged" }));
    await store.close();
  });

  test("says that the text of a deleted session is still in the files as long as somebody reads an older state", async () => {
    const store = await sqliteStore(at("pending.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("xyzzy")]) });
    await mustCommit(store, "t", { entries: entriesOf([user("b")]) });
    const reader = new DatabaseSync(at("pending.db"));
    reader.exec("BEGIN; SELECT * FROM sessions");
    reader.prepare("SELECT * FROM sessions").all();
    expect(await store.delete("s")).toMatchObject({ entries: 1, pending: true });
    reader.exec("COMMIT");
    reader.close();
    expect(await store.delete("t")).not.toHaveProperty("pending");
    const files = ["", "-wal"].map((end) => readFileSync(at(`pending.db${end}`), "latin1"));
    expect(files.join("")).not.toContain("xyzzy");
    await store.close();
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
