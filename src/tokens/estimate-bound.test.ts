import { describe, expect, it } from "vitest";
import { createTokenCounter } from "./create-token-counter.js";
import { declaration } from "./declaration.test-helpers.js";
import { estimateTokens } from "./estimate.js";
import { countO200k } from "./o200k.js";
import data from "./tokenizer-counts.test-data.json" with { type: "json" };

/** A model of each family; the published tokenizers of the families have counted what is in the table. */
const MODELS = {
  o200k: { model: "gpt-4o", encoding: "estimate" },
  llama: { model: "llama-3.3" },
  qwen: { model: "qwen3-coder" },
  gemini: { model: "gemma-3" },
  mistral: { model: "mistral-nemo" },
  deepseek: { model: "deepseek-r1" },
  unknown: { model: "nobody-knows" },
} as const;

const counters = Object.entries(MODELS).map(([family, options]) => {
  const column = data.families.indexOf(family);
  return [family, { counter: createTokenCounter(options), column }] as const;
});

const declarations = data.declarations.map((each) => ({ ...each, name: each.code, text: declaration(each.code) }));
const texts = data.texts.map((each) => ({ ...each, name: each.kind }));

interface Counted {
  readonly name: string;
  readonly text: string;
  readonly counts: readonly number[];
}
type Measured = (typeof counters)[number][1];

/** The texts whose true count lies above the bound, with how far. */
const beyond = (list: readonly Counted[], { counter, column }: Measured): string[] =>
  list
    .map(({ name, text, counts }) => ({ name, ratio: counts[column]! / counter.text(text) }))
    .filter(({ ratio }) => ratio > 1 + counter.errorBound)
    .map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`);

describe.each(counters)("the bound of an estimate for %s", (_, measured) => {
  it("holds in every language that the Declaration of Human Rights is in", () => {
    expect(declarations.length).toBeGreaterThan(500);
    expect(beyond(declarations, measured)).toEqual([]);
  });

  it("holds in the languages that were left out of the fit", () => {
    const leftOut = declarations.filter((each) => each.leftOut);
    expect(leftOut.length).toBeGreaterThan(100);
    expect(beyond(leftOut, measured)).toEqual([]);
  });

  it("holds for keys, numbers, symbols, emoji, styled letters, rare letters and white space", () => {
    expect(texts.length).toBeGreaterThan(80);
    expect(beyond(texts, measured)).toEqual([]);
  });

  it("is 10 %", () => {
    expect(measured.counter.errorBound).toBe(0.1);
  });
});

it("an unknown model is counted as the worst of all families", () => {
  const unknown = data.families.indexOf("unknown");
  for (const { counts } of [...declarations, ...texts]) expect(counts[unknown]).toBe(Math.max(...counts));
});

it("a text of two letters is more than nothing", () => {
  expect(estimateTokens("Ạa")).toBeGreaterThanOrEqual(1);
  expect(estimateTokens(" ")).toBe(1);
  expect(estimateTokens("")).toBe(0);
});

it("letters beyond the basic plane are not counted below their tokens", () => {
  for (const text of ["𓀀𓁐𓂀𓃒".repeat(50), "𐌰𐌱𐌲".repeat(50), "𝓽𝓱𝓮 𝓺𝓾𝓲𝓬𝓴".repeat(30), "𠀀𠀁𠀂".repeat(60)])
    expect(estimateTokens(text)).toBeGreaterThan(countO200k(text) / 1.1);
});
