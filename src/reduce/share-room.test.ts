import { describe, expect, it } from "vitest";
import { reduceObservation } from "./reduce-observation.js";
import { shareRoom } from "./share-room.js";

describe("shareRoom", () => {
  it("gives what a short line does not need to the longer ones", () => {
    const given: Record<string, number> = {};
    const lines = [
      { name: "long", length: 900, cost: 10 },
      { name: "short", length: 30, cost: 10 },
      { name: "middle", length: 400, cost: 10 },
    ];
    shareRoom(lines, 300, ({ name, length }, maxTokens) => {
      given[name] = Math.min(length, maxTokens);
      return given[name];
    });
    expect(given).toEqual({ short: 30, middle: 150, long: 150 });
  });
});

describe("a text of few long lines", () => {
  const source = `${"lorem ipsum dolor ".repeat(500)}\n${"sit amet ".repeat(500)}\nthe end`;

  it("uses the budget, with what is left out of each line marked", () => {
    for (const maxTokens of [256, 1024, 2048]) {
      const { text, tokensAfter } = reduceObservation(source, { maxTokens });
      expect(tokensAfter).toBeGreaterThan(maxTokens * 0.9);
      expect(tokensAfter).toBeLessThanOrEqual(maxTokens);
      const [, first, , last] = text.split("\n");
      expect(first).toMatch(/^lorem .* \.\.\. \(\d+ chars omitted\) \.\.\. .*dolor $/);
      expect(last).toBe("the end");
    }
  });
});
