import { describe, expect, it } from "vitest";
import { says, user } from "../../../test/support/build.js";
import { blocksIn, remembering } from "../../../test/support/remembering.js";
import { memoryStore } from "../../store/drivers/memory.js";

const scope = { user: "ann" };
const options = { window: 8_000, memory: { scope, learn: false } };

/** A text of many passages; what is asked for stands in the middle. */
const chapter = (about: string) =>
  Array.from({ length: 40 }, (_, at) => `In the ${about} of day ${at} nothing was to be seen but grey hills.`).join(
    " ",
  );
const LONG = `${chapter("morning")} The vault opens with the heron lever. ${chapter("evening")} The cellar holds the pelican lamp. ${chapter("night")}`;

describe("a memory that is too long for its room", () => {
  it("names the passage that matched", async () => {
    const memory = (await remembering()).memory({ scope });
    await memory.store(LONG, { speaker: "user" });
    const [best] = await memory.retrieve("What opens the vault, which lever?");
    const { start, end } = best!.passage!;
    expect(best!.content.slice(start, end)).toContain("The vault opens with the heron lever.");
    expect(end - start).toBeLessThan(900);
    expect(best!.partial).toBeUndefined();
  });

  it("has no passage where it is short", async () => {
    const memory = (await remembering()).memory({ scope });
    await memory.store("The vault opens with the heron lever.");
    expect(await memory.retrieve("Which lever opens the vault?")).toEqual([
      expect.not.objectContaining({ passage: expect.anything() }),
    ]);
  });

  it("is told by that passage where maxTokens has no room for more, and left out where it has not even that", async () => {
    const memory = (await remembering()).memory({ scope });
    const { id } = await memory.store(LONG);
    const [part] = await memory.retrieve("Which lever opens the vault?", { maxTokens: 300 });
    expect(part).toMatchObject({ id, partial: true });
    expect(part!.content).toContain("The vault opens with the heron lever.");
    expect(part!.content.length).toBeLessThan(900);
    expect(await memory.retrieve("Which lever opens the vault?", { maxTokens: 20 })).toEqual([]);
    const [whole] = await memory.retrieve("Which lever opens the vault?", { maxTokens: 100_000 });
    expect(whole!.content).toBe(LONG);
  });

  it("is found by a fact and shown by the passage that tells it", async () => {
    const memory = (await remembering()).memory({ scope });
    await memory.store(`${chapter("morning")} I work at Acme Dredging. ${chapter("evening")}`, { speaker: "user" });
    const [best] = await memory.retrieve("user employer");
    expect(best!.content.slice(best!.passage!.start, best!.passage!.end)).toContain("Acme Dredging");
  });

  it("is shown in a view around the passage that matched, and by another passage where that is asked for", async () => {
    const store = memoryStore();
    const varve = await remembering({ store: { ...store, close: async () => {} } });
    await varve.memory({ scope }).store(LONG);
    const session = await varve.session("s", options);
    await session.append(user("Which lever opens the vault?"));
    expect(blocksIn((await session.view()).messages).join()).toContain("The vault opens with the heron lever.");
    await session.append([says("I see."), user("Which lamp does the cellar hold?")]);
    const { messages } = await session.view();
    const blocks = blocksIn(messages);
    expect(blocks.map((block) => /heron|pelican/.exec(block)?.[0])).toEqual(["heron", "pelican"]);
    await session.append([says("I see."), user("Which lever opens the vault, again?")]);
    expect((await session.view()).messages.slice(0, messages.length)).toEqual(messages);
    await session.close();
    const other = await (await remembering({ store })).session("s");
    expect((await other.view()).messages.slice(0, messages.length)).toEqual(messages);
  });
});
