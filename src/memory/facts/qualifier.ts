import { normalValue } from "./value.js";

/**
 * Words after a value that bound where or when it holds: "9090 in staging", "npm at home", "to London for the weekend".
 * A bounded value says nothing of the unbounded one: it has a slot of its own, or none.
 */
const MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
/** What follows a preposition and bounds nothing: a date, "in general", "on all machines". */
const UNBOUNDED = `(?!(?:the )?(?:\\d|(?:${MONTH})[a-z]*\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|last |next |this (?:week|month|year)|all\\b|every|any\\b|general|total|order to|favou?r|future|moment|past|end\\b|time\\b|average|purpose|now\\b|good\\b|noon|midnight|sure|example|reference|me\\b|us\\b|you\\b))`;
const BOUND = new RegExp(
  `^(?<value>\\S.*?),? (?<bound>(?:in|on|for|at|during|when|while|within|inside|under) ${UNBOUNDED}.+)$`,
  "i",
);
const PLACE = new RegExp(`^,? (?<bound>(?:in|on|at|within|inside|under|during|when) ${UNBOUNDED}[^,;.]+)`, "i");

export interface Bounded {
  readonly value: string;
  /** Normalised; undefined where the value holds without bounds. */
  readonly bound: string | undefined;
}

/** A value apart from what bounds it. */
export function bounded(text: string): Bounded {
  const { value, bound } = BOUND.exec(text)?.groups ?? {};
  return value === undefined || bound === undefined
    ? { value: text, bound: undefined }
    : { value, bound: normalValue(bound) };
}

/** Where something is said to hold by the words that follow. */
export const placeOf = (rest = ""): string | undefined => {
  const bound = PLACE.exec(rest)?.groups?.bound;
  return bound === undefined ? undefined : normalValue(bound);
};

const SEASON =
  "weekends?|weeks?|months?|summers?|winters?|spring|autumn|fall|holidays?|vacation|semester|nights?|days?|while|visit|conference";
const PASSING = new RegExp(
  `^,? (?:for (?:the|a|an|this|one|my|a few|some) (?:[\\p{L}-]+ )?(?:${SEASON})\\b|on (?:the side|weekends?|weekdays|\\p{L}+days|holidays)\\b|at (?:night|weekends|home|\\p{Lu})|during\\b|in (?:the )?(?:summers?|winters?|evenings?|mornings?|my (?:free|spare) time)|when\\b|until\\b|temporarily\\b|every (?:other )?\\p{L}+|half (?:of )?the\\b)`,
  "u",
);

/** Whether the words that follow say that it is so at times only. */
export const isPassing = (rest = ""): boolean => PASSING.test(rest);

const SO_FAR = new RegExp(`^,? (?:(?:this|next) (?:coming )?(?:${SEASON}|year)|today|tonight|tomorrow)\\b`, "u");

/** Whether the words that follow bound a state to the time at hand; of an event they say when it was. */
export const isForNow = (rest = ""): boolean => SO_FAR.test(rest);

/** The name of an attribute that holds within bounds. */
export const within = (attribute: string, bound: string | undefined): string =>
  bound === undefined ? attribute : `${attribute} ${bound}`;
