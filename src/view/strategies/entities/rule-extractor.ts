import type { JSONValue } from "../../../message/types.js";
import type { EntitySchema, JSONSchema } from "./entity-schema.js";
import type { EntityUpdate, Extractor, Utterance } from "./entity-tracker.js";

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
  const slots = schema.properties.map(({ name, schema: each }) => ({ name, kind: kindOf(name, nonNull(each)) }));
  return {
    room: Number.POSITIVE_INFINITY,
    extract: async (utterances) => {
      const update: EntityUpdate = {};
      for (const utterance of utterances) Object.assign(update, readUtterance(utterance, slots, schema));
      return update;
    },
  };
}

/** How values of one kind are found in a text, in the order in which they stand there. */
interface Kind {
  /** In a clause that is known to be about the property. */
  readonly read: (clause: string) => JSONValue[];
  /** In a message, without a label. */
  readonly mention: (said: string) => JSONValue[];
}

interface Slot {
  readonly name: string;
  readonly kind: Kind;
}

/** A phrase as whole words, however they are joined: "window-seat" is found in "a window seat". */
const phrase = (text: string, more = ""): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${wordsOf(text).join("[\\s_-]*")}${more}(?![\\p{L}\\p{N}])`, "giu");

/** `departureDate`, `departure_date` and "Departure date" → departure, date. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** What matches a pattern, without the punctuation behind it. */
const all = (pattern: RegExp) => (text: string) =>
  [...text.matchAll(pattern)].map(([match]) => match.replace(/[.,;:!?'-]+$/, ""));

const pattern = (shape: RegExp): Kind => ({ read: all(shape), mention: all(shape) });

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

const TEXT: Kind = { read: plainText, mention: () => [] };
/** Lists and objects: no rule fills them. */
const NONE: Kind = { read: () => [], mention: () => [] };

const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const ORDINAL = "\\d{1,2}(?:st|nd|rd|th)?";
/** Dates in the words of the user: without a clock, "tomorrow" stays "tomorrow". */
const DATES = [
  "\\d{4}-\\d{2}-\\d{2}",
  `${ORDINAL}\\s+(?:of\\s+)?${MONTH}(?:,?\\s+\\d{4})?`,
  `${MONTH}\\s+${ORDINAL}(?:,?\\s+\\d{4})?(?!\\d)`,
  "\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}",
  `(?:next|this|coming)\\s+(?:week(?:end)?|month|year|${DAY})`,
  `today|tonight|(?:the day after )?tomorrow|${DAY}`,
].map((form) => `(?<![\\p{L}\\p{N}.])${form}(?![\\p{L}\\p{N}])`);
const CALENDAR = new RegExp(`^(?:${DAY}|${MONTH}(?:\\s|$))`, "i");

/** One to four words that start with a capital, as names of places and people do. */
const PROPER =
  /^\s+((?:\p{Lu}\p{Ll}\.\s)?\p{Lu}[\p{L}'-]*(?:[ -](?:(?:de|la|le|del|di|da|van|von|of|the)\s)?\p{Lu}[\p{L}'-]*){0,3})/u;

/** A name, behind words that announce it where there is no label. Days and months have capitals too. */
const named = (before: string): Kind => ({
  read: plainText,
  mention: (said) =>
    [...said.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${before})(?=\\s)`, "giu"))].flatMap(({ 0: cue, index }) => {
      const name = PROPER.exec(said.slice(index + cue.length))?.[1]?.replace(/['-]+$/, "");
      return name === undefined || CALENDAR.test(name) ? [] : [name];
    }),
});

/** Kinds of text by a word of the property's format or name; the first that fits counts. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^e?mail$/, pattern(/[\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+/g)],
  [/^(phone|telephone|mobile)$/, pattern(/(?<![\w.])\+?\(?(?:\d[ ()/-]{0,3}){6,14}\d(?![\w.]\d)/g)],
  [/^(uri|url|website|link|homepage)$/, pattern(/\b(?:https?:\/\/|www\.)[^\s<>"')]+/gi)],
  [/^(date|day|when|deadline|birthday)$/, pattern(new RegExp(DATES.join("|"), "giu"))],
  [/^time$/, pattern(/(?<![\w:.])(?:\d{1,2}:\d{2}(?:\s?[ap]\.?m\b)?|\d{1,2}\s?[ap]\.?m\b|noon\b|midnight\b)/gi)],
  [/^(destination|to)$/, named("to|visit|visiting")],
  [/^(origin|from|departure)$/, named("from")],
  [/^(city|place|location|town|country)$/, named("in|near|around|to")],
  [/^(name|fullname|username)$/, named("my name is|i am|i'm|call me|this is")],
];

const kindOfWords = (text: string): Kind | undefined =>
  KINDS.find(([names]) => wordsOf(text).some((word) => names.test(word)))?.[1];

/** Where a member of a list is named only to be turned down. */
const TURNED_DOWN = /(?:\bnot|\bno|n't|\bwithout|\binstead of|\brather than|\bthan)(?:\s+(?:an?|the|in|by|want))*\s*$/i;

/** The members of a list that a text names. */
function choice(choices: readonly string[]): Kind {
  const find = (text: string) =>
    choices
      .flatMap((each) => [...text.matchAll(phrase(each))].map(({ index }) => ({ each, index })))
      .filter(({ index }) => !TURNED_DOWN.test(text.slice(0, index)))
      .sort((a, b) => a.index - b.index)
      .map(({ each }) => each);
  return { read: find, mention: find };
}

const YES = /^\s*(?:yes|yeah|yep|yup|sure|true|of course|certainly|definitely|please|ok(?:ay)?|y)\b/i;
const NO = /^\s*(?:no|nope|nah|false|not|never|none|n)\b/i;
const DENIED = /(?:\bno|\bnot|n't|\bwithout|\bnever|\bskip|\bcancel)(?:[ \t]+\p{L}+){0,3}[ \t]*$/iu;

/** A boolean that is named is wanted, unless the words before it say no. */
const wish = (name: string): Kind => ({
  read: (clause) => (NO.test(clause) ? [false] : YES.test(clause) ? [true] : []),
  mention: (said) => [...said.matchAll(phrase(name, "s?"))].map(({ index }) => !DENIED.test(said.slice(0, index))),
});

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER = `(?:-?\\d+(?:[.,]\\d+)*k?|${NUMBER_WORDS.join("|")})`;
const NUMBERS = new RegExp(`(?<![\\p{L}\\p{N}.,-])${NUMBER}(?![\\p{L}\\p{N}])`, "giu");

/** "1,500" and "1.500.000" are in groups, "2,5" and "2.5" are not. */
function numberOf(word: string): number {
  const known = NUMBER_WORDS.indexOf(word.toLowerCase());
  if (known >= 0) return known;
  const isGrouped = /^-?\d{1,3}(?:(?:,\d{3})+(?:\.\d+)?|(?:\.\d{3}){2,})k?$/i.test(word);
  const figures = isGrouped ? word.replace(/,|\.(?=\d{3}(?:\.|k?$))/gi, "") : word.replace(",", ".");
  return Number.parseFloat(figures) * (/k$/i.test(word) ? 1000 : 1);
}

/** Words of names and descriptions that are no units. */
const COMMON = new Set(
  "a an and at by for from how in is it many much no number of on or per that the to total with".split(" "),
);

/** Numbers beside their unit: a word of the property's name or description, or the sign of a currency. */
function quantity(words: readonly string[]): Kind {
  const units = words.filter((word) => word.length > 1 && !COMMON.has(word));
  const beside = units.flatMap((unit) => [
    `(?<![\\p{L}\\p{N}.,])(${NUMBER})\\s*-?\\s*${unit.replace(/(?<=\p{L}{3})s$/u, "")}(?:s|es)?(?![\\p{L}\\p{N}])`,
    ...signsOf(unit).flatMap((sign) => [`${sign}\\s?(${NUMBER})`, `(?<![\\p{N}.,])(${NUMBER})\\s?${sign}`]),
  ]);
  const pattern = beside.length === 0 ? /$^/g : new RegExp(beside.join("|"), "giu");
  return {
    read: (clause) => [...clause.matchAll(NUMBERS)].map(([word]) => numberOf(word)),
    mention: (said) => [...said.matchAll(pattern)].flatMap(([, ...found]) => found.filter(Boolean).map(numberOf)),
  };
}

/** EUR → €; nothing for what is no currency with a sign of its own. */
function signsOf(unit: string): string[] {
  if (!/^[a-z]{3}$/.test(unit)) return [];
  const none = new Intl.NumberFormat("en", { style: "currency", currency: unit }).format(0);
  const sign = none.replace(/[\d.\s]/g, "");
  return sign.toLowerCase() === unit ? [] : [sign.replace("$", "\\$")];
}

function kindOf(name: string, { type, format, title, description, ...schema }: JSONSchema): Kind {
  const choices = choicesIn(schema);
  if (choices.length > 0) return choice(choices);
  if (type === "boolean") return wish(name);
  if (type === "number" || type === "integer") return quantity(wordsOf(`${name} ${title ?? ""} ${description ?? ""}`));
  if (type !== "string") return NONE;
  return kindOfWords(`${format ?? ""}`) ?? kindOfWords(name) ?? TEXT;
}

/** The values that a property may take, where they are listed. */
function choicesIn({ enum: listed, const: only, anyOf }: JSONSchema): string[] {
  const constants = Array.isArray(anyOf) ? anyOf.map((each) => Object(each).const) : [only];
  return (Array.isArray(listed) ? listed : constants).filter((value) => typeof value === "string");
}

/** A schema that allows null beside one other thing, as that thing. */
function nonNull(schema: JSONSchema): JSONSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(type)) return { ...schema, type: type.find((each) => each !== "null") };
  const others = Array.isArray(anyOf) ? anyOf.filter((each) => Object(each).type !== "null") : [];
  return others.length === 1 ? { ...schema, ...Object(others[0]) } : schema;
}

/** The rules know one apostrophe; phones and word processors write another. */
const straight = (text: string): string => text.replace(/’/g, "'");

function readUtterance(spoken: Utterance, slots: readonly Slot[], schema: EntitySchema): EntityUpdate {
  const said = straight(spoken.said);
  const asked = askedFor(straight(spoken.asked ?? ""), said, slots);
  const found = slots.flatMap((slot): [string, JSONValue][] => {
    const { name, kind } = slot;
    const isAlone = slots.every((other) => other === slot || other.kind !== kind);
    const accepted = (values: readonly JSONValue[]) =>
      values.flatMap((value) => [value, isoDate(value)].find((form) => schema.accepts(name, form)) ?? []).at(-1);
    const value =
      accepted(labelled(said, slot)) ??
      accepted(isAlone ? kind.mention(said) : []) ??
      accepted(asked === slot ? kind.read(clauseOf(said.trim().replace(LEAD, ""))).slice(0, 1) : []);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

/** A date with day, named month and year as ISO, for properties that want it so. */
function isoDate(value: JSONValue): JSONValue {
  if (typeof value !== "string" || !/\p{L}{3}/u.test(value) || !/\d{4}/.test(value)) return value;
  const time = Date.parse(`${value.replace(/(\d)(?:st|nd|rd|th)\b|\bof\b/gi, "$1")} UTC`);
  return Number.isNaN(time) ? value : new Date(time).toISOString().slice(0, 10);
}

/** A clause ends with its sentence, with a comma, or where the next statement begins. */
const CLAUSE_END = /[;!?\n]|,(?!\d|\s\d{4}\b)|\.(?=\s|$)|\s(?=(?:and|but)\s+(?:my|the|i|we|it|our|please)\b)/i;
const CONNECTOR = /^\s*(?::|=|->|→|(?:\b(?:is|are|was|will be|would be|should be|must be|to be|to)\b|'s\b)\s*:?)\s*/i;
/** What may also stand between a name and a value that shows its kind: "a budget of 500", "the date on 12 May". */
const LOOSE_CONNECTOR = /^\s+(?:of|on|at|about|around|for)\s+/i;

const clauseOf = (text: string): string => text.split(CLAUSE_END, 1)[0]!.trim();

/** Values that follow a property's name. */
function labelled(said: string, { name, kind }: Slot): JSONValue[] {
  return [...said.matchAll(phrase(name))].flatMap((match) => {
    const rest = said.slice(match.index + match[0].length);
    const connector = CONNECTOR.exec(rest) ?? (kind.read === plainText ? undefined : LOOSE_CONNECTOR.exec(rest));
    return connector ? kind.read(clauseOf(rest.slice(connector[0].length))).slice(0, 1) : [];
  });
}

/** A longer answer says more than one thing. */
const LONGEST_ANSWER = 8;
/** "It's Paris", "in Paris": the words before the value. */
const LEAD = /^(?:(?:it's|it is|that's|i'd like|i want|in|on|at|to|from|for)\s+)+/i;

/** The property that a question names, where it names no other and the answer is short. */
function askedFor(asked: string, said: string, slots: readonly Slot[]): Slot | undefined {
  const question = asked.match(/[^.!?\n]*\?/g)?.at(-1);
  if (question === undefined || said.trim().split(/\s+/).length > LONGEST_ANSWER) return undefined;
  const named = slots.filter(({ name }) => phrase(name, "s?").test(question));
  return named.length === 1 ? named[0] : undefined;
}
