import { createReadStream, createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { afterAll, describe, expect, it } from "vitest";
import { openVarve, type Varve } from "../src/index.js";
import { shapes } from "../src/testing/store-messages.js";
import { user } from "./support/build.js";
import { conversation } from "./support/conversation.js";

const folder = mkdtempSync(join(tmpdir(), "varve-moving-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let places = 0;
const OPTIONS = { window: 3_000, strategy: "hierarchical" };
const ADDRESSES = [
  "memory",
  () => `file:${join(folder, String(++places))}`,
  () => `sqlite:${join(folder, `${++places}.db`)}`,
];
const open = (kind: number, now?: () => number): Promise<Varve> => {
  const address = ADDRESSES[kind]!;
  return openVarve({ store: typeof address === "string" ? address : address(), ...(now && { now }) });
};
const collect = async (lines: AsyncIterable<string>): Promise<string[]> => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

/** A store with a session of every trait: branches, keys, checkpoints, receipts, pins, notes, odd messages. */
async function fill(varve: Varve): Promise<void> {
  const session = await varve.session("user:agent:1", OPTIONS);
  await session.append(conversation(12), { key: "first" });
  await session.view();
  session.pin("e40");
  session.track({ facts: ["User speaks English"] });
  await session.checkpoint("here");
  await session.append(conversation(3, { from: 12 }));
  await session.restore("here");
  await session.append(shapes, { key: "odd" });
  await session.view();
  await (await varve.session("../other", { window: 900 })).append(user("Grüße"));
  await session.flush();
}

describe("an export", () => {
  it.each([
    [0, 1],
    [1, 2],
    [2, 0],
  ])("from store %i to store %i loses nothing", async (from, to) => {
    const source = await open(from);
    await fill(source);
    const lines = await collect(source.export());
    const target = await open(to);
    const report = await target.import(lines);
    expect(report).toEqual({ sessions: expect.any(Array), skipped: [], entries: 60 + shapes.length + 1 });
    expect(report.sessions.toSorted()).toEqual(["../other", "user:agent:1"]);
    const again = await collect(target.export());
    const sorted = (all: string[]) => all.slice(1).toSorted();
    expect(sorted(again)).toEqual(sorted(lines));
    const [one, other] = [await source.session("user:agent:1"), await target.session("user:agent:1")];
    expect(JSON.stringify((await other.view()).messages)).toBe(JSON.stringify((await one.view()).messages));
    expect(other.checkpoints()).toEqual(one.checkpoints());
    expect(other.status().pins).toEqual(["e40"]);
    expect(await other.append(conversation(12), { key: "first" })).toHaveLength(48);
    expect(other.allEntries()).toHaveLength(one.allEntries().length);
    await source.close();
    await target.close();
  });

  it("goes through a file in pieces, for one session alone", async () => {
    const source = await open(2);
    await fill(source);
    const path = join(folder, "export.jsonl");
    await pipeline(source.export({ sessions: ["../other"] }), createWriteStream(path));
    const target = await open(0);
    await target.import(createReadStream(path, { highWaterMark: 7 }));
    expect((await target.session("../other")).entries()[0]!.message.content).toBe("Grüße");
    expect((await target.sessions()).sessions).toHaveLength(1);
    await expect(collect(source.export({ sessions: ["nobody"] }))).rejects.toMatchObject({ code: "not-found" });
    await source.close();
  });

  it("is refused where lines are missing, broken, odd or from a later release, and leaves no half session", async () => {
    const source = await open(0);
    await fill(source);
    const lines = await collect(source.export({ sessions: ["user:agent:1"] }));
    const spoilt: [string, string[]][] = [
      ["invalid-document", lines.slice(0, -1)],
      ["invalid-document", lines.slice(1)],
      ["invalid-document", lines.toSpliced(5, 1)],
      ["invalid-document", lines.with(5, "{")],
      ["invalid-document", lines.with(5, lines[5]!.replace('"role":"', '"role":"x'))],
      ["invalid-document", lines.with(5, lines[5]!.replace('"content":', '"contents":'))],
      ["store-newer", lines.with(0, lines[0]!.replace('"format":1', '"format":2'))],
    ];
    for (const [code, text] of spoilt) {
      const target = await open(0);
      await expect(target.import(text)).rejects.toMatchObject({ code });
      const left = (await target.sessions()).sessions;
      expect(left.every(({ entries }) => entries === 60 + shapes.length)).toBe(true);
    }
  });

  it("meets a session that is there already as it is told to", async () => {
    const source = await open(0);
    await fill(source);
    const lines = await collect(source.export());
    const target = await open(0);
    await (await target.session("../other", { window: 900 })).append([user("mine"), user("own")]);
    await expect(target.import(lines)).rejects.toMatchObject({
      code: "invalid-option",
      details: { session: "../other" },
    });
    const skipping = await target.import(lines, { existing: "skip" });
    expect(skipping).toMatchObject({ sessions: ["user:agent:1"], skipped: ["../other"] });
    const replacing = await target.import(lines, { existing: "replace" });
    expect(replacing.sessions).toHaveLength(2);
    const { sessions } = await target.sessions({ prefix: "../" });
    expect(sessions[0]!.entries).toBe(1);
  });
});

describe("retention", () => {
  const filled = async (kind: number) => {
    let time = 1_000_000;
    const varve = await open(kind, () => time);
    for (let at = 0; at < 5; at++) {
      time += 1_000;
      const session = await varve.session(`s${at}`, { window: 9_000 });
      await session.append(user(`${at}`.repeat(10_000)));
    }
    const set = (now: number) => {
      time = now;
    };
    return { varve, set };
  };

  it.each([0, 1, 2])("removes what is too old, and the oldest of what is too much, in store %i", async (kind) => {
    const { varve } = await filled(kind);
    const lines = await collect(varve.export());
    await varve.close();
    let time = 0;
    const again = await open(kind, () => time);
    await again.import(lines);
    time = 1_006_500;
    const dry = await again.prune({ olderThan: 4_000, dry: true });
    expect(dry.removed.map(({ id, reason }) => [id, reason])).toEqual([
      ["s0", "age"],
      ["s1", "age"],
    ]);
    const report = await again.prune({ olderThan: 5_000, maxBytes: 25_000 });
    expect(report.removed.map(({ id, reason, entries }) => [id, reason, entries])).toEqual([
      ["s0", "age", 1],
      ["s1", "size", 1],
      ["s2", "size", 1],
    ]);
    expect(report.kept).toBe(2);
    expect(report.bytes).toBeLessThanOrEqual(25_000);
    expect((await again.sessions()).sessions.map(({ id }) => id)).toEqual(["s3", "s4"]);
    await again.close();
  });

  it("spares the sessions that are open, and asks for a rule", async () => {
    const { varve, set } = await filled(0);
    set(9_000_000);
    expect((await varve.prune({ olderThan: 1 })).removed).toEqual([]);
    for (const options of [{}, { olderThan: -1 }, { maxBytes: Number.NaN }])
      await expect(varve.prune(options)).rejects.toMatchObject({ code: "invalid-option" });
  });
});
