import type { JSONValue } from "../../../message/types.js";
import type { EntitySchema } from "./entity-schema.js";
import type { Extractor, Utterance } from "./entity-tracker.js";
import { type Finder, finderOf, wholeWords } from "./finders.js";

/**
 * Fills a state without a model, by simple rules for English. For each property, in this order:
 *
 * 1. its name with a value: "destination: Paris", "my email is ann@example.org", "change the date to 12 May";
 * 2. a value that speaks for itself: one of the listed choices, an address, a date, "2 adults", "€500" where the
 *    description says EUR, "to Paris" for a destination, "no breakfast" for a boolean;
 * 3. a short answer to a question of the assistant that names the property.
 *
 * Of several values the last one counts. Values that the schema refuses are passed over, and so are lists and objects.
 * The rules read no pronouns and no corrections without a name ("no, the other one"): that takes a model.
 */
export function ruleExtractor(schema: EntitySchema): Extractor {
  const slots = schema.properties.flatMap((property): Slot[] => {
    const finder = finderOf(property);
    return finder === undefined ? [] : [{ name: property.name, ...finder }];
  });
  return {
    room: Number.POSITIVE_INFINITY,
    extract: async (utterances) => Object.fromEntries(utterances.flatMap((each) => readUtterance(each, slots, schema))),
  };
}

interface Slot extends Finder {
  readonly name: string;
}

/** The properties that a message tells of, with their values. */
function readUtterance(spoken: Utterance, slots: readonly Slot[], schema: EntitySchema): [string, JSONValue][] {
  const said = straight(spoken.said);
  const asked = askedFor(straight(spoken.asked ?? ""), said, slots);
  return slots.flatMap((slot): [string, JSONValue][] => {
    const accepted = (values: readonly JSONValue[]) =>
      values.flatMap((value) => [value, isoDate(value)].find((form) => schema.accepts(slot.name, form)) ?? []).at(-1);
    const isAlone = slots.every((other) => other === slot || other.find !== slot.find);
    const read = (text: string) => accepted(labelled(text, slot)) ?? accepted(isAlone ? slot.find(text) : []);
    const value = read(said) ?? (asked === slot ? read(`${slot.name}: ${said.trim().replace(LEAD, "")}`) : undefined);
    return value === undefined ? [] : [[slot.name, value]];
  });
}

/** The rules know one apostrophe; phones and word processors write another. */
const straight = (text: string): string => text.replace(/’/g, "'");

/** A date with day, named month and year as ISO, for properties that want it so. */
function isoDate(value: JSONValue): JSONValue {
  if (typeof value !== "string" || !/\p{L}{3}/u.test(value) || !/\d{4}/.test(value)) return value;
  const time = Date.parse(`${value.replace(/(\d)(?:st|nd|rd|th)\b|\bof\b/gi, "$1")} UTC`);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 10);
}

const CONNECTOR = /^\s*(?::|=|->|→|(?:\b(?:is|are|was|will be|would be|should be|must be|to be|to)\b|'s\b)\s*:?)\s*/i;
/** A clause ends with its sentence, with a comma, or where the next statement begins. */
const CLAUSE_END = /[;!?\n]|,(?!\d|\s\d{4}\b)|\.(?=\s|$)|\s(?=(?:and|but)\s+(?:my|the|i|we|it|our|please)\b)/i;

/** Values that follow a property's name: in each clause the first that shows what it is, or the clause itself. */
function labelled(text: string, { name, find, isFree }: Slot): JSONValue[] {
  return [...text.matchAll(new RegExp(wholeWords(name), "giu"))].flatMap((match) => {
    const rest = text.slice(match.index + match[0].length);
    const connector = CONNECTOR.exec(rest)?.[0];
    if (connector === undefined) return [];
    const clause = rest.slice(connector.length).split(CLAUSE_END, 1)[0]!.trim();
    return isFree ? plainText(clause) : find(clause).slice(0, 1);
  });
}

const LONGEST_TEXT = 120;
const REFUSED = /^(?:not|no longer|unknown|undecided|unclear|still|what|which|where|when|who)\b/i;

/** The clause itself, without quotes and what trails off. */
function plainText(clause: string): string[] {
  const text = clause
    .replace(/\s+(?:please|thanks|thank you|instead|then|now)$/i, "")
    .trim()
    .replace(/^["'“‘`]+|["'”`]+$/g, "");
  return text === "" || text.length > LONGEST_TEXT || REFUSED.test(text) ? [] : [text];
}

/** A longer answer says more than one thing. */
const LONGEST_ANSWER = 8;
/** "It's Paris", "in Paris": the words before the value. */
const LEAD = /^(?:(?:it's|it is|that's|i'd like|i want|in|on|at|to|from|for)\s+)+/i;

/** The property that a question names, where it names no other and the answer is short. */
function askedFor(asked: string, said: string, slots: readonly Slot[]): Slot | undefined {
  const question = asked.match(/[^.!?\n]*\?/g)?.at(-1);
  if (question === undefined || said.trim().split(/\s+/).length > LONGEST_ANSWER) return undefined;
  const named = slots.filter(({ name }) => new RegExp(wholeWords(name, `${name}s`), "iu").test(question));
  return named.length === 1 ? named[0] : undefined;
}
