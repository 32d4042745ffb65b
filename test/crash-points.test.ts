import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { memoryStore, openVarve, type Session, type Store, violations } from "../src/index.js";
import { fileStore } from "../src/store/drivers/file.js";
import { sqliteStore } from "../src/store/drivers/sqlite.js";
import { entriesOf, mustCommit, mustRead, user } from "../src/testing/store-subject.js";
import { conversation } from "./support/conversation.js";

const folder = mkdtempSync(join(tmpdir(), "varve-points-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const quiet = { onWarning: () => undefined };

/** Two commits of entries and documents, the second of them the one in question. */
async function fill(store: Store): Promise<void> {
  await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b")]), documents: new Map([["count", 2]]) });
  const documents = new Map<string, unknown>([
    ["count", 4],
    ["other", "x"],
  ]);
  await mustCommit(store, "s", { entries: entriesOf([user("c"), user("d")], 2), documents, key: "k" });
}

/** The state before the second commit, or after it. */
async function checkWhole(store: Store): Promise<number> {
  const { entries, documents, info } = await mustRead(store, "s");
  expect([2, 4]).toContain(entries.length);
  expect(entries.map(({ message }) => message.content)).toEqual(["a", "b", "c", "d"].slice(0, entries.length));
  expect(JSON.parse(documents.get("count")!)).toBe(entries.length);
  expect(documents.has("other")).toBe(entries.length === 4);
  expect([info.entries, info.head]).toEqual([entries.length, entries.length - 1]);
  const outcome = await store.commit("s", {
    version: info.version,
    time: 0,
    key: "k",
    entries: entriesOf([user("c"), user("d")], entries.length),
  });
  expect(outcome.status).toBe(entries.length === 4 ? "repeated" : "committed");
  await store.close();
  return entries.length;
}

describe("scenario 18: a crash at every write leaves the state before or after it, and a message is delivered once", () => {
  it("where a file's log ends within a commit", async () => {
    const store = await fileStore(join(folder, "log"), quiet);
    await fill(store);
    await store.close();
    const bytes = readFileSync(join(folder, "log", "s.log.jsonl"));
    const first = bytes.indexOf('{"commit":');
    const start = bytes.indexOf("\n", first) + 1;
    for (let end = start; end <= bytes.length; end += Math.min(5, Math.max(1, bytes.length - end))) {
      const place = join(folder, "log-cut");
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, "s.log.jsonl"), bytes.subarray(0, end));
      expect(await checkWhole(await fileStore(place, quiet))).toBe(end === bytes.length ? 4 : 2);
      rmSync(place, { recursive: true });
    }
  });

  it("where SQLite's log ends within a commit", async () => {
    const store = await sqliteStore(join(folder, "whole.db"));
    await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b")]), documents: new Map([["count", 2]]) });
    const before = readFileSync(join(folder, "whole.db-wal")).length;
    const documents = new Map<string, unknown>([
      ["count", 4],
      ["other", "x"],
    ]);
    await mustCommit(store, "s", { entries: entriesOf([user("c"), user("d")], 2), documents, key: "k" });
    const log = readFileSync(join(folder, "whole.db-wal"));
    const seen = new Set<number>();
    for (let end = before; end <= log.length; end += Math.min(997, Math.max(1, log.length - end))) {
      const path = join(folder, `cut-${end}.db`);
      copyFileSync(join(folder, "whole.db"), path);
      writeFileSync(`${path}-wal`, log.subarray(0, end));
      seen.add(await checkWhole(await sqliteStore(path)));
    }
    await store.close();
    expect(seen).toEqual(new Set([2, 4]));
  });

  it("where a store fails before a commit or loses its answer, and the caller sends the message again", async () => {
    for (const lost of ["commit", "answer"] as const) {
      for (let failing = 1; failing <= 26; failing++) {
        const store = memoryStore();
        const unsafe = failingStore(store, failing, lost);
        const options = { window: 500, strategy: "hierarchical" };
        const session = await (await openVarve({ store: unsafe.store })).session("s", options);
        const messages = conversation(5, { lines: 6 });
        const failures = await talk(session, messages);
        expect(session.receipts().length).toBeGreaterThan(0);
        expect(failures).toBe(failing <= unsafe.commits() ? 1 : 0);
        const again = await (await openVarve({ store })).session("s");
        expect(again.entries().map(({ message }) => message.content)).toEqual(
          session.entries().map(({ message }) => message.content),
        );
        expect(again.entries()).toHaveLength(messages.length);
        const [view, other] = [await session.view(), await again.view()];
        expect(other.messages).toEqual(view.messages);
        expect(violations([...view.messages], "anthropic")).toEqual([]);
      }
    }
  });
});

/** Appends each message with a key and views, each again where it fails; returns how often that was. */
async function talk(session: Session, messages: readonly Parameters<Session["append"]>[0][]): Promise<number> {
  let failures = 0;
  const insist = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      expect(error).toMatchObject({ message: "no connection" });
      failures++;
      await insist(work);
    }
  };
  for (const [at, message] of messages.entries()) {
    await insist(() => session.append(message, { key: `message-${at}` }));
    await insist(() => session.view());
  }
  return failures;
}

/** A store whose n-th commit fails, before it is made or when it is answered. */
function failingStore(
  store: Store,
  failing: number,
  lost: "commit" | "answer",
): { store: Store; commits: () => number } {
  let commits = 0;
  const commit: Store["commit"] = async (...given) => {
    const fails = ++commits === failing;
    if (fails && lost === "commit") throw new Error("no connection");
    const outcome = await store.commit(...given);
    if (fails) throw new Error("no connection");
    return outcome;
  };
  return { store: { ...store, commit }, commits: () => commits };
}
