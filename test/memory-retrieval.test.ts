import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openVarve, type Varve } from "../src/index.js";

const NOW = Date.parse("2026-11-15T10:00:00Z");
let varve: Varve;
let opened = 0;

beforeAll(async () => {
  varve = await openVarve({ store: "memory", now: () => NOW });
});
afterAll(() => varve.close());

const newMemory = () => varve.memory({ scope: { user: `user ${++opened}` } });
const contents = (found: readonly { readonly content: string }[]) => found.map(({ content }) => content);

describe("a value that has changed", () => {
  test.each([
    "Where do I work?",
    "Where do I work? Answer before the meeting.",
    "Which company do I work at this Friday?",
    "How old is the company where I work?",
  ])("%s gets the present one alone", async (question) => {
    const memory = newMemory();
    await memory.store("I work at Acme", { at: "2023-01-10" });
    await memory.store("I now work at Globex", { at: "2026-03-01" });
    expect(contents(await memory.retrieve(question))).toEqual(["I now work at Globex"]);
  });

  test("is found by the time in which it held, whenever it was said", async () => {
    const memory = newMemory();
    await memory.store("I work at Acme", { at: "2021-01-10" });
    await memory.store("I now work at Globex", { at: "2026-03-01" });
    expect(contents(await memory.retrieve("Where did I work in 2024?"))[0]).toBe("I work at Acme");
    expect(contents(await memory.retrieve("Where did I work before 2025?"))[0]).toBe("I work at Acme");
  });

  test("before, after and since a year are the time on that side of it", async () => {
    const memory = newMemory();
    await memory.store("We rented a Saab", { at: "2018-05-01" });
    await memory.store("We rented a Tesla", { at: "2020-05-01" });
    await memory.store("We rented a Kia", { at: "2023-05-01" });
    expect(contents(await memory.retrieve("Which car did we rent before 2020?"))[0]).toContain("Saab");
    expect(contents(await memory.retrieve("Which car did we rent after 2020?"))[0]).toContain("Kia");
  });
});

describe("what was said again and again", () => {
  test("is told once, and who only asked the same has not told the answer", async () => {
    const memory = newMemory();
    await memory.store("My boat is moored in Kiel.", { speaker: "user", thread: "first" });
    for (let asked = 0; asked < 11; asked++)
      await memory.store("Where is my boat moored?", { speaker: "user", thread: `later ${asked}` });
    const found = contents(await memory.retrieve("Where is my boat moored?"));
    expect(found).toEqual(["My boat is moored in Kiel.", "Where is my boat moored?"]);
  });
});

test("the answer is found however often its question was asked", async () => {
  const memory = newMemory();
  await memory.store("My boat is moored in Kiel.", { speaker: "user", thread: "first" });
  await memory.storeMany(
    Array.from({ length: 700 }, (_, at) => ({
      content: "Where is my boat moored?",
      speaker: "user",
      thread: `later ${at}`,
    })),
  );
  const found = contents(await memory.retrieve("Where is my boat moored?"));
  expect(found).toEqual(["My boat is moored in Kiel.", "Where is my boat moored?"]);
});

describe("what has nothing to do with a question", () => {
  const invoices = Array.from({ length: 30 }, (_, at) => ({
    content: `Invoice ${1_000 + at} of Miller Ltd over ${at * 17 + 40} euros was paid.`,
  }));

  test("is left out where only what is relevant is asked for", async () => {
    const memory = newMemory();
    await memory.storeMany(invoices);
    expect(await memory.retrieve("Write a haiku about rain", { relevant: true })).toEqual([]);
    expect(await memory.retrieve("Which invoices were paid?", { relevant: true })).toHaveLength(10);
  });

  test("is shown all the same where it is all that there is", async () => {
    const scope = { user: `user ${++opened}` };
    const known = ["I am allergic to peanuts", "My daughter is called Mia", "I live in Lyon"];
    await varve.memory({ scope }).storeMany(known.map((content) => ({ content })));
    const session = await varve.session(`few ${opened}`, { window: 16_000, memory: { scope } });
    for (const content of ["What food should I avoid?", "What do you know about me?", "Où est-ce que je vis ?"]) {
      await session.append({ role: "user", content });
      expect(JSON.stringify((await session.view()).messages)).toContain("peanuts");
    }
  });

  test("leaves the nearest where nothing is sure", async () => {
    const memory = newMemory();
    await memory.storeMany([...invoices, { content: "I am allergic to peanuts" }]);
    const found = contents(await memory.retrieve("What food should I avoid?", { relevant: true }));
    expect(found).toContain("I am allergic to peanuts");
    expect(found.length).toBeLessThanOrEqual(3);
  });

  test("comes into no view", async () => {
    const scope = { user: `user ${++opened}` };
    await varve.memory({ scope }).storeMany(invoices);
    const session = await varve.session(`rain ${opened}`, { window: 16_000, memory: { scope } });
    await session.append({ role: "user", content: "Write a haiku about rain" });
    expect(JSON.stringify((await session.view()).messages)).not.toContain("Invoice");
    await session.append({ role: "user", content: "Which invoice was over 40 euros?" });
    expect(JSON.stringify((await session.view()).messages)).toContain("Invoice");
  });
});

test("a very long text is still found by the one sentence that answers", async () => {
  const memory = newMemory();
  const filler = (at: number) =>
    `Section ${at} tells of the warehouse, its shelves, its trucks and the people of shift ${at}. `;
  const paragraphs = Array.from({ length: 400 }, (_, at) => filler(at).repeat(4));
  paragraphs[210] = "The emergency contact for the cold store is Greta Lind, extension 4471.";
  await memory.store(paragraphs.join("\n\n"));
  await memory.storeMany(
    ["Contact lenses are in the bathroom.", "The store opens at nine.", "It is cold today.", "Call the garage."].map(
      (content) => ({ content }),
    ),
  );
  const found = contents(await memory.retrieve("Who is the emergency contact for the cold store?", { limit: 2 }));
  expect(found.some((content) => content.includes("Greta Lind"))).toBe(true);
});
