import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../terminal/format.js";
import { readable, visible } from "../terminal/visible.js";
import { Consent } from "./consent.js";
import { Meter } from "./meter.js";
import { parseSlash } from "./slash.js";
import { splitWords } from "./split-words.js";
import { statusLine } from "./terminal/status-line.js";

describe("slash commands", () => {
  test.each([
    ["/exit", { kind: "exit" }],
    ["/undo", { kind: "run", parameters: ["context", "undo"] }],
    ["/context", { kind: "run", parameters: ["context", "status"] }],
    ["/context search that port number", { kind: "run", parameters: ["context", "search", "that port number"] }],
    [
      "/context search the port --limit 2",
      { kind: "run", parameters: ["context", "search", "the port", "--limit", "2"] },
    ],
    ["/checkpoint before the change", { kind: "run", parameters: ["context", "checkpoint", "before the change"] }],
    ["/memory add Ann's cat - don't ask", { kind: "run", parameters: ["memory", "add", "Ann's cat - don't ask"] }],
    ['/memory add "two words" --id "a b"', { kind: "run", parameters: ["memory", "add", "two words", "--id", "a b"] }],
    ["/checkpoint --list", { kind: "run", parameters: ["context", "checkpoint", "--list"] }],
    ["/checkpoint", { kind: "run", parameters: ["context", "checkpoint"] }],
    ["/memory forget m1 m2", { kind: "run", parameters: ["memory", "forget", "m1", "m2"] }],
    ["/session delete x", { kind: "unknown", name: "session" }],
    ["/", { kind: "unknown", name: "" }],
    ["/context expand 'e1", { kind: "unclosed" }],
    ['/memory add "two words', { kind: "unclosed" }],
    ["/memory add Ann's", { kind: "run", parameters: ["memory", "add", "Ann's"] }],
    ["/constructor", { kind: "unknown", name: "constructor" }],
  ])("%s", (line, meant) => {
    expect(parseSlash(line)).toEqual(meant);
  });

  test("words are split as a shell does it", () => {
    expect(splitWords(`a "b c" d\\ e 'f "g' h"i"`)).toEqual(["a", "b c", "d e", 'f "g', "hi"]);
    expect(splitWords(`it's "open \\`)).toEqual(["it's", '"open', "\\"]);
  });
});

describe("consent", () => {
  const request = (key: string) => ({ kind: "run" as const, always: { key, words: "" }, question: "?", lines: [] });

  test("always is for the same thing, once is for once, and no is for now", async () => {
    const answers = ["once", "always", "no", "no"] as const;
    let asked = 0;
    const consent = new Consent();
    const given = (key: string) => consent.given(request(key), async () => answers[asked++] ?? "no");
    expect([await given("a"), await given("a"), await given("a"), await given("b"), await given("b")]).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(asked).toBe(4);
  });

  test("what is allowed beforehand is not asked", async () => {
    const ask = () => Promise.reject(new Error("asked"));
    expect(await new Consent(["run"]).given(request("a"), ask)).toBe(true);
    await expect(new Consent(["write"]).given(request("a"), ask)).rejects.toThrow("asked");
  });
});

describe("the meter", () => {
  test("adds up tokens and cost, cached input at its own price", () => {
    const meter = new Meter("gpt-4o");
    meter.add({ inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 400_000 });
    meter.add({ inputTokens: 1_000 });
    const { cost, ...sums } = meter.metered;
    expect(sums).toEqual({ requests: 2, inputTokens: 1_001_000, outputTokens: 100_000, cacheReadTokens: 400_000 });
    expect(cost).toBeCloseTo(0.6 * 2.5 + 0.4 * 1.25 + 0.1 * 10 + 0.001 * 2.5, 6);
  });

  test("names no cost where prices are not known", () => {
    const meter = new Meter("my-own-model");
    meter.add({ inputTokens: 5 });
    expect(meter.metered.cost).toBeNull();
  });
});

test("the status line is never wider than the terminal", () => {
  const budget = { window: 8_000, reserve: 0, usable: 8_000, trigger: 8_000, target: 6_000 };
  const status = { tokens: 1_234, budget, leftOut: 3, recalled: ["m1"] } as never;
  const metered = { requests: 1, inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cost: 0.01234 };
  const line = (width: number) => statusLine({ model: "gpt-4o", status, metered }, width);
  expect(line(100)).toBe("1,234 of 8,000 tokens (15.4\u00a0%) · $0.0123 · 3 left out · 1 memory · gpt-4o");
  const none = statusLine({ model: "gpt-4o", status: { budget, recalled: [] } as never, metered }, 100);
  expect(none).toBe("– of 8,000 tokens · $0.0123 · gpt-4o");
  fc.assert(fc.property(fc.integer({ min: 10, max: 120 }), (width) => displayWidth(line(width)) <= width));
});

test("no code for the terminal gets through, whole or in pieces", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, at) => {
      const cut = at % (text.length + 1);
      const shown = readable(text.slice(0, cut)) + readable(text.slice(cut));
      expect(shown).toBe(readable(text));
      expect(shown).not.toMatch(/[^\P{Cc}\n\t]/u);
      expect(visible(text)).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});
