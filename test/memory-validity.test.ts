/** Which values hold: after changes, repetitions, corrections and forgettings. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openVarve, type ScopedMemory, type Store, type Varve } from "../src/index.js";
import { memoryStore } from "../src/store/drivers/memory.js";

const NOW = Date.parse("2026-11-15T10:00:00Z");

async function open(store: Store | "memory" = "memory"): Promise<{ varve: Varve; memory: ScopedMemory }> {
  const varve = await openVarve({ store, now: () => NOW });
  return { varve, memory: varve.memory({ scope: { user: "ann" } }) };
}

const listed = async (memory: ScopedMemory): Promise<string[]> =>
  (await memory.list()).memories.map(({ content }) => content);

describe("what else a memory says", () => {
  test("holds on when one of its values has ended", async () => {
    const { memory } = await open();
    const { id } = await memory.store("I live in Paris and I am allergic to penicillin", { at: "2024-01-01" });
    await memory.store("I moved to Lyon", { at: "2025-01-01" });
    const [found] = await memory.retrieve("Which drug am I allergic to?");
    expect(found!.id).toBe(id);
    const home = (await memory.get(id))!.facts.find(({ slot }) => slot === "user/home city");
    expect(home!.validUntil).toBe("2025-01-01T00:00:00.000Z");
  });
});

describe("the end of a value", () => {
  test("is taken back when the memory that ended it is forgotten", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { at: "2020-01-01" });
    const lyon = await memory.store("I moved to Lyon", { at: "2021-01-01" });
    expect(await listed(memory)).toEqual(["I moved to Lyon"]);
    await memory.forget(lyon.id);
    expect(await listed(memory)).toEqual(["I live in Paris"]);
    await memory.store("I moved to Rome", { at: "2022-01-01" });
    expect(await listed(memory)).toEqual(["I moved to Rome"]);
  });

  test("is taken back when that memory is corrected, and stays where it is given another value", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { at: "2020-01-01" });
    const { id } = await memory.store("I moved to Lyon", { at: "2021-01-01" });
    await memory.update(id, "I moved to Nice");
    expect(await listed(memory)).toEqual(["I moved to Nice"]);
    await memory.update(id, "I visited Lyon");
    expect((await listed(memory)).toSorted()).toEqual(["I live in Paris", "I visited Lyon"]);
  });

  test("moves to the next later value where there is one", async () => {
    const { memory } = await open();
    const paris = await memory.store("I live in Paris", { at: "2020-01-01" });
    const lyon = await memory.store("I moved to Lyon", { at: "2021-01-01" });
    const rome = await memory.store("I moved to Rome", { at: "2022-01-01" });
    await memory.forget(lyon.id);
    expect(await memory.get(paris.id)).toMatchObject({ validUntil: "2022-01-01T00:00:00.000Z" });
    expect((await memory.get(paris.id))!.facts[0]!.supersededBy).toBe(rome.id);
    expect(await listed(memory)).toEqual(["I moved to Rome"]);
  });

  test("that lies in the future hides nothing before it comes", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { at: "2026-01-01" });
    await memory.store("I moved to Lyon", { at: "2099-01-01" });
    expect(await listed(memory)).toContain("I live in Paris");
  });
});

describe("a value that is said again and again", () => {
  const said = (n: number) => ({ content: "I work at Acme", speaker: "user", at: NOW - 10_000 + n });

  test("is one value: it ends everywhere, and holds again everywhere", async () => {
    const { memory } = await open();
    await memory.storeMany(Array.from({ length: 30 }, (_, n) => said(n)));
    const globex = await memory.store("I now work at Globex", { speaker: "user", at: NOW - 100 });
    expect(globex.superseded).toHaveLength(30);
    expect(await listed(memory)).toEqual(["I now work at Globex"]);
    await memory.forget(globex.id);
    expect(await listed(memory)).toHaveLength(30);
  });

  test("holds through the next one when the first is forgotten or updated", async () => {
    const { memory } = await open();
    const texts = ["I work at Acme these days", said(1).content, `Still: ${said(2).content}`];
    const [first, second] = await memory.storeMany(texts.map((content, at) => ({ ...said(at), content })));
    await memory.forget(first!.id);
    await memory.update(second!.id, "I like Acme");
    const globex = await memory.store("I now work at Globex", { speaker: "user", at: NOW - 100 });
    expect(globex.superseded).toHaveLength(1);
    expect((await listed(memory)).toSorted()).toEqual(["I like Acme", "I now work at Globex"]);
  });

  test("a late report between two of them ends with the second", async () => {
    const { memory } = await open();
    await memory.storeMany([said(0), said(500)]);
    const late = await memory.store("I work at Globex", { speaker: "user", at: NOW - 10_000 + 200 });
    expect(await memory.get(late.id)).toMatchObject({ validUntil: new Date(NOW - 9_500).toISOString() });
    expect((await memory.list()).memories.map(({ at }) => Date.parse(at))).toEqual([NOW - 9_500]);
  });

  test("costs no more the more often it was said", async () => {
    const store = memoryStore();
    let rows = 0;
    const memories = watched(store, { find: (found) => (rows += found.rows.length) });
    const { memory } = await open({ ...store, memories });
    for (let n = 0; n < 200; n++) await memory.store(said(n).content, said(n));
    for (let n = 0; n < 200; n++) await memory.store(said(n).content, { ...said(n), at: NOW - 20_000 - n });
    expect(rows).toBeLessThan(2 * 400);
  });
});

describe("equal texts", () => {
  test("are kept with the better source, its facts, and all that is known of them", async () => {
    const { memory } = await open();
    const [one, other] = [
      { session: "s", sequence: 1 },
      { session: "s", sequence: 2 },
    ];
    await memory.store("I live in Paris", { at: "2020-01-01" });
    const tool = await memory.store("I moved to Lyon", {
      source: "tool",
      a: 1,
      b: 1,
      entries: [one],
      at: "2021-01-01",
    });
    const told = await memory.store("I moved to Lyon.", { b: 2, entries: [one, other], at: "2022-01-01" });
    expect(told).toMatchObject({ id: tool.id, status: "merged", superseded: [{ value: "Paris" }] });
    expect(await memory.get(tool.id)).toMatchObject({
      source: "user",
      times: 2,
      at: "2022-01-01T00:00:00.000Z",
      metadata: { a: 1, b: 2 },
      entries: [one, other],
      facts: [{ slot: "user/home city", value: "Lyon" }],
    });
    await memory.store("I moved to Lyon", { source: "tool", b: 3, c: 3 });
    expect(await memory.get(tool.id)).toMatchObject({ source: "user", times: 3, metadata: { a: 1, b: 2, c: 3 } });
  });

  test("that an audit merges keep what each of them has", async () => {
    const { memory } = await open();
    const first = await memory.store("Ann likes tea", { id: "1", a: 1 });
    await memory.store("Ann likes tea", { id: "2", b: 2, entries: [{ session: "s", sequence: 1 }] });
    expect((await memory.audit({ mend: true })).mended!.duplicates).toBe(1);
    expect(await memory.list()).toMatchObject({
      memories: [{ id: first.id, times: 2, metadata: { a: 1, b: 2 }, entries: [{ session: "s" }] }],
    });
  });
});

describe("tags", () => {
  test("are labels: the slots belong to the owners, and a reader of one tag is not told the values of another", async () => {
    const { varve } = await open();
    const of = (tag: string) => varve.memory({ scope: { user: "ann", tags: [tag] } });
    await of("a").store("I work at Acme", { at: "2024-01-01" });
    const receipt = await of("b").store("I now work at Globex", { at: "2025-01-01" });
    expect(JSON.stringify(receipt)).not.toContain("Acme");
    expect(await listed(of("a"))).toEqual([]);
  });
});

/** A store's memories, with a look at each answer and a stop before a write. */
function watched(
  store: Store,
  { find, write }: { find?: (found: { rows: readonly unknown[] }) => void; write?: () => Promise<void> | undefined },
): NonNullable<Store["memories"]> {
  const inner = store.memories!;
  return new Proxy(inner, {
    get(_, name) {
      if (name === "find")
        return async (...asked: Parameters<typeof inner.find>) => {
          const found = await inner.find(...asked);
          find?.(found);
          return found;
        };
      if (name === "write")
        return async (change: Parameters<typeof inner.write>[0]) => {
          await write?.();
          return inner.write(change);
        };
      const value: unknown = Reflect.get(inner, name);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
}

describe("forgetting all of a wide scope", () => {
  test("loses nothing that somebody stores in a narrower one meanwhile", async () => {
    const store = memoryStore();
    let stop: Promise<void> | undefined;
    const { memory } = await open(store);
    const elsewhere = await open({ ...store, memories: watched(store, { write: () => stop }) });
    const atlas = elsewhere.varve.memory({ scope: { user: "ann", project: "atlas" } });
    await memory.store("Ann likes coffee");
    await atlas.store("Ann likes tea");
    const { promise, resolve } = Promise.withResolvers<void>();
    stop = promise;
    const again = atlas.store("ann likes tea");
    await new Promise((passed) => setTimeout(passed, 20));
    stop = undefined;
    await memory.forgetAll();
    resolve();
    expect((await again).status).toBe("stored");
    expect(await listed(memory)).toEqual(["ann likes tea"]);
  });
});

describe("an audit", () => {
  test("ends only the stale value of a memory, where it is there and open", async () => {
    const [store, other] = [memoryStore(), memoryStore()];
    const { memory } = await open(store);
    const { memory: elsewhere } = await open(other);
    const stale = await memory.store("I live in Paris and my employer is Acme.", { at: "2024-01-01" });
    await elsewhere.store("I moved to Lyon", { at: "2025-01-01" });
    const { rows } = await other.memories!.list({ user: "ann" });
    const put = rows.map((row) => ({ ...row, passages: [], vectors: undefined }));
    await store.memories!.write({ scope: rows[0]!.scope, version: undefined, put });
    expect(await memory.audit({ mend: true })).toMatchObject({ stale: 1, examples: { stale: [stale.id] } });
    const { facts, validUntil } = (await memory.get(stale.id))!;
    expect(validUntil).toBeUndefined();
    expect(facts.filter((fact) => fact.validUntil !== undefined).map(({ value }) => value)).toEqual(["Paris"]);
    expect((await memory.audit()).stale).toBe(0);
  });

  test("counts what has no vectors in its own scope", async () => {
    const embedder = { name: "broken", dimensions: 4, embed: () => Promise.reject(new Error("down")) };
    const varve = await openVarve({ store: "memory", now: () => NOW, embedder, onWarning: () => {} });
    await varve.memory({ scope: { user: "ann" } }).store("Ann likes tea");
    await varve.memory({ scope: { user: "ben" } }).store("Ben likes tea");
    expect((await varve.memory({ scope: { user: "ann" } }).audit()).withoutVectors).toBe(1);
  });
});

describe("in whatever order values are told, forgotten and taken back", () => {
  const step = fc.record({
    city: fc.constantFrom("Paris", "Lyon", "Rome"),
    at: fc.integer({ min: 1, max: 1_000_000 }),
    fate: fc.constantFrom("kept", "kept", "forgotten", "corrected"),
  });
  const steps = fc.uniqueArray(step, { selector: ({ at }) => at, minLength: 1, maxLength: 9 });

  test("the latest one that is left holds, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (told, atOnce) => {
        const { varve, memory } = await open();
        const texts = told.map(({ city, at }) => ({ content: `I live in ${city}`, speaker: "user", at: NOW - at }));
        const receipts = atOnce ? await memory.storeMany(texts) : [];
        if (!atOnce) for (const { content, ...rest } of texts) receipts.push(await memory.store(content, rest));
        const corrected = new Set<number>();
        const gone = new Set<number>();
        for (const [index, { city, fate }] of told.entries()) {
          if (gone.has(index)) continue;
          if (fate === "corrected") {
            await memory.update(receipts[index]!.id, `Tea number ${index} was good`);
            corrected.add(index);
          }
          if (fate !== "forgotten") continue;
          await memory.forget(receipts[index]!.id);
          for (const [at, other] of told.entries()) if (other.city === city && !corrected.has(at)) gone.add(at);
        }
        const isLeft = (index: number) => !gone.has(index) && !corrected.has(index);
        const left = told.filter((_, index) => isLeft(index)).toSorted((a, b) => a.at - b.at);
        const cities = (await listed(memory)).filter((text) => text.includes("live"));
        expect([...new Set(cities)]).toEqual(left.slice(0, 1).map(({ city }) => `I live in ${city}`));
        await varve.close();
      }),
    );
  });
});
