import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entry, entryOf } from "../message/entry.js";
import { packMessage } from "../message/packed-message.js";
import { branchOf, commonLength, entriesBehind, positionOf } from "./branch.js";

/** Entries whose parents are given by sequence. */
const tree = (parents: readonly number[]): Entry[] =>
  parents.map((after, at) =>
    entryOf(packMessage({ role: "user", content: `${at}` }, at), at, { first: at, after, time: 0 }),
  );
const parents = fc
  .array(fc.nat(), { minLength: 1, maxLength: 30 })
  .map((picks) => picks.map((pick, at) => (pick % (at + 1)) - 1));
const sequences = (entries: readonly Entry[]) => entries.map(({ sequence }) => sequence);

describe("branches", () => {
  it("lead from the start to their head through parents alone", () => {
    const all = tree([-1, 0, 1, 0, 3, 1]);
    expect(sequences(branchOf(all, 2))).toEqual([0, 1, 2]);
    expect(sequences(branchOf(all, 4))).toEqual([0, 3, 4]);
    expect(sequences(branchOf(all, 5))).toEqual([0, 1, 5]);
    expect(branchOf(all, -1)).toEqual([]);
  });

  it("find their entries by id, part where they part, and go on from one head to another", () => {
    fc.assert(
      fc.property(parents, fc.nat(), fc.nat(), (given, one, other) => {
        const all = tree(given);
        const [first, second] = [branchOf(all, one % all.length), branchOf(all, other % all.length)];
        for (const entry of all) expect(positionOf(first, entry.id)).toBe(sequences(first).indexOf(entry.sequence));
        const shared = commonLength(first, second);
        expect(sequences(first).slice(0, shared)).toEqual(sequences(second).slice(0, shared));
        if (shared < Math.min(first.length, second.length)) expect(first[shared]).not.toBe(second[shared]);
        const behind = entriesBehind(all, first.at(-1)!.sequence, second.at(-1)!.sequence);
        expect(behind && sequences(behind)).toEqual(
          shared === first.length ? sequences(second).slice(shared) : undefined,
        );
      }),
    );
    expect(positionOf(tree([-1]), "nonsense")).toBe(-1);
  });
});
