import type { Fact } from "./fact.js";
import { isHabit } from "./habit.js";
import { isLiking } from "./taste-rules.js";

/** What is named by the very words of its text: a further passage of them would only say it twice. */
const isSaidSo = (slot: string): boolean => isHabit(slot) || isLiking(slot);

/** Facts in the words that people ask with, where the text may use others: "user employer: Acme". */
export const factTexts = (facts: readonly Fact[]): string[] =>
  facts.flatMap(({ slot, value }) =>
    slot === undefined || value === undefined || isSaidSo(slot) ? [] : [`${slot.replaceAll("/", " ")}: ${value}`],
  );
