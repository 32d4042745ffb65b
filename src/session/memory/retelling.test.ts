import { describe, expect, it } from "vitest";
import { says, user } from "../../../test/support/build.js";
import { remembering } from "../../../test/support/remembering.js";
import { memoryStore } from "../../store/drivers/memory.js";
import type { Memories } from "../../store/memories/memories.js";
import type { Varve } from "../open-varve.js";

const scope = { user: "ann" };
const options = { window: 4_000, memory: { scope } };
const BOAT = "Ann's boat is called Esmeralda and is moored in Kiel";

const said = async (varve: Varve, by = "assistant") =>
  (await varve.memory({ scope }).list()).memories.filter(({ speaker }) => speaker === by);

describe("an agent that retells what it was shown", () => {
  it("makes no memories of it, in whatever words around it, also in the turns to come", async () => {
    const varve = await remembering();
    await varve.memory({ scope }).store(BOAT);
    const session = await varve.session("s", options);
    for (let turn = 0; turn < 20; turn++) {
      await session.append(user(`Where is the boat moored, asked ${turn} times?`));
      await session.view();
      await session.append(
        says(turn % 2 ? `According to my notes, ${BOAT}.` : "Her boat Esmeralda is moored in Kiel."),
      );
      await session.flush();
    }
    expect(await said(varve)).toEqual([]);
  });

  it("is remembered for what else it says, which goes with what it was told where it tells that", async () => {
    const varve = await remembering();
    const { id } = await varve.memory({ scope }).store(BOAT);
    const session = await varve.session("s", options);
    await session.append(user("Where is the boat moored?"));
    await session.view();
    await session.append(says(`${BOAT}. The fee of the harbour rose to 40 euros.`));
    await session.append(user("And where is the boat in winter?"));
    await session.view();
    await session.append(
      says("In Kiel, where Ann's boat called Esmeralda is moored, the crane costs 70 euros by now."),
    );
    await session.flush();
    const before = await said(varve);
    expect(before.map(({ content }) => content)).toEqual([
      "The fee of the harbour rose to 40 euros.",
      expect.stringContaining("70 euros"),
    ]);
    expect(before[1]!.metadata.recalled).toEqual([id]);
    const { forgotten } = await varve.memory({ scope }).forget(id);
    expect(forgotten).toEqual([id, "s:3"]);
    expect((await said(varve)).map(({ content }) => content)).toEqual(["The fee of the harbour rose to 40 euros."]);
    expect(session.search("Esmeralda crane").map(({ entry }) => entry.sequence)).not.toContain(3);
  });
});

describe("a user's request to forget", () => {
  it("leaves neither the request nor the agent's answer to what is gone in the log", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My locker word is flamingo"), says("Noted: flamingo.")]);
    await session.append([user("Please forget that my locker word is flamingo."), says("It is gone for good.")]);
    await session.flush();
    expect((await varve.memory({ scope }).list()).memories.map(({ content }) => content)).toEqual([
      "It is gone for good.",
    ]);
    expect(session.entries().map(({ message }) => message.content)).toEqual([
      "[forgotten]",
      "[forgotten]",
      "[forgotten]",
      "It is gone for good.",
    ]);
    expect(session.search("flamingo")).toEqual([]);
  });
});

describe("what was said under a scope", () => {
  it("is learnt into that scope, though the session was opened under another one since", async () => {
    const store = memoryStore();
    const dying = {
      ...store,
      close: async () => {},
      memories: { ...store.memories!, write: () => new Promise<never>(() => {}) },
    };
    const first = await remembering({ store: dying });
    const before = await first.session("s", { window: 4_000, memory: { scope: { user: "one" } } });
    await before.append([user("My bank is Chase in Boston"), says("Good to know about the bank.")]);
    const second = await remembering({ store });
    const session = await second.session("s", { memory: { scope: { user: "two" } } });
    await session.append([user("My bank is Nordea in Oslo"), says("Good to know about Nordea.")]);
    await session.flush();
    const contents = async (name: string) =>
      (await second.memory({ scope: { user: name } }).list()).memories.map(({ content }) => content);
    expect(await contents("one")).toEqual(["My bank is Chase in Boston", "Good to know about the bank."]);
    expect(await contents("two")).toEqual(["My bank is Nordea in Oslo", "Good to know about Nordea."]);
  });

  it("stays there also where the options change in the middle", async () => {
    const varve = await remembering();
    const session = await varve.session("s", { window: 4_000, memory: { scope: { user: "one" } } });
    await session.append([user("My bank is Chase in Boston"), says("Good to know about the bank.")]);
    await varve.session("s", { window: 4_000, memory: { scope: { user: "two" } } });
    await session.flush();
    await session.learn();
    expect((await varve.memory({ scope: { user: "two" } }).list()).memories).toEqual([]);
    expect((await varve.memory({ scope: { user: "one" } }).list()).memories).toHaveLength(2);
  });
});

it("the facts of a session are the newest of its scope, and no more is read than tells them", async () => {
  const store = memoryStore();
  const pages: unknown[] = [];
  const list: Memories["list"] = (whose, paging) => {
    pages.push(paging?.newest);
    return store.memories!.list(whose, paging);
  };
  const varve = await remembering({ store: { ...store, memories: { ...store.memories!, list } } });
  const memory = varve.memory({ scope });
  await memory.storeMany(Array.from({ length: 1_200 }, (_, at) => ({ content: `I like pie number ${at}` })));
  await memory.store("I work at Acme.");
  const session = await varve.session("s", options);
  await session.flush();
  const { facts } = session.context();
  expect(facts.slice(-2)).toEqual(["I like pie number 1199", "I work at Acme."]);
  expect(pages).toEqual([true]);
});
