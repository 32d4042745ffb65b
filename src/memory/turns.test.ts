import { describe, expect, it } from "vitest";
import { VarveError } from "../errors.js";
import { openStore } from "../store/open-store.js";
import { gatherInTurn, inTurn } from "./turns.js";

const { memories } = await openStore("memory", { warn: () => undefined });
const target = { memories: memories!, scope: "ann" };
const host = {};

/** Work that notes what it was given, and refuses what is odd. */
function noting(retryable = false) {
  const given: (readonly number[])[] = [];
  const work = async (items: readonly number[]): Promise<readonly string[]> => {
    given.push(items);
    await new Promise((done) => setImmediate(done));
    if (items.some((item) => item % 2 === 1))
      throw new VarveError({ code: "store-failed", message: `Odd: ${items.join(" ")}`, retryable });
    return items.map((item) => `result ${item}`);
  };
  const gather = (items: readonly number[], label = "") => gatherInTurn(target, { items, host, label, most: 4, work });
  return { given, gather };
}

describe("changes of one scope", () => {
  it("are made one after the other, in the order of the calls", async () => {
    const seen: string[] = [];
    const work = (name: string, fails = false) =>
      inTurn(target, async () => {
        seen.push(`${name} begins`);
        await new Promise((done) => setImmediate(done));
        seen.push(`${name} ends`);
        if (fails) throw new Error(name);
      });
    const outcomes = await Promise.allSettled([work("a", true), work("b")]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("are made as one where they wait next to each other and are alike, up to a size", async () => {
    const { given, gather } = noting();
    const before = inTurn(target, async () => undefined);
    const results = [gather([2]), gather([4, 6]), gather([8, 10]), gather([12], "other")];
    const between = inTurn(target, async () => given.length);
    const after = gather([14]);
    await before;
    expect(await Promise.all(results)).toEqual([
      ["result 2"],
      ["result 4", "result 6"],
      ["result 8", "result 10"],
      ["result 12"],
    ]);
    expect(await between).toBe(3);
    await after;
    expect(given).toEqual([[2, 4, 6], [8, 10], [12], [14]]);
  });

  it("do not fail for one another", async () => {
    const { gather } = noting();
    const outcomes = await Promise.allSettled([gather([2]), gather([3]), gather([4])]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("fail together where the store is out of reach for all", async () => {
    const { given, gather } = noting(true);
    const outcomes = await Promise.allSettled([gather([2]), gather([3])]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(given).toEqual([[2, 3]]);
  });
});
