import { isPersonName } from "./vocabulary.js";

/** Dates as people say them. */
const MONTH =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?";
const DAY = "\\d{1,2}(?:st|nd|rd|th)?";
const DATE = new RegExp(
  `\\b(?:\\d{4}-\\d\\d-\\d\\d|${MONTH} ${DAY}(?!\\d)(?:,? \\d{4})?|${DAY}(?: of)? ${MONTH}(?:,? \\d{4})?|\\d{1,2}/\\d{1,2}/\\d{2,4}|(?:in|since) (?:${MONTH} )?(?:19|20)\\d\\d|yesterday|tomorrow|(?:last|next|this) (?:week(?:end)?|month|year|spring|summer|fall|autumn|winter|night|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|${MONTH}))(?=$|\\W)`,
);
const FIRST_PERSON = /\b(?:I|we|We|my|My|our|Our)\b/;
const THIRD_PERSON =
  /^(\p{Lu}\p{Ll}+)(?: \p{Lu}\p{Ll}+)? (?:\p{Ll}{2,}(?:s|ed)|went|came|got|will|had|met|flew|left|bought|took|gave|made|won|ran)\b/u;

/** The date that a clause about somebody names, as it was said. */
export function eventDate(clause: string): string | undefined {
  const name = THIRD_PERSON.exec(clause)?.[1];
  const somebody = FIRST_PERSON.test(clause) || (name !== undefined && isPersonName(name));
  return somebody ? DATE.exec(clause)?.[0] : undefined;
}
