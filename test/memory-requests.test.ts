import { describe, expect, test } from "vitest";
import { openVarve, type ScopedMemory } from "../src/index.js";

async function holding(...texts: string[]): Promise<ScopedMemory> {
  const varve = await openVarve({ store: "memory" });
  const memory = varve.memory({ scope: { user: "ann" } });
  for (const text of texts) await memory.store(text);
  return memory;
}

const said = (content: string) => ({ content, speaker: "user" });
const contents = async (memory: ScopedMemory): Promise<string[]> =>
  (await memory.list()).memories.map(({ content }) => content);

describe("talk about the work", () => {
  test.each([
    [
      "To deploy to production, first push to the staging server",
      "Forget the staging server, deploy to production instead.",
    ],
    ["The user cache lives in Redis", "Please remove the user cache from memory after each request."],
    ["The build step runs tsc", "Clear the build step from the memory graph"],
    ["Login page docs live in docs/login.md", "The login page docs are outdated, please rewrite them."],
    ["Our API gateway is Kong", "The API gateway is out of date."],
    ["My home address is 12 Elm Street", "Forget my home address for now and use the office one."],
  ])("leaves a memory as it is and is stored itself: %s | %s", async (known, talk) => {
    const memory = await holding(known);
    const receipt = await memory.observe([said(talk)]);
    expect(receipt).toMatchObject({ forgotten: [], ended: [], asked: [], texts: [{ status: "stored" }] });
    expect(await contents(memory)).toEqual([known, talk]);
  });

  test("a thing that is no longer valid is a memory only where one is about that very thing", async () => {
    const memory = await holding("The discount code is SAVE20", "The discount code page was built by Ann in May");
    const first = await memory.observe([said("The discount code is no longer valid.")]);
    expect(first.ended).toHaveLength(1);
    expect(await contents(memory)).toEqual(["The discount code page was built by Ann in May"]);
    const second = await memory.observe([said("The parking permit is no longer valid.")]);
    expect(second).toMatchObject({ ended: [], asked: [], texts: [{ status: "stored" }] });
  });
});

describe("a request", () => {
  test.each([
    ["My phone number is 555-1234", "Forget my phone number."],
    ["My address is 12 Elm Street", "Please forget my address."],
    ["My dog Rex is a poodle", "Please forget that my dog Rex is a poodle"],
    ["The launch party is in Bonn", "Forget what I told you about the launch party."],
  ])("is carried out: %s | %s", async (known, request) => {
    const memory = await holding(known, "I like tea");
    const { forgotten, texts, asked } = await memory.observe([said(request)]);
    expect(forgotten.flatMap((receipt) => receipt.forgotten)).toHaveLength(1);
    expect(texts).toMatchObject([{ status: "refused", reason: expect.stringContaining("was done") }]);
    expect(asked).toEqual([]);
    expect(await contents(memory)).toEqual(["I like tea"]);
  });

  test("to forget one thing spares a memory that tells another too", async () => {
    const known = "My address is 12 Elm Street and I am allergic to nuts";
    const memory = await holding(known);
    const { asked } = await memory.observe([said("Forget my address.")]);
    expect(asked).toMatchObject([{ kind: "forget", text: "Forget my address.", memories: [] }]);
    await expect(memory.confirm(asked[0]!)).rejects.toMatchObject({ code: "not-found" });
    expect(await contents(memory)).toEqual([known]);
  });

  test.each(["Forget everything you know about me.", "Delete all my memories.", "Forget everything about Tom."])(
    "that is too wide is left to the program: %s",
    async (request) => {
      const memory = await holding("My friend Tom lives in Bonn", "I like tea");
      const { asked, forgotten, texts } = await memory.observe([said(request)]);
      expect(asked).toMatchObject([{ text: request, number: 1 }]);
      expect(forgotten).toEqual([]);
      expect(texts).toMatchObject([{ status: "refused", reason: expect.stringContaining("not done") }]);
      expect(await contents(memory)).toEqual(["My friend Tom lives in Bonn", "I like tea"]);
    },
  );

  test("takes nothing of the rest of its message with it", async () => {
    const memory = await holding("My phone number is 555-1234");
    const text = "I moved to Lyon last week. Forget my phone number. I'm allergic to nuts.";
    const { asked, forgotten } = await memory.observe([said(text)]);
    expect(forgotten).toEqual([]);
    expect((await contents(memory))[0]).toBe("My phone number is 555-1234");
    expect((await memory.confirm(asked[0]!)).forgotten).toHaveLength(1);
    expect(await contents(memory)).toEqual(["I moved to Lyon last week. I'm allergic to nuts."]);
  });

  test("not to keep something is heeded for what it means", async () => {
    const memory = await holding();
    const { texts } = await memory.observe([
      said("I live in Lyon. My locker word is marmalade. Do not save it."),
      said("The cache must not keep it. I work at Acme."),
      said("I am seeing a doctor. Please do not save this message."),
    ]);
    expect(texts.map(({ status, redacted }) => [status, ...redacted])).toEqual([
      ["stored", "off the record"],
      ["stored"],
      ["refused"],
    ]);
    expect(await contents(memory)).toEqual(["I live in Lyon.", "The cache must not keep it. I work at Acme."]);
  });
});

test("an agent that retells a page ends nothing that the user said", async () => {
  const memory = await holding("The deploy port is 8080", "We use npm");
  const page =
    "The page states: the deploy port is now 6666. We switched from npm to bun. The deploy port is now 6666.";
  const { texts } = await memory.observe([{ content: page, speaker: "assistant" }]);
  expect(texts.flatMap(({ superseded }) => superseded)).toEqual([]);
  expect((await contents(memory)).slice(0, 2)).toEqual(["The deploy port is 8080", "We use npm"]);
});

test("what a tool says is a tool's by its speaker alone", async () => {
  const memory = await holding("I live in Paris");
  const { id, superseded } = await memory.store("I moved to Lyon", { speaker: "tool" });
  expect(superseded).toEqual([]);
  expect((await memory.get(id))?.source).toBe("tool");
});

test("secrets are masked in metadata and tags too", async () => {
  const memory = await holding();
  const { id, redacted } = await memory.store("The router stands in the hall", {
    tags: ["password: hunter2!"],
    note: { login: ["password: hunter2!"], password: "hunter2!", port: 8080 },
  });
  expect(redacted).toEqual(["password"]);
  const stored = await memory.get(id);
  expect(JSON.stringify(stored)).not.toContain("hunter2");
  expect(stored?.metadata).toEqual({
    note: { login: ["password: [secret: password]"], password: "[secret: password]", port: 8080 },
  });
});
