import { sentencesOf } from "./facts/sentences.js";
import type { MemoryFact } from "./memory.js";

/** Words beside the attributes and their values. */
const MOST_WORDS = 12;
/** What joins a second statement to the first; a place after a comma, or a time, is none. */
const JOINT =
  /[;:()—–]|,(?!\s\p{Lu}[\p{L} ]*[.!]?$)|\s-\s|\b(?:[Aa]nd|[Bb]ut|or|because|so|while|although|though|which|who|where|when|with|plus)\b|\bsince\s(?!\p{Lu}|\d|last\b|early\b|late\b)/u;
/** Ways to begin that state nothing themselves. */
const LEAD =
  /^(?:[\p{L}' ]{1,40}:|(?:actually|now|currently|today|these days|at the moment|fyi|as of [\w ]{1,20}),)\s/iu;

/**
 * Whether a memory ends with its values: each sentence of it is short, says nothing beside them, and they have all ended.
 * Anything else in it may still hold, and the memory with it.
 */
export function isSpent(content: string, facts: readonly MemoryFact[]): boolean {
  const sentences = sentencesOf(content);
  return (
    sentences.length > 0 &&
    lettersOf(sentences.join("")) === lettersOf(content) &&
    sentences.every((sentence) =>
      isTold(
        sentence,
        facts.filter(({ text }) => text === sentence),
      ),
    )
  );
}

function isTold(sentence: string, facts: readonly MemoryFact[]): boolean {
  if (facts.length === 0 || facts.some(({ slot, validUntil }) => slot === undefined || validUntil === undefined))
    return false;
  const values = facts.flatMap(({ value, closes }) => [value, closes]).filter((value) => value !== undefined);
  const rest = values.reduce((text, value) => text.replace(value, "…"), sentence.replace(LEAD, ""));
  const attributes = new Set(facts.flatMap(({ slot = "" }) => wordsOf(slot)));
  return !JOINT.test(rest) && wordsOf(rest).filter((word) => !attributes.has(word)).length <= MOST_WORDS;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
