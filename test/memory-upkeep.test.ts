/** What memories hold to when embedders, callers and other writers do not behave. */
import { describe, expect, test } from "vitest";
import {
  builtInEmbedder,
  type Embedder,
  openVarve,
  type Scope,
  type VarveError,
  type VarveOptions,
} from "../src/index.js";
import { openStore } from "../src/store/open-store.js";
import type { Store } from "../src/store/store.js";
import { addresses } from "./support/store-addresses.js";

const embedderOf = (embed: (count: number) => unknown, name = "own:1"): Embedder => ({
  name,
  dimensions: 4,
  embed: async (texts) => embed(texts.length) as Float32Array[],
});
const vectors = (count: number): Float32Array[] => Array.from({ length: count }, () => new Float32Array([1, 0, 0, 0]));

/** Ways in which an embedder does not give what it promises. */
const bad: Record<string, Embedder> = {
  nothing: embedderOf(() => []),
  "no list": embedderOf(() => undefined),
  "one vector too few": embedderOf((count) => vectors(count).slice(1)),
  "vectors of another length": embedderOf((count) => vectors(count).map(() => new Float32Array(3))),
  "numbers that are none": embedderOf((count) => vectors(count).map((vector) => vector.fill(Number.NaN))),
  "an error": embedderOf(() => {
    throw new TypeError("fetch failed");
  }),
};

/** Stays open when a varve on it is closed. */
async function sharedStore(kind: string): Promise<Store> {
  const store = await openStore(addresses[kind]!(), { warn: () => undefined });
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "close") return async () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe.each(Object.keys(addresses))("memory on %s", (kind) => {
  const open = (options: VarveOptions = {}) => openVarve({ store: addresses[kind]!(), ...options });

  test.each(Object.keys(bad))("an embedder that gives %s costs no vector that is there", async (way) => {
    const store = await sharedStore(kind);
    const before = await openVarve({ store });
    await before.memory({ scope: { user: "ann" } }).storeMany([{ content: "A dog" }, { content: "The tax return" }]);
    const varve = await openVarve({ store, embedder: bad[way]!, onWarning: () => undefined });
    await expect(varve.embed()).rejects.toMatchObject({ name: "VarveError", code: "embedding-failed" });
    expect([...(await store.memories!.embedders()).values()]).toEqual([2]);
    const [best] = await varve.memory({ scope: { user: "ann" } }).retrieve("puppy");
    expect(best!.content).toBe("A dog");
  });

  test("vectors of a former embedder stay until every memory has one of the embedder in use", async () => {
    const store = await sharedStore(kind);
    const before = await openVarve({ store });
    await before.memory({ scope: { user: "ann" } }).storeMany([{ content: "A dog" }, { content: "A cat" }]);
    const memory = before.memory({ scope: { user: "ann" } });
    let changed = false;
    const embedder: Embedder = {
      ...embedderOf(vectors),
      embed: async (texts) => {
        if (!changed) await memory.store("A bird", { id: "late" });
        changed = true;
        return vectors(texts.length);
      },
    };
    await memory.store("A fish", { id: "late" });
    const varve = await openVarve({ store, embedder });
    const first = await varve.embed();
    expect(first.done).toBeLessThan(first.total);
    expect([...(await store.memories!.embedders()).keys()].sort()).toEqual([builtInEmbedder().name, "own:1"].sort());
    const second = await varve.embed();
    expect(second.done).toBe(second.total);
    expect([...(await store.memories!.embedders()).keys()]).toEqual(["own:1"]);
  });

  test("what is done and what there is are counted right beside vectors of others", async () => {
    const store = await sharedStore(kind);
    const before = await openVarve({ store });
    await before.memory({ scope: { user: "ann" } }).storeMany([{ content: "A dog" }, { content: "A cat" }]);
    const varve = await openVarve({ store, embedder: embedderOf(vectors) });
    expect(await varve.embed({ keepOthers: true })).toEqual({ done: 2, total: 2 });
  });

  test("embedding hands its signal on and ends with it", async () => {
    const store = await sharedStore(kind);
    const before = await openVarve({ store });
    await before.memory({ scope: { user: "ann" } }).store("A dog");
    const controller = new AbortController();
    let given: AbortSignal | undefined;
    const embedder: Embedder = {
      ...embedderOf(vectors),
      embed: async (_texts, { signal } = {}) => {
        given = signal;
        controller.abort();
        signal?.throwIfAborted();
        return [];
      },
    };
    const varve = await openVarve({ store, embedder });
    await expect(varve.embed({ signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(given).toBe(controller.signal);
  });

  test.each(Object.keys(bad))(
    "a question is asked by its words where the embedder gives %s, with a warning",
    async (way) => {
      const warnings: VarveError[] = [];
      const varve = await open({ embedder: bad[way]!, onWarning: (warning) => warnings.push(warning) });
      const memory = varve.memory({ scope: { user: "ann" } });
      await memory.store("The boat is moored in Kiel");
      warnings.length = 0;
      expect(await memory.retrieve("Where is the boat?")).toHaveLength(1);
      expect(warnings.map(({ code }) => code)).toEqual(["embedding-failed"]);
      await varve.close();
    },
  );

  test("a hundred calls at once are all carried out, in their order", async () => {
    const varve = await open();
    const memory = varve.memory({ scope: { user: "ann" } });
    const texts = Array.from({ length: 100 }, (_, n) => `Parcel ${n} weighs ${n * 7 + 3} grams`);
    const receipts = await Promise.all(texts.map((text, n) => memory.store(text, { id: `p${n}` })));
    expect(receipts.map(({ id }) => id)).toEqual(texts.map((_, n) => `p${n}`));
    expect((await memory.list({ limit: 200 })).memories.map(({ content }) => content)).toEqual(texts);
    const changes = texts.flatMap((text, n) => [
      n % 3 === 0 ? memory.forget(`p${n}`) : memory.update(`p${n}`, `${text} now`),
      memory.addFacts([{ id: `p${n}`, facts: [{ text: `weight of ${n}`, kind: "fact" }] }]),
      memory.observe([{ content: `Note ${n}`, speaker: "user" }]),
    ]);
    const outcomes = await Promise.allSettled(changes);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
    await varve.close();
  });

  test("of calls at once, each has its own receipt or error", async () => {
    const varve = await open();
    const memory = varve.memory({ scope: { user: "ann" } });
    const texts = ["I live in Oslo", "I live in Oslo", "", "I live in Bergen now"];
    const outcomes = await Promise.allSettled(texts.map((text) => memory.store(text)));
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.status : "error"))).toEqual([
      "stored",
      "merged",
      "error",
      "stored",
    ]);
    const last = outcomes[3]!;
    expect(last.status === "fulfilled" && last.value.superseded).toHaveLength(1);
    await varve.close();
  });

  test("forgetting all gives others a turn and proves it for all", async () => {
    const varve = await open();
    const memory = varve.memory({ scope: { user: "ann" } });
    const other = varve.memory({ scope: { user: "bob" } });
    await memory.storeMany(Array.from({ length: 1_000 }, (_, n) => ({ content: `Parcel ${n} weighs ${n * 7} grams` })));
    await other.store("Bob is left alone");
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const { forgotten, proof } = await memory.forgetAll();
    clearInterval(timer);
    expect(forgotten).toHaveLength(1_000);
    expect(proof.asked).toBeGreaterThanOrEqual(5 + 5 + 200);
    expect(turns).toBeGreaterThan(3);
    expect((await memory.list()).memories).toEqual([]);
    expect((await other.list()).memories).toHaveLength(1);
    await varve.close();
  });

  test("an id of several scopes is refused by whatever takes one, and the scopes are named", async () => {
    const varve = await open();
    const of = (scope: Scope) => varve.memory({ scope });
    const [wide, p, q] = [
      of({ user: "ann" }),
      of({ user: "ann", project: "p" }),
      of({ user: "ann", project: "q" }),
    ] as const;
    await p.store("The port is 1", { id: "port" });
    await q.store("The port is 2", { id: "port" });
    const calls = [
      () => wide.get("port"),
      () => wide.update("port", "The port is 3"),
      () => wide.forget("port"),
      () => wide.history("port"),
    ];
    for (const call of calls) {
      const error = await call().catch((refusal: unknown) => refusal);
      expect(error).toMatchObject({
        code: "invalid-option",
        details: {
          scopes: [
            { user: "ann", project: "p" },
            { user: "ann", project: "q" },
          ],
        },
      });
      expect(String(error)).toContain('"project":"p"');
    }
    expect([(await p.get("port"))?.content, (await q.get("port"))?.content]).toEqual([
      "The port is 1",
      "The port is 2",
    ]);
    await wide.store("The port is 4", { id: "port" });
    expect((await wide.get("port"))?.content).toBe("The port is 4");
    await wide.forget("port");
    expect([(await p.get("port"))?.content, (await q.get("port"))?.content]).toEqual([
      "The port is 1",
      "The port is 2",
    ]);
    await q.forget("port");
    expect((await wide.get("port"))?.content).toBe("The port is 1");
    await varve.close();
  });
});

test.each([
  { dimensions: 2 },
  { name: "", dimensions: 2, embed: async () => [] },
  { name: "own", dimensions: 0, embed: async () => [] },
  { name: "own", dimensions: 2 },
  "own",
])("what is no embedder is refused: %j", async (value) => {
  const embedder = value as unknown as Embedder;
  const refusal = { code: "invalid-option", details: { option: "embedder" } };
  await expect(openVarve({ embedder })).rejects.toMatchObject(refusal);
  await expect(openVarve({ formerEmbedders: [embedder] })).rejects.toMatchObject({ code: "invalid-option" });
});

test.each([{ user: undefined, project: "p" }, { user: undefined }, { project: "p", tags: undefined }])(
  "a part of a scope that is there without a value is refused, not passed over: %o",
  async (value) => {
    const scope = value as unknown as Scope;
    const varve = await openVarve();
    expect(() => varve.memory({ scope })).toThrow(/scope\.(?:user|tags) is undefined/);
    await expect(varve.session("s", { window: 8_000, memory: { scope } })).rejects.toMatchObject({
      code: "invalid-option",
    });
    const session = await varve.session("t", { window: 8_000, memory: { scope: { user: "ann" } } });
    expect(() => session.configure({ memory: { scope } })).toThrow(/is undefined/);
    await varve.close();
  },
);
