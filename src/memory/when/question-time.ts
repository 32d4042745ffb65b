import { type NamedTime, namedTime } from "./named-time.js";

/** What a question says about time. */
export interface QuestionTime {
  /** The time that it names; a month without a year is that month of any year. */
  readonly named: NamedTime | undefined;
  /**
   * Whether it asks about what was, so that what no longer holds answers it too: "maybe" where only its tense says so, as
   * people ask for the present in the past tense too.
   */
  readonly past: "yes" | "maybe" | "no";
  /** It asks for what lies before or after an event: "before the move". */
  readonly relation: { readonly side: "before" | "after"; readonly event: string } | undefined;
}

const PAST =
  /\b(?:used to|did (?:\w+ ){1,3}use to|previous(?:ly)?|former(?:ly)?|original(?:ly)?|at first|in the past|back then|earlier|initially|at the time)\b|\bbefore(?: (?:that|this|then|now))?\W*$/i;
/** "The old port", but not "how old" nor "five years old". */
const OLD = /\b(?:(?:my|our|your|his|her|its|their|the|that|those)|\w+['’]s) old(?:er)?\b/i;
const PAST_TENSE = /\b(?:did|was|were|had|ever|first|once|histor(?:y|ical)|changed?)\b/i;
const PRESENT = /\b(?:do|does|is|are|am|can|should|will|shall)\b|['’](?:m|re|ll)\b/i;
/** In the past tense; an order to answer before noon says nothing of the past. */
const BEFORE = /\bbefore\b/i;
const FUTURE =
  /\b(?:will|shall|going to|tomorrow|next (?:week|month|year|time|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|upcoming)\b|['’]ll\b/i;
const RELATION =
  /\b([Bb]efore|[Pp]rior to|[Aa]fter|[Ss]ince|[Ff]ollowing) ((?:the|my|his|her|their|our|[A-Z]\w+['’]s|I|we|he|she|they|moving|starting|joining|leaving|getting)\b[^?.,;]{2,80}?)(?=$|[?.,;]| (?:did|do|does|what|where|who|which|how|why|when)\b)/;
/** The length of time between two events is told by both of them, and lies on neither side. */
const SPAN = /\bhow (?:long|much time|many (?:minute|hour|day|night|week|month|year)s)\b/i;

/**
 * Reads what a question says about time.
 *
 * @example
 * ```ts
 * questionTime("Where did we eat last May?", Date.parse("2026-11-15")).named?.matches(Date.parse("2026-05-20")); // true
 * ```
 */
export function questionTime(question: string, now: number): QuestionTime {
  const isPresent = PRESENT.test(question) && !PAST_TENSE.test(question);
  const named = namedTime(question, { now, isPresent });
  const relation = named !== undefined || SPAN.test(question) ? null : RELATION.exec(question);
  const side = relation === null ? undefined : /after|since|following/i.test(relation[1]!) ? "after" : "before";
  return {
    named,
    past: pastOf(question, named, now),
    relation: side === undefined ? undefined : { side, event: relation![2]!.trim() },
  };
}

function pastOf(question: string, named: NamedTime | undefined, now: number): QuestionTime["past"] {
  const { from = now, to = Infinity } = named?.stretch ?? {};
  if (to <= now || PAST.test(question) || OLD.test(question)) return "yes";
  const isPastTense = PAST_TENSE.test(question);
  if (from > now || (FUTURE.test(question) && !isPastTense)) return "no";
  const isOther = named?.matches(now) === false;
  if (!isPastTense) return isOther ? "maybe" : "no";
  return isOther || BEFORE.test(question) ? "yes" : "maybe";
}
