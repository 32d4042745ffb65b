/** How the values of a property are found in English words: by its schema, its name and its description. */
import { isObject } from "../../../message/plain-value.js";
import type { JSONValue } from "../../../message/types.js";
import type { EntityProperty } from "./entity-schema.js";

/** Finds values that show what they are, in the order in which a text has them. */
export interface Finder {
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
export function wholeWords(...texts: readonly string[]): string {
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
export function finderOf({ name, schema }: EntityProperty): Finder | undefined {
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
