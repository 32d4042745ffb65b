import type { JSONValue } from "../../../../message/types.js";
import { CALENDAR, NUMBER, numberOf, PROPER } from "./readers.js";
import type { Slot } from "./slot.js";
import { choices, valuesIn, wholeWords } from "./slot-values.js";

/** Values that speak for themselves, without the property's name before them. */
export function mentioned(said: string, slot: Slot): JSONValue[] {
  switch (slot.kind) {
    case "choice":
      return choices(said, slot);
    case "boolean":
      return wished(said, slot);
    case "number":
      return quantities(said, slot);
    case "target":
      return slot.alone ? named(said, "(?:to|visit|visiting)") : [];
    case "source":
      return slot.alone ? named(said, "from") : [];
    case "place":
      return slot.alone ? named(said, "(?:in|near|around|to)") : [];
    case "person":
      return slot.alone ? named(said, "(?:my name is|i am|i'm|call me|this is)") : [];
    case "text":
    case "none":
      return [];
    default:
      return slot.alone ? valuesIn(said, slot) : [];
  }
}

/** Names in capitals behind certain words. Days and months have capitals too. */
const named = (said: string, before: string): string[] =>
  [...said.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyCase(before)})\\s+(${PROPER})`, "gu"))]
    .map((match) => match[1]!.replace(/['-]+$/, ""))
    .filter((name) => !CALENDAR.test(name));

/** The words before a name may be in capitals; the name must be. */
const anyCase = (pattern: string): string =>
  pattern.replace(/\p{Ll}/gu, (letter, at: number) =>
    pattern.slice(0, at).endsWith("\\") ? letter : `[${letter}${letter.toUpperCase()}]`,
  );

const DENIED = /(?:\bno|\bnot|n't|\bwithout|\bnever|\bskip|\bcancel)(?:\s+\p{L}+){0,3}\s*$/iu;

/** A boolean that is named is wanted, unless the words before it say no. */
function wished(said: string, slot: Slot): boolean[] {
  return [...said.matchAll(wholeWords(slot.words.join(" "), "s?"))].map((match) => {
    const clause = said
      .slice(0, match.index)
      .split(/[.,;!?\n]/)
      .at(-1)!;
    return !DENIED.test(clause);
  });
}

const SYMBOLS: Readonly<Record<string, string>> = {
  eur: "€",
  euro: "€",
  euros: "€",
  usd: "$",
  dollar: "$",
  dollars: "$",
  gbp: "£",
  pound: "£",
  pounds: "£",
};
const COMMON = new Set(
  "a an and at by for from how in is it many much no number of on or per that the to total with".split(" "),
);

/** Numbers beside their unit: a word of the property's name or description, or the sign of a currency. */
function quantities(said: string, slot: Slot): number[] {
  const units = [...new Set([...slot.words, ...slot.about])].filter((word) => word.length > 1 && !COMMON.has(word));
  const signs = units.flatMap((unit) => SYMBOLS[unit] ?? []).map((sign) => `[${sign}]`);
  const words = units.map((unit) => `${stem(unit)}(?:s|es)?`).join("|");
  const after = words === "" ? [] : [`(?<![\\p{L}\\p{N}.,])(${NUMBER})\\s*-?\\s*(?:${words})(?![\\p{L}\\p{N}])`];
  const beside = signs.flatMap((sign) => [`${sign}\\s?(${NUMBER})`, `(?<![\\p{N}.,])(${NUMBER})\\s?${sign}`]);
  const patterns = [...after, ...beside];
  if (patterns.length === 0) return [];
  return [...said.matchAll(new RegExp(patterns.join("|"), "giu"))].flatMap((match) => {
    const number = match.slice(1).find((group) => group !== undefined);
    return number === undefined ? [] : [numberOf(number)];
  });
}

const stem = (word: string): string => word.replace(/(?<=\p{L}{3})s$/u, "");
