import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { runs } from "../../../test/support/runs.js";
import type { VarveError } from "../../errors.js";
import { memoriesChecks } from "../../testing/memories-checks.js";
import {
  byWords,
  listAll,
  memoryOf,
  mustWrite,
  OWN,
  OWN_KEY,
  putAll,
  vectorsOf,
} from "../../testing/memories-subject.js";
import { entriesOf, mustCommit, mustRead, TIME, user } from "../../testing/store-subject.js";
import type { Memories } from "../memories/memories.js";
import type { Store } from "../store.js";
import { fileStore } from "./file.js";
import { fileNameOf } from "./file-name.js";

const folder = mkdtempSync(join(tmpdir(), "varve-file-memories-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]) => join(folder, ...names);

const opened: Store[] = [];
afterAll(() => Promise.all(opened.map((store) => store.close())));

async function watched(place: string): Promise<{ store: Store; memories: Memories; warnings: VarveError[] }> {
  const warnings: VarveError[] = [];
  const store = await fileStore(at(place), { onWarning: (warning) => warnings.push(warning) });
  opened.push(store);
  return { store, memories: store.memories!, warnings };
}

const logOf = (place: string): string => at(place, "memories", "log.jsonl");

/** The bytes of all files in a place. */
const bytesIn = (place: string): string =>
  readdirSync(at(place), { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(at(place, name)).isFile())
    .map((name) => readFileSync(at(place, name), "latin1"))
    .join("\n");

describe("memories in files", () => {
  for (const { name, run } of memoriesChecks({ open: (place) => fileStore(at(place)) })) it(name, run);

  it("hold no byte of what was removed", async () => {
    const { memories } = await watched("bytes");
    await putAll(memories, memoryOf("a", "secret pear"), memoryOf("kept", "apple"));
    await putAll(memories, memoryOf("b", "secret plum", { keys: ["slot:secret"] }));
    await mustWrite(memories, { amend: [{ id: "b", until: 1, keys: [], body: '{"text":"secret fig"}' }] });
    expect(bytesIn("bytes")).toContain("secret");
    await mustWrite(memories, { remove: ["a", "b"] });
    expect(bytesIn("bytes")).not.toContain("secret");
    expect(bytesIn("bytes")).toContain("apple");
    const { memories: again } = await watched("bytes");
    expect(await listAll(again)).toEqual(["kept"]);
  });

  it("hold no byte of what was taken out of a session, nor does its document", async () => {
    const { store, memories } = await watched("redacted");
    const version = await mustCommit(store, "s", {
      entries: entriesOf([user("the secret is quiet-harbour"), user("more")]),
    });
    await mustRead(store, "s");
    const document = at("redacted", `${fileNameOf("s")}.json`);
    expect(readFileSync(document, "utf8")).toContain("quiet-harbour");
    await putAll(memories, memoryOf("a", "secret quiet-harbour"));
    const messages = new Map([[0, '{"role":"user","content":"[removed]"}']]);
    await mustWrite(memories, { remove: ["a"], redact: [{ session: "s", messages, change: { version, time: TIME } }] });
    expect(bytesIn("redacted")).not.toContain("quiet-harbour");
    await mustRead(store, "s");
    expect(readFileSync(document, "utf8")).toContain("[removed]");
  });

  it("give rows places and pages that stay when the log is written anew", async () => {
    const { memories } = await watched("anew");
    await putAll(memories, ...["a", "b", "c", "d"].map((id) => memoryOf(id, id, { thread: "talk" })));
    const { next } = await memories.list(OWN, { limit: 2 });
    await mustWrite(memories, { remove: ["a", "d"] });
    const { memories: other } = await watched("anew");
    await putAll(other, memoryOf("e", "e", { thread: "talk" }));
    const { rows } = await other.list(OWN, { after: next! });
    expect(rows.map(({ id, place }) => [id, place])).toEqual([
      ["c", 2],
      ["e", 4],
    ]);
  });

  it("lose an unfinished line and say so", async () => {
    const { memories } = await watched("torn");
    await putAll(memories, memoryOf("a", "apple"));
    appendFileSync(logOf("torn"), '{"sum":1,"line":{"kind":"wri');
    const { memories: second, warnings } = await watched("torn");
    expect(await listAll(second)).toEqual(["a"]);
    await putAll(second, memoryOf("b", "pear"));
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("unfinished")]);
    expect(await listAll(memories)).toEqual(["a", "b"]);
  });

  it("leave a damaged last line to whoever reads, and set it aside with the next change", async () => {
    const { memories } = await watched("spoiled");
    await putAll(memories, memoryOf("a", "apple"));
    await putAll(memories, memoryOf("b", "pear"));
    const text = readFileSync(logOf("spoiled"), "utf8");
    const damaged = text.replace('"pear"', '"pair"');
    writeFileSync(logOf("spoiled"), damaged);
    const { memories: second, warnings } = await watched("spoiled");
    for (let each = 0; each < 2; each++) expect(await listAll(second)).toEqual(["a"]);
    expect(warnings).toMatchObject([{ code: "store-damaged", details: { path: logOf("spoiled") } }]);
    expect(readFileSync(logOf("spoiled"), "utf8")).toBe(damaged);
    await putAll(second, memoryOf("c", "plum"));
    expect(warnings.slice(1)).toMatchObject([{ details: { aside: `${logOf("spoiled")}.damaged-1` } }]);
    expect(readFileSync(`${logOf("spoiled")}.damaged-1`, "utf8")).toContain("pair");
    expect(await listAll((await watched("spoiled")).memories)).toEqual(["a", "c"]);
  });

  it.each([
    ["changed", (text: string) => text.replace('"pear"', '"pair"'), ["apple", "plum", "fig"]],
    ["missing", (text: string) => text.split("\n").toSpliced(2, 1).join("\n"), ["apple", "fig"]],
  ])("show what is intact of a log with a line in its middle that is %s, and say so", async (name, change, left) => {
    const { memories } = await watched(name);
    for (const id of ["apple", "pear", "plum", "fig"]) await putAll(memories, memoryOf(id, id));
    const damaged = change(readFileSync(logOf(name), "utf8"));
    writeFileSync(logOf(name), damaged);
    const { memories: second, warnings } = await watched(name);
    expect(await listAll(second)).toEqual(left);
    expect(warnings).toMatchObject([{ code: "store-damaged", details: { path: logOf(name) } }]);
    expect(readFileSync(logOf(name), "utf8")).toBe(damaged);
    await putAll(second, memoryOf("b", "b"));
    expect(await listAll((await watched(name)).memories)).toEqual([...left, "b"]);
    await mustWrite(second, { remove: ["b"] });
    const aside = readFileSync(`${logOf(name)}.damaged-1`, "utf8");
    expect(aside).toContain(damaged.slice(damaged.indexOf("\n")));
    expect(await listAll((await watched(name)).memories)).toEqual(left);
  });

  const rows = Array.from({ length: 40 }, (_, at) => memoryOf(`${OWN_KEY}/row-${at}`, `apple-${at}-end`));

  it.each([
    ["an appended write", [], "apple-20-end"],
    ["an appended write whose last row it is", [], "apple-39-end"],
    ["a log that was written anew", ["gone"], "apple-20-end"],
  ])(
    "lose one row of %s to one damaged byte, say which, and keep the rest when repaired",
    async (name, remove, word) => {
      const place = name.replaceAll(" ", "-");
      const { memories, store } = await watched(place);
      await putAll(memories, ...rows, memoryOf("gone", "gone"));
      await mustWrite(memories, { remove });
      if (remove.length === 0) await putAll(memories, memoryOf("behind", "behind"));
      await store.close();
      const lost = `${OWN_KEY}/row-${word.split("-")[1]}`;
      const text = readFileSync(logOf(place), "utf8");
      writeFileSync(logOf(place), text.replace(`"passages":[["${word}"`, `"passages":[["${word.replace("p", "x")}"`));
      const { store: again } = await watched(place);
      const { faults } = await again.repair!();
      expect(faults).toMatchObject([{ code: "store-damaged", details: { lines: 1, memories: [lost] } }]);
      expect(faults[0]?.message).toContain(`1 memory is gone: ${lost}.`);
      const { memories: held, faults: left } = await again.verify!();
      expect(left).toEqual([]);
      expect(held).toBe(remove.length === 0 ? 41 : 39);
      expect((await listAll((await watched(place)).memories)).includes(lost)).toBe(false);
    },
  );

  it("lose at most the rows of the lines that a changed byte touches, wherever it is behind the head", async () => {
    const { memories, store } = await watched("any-byte");
    await putAll(memories, ...rows.slice(0, 3));
    await putAll(memories, ...rows.slice(3, 6));
    await store.close();
    const bytes = readFileSync(logOf("any-byte"));
    const head = bytes.indexOf(10) + 1;
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - head - 1), fc.constantFrom(88, 53, 34, 10), async (at, value) => {
        const changed = Buffer.from(bytes);
        if (changed[head + at] === 10 || changed[head + at] === value) return;
        changed[head + at] = value;
        writeFileSync(logOf("any-byte"), changed);
        const again = await fileStore(join(folder, "any-byte"), { onWarning: () => undefined });
        const { memories: held, faults } = await again.verify!();
        await again.close();
        expect(held).toBeGreaterThanOrEqual(value === 10 ? 4 : 5);
        expect(faults).toHaveLength(1);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([1, 2, 3])("take nothing of a write of which line %i is the last that is there", async (lines) => {
    const place = `torn-${lines}`;
    const { memories, store } = await watched(place);
    await putAll(memories, memoryOf("a", "apple"));
    const before = readFileSync(logOf(place), "utf8");
    await putAll(memories, ...rows.slice(0, 4));
    await store.close();
    const [head = ""] = before.split("\n");
    const written = readFileSync(logOf(place), "utf8")
      .split("\n")
      .slice(1, 2 + lines);
    writeFileSync(logOf(place), `${[head, ...written].join("\n")}\n`);
    const { memories: second, warnings } = await watched(place);
    expect(await listAll(second)).toEqual(["a"]);
    await putAll(second, memoryOf("b", "pear"));
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("unfinished")]);
    expect(await listAll((await watched(place)).memories)).toEqual(["a", "b"]);
  });

  it("are read where a write of several rows is one line, as earlier releases wrote it", async () => {
    const { memories, store } = await watched("one-line");
    await putAll(memories, memoryOf("a", "apple"));
    await store.close();
    const [head] = readFileSync(logOf("one-line"), "utf8").split("\n");
    const put = ["b", "c"].map((id) => ({ ...memoryOf(id, id), vectors: [] }));
    const line = JSON.stringify({ kind: "write", scope: OWN_KEY, version: 1, put, amend: [], remove: [] });
    writeFileSync(logOf("one-line"), `${head}\n{"sum":${crc32(line)},"line":${line}}\n`);
    const { memories: again } = await watched("one-line");
    expect(await listAll(again)).toEqual(["b", "c"]);
  });

  it("refuse a log of a later release", async () => {
    const { memories } = await watched("newer");
    await putAll(memories, memoryOf("a", "apple"));
    writeFileSync(logOf("newer"), readFileSync(logOf("newer"), "utf8").replace('"format":1', '"format":2'));
    await expect(listAll((await watched("newer")).memories)).rejects.toMatchObject({ code: "store-newer" });
  });

  it("write the log anew when most of it was replaced", async () => {
    const { memories } = await watched("garbage");
    const text = "word ".repeat(40_000);
    for (let round = 0; round < 30; round++) await putAll(memories, memoryOf("a", `${text}${round}`, { passages: [] }));
    const whole = 30 * text.length;
    expect(statSync(logOf("garbage")).size).toBeLessThan(whole);
    expect((await memories.get(OWN, ["a"]))[0]?.body).toContain("29");
    const version = (await memories.find(OWN, [])).version;
    expect((await (await watched("garbage")).memories.find(OWN, [])).version).toBe(version);
  });
});

describe("a redaction that was interrupted", () => {
  const pendingOf = (place: string) => at(place, "memories", "redaction.json");

  /** A place with a session and a memory of it, and a redaction that was written down and not carried out. */
  async function interrupted(place: string) {
    const { store, memories } = await watched(place);
    const version = await mustCommit(store, "s", { entries: entriesOf([user("quiet-harbour"), user("more")]) });
    const before = await putAll(memories, memoryOf("a", "quiet-harbour", { vectors: vectorsOf("e", [1, 0]) }));
    const messages = [[0, '{"role":"user","content":"[removed]"}']];
    const sessions = [{ session: "s", version, time: TIME, messages, documents: [] }];
    const write = { kind: "write", scope: OWN_KEY, version: before + 1, put: [], amend: [], remove: ["a"] };
    writeFileSync(pendingOf(place), JSON.stringify({ write, sessions }));
    return { store, memories, version };
  }

  async function isFinished(place: string): Promise<void> {
    expect(bytesIn(place)).not.toContain("quiet-harbour");
    expect(existsSync(pendingOf(place))).toBe(false);
    const { store, memories } = await watched(place);
    expect((await mustRead(store, "s")).entries[0]?.message.content).toBe("[removed]");
    expect(await listAll(memories)).toEqual([]);
  }

  it("is finished by the next who opens the store", async () => {
    await interrupted("opened");
    await watched("opened");
    await isFinished("opened");
  });

  it("is finished before anybody commits to the session", async () => {
    const { store, version } = await interrupted("committed");
    const outcome = await store.commit("s", { version, time: TIME, entries: entriesOf([user("next")], 2) });
    expect(outcome).toEqual({ status: "stale", version: version + 1 });
    await isFinished("committed");
  });

  it("is finished before anybody searches", async () => {
    const { memories } = await interrupted("searched");
    expect(await byWords(memories, "quiet-harbour")).toEqual([]);
    await isFinished("searched");
  });

  it("is done once, however often it is begun", async () => {
    const { store, version } = await interrupted("twice");
    const pending = readFileSync(pendingOf("twice"), "utf8");
    await watched("twice");
    writeFileSync(pendingOf("twice"), pending);
    await watched("twice");
    expect(await store.version("s")).toBe(version + 1);
    await isFinished("twice");
  });

  it("is set aside where it cannot be read, and stops nobody", async () => {
    const { memories } = await interrupted("unreadable");
    writeFileSync(pendingOf("unreadable"), '{"write":');
    const { warnings } = await watched("unreadable");
    expect(warnings).toMatchObject([{ code: "store-damaged" }]);
    expect(await listAll(memories)).toEqual(["a"]);
  });
});
