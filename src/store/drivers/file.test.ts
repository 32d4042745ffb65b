import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { VarveError } from "../../errors.js";
import { storeChecks } from "../../testing/store-checks.js";
import { entriesOf, mustCommit, mustRead, user } from "../../testing/store-subject.js";
import { fileStore } from "./file.js";
import { contextFiles } from "./file-context.js";
import { fileNameOf, idOfFileName } from "./file-name.js";

const folder = mkdtempSync(join(tmpdir(), "varve-file-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

describe("the file store", () => {
  for (const { name, run } of storeChecks({ open: (place) => fileStore(at(place)) })) test(name, run);

  test("makes files that only their user may read", async () => {
    const store = await fileStore(at("private"));
    await mustCommit(store, "user:agent:1", { entries: entriesOf([user("a")]) });
    for (const name of readdirSync(at("private"))) expect(statSync(at("private", name)).mode & 0o777).toBe(0o600);
    expect(statSync(at("private")).mode & 0o777).toBe(0o700);
    await store.close();
  });

  test("lists a session however long its id", async () => {
    const store = await fileStore(at("long"));
    const ids = ["x".repeat(5_000), "y".repeat(200_000)];
    for (const id of ids) await mustCommit(store, id, { entries: entriesOf([user("a")]) });
    expect((await store.sessions()).sessions.map(({ id }) => id)).toEqual(ids);
    await store.close();
  });

  test("drops an unfinished commit, says so, and goes on behind the last whole one", async () => {
    const path = at("torn", "s.log.jsonl");
    for (const torn of [
      '{"entry":[1,0,5,"user",false],"message":{"role":"us',
      '{"entry":[1',
      "x\n",
      '{"removed":"a"}\n',
    ]) {
      const warnings: VarveError[] = [];
      const store = await fileStore(at("torn"), { onWarning: (warning) => warnings.push(warning) });
      await mustCommit(store, "s", { entries: entriesOf([user("a")]) });
      await store.close();
      appendFileSync(path, torn);
      const again = await fileStore(at("torn"), { onWarning: (warning) => warnings.push(warning) });
      expect((await mustRead(again, "s")).entries).toHaveLength(1);
      await mustCommit(again, "s", { entries: entriesOf([user("b")], 1) });
      expect(warnings.at(-1)).toMatchObject({
        code: "store-damaged",
        details: { path, bytes: Buffer.byteLength(torn) },
      });
      expect((await mustRead(again, "s")).entries).toHaveLength(2);
      await again.delete("s");
      await again.close();
    }
  });

  test("refuses a log that is damaged throughout, and one of a later release, and leaves both alone", async () => {
    const store = await fileStore(at("damaged"));
    for (const id of ["s", "t"])
      for (let each = 0; each < 3; each++) await mustCommit(store, id, { entries: entriesOf([user("word")], each) });
    await store.close();
    const spoil = (name: string, from: RegExp, to: string) => {
      const text = readFileSync(at("damaged", name), "utf8").replace(from, to);
      writeFileSync(at("damaged", name), text);
      return text;
    };
    const middle = spoil("s.log.jsonl", /"sum"/g, '"sun"');
    const newer = spoil("t.log.jsonl", /^.*"format":2/, '{"varve":"log","format":3');
    const again = await fileStore(at("damaged"));
    await expect(again.read("s")).rejects.toMatchObject({
      code: "store-damaged",
      details: { path: at("damaged", "s.log.jsonl") },
    });
    await expect(again.read("t")).rejects.toMatchObject({ code: "store-newer" });
    expect(readFileSync(at("damaged", "s.log.jsonl"), "utf8")).toBe(middle);
    expect(readFileSync(at("damaged", "t.log.jsonl"), "utf8")).toBe(newer);
    await again.close();
  });

  test("writes a log anew when most of it is documents that were replaced, and loses nothing by it", async () => {
    const store = await fileStore(at("garbage"));
    const other = await fileStore(at("garbage"));
    await mustCommit(store, "s", { entries: entriesOf([user("a"), user("b")]), key: "k" });
    const large = "x".repeat(500_000);
    for (let each = 0; each < 40; each++) {
      await mustCommit(store, "s", { documents: new Map([["large", `${each}${large}`]]) });
      if (each % 7 === 0) await mustRead(other, "s");
    }
    expect(statSync(at("garbage", "s.log.jsonl")).size).toBeLessThan(12 * 1024 * 1024);
    const { info, entries, documents } = await mustRead(other, "s");
    expect([info.entries, entries.length, info.version]).toEqual([2, 2, await store.version("s")]);
    expect(documents.get("large")).toBe(JSON.stringify(`39${large}`));
    expect((await other.read("s", { keys: true }))?.keys).toEqual(new Map([["k", { first: 0, count: 2 }]]));
    await store.close();
    await other.close();
  });

  test("sets a damaged document aside, names it, and makes it again from the log", async () => {
    const warnings: VarveError[] = [];
    const store = await fileStore(at("aside"), { onWarning: (warning) => warnings.push(warning) });
    await mustCommit(store, "a:b", { entries: entriesOf([user("Hello")]) });
    writeFileSync(at("aside", "a%3ab.json"), '{"session_id": "a:b", "facts"');
    await mustRead(store, "a:b");
    expect(warnings).toMatchObject([
      { code: "store-damaged", details: { aside: at("aside", "a%3ab.json.damaged-1") } },
    ]);
    expect(readFileSync(at("aside", "a%3ab.json.damaged-1"), "utf8")).toBe('{"session_id": "a:b", "facts"');
    const document = await contextFiles(at("aside")).load("a:b");
    expect(document.recent_history).toMatchObject([{ role: "user", content: "Hello" }]);
    writeFileSync(at("aside", "a%3ab.json.17-1.tmp"), "half a document");
    writeFileSync(at("aside", "a%3ab.log.jsonl.17-2.tmp"), "half a log");
    await store.delete("a:b");
    expect(readdirSync(at("aside"))).toEqual([".lock"]);
    await store.close();
  });
});

describe("context documents in a folder", () => {
  test("are made, saved, listed and deleted", async () => {
    const files = contextFiles(at("documents"));
    await files.initialize();
    const document = await files.load("user:agent:123");
    expect(document).toMatchObject({ session_id: "user:agent:123", facts: [], recent_history: [] });
    document.facts.push("User speaks English");
    await files.save(document);
    expect(await files.load("user:agent:123")).toEqual(document);
    expect(readFileSync(at("documents", "user%3aagent%3a123.json"), "utf8")).toContain('\n  "facts": [\n');
    await files.load("x".repeat(400));
    expect((await files.listSessions()).sort()).toEqual(["user:agent:123", "x".repeat(400)]);
    expect(await files.delete("user:agent:123")).toBe(true);
    expect(await files.delete("user:agent:123")).toBe(false);
    expect(await files.listSessions()).toEqual(["x".repeat(400)]);
  });

  test("that are damaged are set aside under a name that the error tells, and made anew by the next load", async () => {
    const files = contextFiles(at("broken"));
    await files.load("s");
    writeFileSync(at("broken", "s.json"), "{");
    await expect(files.load("s")).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringContaining("s.json.damaged-1"),
    });
    expect((await files.load("s")).facts).toEqual([]);
  });
});

describe("names of files", () => {
  const reserved = fc.constantFrom(
    "con",
    "CON",
    "nul",
    "com1",
    "lpt9.x",
    "..",
    ".",
    "../x",
    "/etc/passwd",
    "a\\b",
    "C:\\x",
    "aux.",
    " a",
    "~",
  );
  const id = fc
    .oneof(fc.string({ minLength: 1, maxLength: 300, unit: "grapheme" }), reserved)
    .filter((each) => each.isWellFormed());

  test("are safe on every system", () => {
    fc.assert(
      fc.property(id, (each) => {
        const name = fileNameOf(each);
        expect(name).toMatch(/^[a-z0-9_%~.-]{1,240}$/);
        expect(name).not.toMatch(/^\.|\.$|\.\.|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/);
        const back = idOfFileName(name);
        if (!name.includes("~")) expect(back).toBe(each);
      }),
    );
  });

  test("differ where ids do", () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(one !== other);
        expect(fileNameOf(one).toLowerCase()).not.toBe(fileNameOf(other).toLowerCase());
      }),
    );
  });
});
