/** Reads values of one kind out of a text, in the order in which they stand there. */
export type Reader<T> = (text: string) => T[];

const all =
  (pattern: RegExp): Reader<string> =>
  (text) =>
    [...text.matchAll(pattern)].map((match) => match[0]);

export const emails: Reader<string> = all(/[\w.+'-]{1,64}@[\w-]+(?:\.[\w-]+)+/g);
export const urls: Reader<string> = (text) =>
  all(/\b(?:https?:\/\/|www\.)[^\s<>"')]+/gi)(text).map((url) => url.replace(/[.,;:!?]+$/, ""));
export const phones: Reader<string> = (text) =>
  all(/(?<![\w.])\+?\(?\d[\d ()/-]{5,20}\d(?![\w.]\d)/g)(text).filter((phone) => phone.replace(/\D/g, "").length >= 7);
export const times: Reader<string> = all(
  /(?<![\w:.])(?:\d{1,2}:\d{2}(?:\s?[ap]\.?m\b)?|\d{1,2}\s?[ap]\.?m\b|noon\b|midnight\b)/gi,
);

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const ORDINAL = "\\d{1,2}(?:st|nd|rd|th)?";
const DATE = new RegExp(
  [
    "\\d{4}-\\d{2}-\\d{2}",
    `${ORDINAL}\\s+(?:of\\s+)?${MONTH}(?:,?\\s+\\d{4})?`,
    `${MONTH}\\s+${ORDINAL}(?:,?\\s+\\d{4})?(?!\\d)`,
    "\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}",
    `(?:next|this|coming)\\s+(?:week(?:end)?|month|year|${DAY})`,
    `today|tonight|(?:the day after )?tomorrow|${DAY}`,
  ]
    .map((form) => `(?<![\\p{L}\\p{N}.])${form}(?![\\p{L}\\p{N}])`)
    .join("|"),
  "giu",
);
/** Dates in the words of the user: without a clock, "tomorrow" stays "tomorrow". */
export const dates: Reader<string> = (text) => all(DATE)(text).map((date) => date.replace(/[.,]$/, ""));

/** A word that begins like the name of a day or a month. */
export const CALENDAR = new RegExp(`^(?:${DAY}|${MONTH}(?:\\s|$))`, "i");

/** A date with day, month and year as ISO, for properties that want it so. */
export function isoDate(text: string): string | undefined {
  const year = /\d{4}/.exec(text)?.[0];
  const month = MONTHS.findIndex((name) => new RegExp(`\\b${name}`, "i").test(text)) + 1;
  const day = /(?<!\d)(\d{1,2})(?!\d)/.exec(text)?.[1];
  if (year === undefined || month === 0 || day === undefined) return undefined;
  return `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** Source of a pattern for a number in figures or in words. */
export const NUMBER = `(?:-?\\d+(?:[.,]\\d+)*k?|${NUMBER_WORDS.join("|")})`;

export const numbers: Reader<number> = (text) =>
  [...text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}.,-])${NUMBER}(?![\\p{L}\\p{N}])`, "giu"))].map(([word]) =>
    numberOf(word),
  );

/** "1,500" and "1.500.000" are in groups, "2,5" and "2.5" are not. */
export function numberOf(word: string): number {
  const named = NUMBER_WORDS.indexOf(word.toLowerCase());
  if (named >= 0) return named;
  const figures = word.replace(/k$/i, "");
  const grouped = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(figures) || /^-?\d{1,3}(?:\.\d{3}){2,}$/.test(figures);
  const value = Number(grouped ? figures.replace(/,|\.(?=\d{3}(?:\.|$))/g, "") : figures.replace(",", "."));
  return /k$/i.test(word) ? value * 1000 : value;
}

const YES = /^(?:yes|yeah|yep|yup|sure|true|of course|certainly|definitely|please|ok(?:ay)?|y)\b/i;
const NO = /^(?:no|nope|nah|false|not|never|none|n)\b/i;

/** What a clause that starts with yes or no says. */
export function yesOrNo(text: string): boolean | undefined {
  const clause = text.trim();
  if (NO.test(clause)) return false;
  return YES.test(clause) ? true : undefined;
}

const TITLE = "(?:(?:St|Ste|Mt|Ft|Dr|Mr|Mrs|Ms)\\.?\\s)?";
const CAPITALISED = "\\p{Lu}[\\p{L}'-]*";
/** One to four words that start with a capital, as names of places and people do. */
export const PROPER = `${TITLE}${CAPITALISED}(?:[ -](?:(?:de|la|le|del|di|da|van|von|of|the)\\s)?${CAPITALISED}){0,3}`;
