/**
 * Identifiers that an agent uses in its calls: paths, ids, numbers, names. They show what it needed: one that stood
 * somewhere in the conversation before is looked for in the view that the call was made from.
 */
import { callsOf } from "../../message/content.js";
import type { Message } from "../../message/types.js";

export const SHORTEST_IDENTIFIER = 6;
/** Signs that an identifier may have, as many as there are. */
export const IDENTIFIER_RUN = new RegExp(`[\\w./#@:-]{${SHORTEST_IDENTIFIER},}`, "g");
const MARKS_AT_ENDS = /^[-.:/#@]+|[-.:/#@]+$/g;
/** A digit, a slash, an underscore, a dot, or a capital within a word: plain words have none. */
const TELLING = /[0-9/_.]|[a-z][A-Z]/;

/**
 * The identifiers in a text, each once.
 *
 * @example
 * ```ts
 * identifiersIn("open src/a.ts, then openSession; the rest is prose"); // Set { "src/a.ts", "openSession" }
 * ```
 */
export function identifiersIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [run] of text.matchAll(IDENTIFIER_RUN)) {
    const word = run.replace(MARKS_AT_ENDS, "");
    if (word.length >= SHORTEST_IDENTIFIER && TELLING.test(word)) found.add(word);
  }
  return found;
}

/** Those in the values of a message's arguments; the names of arguments are the tool's, not the agent's. */
export function argumentIdentifiers(message: Message): string[] {
  const found = new Set<string>();
  for (const { input } of callsOf(message))
    for (const text of valueTexts(input)) for (const word of identifiersIn(text)) found.add(word);
  return inFixedOrder([...found]);
}

function* valueTexts(value: unknown): Generator<string> {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* valueTexts(part);
  else if (value !== undefined && value !== null) yield String(value);
}

/** An order that has nothing to do with the text's own, so that the first few are a fair sample. */
function inFixedOrder(words: readonly string[]): string[] {
  return words
    .map((word) => ({ word, rank: fnv1a(word) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ word }) => word);
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
