import { describe, expect, it } from "vitest";
import { calls, result, says, user, words } from "../../../test/support/build.js";
import { blocksIn, remembering } from "../../../test/support/remembering.js";
import type { Message } from "../../message/types.js";
import { memoryStore } from "../../store/drivers/memory.js";
import { PROVIDERS, violations } from "../../wire/legality/violations.js";
import type { Session } from "../session.js";

const scope = { user: "ann" };
const options = { window: 8_000, memory: { scope, learn: false, limit: 2 } };

async function withBeds(store = memoryStore()) {
  const varve = await remembering({ store: { ...store, close: async () => {} } });
  const memory = varve.memory({ scope });
  for (let bed = 0; bed < 8; bed++)
    await memory.store(`Garden bed ${bed} grows roses of sort ${bed}`, { id: `m${bed}` });
  return { varve, memory, store };
}

const question = (bed: number): Message => user(`What grows in garden bed ${bed}?`);

async function turn(session: Session, bed: number): Promise<readonly Message[]> {
  await session.append(question(bed));
  const { messages } = await session.view();
  await session.append([calls(`c${bed}`), result(`c${bed}`, words(30)), says(`That is bed ${bed}, see above.`)]);
  return messages;
}

describe("the memories of earlier turns", () => {
  it("stay where they were: each view begins with the one before, over turns and calls", async () => {
    const { varve } = await withBeds();
    const session = await varve.session("s", options);
    let before: readonly Message[] = [];
    for (let bed = 0; bed < 6; bed++) {
      const messages = await turn(session, bed);
      expect(messages.slice(0, before.length)).toEqual(before);
      for (const provider of PROVIDERS) expect(violations(messages, provider)).toEqual([]);
      before = messages;
    }
    expect(blocksIn(before).length).toBeGreaterThan(2);
  });

  it("are not said again while a view shows them, and are once a cut has moved past them", async () => {
    const { varve } = await withBeds();
    const session = await varve.session("s", { ...options, window: 900, memory: { ...options.memory, share: 0.3 } });
    for (let round = 0; round < 12; round++) {
      await session.append(user(`Round ${round}: what grows in garden bed 3?`));
      const view = await session.view();
      const ids = view.blocks.flatMap(({ recalled }) => recalled?.ids ?? []);
      expect(ids.filter((id) => id === "m3")).toEqual(["m3"]);
      expect(view.tokens).toBeLessThanOrEqual(view.budget.usable);
      await session.append(says(words(40)));
    }
    expect(session.receipts().length).toBeGreaterThan(0);
  });

  it("come back within a turn when a cut takes away where they stood", async () => {
    const { varve } = await withBeds();
    const session = await varve.session("s", { ...options, window: 900, memory: { ...options.memory, share: 0.3 } });
    await turn(session, 3);
    await session.append(user("Tell me more of garden bed 3 and what grows there"));
    for (let step = 0; step < 12; step++) {
      const view = await session.view();
      expect(
        blocksIn(view.messages)
          .join("\n")
          .match(/id="m3"/g),
      ).toHaveLength(1);
      await session.append([calls(`s${step}`), result(`s${step}`, words(60))]);
    }
    expect(session.receipts().length).toBeGreaterThan(0);
  });

  it("are the same in another process, byte for byte", async () => {
    const { varve, store } = await withBeds();
    const session = await varve.session("s", options);
    for (let bed = 0; bed < 4; bed++) await turn(session, bed);
    await session.append(question(5));
    const { messages } = await session.view();
    await session.close();
    const other = await (await remembering({ store })).session("s");
    expect(JSON.stringify((await other.view()).messages)).toBe(JSON.stringify(messages));
  });

  it("are gone at once where they were forgotten, changed or hold no longer", async () => {
    const { varve, memory } = await withBeds();
    const session = await varve.session("s", options);
    await memory.store("I work at Acme", { id: "job", at: "2025-01-01" });
    await session.append([user("Where do I work at?")]);
    expect(blocksIn((await session.view()).messages)[0]).toContain("Acme");
    await session.append(says("Let me see about that first."));
    await turn(session, 1);
    await memory.store("I now work at Globex", { at: "2025-02-01" });
    expect(blocksIn((await session.view()).messages).join()).not.toContain("Acme");
    await memory.update("m1", "Garden bed 1 grows tulips");
    const changed = blocksIn((await session.view()).messages).join();
    expect(changed).toContain("tulips");
    expect(changed).not.toContain("roses of sort 1<");
    await memory.forget("m1");
    expect(blocksIn((await session.view()).messages).join()).not.toContain("tulips");
  });

  it("give way all at once where they would take more than their share", async () => {
    const { varve } = await withBeds();
    const share = 0.1;
    const session = await varve.session("s", { ...options, window: 1_500, memory: { ...options.memory, share } });
    let most = 0;
    for (let bed = 0; bed < 8; bed++) {
      await session.append(question(bed));
      const { blocks, budget, messages } = await session.view();
      const { tokens = 0 } = blocks.find(({ name }) => name === "memory")?.recalled ?? {};
      expect(tokens).toBeLessThanOrEqual(share * budget.usable);
      expect(blocksIn(messages).at(-1)).toContain(`id="m${bed}"`);
      most = Math.max(most, blocksIn(messages).length);
      await session.append(says("I see."));
    }
    expect(most).toBeLessThan(8);
  });
});
