import type { JSONValue } from "../../../../message/types.js";
import type { Utterance } from "../extractor.js";
import type { Slot } from "./slot.js";
import { valuesIn, wholeWords } from "./slot-values.js";

/** A clause ends with its sentence, with a comma, or where the next statement begins. */
const CLAUSE_END = /[;!?\n]|,(?!\d|\s\d{4}\b)|\.(?=\s|$)|\s(?=(?:and|but)\s+(?:my|the|i|we|it|our|please)\b)/i;
const CONNECTOR = /^\s*(?::|=|->|→|(?:\b(?:is|are|was|will be|would be|should be|must be|to be|to)\b|'s\b)\s*:?)\s*/i;
/** What may also stand between a name and a value that shows its kind: "a budget of 500", "the date on 12 May". */
const LOOSE_CONNECTOR = /^\s+(?:of|on|at|about|around|for)\s+/i;
const TEXT_KINDS = new Set(["text", "target", "source", "place", "person"]);

/** Values that follow a property's name. */
export function labelled(said: string, slot: Slot): JSONValue[] {
  return [...said.matchAll(wholeWords(slot.words.join(" ")))].flatMap((match) => {
    const rest = said.slice(match.index + match[0].length);
    const loose = TEXT_KINDS.has(slot.kind) ? undefined : LOOSE_CONNECTOR.exec(rest);
    const connector = CONNECTOR.exec(rest) ?? loose;
    return connector ? valuesIn(clauseOf(rest.slice(connector[0].length)), slot).slice(0, 1) : [];
  });
}

function clauseOf(text: string): string {
  const end = CLAUSE_END.exec(text);
  return (end ? text.slice(0, end.index) : text).trim();
}

/** An answer longer than this says more than one thing. */
const LONGEST_ANSWER = 8;

/** The answer to a question that names this property and no other. */
export function answers({ asked, said }: Utterance, slot: Slot, slots: readonly Slot[]): JSONValue[] {
  const question = asked?.match(/[^.!?\n]*\?/g)?.at(-1);
  if (question === undefined || said.trim().split(/\s+/).length > LONGEST_ANSWER) return [];
  const named = slots.filter((each) => wholeWords(each.words.join(" "), "s?").test(question));
  if (named.length !== 1 || named[0] !== slot) return [];
  return valuesIn(clauseOf(withoutLead(said)), slot).slice(0, 1);
}

/** "It's Paris", "in Paris": the words before the value. */
const withoutLead = (said: string): string =>
  said.trim().replace(/^(?:(?:it's|it is|that's|i'd like|i want|in|on|at|to|from|for)\s+)+/i, "");
