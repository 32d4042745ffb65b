/**
 * The agent's entries that retell a text which is forgotten. To take text out of a log cannot be undone, so it takes more
 * than shared words: a sentence that says nothing else, or all of it, with a word that came into the log by that text alone,
 * said in answer to it or to the user of what is theirs.
 */
import { draws, isOnly, namesIn, tellingTerms, tells } from "../../memory/echoes.js";
import { sentencesOf } from "../../memory/facts/sentences.js";
import { termsOf } from "../../memory/text/terms.js";
import { messageText } from "../../message/content.js";
import type { Entry } from "../../message/entry.js";
import { textsIn } from "../../message/map-texts.js";
import { resultsIn, saidIn } from "./said.js";

/**
 * Those among a session's entries that retell these texts; `named` are the entries that the texts came from. What the agent
 * says is looked through, and so is what it thinks, what it gives to tools and what these give back.
 */
export function retellingsIn(entries: readonly Entry[], named: readonly Entry[], texts: readonly string[]): Entry[] {
  const own = ownWords(entries, named, texts);
  if (own.size === 0) return [];
  const known = new Set(named);
  const statements = statementsOf(texts, own);
  const turnOf = turnsOf(entries, known);
  return entries.filter((entry) => {
    if (entry.role === "user" || entry.role === "system" || known.has(entry)) return false;
    const said = entry.role === "assistant" ? saidIn(entry.message) : "";
    const isRetold = (sentence: string, isSaid: boolean): boolean => {
      const alike = HEADING.test(sentence) ? [] : termsOf(sentence).flatMap((term) => statements.get(term) ?? []);
      const turn = (text: string) => () => turnOf(entry, text);
      return [...new Set(alike)].some((text) => retells(sentence, { text, own, isSaid, turn: turn(text) }));
    };
    const others = textsIn(entry.message).filter((text) => !said.includes(text));
    return (
      sentencesOf(said).some((sentence) => isRetold(sentence, true)) ||
      others.flatMap(sentencesOf).some((sentence) => isRetold(sentence, false))
    );
  });
}

const HEADING = /^#{1,6} /;
const TO_USER = /\b(?:you|your|yours|you're|you've|user|user's)\b/i;
const OF_SPEAKER = /\b(?:my|mine|me|I|our|we)\b/i;
/** So many words in common are no chance. */
const MANY = 3;

/** What is answered: the text itself or the user's question about what is theirs, a question with a word of it, or neither. */
type TurnOf = "own" | "alike" | "other";

interface Told {
  readonly text: string;
  readonly own: ReadonlySet<string>;
  /** Whether it is said to the user. */
  readonly isSaid: boolean;
  turn(): TurnOf;
}

/** "Many artists live in Paris" is not said of the user who lives there, unless it answers the user who told it. */
function retells(sentence: string, { text, own, isSaid, turn }: Told): boolean {
  const said = new Set(termsOf(sentence));
  const isNamed = [...namesIn([text])].some((name) => own.has(name) && said.has(name));
  const only = isOnly(sentence, text);
  const all = tells(sentence, text);
  if (!only && !all && !isNamed) return false;
  const answered = turn();
  if (answered === "own" || (answered === "alike" && only)) return true;
  if (!only && !all) return false;
  if (!isSaid && [...said].some((term) => own.has(term) && /\p{N}/u.test(term))) return true;
  const terms = tellingTerms(text);
  return (isNamed && TO_USER.test(sentence)) || (terms.length >= MANY && terms.every((term) => said.has(term)));
}

/** Tells of the agent's entries what they answer, seen from a text that came out of entries that are known. */
function turnsOf(entries: readonly Entry[], known: ReadonlySet<Entry>): (entry: Entry, text: string) => TurnOf {
  const requests = new Map<Entry, Entry>();
  let request: Entry | undefined;
  for (const entry of entries) {
    if (entry.role === "user") request = entry;
    else if (request !== undefined) requests.set(entry, request);
  }
  return (entry, text) => {
    const asked = requests.get(entry);
    if (asked === undefined) return "other";
    if (known.has(asked)) return "own";
    const question = messageText(asked.message);
    if (!draws(question, text)) return "other";
    return OF_SPEAKER.test(question) ? "own" : "alike";
  };
}

/** Texts and their sentences, by those words that are their own. */
function statementsOf(texts: readonly string[], own: ReadonlySet<string>): Map<string, string[]> {
  const statements = new Map<string, string[]>();
  for (const text of new Set(texts.flatMap((each) => [each, ...sentencesOf(each)])))
    for (const term of new Set(termsOf(text)))
      if (own.has(term)) statements.set(term, [...(statements.get(term) ?? []), text]);
  return statements;
}

/** The words of texts that nobody but the agent has said in other entries, and no tool before them. */
function ownWords(entries: readonly Entry[], named: readonly Entry[], texts: readonly string[]): Set<string> {
  const own = new Set(texts.flatMap(tellingTerms));
  const known = new Set(named);
  const since = Math.min(...named.map(({ sequence }) => sequence));
  for (const entry of entries) {
    if (own.size === 0) break;
    const isLater = entry.role === "tool" && entry.sequence > since;
    if (entry.role === "assistant" || isLater || known.has(entry)) continue;
    for (const term of termsOf(foreignText(entry))) own.delete(term);
  }
  return own;
}

/** What an entry says that does not come out of memories. */
const foreignText = ({ role, message }: Entry): string =>
  role === "tool" ? resultsIn(message, { own: false, nameOf: () => "" }) : messageText(message);
