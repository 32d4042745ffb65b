import type { JSONValue } from "../../../../message/types.js";
import { dates, emails, numbers, phones, times, urls, yesOrNo } from "./readers.js";
import type { Slot } from "./slot.js";
import { choicesOf } from "./value-kind.js";

const LONGEST_TEXT = 120;
const REFUSED = /^(?:not|no longer|unknown|undecided|unclear|still|what|which|where|when|who)\b/i;

/** What a clause that is known to be about a slot says, in its order. */
export function valuesIn(clause: string, slot: Slot): JSONValue[] {
  switch (slot.kind) {
    case "choice":
      return choices(clause, slot);
    case "boolean":
      return [yesOrNo(clause)].filter((value) => value !== undefined);
    case "number":
      return numbers(clause);
    case "email":
      return emails(clause);
    case "phone":
      return phones(clause);
    case "url":
      return urls(clause);
    case "date":
      return dates(clause);
    case "time":
      return times(clause);
    case "none":
      return [];
    default:
      return plainText(clause);
  }
}

/** The clause itself, without quotes and what trails off. */
function plainText(clause: string): string[] {
  const text = clause
    .replace(/\s+(?:please|thanks|thank you|instead|then|now)$/i, "")
    .trim()
    .replace(/^["'“‘`]+|["'”`]+$/g, "");
  return text === "" || text.length > LONGEST_TEXT || REFUSED.test(text) ? [] : [text];
}

/** Where a member of a list is named only to be turned down. */
const TURNED_DOWN = /(?:\bnot|\bno|n't|\bwithout|\binstead of|\brather than|\bthan)(?:\s+(?:an?|the|in|by|want))*\s*$/i;

/** The members of a list that a text names, in the order of the text. */
export function choices(text: string, slot: Slot): string[] {
  return choicesOf(slot)
    .flatMap((choice) => [...text.matchAll(wholeWords(choice))].map((match) => ({ choice, at: match.index })))
    .filter(({ at }) => !TURNED_DOWN.test(text.slice(0, at)))
    .sort((a, b) => a.at - b.at)
    .map(({ choice }) => choice);
}

/** A phrase as whole words, however they are joined: "window-seat" is found in "a window seat". */
export function wholeWords(phrase: string, more = ""): RegExp {
  const words = phrase.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words.join("[\\s_-]*");
  return new RegExp(`(?<![\\p{L}\\p{N}])${joined}${more}(?![\\p{L}\\p{N}])`, "giu");
}
