import { describe, expect, it } from "vitest";
import { calls, result, says, user } from "../../../test/support/build.js";
import { memoriesIn, remembering } from "../../../test/support/remembering.js";
import type { VarveError } from "../../errors.js";
import type { Message } from "../../message/types.js";
import { memoryStore } from "../../store/drivers/memory.js";
import type { Memories } from "../../store/memories/memories.js";
import type { Store } from "../../store/store.js";
import type { Varve } from "../open-varve.js";

const scope = { user: "ann" };
const options = { window: 4_000, memory: { scope } };

const learnt = async (varve: Varve) =>
  (await varve.memory({ scope }).list()).memories.map(({ id, content }) => `${id} ${content}`);

/** A store that outlives the one who closes it. */
const shared = (store: Store): Store => ({ ...store, close: async () => {} });

describe("a complete turn", () => {
  it("becomes memories: what user and agent said, with speaker, time and where it came from", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    const [asked, answered] = await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
    await session.flush();
    expect((await varve.memory({ scope }).list()).memories).toMatchObject([
      {
        id: "s:0",
        content: "I moved to Lyon in May",
        speaker: "user",
        source: "user",
        thread: "s",
        at: new Date(asked!.time).toISOString(),
        entries: [{ session: "s", sequence: 0 }],
      },
      { id: "s:1", speaker: "assistant", source: "agent", at: new Date(answered!.time).toISOString() },
    ]);
  });

  it("is waited for: nothing is stored while a call is open", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("Please read the configuration file"), calls("a")]);
    await session.flush();
    expect(await learnt(varve)).toEqual([]);
    await session.append([result("a", "port: 8443"), says("The port is 8443.")]);
    await session.flush();
    expect(await learnt(varve)).toEqual(["s:0 Please read the configuration file", "s:3 The port is 8443."]);
  });

  it("tells nothing where learning is off, or where there is nothing but acknowledgements", async () => {
    const varve = await remembering();
    const quiet = await varve.session("quiet", { window: 4_000, memory: { scope, learn: false } });
    await quiet.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
    const polite = await varve.session("polite", options);
    await polite.append([user("thanks"), says("ok"), user("!!"), says("Done.")]);
    await Promise.all([quiet.flush(), polite.flush()]);
    expect(await learnt(varve)).toEqual([]);
  });

  it("is learnt from once, though the options were set and the session opened many times", async () => {
    const store = memoryStore();
    for (let time = 0; time < 3; time++) {
      const varve = await remembering({ store: shared(store) });
      const session = await varve.session("s", options);
      if (time === 0) await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
      await varve.close();
    }
    const varve = await remembering({ store });
    expect((await varve.memory({ scope }).list()).memories.map(({ times }) => times)).toEqual([1, 1]);
  });

  it("can be learnt from at once", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
    expect((await session.learn()) + (await session.learn())).toBeLessThanOrEqual(2);
    expect(await learnt(varve)).toHaveLength(2);
  });

  it("of a session that took the place of a deleted one is another one's", async () => {
    const varve = await remembering();
    for (const city of ["Lyon", "Oslo"]) {
      const session = await varve.session("s", options);
      await session.append([user(`My brother visited ${city} in May`), says("That is nice to hear.")]);
      await session.flush();
      await varve.delete("s");
    }
    const contents = (await learnt(varve)).join("\n");
    expect(contents).toContain("Lyon");
    expect(contents).toContain("Oslo");
  });
});

describe("a process that died", () => {
  it("before it had learnt, after it had learnt, or in between: the next one completes it and doubles nothing", async () => {
    for (const dead of [["find"], ["write"], []]) {
      const store = memoryStore();
      const failing = Object.fromEntries(dead.map((method) => [method, () => Promise.reject(new Error("killed"))]));
      const memories = { ...store.memories!, ...failing };
      const first = await remembering({ store: { ...store, memories }, onWarning: () => undefined });
      const session = await first.session("s", options);
      await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
      await session.learn().catch(() => undefined);
      // What the first process had in mind and did not write, its mark above all, is gone with it.
      const second = await remembering({ store });
      await (await second.session("s")).flush();
      const { memories: found } = await second.memory({ scope }).list();
      expect(found.map(({ id, times }) => [id, times])).toEqual([
        ["s:0", 1],
        ["s:1", 1],
      ]);
    }
  });

  it("leaves what was changed since as it was changed", async () => {
    const store = memoryStore();
    const first = await remembering({ store });
    const session = await first.session("s", options);
    await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
    await session.learn();
    const second = await remembering({ store });
    await second.memory({ scope }).update("s:0", "I moved to Oslo in May");
    await (await second.session("s")).flush();
    expect(await learnt(second)).toContain("s:0 I moved to Oslo in May");
  });
});

describe("never stored", () => {
  it("is what was recalled: a hallucination that comes back again and again is stored once (mem0#4573)", async () => {
    const varve = await remembering();
    const claim = "The user lives in a yellow submarine.";
    for (let turn = 0; turn < 30; turn++) {
      const session = await varve.session(`s${turn}`, options);
      await session.append(user(`Where does the user live, asked ${turn} times?`));
      const { messages } = await session.view();
      expect(memoriesIn(messages)?.includes(claim) ?? false).toBe(turn > 0);
      await session.append(says(turn % 2 === 0 ? claim : `the user lives in a yellow submarine`));
      await session.close();
    }
    const claims = (await learnt(varve)).filter((each) => each.toLowerCase().includes("submarine"));
    expect(claims).toEqual([`s0:1 ${claim}`]);
  });

  it("is an echo that the next process finds after a crash either", async () => {
    const store = memoryStore();
    let isDying = false;
    const write: Memories["write"] = (change) =>
      isDying ? new Promise(() => undefined) : store.memories!.write(change);
    const first = await remembering({ store: { ...store, memories: { ...store.memories!, write } } });
    await first.memory({ scope }).store("The user lives in a yellow submarine.", { id: "m" });
    const session = await first.session("s", options);
    await session.append(user("Where does the user live?"));
    await session.view();
    isDying = true;
    await session.append(says("The user lives in a yellow submarine."));
    const second = await remembering({ store });
    await (await second.session("s")).flush();
    expect(await learnt(second)).toEqual(["m The user lives in a yellow submarine.", "s:0 Where does the user live?"]);
  });

  it("are memories that an application copied from a view into the log", async () => {
    const varve = await remembering();
    await varve.memory({ scope }).store("The staging database is called heron", { id: "m" });
    const session = await varve.session("s", options);
    await session.append(user("What is the staging database called?"));
    const { messages } = await session.view({ context: "The staging database is called stork" });
    const copied = await varve.session("copy", options);
    await copied.append([...messages, says("I shall look that up.")]);
    await copied.flush();
    expect(await learnt(varve)).toEqual([
      "m The staging database is called heron",
      expect.stringMatching(/^copy:\d What is the staging database called\?$/),
      expect.stringMatching(/^copy:\d I shall look that up\.$/),
    ]);
  });

  it("are results of tools unless asked for, and those of varve's own tools never", async () => {
    const named = (toolName: string, value: string): Message[] => [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: toolName, toolName, input: {} }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: toolName, toolName: "", output: { type: "text", value } }],
      },
    ];
    const turn = [
      user("Look everything up, please"),
      ...named("context_search", "Found: the heron nests in Lyon"),
      ...named("weather", "Rain in Lyon all day"),
      says("Found: the heron nests in Lyon"),
    ];
    for (const tools of [false, true]) {
      const varve = await remembering();
      const session = await varve.session("s", { window: 4_000, memory: { scope, tools } });
      await session.append(turn);
      await session.flush();
      const { memories } = await varve.memory({ scope }).list();
      expect(memories.map(({ content, source }) => `${source}: ${content}`)).toEqual([
        "user: Look everything up, please",
        ...(tools ? ["tool: Rain in Lyon all day"] : []),
      ]);
    }
  });
});

describe("learning", () => {
  it("holds up neither append nor view, and a failure is a warning", async () => {
    const warnings: VarveError[] = [];
    const store = memoryStore();
    let isFailing = true;
    const memories = {
      ...store.memories!,
      find: ((...given) =>
        isFailing
          ? Promise.reject(new Error("disk on fire"))
          : store.memories!.find(...given)) satisfies Memories["find"],
    };
    const varve = await remembering({ store: { ...store, memories }, onWarning: (warning) => warnings.push(warning) });
    const session = await varve.session("s", options);
    await session.append([user("I moved to Lyon in May"), says("Noted: you live in Lyon.")]);
    await session.view();
    await session.flush();
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("could not be stored as memories"),
    ]);
    isFailing = false;
    await session.append([user("And I work at Acme"), says("Noted: Acme it is.")]);
    await session.flush();
    expect(await learnt(varve)).toHaveLength(4);
  });

  it("feeds the facts of the context document with what holds now, beside those that were noted", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    session.track({ facts: ["Project uses Rust 1.75"] });
    await session.append([user("I work at Acme."), says("Good to know, thank you.")]);
    await session.flush();
    expect(session.context().facts).toEqual(["Project uses Rust 1.75", "I work at Acme."]);
    await session.append([user("I now work at Globex."), says("Congratulations on that!")]);
    await session.flush();
    expect(session.context().facts).toEqual(["Project uses Rust 1.75", "I now work at Globex."]);
    const other = await varve.session("other", options);
    await other.flush();
    expect(other.context().facts).toEqual(["I now work at Globex."]);
  });

  it("does what the user asks of the memory itself, in the session that it learns from too", async () => {
    const varve = await remembering();
    const session = await varve.session("s", options);
    await session.append([user("My locker code word is heron flamingo"), says("I shall keep that in mind for you.")]);
    await session.flush();
    expect(await learnt(varve)).toHaveLength(2);
    await session.append([user("Please forget my locker code word heron flamingo."), says("It is gone for good.")]);
    await session.flush();
    expect(await learnt(varve)).toEqual(["s:1 I shall keep that in mind for you.", "s:3 It is gone for good."]);
    expect(session.entries()[0]!.message.content).toBe("[forgotten]");
  });
});
