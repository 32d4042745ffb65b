import type { Fact } from "./fact.js";

/** Facts in the words that people ask with, where the text may use others: "user employer: Acme". */
export const factTexts = (facts: readonly Fact[]): string[] =>
  facts.flatMap(({ slot, value }) =>
    slot === undefined || value === undefined ? [] : [`${slot.replaceAll("/", " ")}: ${value}`],
  );
