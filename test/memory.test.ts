import { describe, expect, test } from "vitest";
import { openVarve, type ScopedMemory, type Varve, type VarveOptions } from "../src/index.js";

const NOW = Date.parse("2026-11-15T10:00:00Z");
const DAY = 86_400_000;

async function open(
  options: VarveOptions = {},
): Promise<{ varve: Varve; memory: ScopedMemory; clock: { now: number } }> {
  const clock = { now: NOW };
  const varve = await openVarve({ store: "memory", now: () => clock.now, ...options });
  return { varve, memory: varve.memory({ scope: { user: "ann" } }), clock };
}

const contents = (found: readonly { readonly content: string }[]): string[] => found.map(({ content }) => content);

describe("retrieving", () => {
  test("finds by words, by meaning, and says why", async () => {
    const { memory } = await open();
    await memory.store("The staging database listens on port 5433");
    await memory.store("Ann's puppy is called Rex");
    await memory.store("The tax return is due in May");
    const [dog] = await memory.retrieve("What is the name of the dog?");
    expect(dog!.content).toContain("Rex");
    expect(dog!.evidence.words).toBe(0);
    expect(dog!.evidence.meaning).toBe(1);
    const [port] = await memory.retrieve("staging port");
    expect(port!.content).toContain("5433");
    expect(port!.evidence.words).toBe(1);
    expect(port!.similarity).toBeGreaterThan(0.3);
  });

  test("the answer is found through the message beside it", async () => {
    const { memory } = await open();
    const filler = Array.from({ length: 40 }, (_, n) => ({ content: `Shall we look at slide ${n}?`, speaker: "user" }));
    const said = [
      { content: "Which hotel did the Lisbon offsite use?", speaker: "user" },
      { content: "The Avenida Palace.", speaker: "assistant" },
    ];
    await memory.storeMany([...filler, ...said, ...filler]);
    const found = await memory.retrieve("hotel of the Lisbon offsite", { limit: 3 });
    expect(contents(found)).toContain("The Avenida Palace.");
    const answer = found.find(({ content }) => content.startsWith("The Avenida"))!;
    expect(answer.evidence.neighbours).toBeGreaterThan(0);
  });

  test("a question about a time prefers what was said then", async () => {
    const { memory } = await open();
    for (const [day, place] of [
      ["2026-05-20", "Rome"],
      ["2026-09-01", "Oslo"],
      ["2025-01-03", "Bern"],
    ]) {
      await memory.store(`We had dinner in ${place}`, { at: `${day}T20:00:00Z` });
    }
    expect((await memory.retrieve("Where did we have dinner last May?"))[0]!.content).toContain("Rome");
    expect((await memory.retrieve("Where did we have dinner in 2025?"))[0]!.content).toContain("Bern");
  });

  test("a question about the time before an event finds the event first", async () => {
    const { memory } = await open();
    await memory.store("We ate at Chez Paul", { at: "2026-02-01" });
    await memory.store("The move to Lyon is done, all boxes are unpacked", { at: "2026-06-01" });
    await memory.store("We ate at Bocuse", { at: "2026-08-01" });
    expect((await memory.retrieve("Where did we eat before the move to Lyon?", { limit: 2 }))[0]!.content).toContain(
      "Paul",
    );
    expect(
      (await memory.retrieve("Where did we eat after the move to Lyon?", { limit: 2 })).at(0)!.content,
    ).not.toContain("Paul");
  });

  test("a budget of tokens instead of a number", async () => {
    const { memory } = await open();
    await memory.storeMany(
      Array.from({ length: 30 }, (_, n) => ({ content: `Ann's note number ${n} about the garden and its ${n} trees` })),
    );
    const found = await memory.retrieve("garden trees", { maxTokens: 200 });
    expect(found.length).toBeGreaterThan(1);
    expect(found.length).toBeLessThan(10);
  });

  test("a threshold of similarity leaves out what has little to do with the question", async () => {
    const { memory } = await open();
    await memory.store("Ann's puppy is called Rex");
    await memory.store("The tax return is due");
    expect(await memory.retrieve("dog", { similarityThreshold: 0.35 })).toHaveLength(1);
    expect(await memory.retrieve("dog", { similarityThreshold: 1 })).toHaveLength(0);
  });

  test("filters hold together", async () => {
    const { memory } = await open();
    await memory.store("Prefers tea", { tags: ["taste"], speaker: "user", at: "2026-01-05", colour: "green" });
    await memory.store("Prefers coffee", { tags: ["taste", "work"], speaker: "bob", at: "2026-02-05" });
    const ask = async (where: object) => contents(await memory.retrieve("prefers", { where }));
    expect(await ask({ tags: ["work"] })).toEqual(["Prefers coffee"]);
    expect(await ask({ speaker: "user" })).toEqual(["Prefers tea"]);
    expect(await ask({ metadata: { colour: "green" } })).toEqual(["Prefers tea"]);
    expect(await ask({ from: "2026-02-01" })).toEqual(["Prefers coffee"]);
    expect(await ask({ to: "2026-02-01", tags: ["work"] })).toEqual([]);
  });

  test("a filter finds the one that it means among many that are more like the question", async () => {
    const { memory } = await open();
    const many = Array.from({ length: 2_000 }, (_, n) => ({ content: `Note ${n} about the garden` }));
    await memory.storeMany([...many, { content: "One more about the garden", rarity: "rare" }]);
    const found = await memory.retrieve("note about the garden", { where: { metadata: { rarity: "rare" } }, limit: 1 });
    expect(contents(found)).toEqual(["One more about the garden"]);
    expect(await memory.retrieve("note about the garden", { limit: 1_000 })).toHaveLength(1_000);
  });

  test("a question in the past tense alone gets the present value first", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { at: "2024-01-01" });
    await memory.store("I moved to Lyon", { at: "2026-03-01" });
    expect(contents(await memory.retrieve("What was my home city again?"))[0]).toBe("I moved to Lyon");
  });

  test("a long text is found by any of its passages, once", async () => {
    const { memory } = await open();
    const filler = "The meeting went on about budgets and plans for the next quarter. ".repeat(30);
    const { id } = await memory.store(`${filler}The door code is 4711. ${filler}`);
    await memory.store("Budgets are tight");
    const found = await memory.retrieve("door code");
    expect(found[0]!.id).toBe(id);
    expect(found.filter((one) => one.id === id)).toHaveLength(1);
  });

  test("nothing stored, nothing found; only stop words, found by meaning", async () => {
    const { memory } = await open();
    expect(await memory.retrieve("anything")).toEqual([]);
    await memory.store("To be or not to be");
    expect(contents(await memory.retrieve("to be or not to be"))).toEqual(["To be or not to be"]);
  });

  test.each([
    ["limit", { limit: 0 }],
    ["maxTokens", { maxTokens: 0.5 }],
    ["similarityThreshold", { similarityThreshold: 2 }],
    ["asOf", { asOf: "soon" }],
    ["where.from", { where: { from: "then" } }],
  ])("a wrong %s is refused by its name", async (option, options) => {
    const { memory } = await open();
    await expect(memory.retrieve("x", options as object)).rejects.toMatchObject({
      code: "invalid-option",
      details: { option },
    });
  });
});

describe("what holds now and what held then", () => {
  test("a new value closes the old one; each answers for its time", async () => {
    const { memory } = await open();
    const paris = await memory.store("I live in Paris", { at: "2024-01-01" });
    const lyon = await memory.store("I moved to Lyon", { at: "2026-03-01" });
    expect(lyon.superseded).toEqual([{ id: paris.id, slot: "user/home city", value: "Paris" }]);
    expect(contents(await memory.retrieve("Where do I live?"))).toEqual(["I moved to Lyon"]);
    expect(contents(await memory.retrieve("Where do I live?", { asOf: "2025-01-01" }))).toEqual(["I live in Paris"]);
    expect(contents(await memory.retrieve("Where did I live in 2024?"))).toContain("I live in Paris");
    expect((await memory.get(paris.id))!.validUntil).toBe("2026-03-01T00:00:00.000Z");
  });

  test("an old statement that arrives late does not replace the newer one", async () => {
    const { memory } = await open();
    await memory.store("I moved to Lyon", { at: "2026-03-01" });
    await memory.store("I live in Paris", { at: "2024-01-01" });
    expect(contents(await memory.retrieve("Where do I live?"))).toEqual(["I moved to Lyon"]);
  });

  test("an update keeps the id, the past and the history", async () => {
    const { memory, clock } = await open();
    const { id } = await memory.store("The deploy port is 8080", { tags: ["ops"], team: "core" });
    clock.now = NOW + 10 * DAY;
    await memory.update(id, "The deploy port is 9090");
    expect((await memory.get(id))!.content).toBe("The deploy port is 9090");
    expect((await memory.get(id))!.metadata).toEqual({ team: "core" });
    expect((await memory.get(id))!.scope.tags).toEqual(["ops"]);
    expect(contents(await memory.retrieve("deploy port"))).toEqual(["The deploy port is 9090"]);
    expect(contents(await memory.retrieve("deploy port", { asOf: NOW + DAY }))).toEqual(["The deploy port is 8080"]);
    expect(contents(await memory.history(id))).toEqual(["The deploy port is 8080", "The deploy port is 9090"]);
    await expect(memory.update("nobody", "x")).rejects.toMatchObject({ code: "not-found" });
  });

  test("what was said of several speakers is kept apart", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { speaker: "Ann", at: "2024-01-01" });
    await memory.store("I live in Rome", { speaker: "Ben", at: "2025-01-01" });
    expect(contents(await memory.retrieve("Where does Ann live?"))).toContain("I live in Paris");
  });
});

describe("storing", () => {
  test("equal and nearly equal notes are one; numbers, names and negations that differ are two", async () => {
    const { memory } = await open();
    const first = await memory.store("Ann likes green tea");
    expect(await memory.store("ann likes  green tea.")).toMatchObject({ id: first.id, status: "merged" });
    expect(await memory.store("Ann likes the green tea")).toMatchObject({ id: first.id, status: "merged" });
    expect(await memory.store("Ann does not like green tea")).toMatchObject({ status: "stored" });
    await memory.store("Use port 8080 for it");
    expect(await memory.store("Use port 8081 for it")).toMatchObject({ status: "stored" });
    expect((await memory.get(first.id))!.times).toBe(3);
  });

  test("in a conversation what was said twice was said twice", async () => {
    const { memory } = await open();
    await memory.storeMany([
      { content: "Thank you", speaker: "user" },
      { content: "Thank you", speaker: "user" },
    ]);
    expect((await memory.list()).memories).toHaveLength(2);
  });

  test("an id of one's own is stored once, and belongs to its scope", async () => {
    const { varve, memory } = await open();
    await memory.store("first", { id: "1" });
    await memory.store("second", { id: "1" });
    const other = varve.memory({ scope: { user: "ben" } });
    await other.store("of ben", { id: "1" });
    expect((await memory.get("1"))!.content).toBe("second");
    expect((await other.get("1"))!.content).toBe("of ben");
    expect((await memory.list()).memories).toHaveLength(1);
  });

  test("secrets are masked unless allowed", async () => {
    const { varve, memory } = await open();
    const key = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
    const receipt = await memory.store(`The deploy key is ${key}`);
    expect(receipt.redacted).not.toEqual([]);
    expect((await memory.get(receipt.id))!.content).not.toContain(key);
    const trusting = varve.memory({ scope: { user: "vault" }, allowSecrets: true });
    const kept = await trusting.store(`The deploy key is ${key}`);
    expect((await trusting.get(kept.id))!.content).toContain(key);
  });

  test("what its author wants not kept is refused", async () => {
    const { memory } = await open();
    const receipt = await memory.store("My salary is 1234. Do not save this.");
    expect(receipt.status).toBe("refused");
    expect((await memory.list()).memories).toEqual([]);
  });

  test.each([
    ["content", ""],
    ["content", 7],
    ["content", "  \n"],
  ])("a wrong %s (%j) is refused", async (option, content) => {
    const { memory } = await open();
    await expect(memory.store(content as string)).rejects.toMatchObject({
      code: "invalid-option",
      details: { option },
    });
  });

  test("an embedder that fails loses no text", async () => {
    const warnings: string[] = [];
    const broken = { name: "broken", dimensions: 4, embed: () => Promise.reject(new Error("down")) };
    const { memory } = await open({ embedder: broken, onWarning: ({ code }) => warnings.push(code) });
    await memory.store("Ann likes tea");
    expect(warnings).toEqual(["embedding-failed"]);
    expect((await memory.list()).memories).toHaveLength(1);
    expect(contents(await memory.retrieve("tea"))).toEqual(["Ann likes tea"]);
    expect(warnings).toEqual(["embedding-failed", "embedding-failed"]);
  });

  test.each([
    ["no list", async () => undefined],
    ["too few", async () => []],
    ["another size", async (texts: readonly string[]) => texts.map(() => new Float32Array(3).fill(0.5))],
    ["no numbers", async (texts: readonly string[]) => texts.map(() => new Float32Array(4).fill(Number.NaN))],
  ])("an embedder that gives %s loses no text", async (_, embed) => {
    const warnings: string[] = [];
    const embedder = { name: "odd", dimensions: 4, embed } as unknown as NonNullable<VarveOptions["embedder"]>;
    const { memory } = await open({ embedder, onWarning: ({ code }) => warnings.push(code) });
    await memory.store("Ann likes tea");
    expect(warnings).toEqual(["embedding-failed"]);
    expect((await memory.list()).memories).toHaveLength(1);
  });

  test("the same text under the same id is stored once, however often it is sent", async () => {
    const { memory } = await open();
    const text = { content: "Ann likes tea", id: "1", at: "2026-01-01" };
    await memory.storeMany([text, text]);
    await memory.storeMany([text]);
    expect((await memory.get("1"))!.times).toBe(1);
  });
});

describe("moving", () => {
  test("an export taken in elsewhere answers the same, validity and versions included", async () => {
    const { memory } = await open();
    await memory.store("I live in Paris", { at: "2024-01-01" });
    await memory.store("I moved to Lyon", { at: "2026-03-01" });
    const { id } = await memory.store("The port is 1", { id: "port" });
    await memory.update(id, "The port is 2");
    const lines: string[] = [];
    for await (const line of memory.export()) lines.push(line);
    const { memory: copy } = await open();
    expect(await copy.import(lines, { trusted: true })).toEqual({ imported: 4 });
    for (const question of ["Where do I live?", "Where did I live in 2024?", "port"]) {
      const [one, other] = [await memory.retrieve(question), await copy.retrieve(question)];
      expect(other.map(({ id, content, score }) => ({ id, content, score }))).toEqual(
        one.map(({ id, content, score }) => ({ id, content, score })),
      );
    }
    expect(contents(await copy.history("port"))).toEqual(["The port is 1", "The port is 2"]);
  });

  test("whose they are the importer says, and sources are not believed unless trusted", async () => {
    const { varve, memory } = await open();
    await memory.store("Ann likes tea");
    const lines: string[] = [];
    for await (const line of memory.export()) lines.push(line);
    const ben = varve.memory({ scope: { user: "ben" } });
    await ben.import(lines);
    const [found] = (await ben.list()).memories;
    expect(found!.scope).toEqual({ user: "ben" });
    expect(found!.source).toBe("import");
    expect((await memory.list()).memories).toHaveLength(1);
  });

  test.each([["nonsense"], ['{"varve":"memories","version":99}'], ["[]"]])(
    "%s is refused with its line",
    async (line) => {
      const { memory } = await open();
      await expect(memory.import([line])).rejects.toMatchObject({ code: "invalid-document", details: { line: 1 } });
    },
  );
});

describe("what the user asks of the memory itself", () => {
  test("is done: what is to be forgotten goes, and the request with it", async () => {
    const { memory } = await open();
    await memory.observe([
      { content: "My old address is 12 Rue Bleue in Paris", speaker: "user" },
      { content: "My sister lives in Rome", speaker: "user" },
    ]);
    const { forgotten, texts } = await memory.observe([
      { content: "Please forget my old address 12 Rue Bleue in Paris.", speaker: "user" },
      { content: "I have removed it.", speaker: "assistant" },
    ]);
    expect(forgotten).toHaveLength(1);
    expect(texts.map(({ status }) => status)).toEqual(["refused", "stored"]);
    expect(contents(await memory.retrieve("Rue Bleue", { superseded: true }))).not.toContain(
      expect.stringContaining("Bleue"),
    );
    expect(contents((await memory.list()).memories)).toEqual(["My sister lives in Rome", "I have removed it."]);
  });

  test("a loose word about forgetting removes nothing", async () => {
    const { memory } = await open();
    await memory.store("The budget meeting is on Friday with Ann, Ben and the auditors from Lyon");
    await memory.observe([{ content: "Forget it, let's go on.", speaker: "user" }]);
    await memory.observe([{ content: "Forget about lunch with the team.", speaker: "user" }]);
    expect(contents((await memory.list()).memories)).toContain(
      "The budget meeting is on Friday with Ann, Ben and the auditors from Lyon",
    );
  });

  test("an agent or a tool cannot ask for it", async () => {
    const { memory } = await open();
    await memory.store("The meeting room is 4711");
    await memory.observe([
      { content: "Forget the meeting room 4711.", speaker: "assistant" },
      { content: "Forget the meeting room 4711.", source: "tool" },
    ]);
    expect(contents(await memory.retrieve("meeting room"))).toContain("The meeting room is 4711");
  });

  test("what the user says to hold no longer answers for the past only", async () => {
    const { memory, clock } = await open();
    await memory.store("The travel freeze applies to all teams");
    clock.now = NOW + DAY;
    const { ended } = await memory.observe([
      { content: "The travel freeze for all teams is no longer in force.", speaker: "user" },
    ]);
    expect(ended).toHaveLength(1);
    expect(contents(await memory.retrieve("travel freeze"))).not.toContain("The travel freeze applies to all teams");
    expect(contents(await memory.retrieve("travel freeze", { asOf: NOW + 1 }))).toContain(
      "The travel freeze applies to all teams",
    );
  });
});
