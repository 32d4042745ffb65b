/**
 * The agent's entries that retell a text which is forgotten. To take text out of a log cannot be undone, so it takes more
 * than shared words: a sentence that says nothing else, or all of it, with a word that came into the log by that text alone.
 */
import { isOnly, tellingTerms, tells } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import { termsOf } from "../../memory/text/terms.js";
import { messageText } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { isRedacted } from "./redacted-message.js";
import { resultsIn, saidIn } from "./said.js";

/** Those among a session's entries that retell these texts; `named` are the entries that the texts came from. */
export function retellingsIn(entries: readonly Entry[], named: readonly Entry[], texts: readonly string[]): Entry[] {
  const own = ownWords(entries, named, texts);
  if (own.size === 0) return [];
  const known = new Set(named);
  const statements = statementsOf(texts, own);
  const isRetold = (sentence: string): boolean => {
    const alike = new Set(termsOf(sentence).flatMap((term) => statements.get(term) ?? []));
    return [...alike].some((text) => isOnly(sentence, text) || tells(sentence, text));
  };
  return entries.filter((entry) => {
    if (entry.role !== "assistant" || known.has(entry) || isRedacted(entry.message)) return false;
    return sentencesOf(saidIn(entry.message)).some(isRetold);
  });
}

/** Texts and their sentences, by those words that are their own. */
function statementsOf(texts: readonly string[], own: ReadonlySet<string>): Map<string, string[]> {
  const statements = new Map<string, string[]>();
  for (const text of new Set(texts.flatMap((each) => [each, ...sentencesOf(each)])))
    for (const term of new Set(termsOf(text)))
      if (own.has(term)) statements.set(term, [...(statements.get(term) ?? []), text]);
  return statements;
}

/** The words of texts that nobody but the agent has said in other entries. */
function ownWords(entries: readonly Entry[], named: readonly Entry[], texts: readonly string[]): Set<string> {
  const own = new Set(texts.flatMap(tellingTerms));
  const known = new Set(named);
  for (const entry of entries) {
    if (own.size === 0) break;
    if (entry.role === "assistant" || known.has(entry)) continue;
    for (const term of termsOf(foreignText(entry))) own.delete(term);
  }
  return own;
}

/** What an entry says that does not come out of memories. */
const foreignText = ({ role, message }: Entry): string =>
  role === "tool" ? resultsIn(message, { own: false, nameOf: () => "" }) : messageText(message);
