import { isObject } from "../../../message/plain-value.js";
import type { JSONValue } from "../../../message/types.js";
import type { EntityProperty, EntitySchema } from "./entity-schema.js";
import type { Extractor, Utterance } from "./entity-tracker.js";

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

type Slot = Finder & { readonly name: string };

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

/** Finds values of a property, by its schema, its name and its description: those that show what they are, in the order in which a text has them. */
interface Finder {
  readonly find: (text: string) => JSONValue[];
  /** Whether any words may be a value where they stand behind the property's name. */
  readonly isFree?: boolean;
}

/** `departureDate`, `departure_date` and "Departure date" → departure, date. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The pattern of these texts as whole words, however they are joined: "window-seat" is found in "a window seat". */
function wholeWords(...texts: readonly string[]): string {
  const words = texts.map((text) => wordsOf(text).join("[\\s_'-]*")).filter(Boolean);
  return `(?<![\\p{L}\\p{N}])(?:${words.join("|") || "(?!)"})(?![\\p{L}\\p{N}])`;
}

/** What matches a pattern, without the punctuation behind it. */
const matching = (pattern: RegExp): Finder => ({
  find: (text) => [...text.matchAll(pattern)].map(([match]) => match.replace(/[.,;:!?'-]+$/, "")),
});

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

/** Names behind words that announce them. Days and months have capitals too. */
const announced = (...before: readonly string[]): Finder => ({
  isFree: true,
  find: (text) =>
    [...text.matchAll(new RegExp(wholeWords(...before), "giu"))].flatMap(({ 0: cue, index }) => {
      const name = PROPER.exec(text.slice(index + cue.length))?.[1]?.replace(/['-]+$/, "");
      return name === undefined || CALENDAR.test(name) ? [] : [name];
    }),
});

/** Finders of text by a word of the property's format or name; the first that fits counts. */
const TEXTS: readonly (readonly [RegExp, Finder])[] = [
  [/^e?mail$/, matching(/[\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+/g)],
  [/^(phone|telephone|mobile)$/, matching(/(?<![\w.])\+?\(?(?:\d[ ()/-]{0,3}){6,14}\d(?![\w.]\d)/g)],
  [/^(date|day|when|deadline|birthday)$/, matching(new RegExp(DATES.join("|"), "giu"))],
  [/^time$/, matching(/(?<![\w:.])(?:\d{1,2}:\d{2}(?:\s?[ap]\.?m\b)?|\d{1,2}\s?[ap]\.?m\b|noon\b|midnight\b)/gi)],
  [/^(destination|to)$/, announced("to", "visit", "visiting")],
  [/^(origin|from|departure)$/, announced("from")],
  [/^(name|fullname|username)$/, announced("my name is", "i am", "i m", "call me", "this is")],
];
const PLAIN: Finder = { find: () => [], isFree: true };

/** Words that turn down what follows them. */
const DENIAL =
  "(\\b(?:no|not|without|never|skip|cancel|instead of|than)|n't)(?:\\s+(?:an?|any|the|in|by|want|need|like|to|for|have)){0,3}\\s+";

/** The members of a list that a text names. */
function choice(choices: readonly string[]): Finder {
  const pattern = new RegExp(`(?:${DENIAL})?(${wholeWords(...choices)})`, "giu");
  const memberOf = (words: string) => choices.find((each) => wordsOf(each).join() === wordsOf(words).join()) ?? [];
  return { find: (text) => [...text.matchAll(pattern)].flatMap(([, no, words]) => (no ? [] : memberOf(words!))) };
}

/** The first words of answers; "of course" is among them. */
const YES = /^(?:yes|yeah|yep|yup|sure|true|of|certainly|definitely|please|ok|okay|y)$/i;
const NO = /^(?:no|nope|nah|false|not|never|none|n)$/i;

/** A boolean that is named is wanted, unless the words before it or an answer behind it say no. */
function wish(name: string): Finder {
  const pattern = new RegExp(`(?:${DENIAL})?${wholeWords(name, `${name}s`)}(?:\\s*[:=]\\s*(\\p{L}+))?`, "giu");
  const read = (answer: string) => (NO.test(answer) ? false : YES.test(answer) ? true : []);
  return { find: (text) => [...text.matchAll(pattern)].flatMap(([, no, answer]) => (answer ? read(answer) : !no)) };
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER = `(?<![\\p{L}\\p{N}.,])(-?\\d+(?:,\\d{3})*(?:\\.\\d+)?|${NUMBER_WORDS.join("|")})`;
/** Words of names and descriptions that are no units. */
const COMMON = new Set(
  "a an and at by for from how in is it many much no number of on or per that the to total with".split(" "),
);

/** Numbers behind the property's name, or beside a unit: a word of its name or description, the sign of a currency. */
function quantity(name: string, description: string): Finder {
  const units = wordsOf(`${name} ${description}`).filter((word) => word.length > 1 && !COMMON.has(word));
  const signs = units.flatMap(signOf);
  const before = [
    `${wholeWords(name)}\\s*(?:[:=]|(?:of|is|are|to)\\s)[^,;.!?\\n]{0,30}?`,
    ...signs.map((sign) => `${sign}\\s?`),
  ];
  const behind = [...units.map((unit) => `${unit.replace(/s$/, "")}(?:s|es)?(?![\\p{L}\\p{N}])`), ...signs];
  const patterns = [
    ...before.map((words) => `${words}${NUMBER}(?![\\p{L}\\p{N}]|[.,]\\d)`),
    ...behind.map((words) => `${NUMBER}[\\s-]{0,3}${words}`),
  ];
  const pattern = new RegExp(patterns.join("|"), "giu");
  return { find: (text) => [...text.matchAll(pattern)].map(([, ...found]) => numberOf(found.find(Boolean)!)) };
}

function numberOf(word: string): number {
  const known = NUMBER_WORDS.indexOf(word.toLowerCase());
  return known < 0 ? Number(word.replaceAll(",", "")) : known;
}

/** EUR → €; nothing for what is no currency with a sign of its own. */
function signOf(unit: string): string[] {
  if (!/^[a-z]{3}$/.test(unit)) return [];
  const sign = new Intl.NumberFormat("en", { style: "currency", currency: unit }).format(0).replace(/[\d.\s]/g, "");
  return sign.toLowerCase() === unit ? [] : [sign.replace("$", "\\$")];
}

/** The finder of a property's values; undefined for lists and objects, which no rule fills. */
function finderOf({ name, schema }: EntityProperty): Finder | undefined {
  const forms = [schema, ...(Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [])];
  const types = new Set(forms.flatMap(({ type }) => type));
  const choices = forms.flatMap((form) => [form.enum, form.const].flat()).filter((each) => typeof each === "string");
  if (choices.length > 0) return choice(choices);
  if (types.has("boolean")) return wish(name);
  if (types.has("number") || types.has("integer"))
    return quantity(name, `${schema.title ?? ""} ${schema.description ?? ""}`);
  if (!types.has("string")) return undefined;
  const words = wordsOf(`${forms.map(({ format }) => format ?? "").join(" ")} ${name}`);
  return TEXTS.find(([names]) => words.some((word) => names.test(word)))?.[1] ?? PLAIN;
}
