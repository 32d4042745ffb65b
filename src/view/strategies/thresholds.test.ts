import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/support/runs.js";
import type { TailExchange } from "../policy.js";
import { summarization } from "./summarization.js";
import { duePolicy, type ThresholdOptions } from "./thresholds.js";

/** Turns of so many exchanges each, all of one entry and ten tokens. */
const tail = (...turns: number[]): TailExchange[] =>
  turns
    .flatMap((exchanges, turn) => Array.from({ length: exchanges }, () => turn))
    .map((turn, at) => ({ at, turn, entries: 1, tokens: 10 }));
const pairs = (count: number): TailExchange[] => tail(...Array.from({ length: count }, () => 2));
const due = (given: readonly TailExchange[], options: ThresholdOptions) => duePolicy(options).due?.(given);

describe("a tail is due", () => {
  it("once it exceeds ten turns: the earliest five go", () => {
    expect(due(pairs(10), { after: { turns: 10 } })).toBeUndefined();
    expect(due(pairs(11), { after: { turns: 10 } })).toBe(10);
    expect(due(pairs(11), { threshold: 10 })).toBe(10);
  });

  it("once it exceeds its entries, or its tokens: half of them stay", () => {
    expect(due(pairs(10), { after: { entries: 20 } })).toBeUndefined();
    expect(due(pairs(11), { after: { entries: 20 } })).toBe(12);
    expect(due(pairs(10), { after: { tokens: 200 } })).toBeUndefined();
    expect(due(pairs(11), { after: { tokens: 200 } })).toBe(12);
  });

  it("within one long turn too", () => {
    expect(due(tail(30), { after: { entries: 20 } })).toBe(20);
  });

  it("not where nothing but turns to be spared would be left out", () => {
    expect(due(pairs(11), { after: { entries: 10 }, keepLastTurns: 6 })).toBe(10);
    expect(due(pairs(6), { after: { entries: 10 }, keepLastTurns: 6 })).toBeUndefined();
    expect(due(tail(40), { after: { entries: 10 }, keepLastTurns: 1 })).toBeUndefined();
  });

  it("never for what it would leave empty", () => {
    expect(due([{ at: 3, turn: 1, entries: 1, tokens: 900 }], { after: { tokens: 5 } })).toBeUndefined();
    expect(due([], { after: { tokens: 5 } })).toBeUndefined();
  });
});

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 30 });
const limit = fc.integer({ min: 1, max: 40 });
const limits = fc.record({ turns: limit, entries: limit, tokens: limit }, { requiredKeys: [] });

it("a cut tail is below every threshold, but for its last exchange", () => {
  fc.assert(
    fc.property(sizes, limits, (turns, after) => {
      const given = tail(...turns);
      const cut = due(given, { after });
      const rest = given.filter(({ at }) => at >= (cut ?? 0));
      expect(rest.length > 1 ? due(rest, { after }) : undefined).toBeUndefined();
    }),
    { numRuns: runs(300) },
  );
});

it.each<[string, object]>([
  ["no number", { after: { turns: "10" } }],
  ["a broken number", { after: { entries: 1.5 } }],
  ["nothing at all", { after: { tokens: 0 } }],
  ["an unknown measure", { after: { messages: 10 } }],
  ["no measures", { after: 10 }],
  ["a threshold of none", { threshold: 0 }],
  ["more turns to spare than to allow", { after: { turns: 4 }, keepLastTurns: 5 }],
])("refuses %s", (_, options) => {
  expect(() => summarization(options as ThresholdOptions)).toThrow(
    expect.objectContaining({ code: "invalid-option", hint: expect.stringMatching(/./) }),
  );
});

it("no threshold is none", () => {
  expect(duePolicy({})).toEqual({});
  expect(duePolicy({ keepLastTurns: 3 })).toEqual({});
});
