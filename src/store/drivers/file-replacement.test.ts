import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { entriesOf, mustCommit, mustRead, sameMessages, TIME, user } from "../../testing/store-subject.js";
import { fileStore } from "./file.js";
import { contextFiles } from "./file-context.js";

const folder = mkdtempSync(join(tmpdir(), "varve-file-replacement-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);
const changes = [{ time: TIME, entries: entriesOf([user("new")]) }];

describe("a log that takes the place of another", () => {
  test("takes the document of the one before with it, and what was set aside of it", async () => {
    const store = await fileStore(at("beside"));
    await mustCommit(store, "s", { entries: entriesOf([user("old")]) });
    await mustRead(store, "s");
    writeFileSync(at("beside", "s.log.jsonl.damaged-1"), "old");
    writeFileSync(at("beside", "s.json.damaged-1"), "old");
    await store.replace("s", { changes });
    await mustRead(store, "s");
    expect(readdirSync(at("beside"))).toEqual([".lock", "s.json", "s.log.jsonl"]);
    expect(readFileSync(at("beside", "s.json"), "utf8")).toContain('"new"');
    await store.close();
  });

  test("is not shown as the one before by a process that still has that open", async () => {
    const [one, other] = [await fileStore(at("late")), await fileStore(at("late"))];
    const before = await mustCommit(one, "s", { entries: entriesOf([user("old")]) });
    const document = await contextFiles(at("late")).load("s");
    const outcome = await other.replace("s", { changes });
    await one.writeContext?.("s", document, before);
    await mustRead(other, "s");
    expect((await contextFiles(at("late")).load("s")).recent_history[0]?.content).toBe("new");
    await one.writeContext?.("s", { ...document, facts: ["fresh"] }, outcome.version);
    expect((await contextFiles(at("late")).load("s")).facts).toEqual(["fresh"]);
    await Promise.all([one.close(), other.close()]);
  });

  test("may stand for one that cannot be read", async () => {
    const store = await fileStore(at("unreadable"), { onWarning: () => undefined });
    writeFileSync(at("unreadable", "s.log.jsonl"), "no log\n");
    await expect(store.read("s")).rejects.toMatchObject({ code: "store-damaged" });
    await store.replace("s", { changes });
    sameMessages((await mustRead(store, "s")).entries, [user("new")]);
    await store.close();
  });

  test("and was left half written by a killed process is swept when the folder is opened", async () => {
    const store = await fileStore(at("left"));
    await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
    await store.close();
    writeFileSync(at("left", "s.log.jsonl.123-1.tmp"), "half");
    writeFileSync(at("left", "t.log.jsonl.123-2.tmp"), "half");
    const again = await fileStore(at("left"));
    expect(readdirSync(at("left"))).toEqual([".lock", "s.log.jsonl"]);
    expect((await again.sessions()).sessions.map(({ id }) => id)).toEqual(["s"]);
    await again.close();
  });
});
