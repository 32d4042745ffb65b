import { DAY, day, dayOf, month, monthNumber, type Stretch, season, week, weekdayNumber, year } from "./calendar.js";

/** What a question says about time. */
export interface QuestionTime {
  /** Times that it names; a month without a year is that month of any year. */
  readonly matches: ((time: number) => boolean) | undefined;
  /**
   * Whether it asks about what was, so that what no longer holds answers it too: "maybe" where only its tense says so, as
   * people ask for the present in the past tense too.
   */
  readonly past: "yes" | "maybe" | "no";
  /** It asks for what lies before or after an event: "before the move". */
  readonly relation: { readonly side: "before" | "after"; readonly event: string } | undefined;
}

const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const WEEKDAY = "mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun";
const SEASON = "spring|summer|autumn|fall|winter";
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  couple: 2,
  few: 3,
};
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, fortnight: 14, month: 30.44, year: 365.25 };

type Reading = (found: RegExpExecArray, now: number) => Stretch | ((time: number) => boolean) | undefined;

const nowYear = (now: number): number => new Date(now).getUTCFullYear();
const nowMonth = (now: number): number => new Date(now).getUTCMonth();

/** The first that is found is what the question says. */
const READINGS: readonly (readonly [RegExp, Reading])[] = [
  [/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/, ([, y, m, d]) => day(Date.UTC(Number(y), Number(m) - 1, Number(d)))],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b,? ?(\\d{4})?`, "i"),
    ([, d, m, y]) => onDay(Number(d), monthNumber(m!), y),
  ],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)(?:,? (\\d{4}))?`, "i"),
    ([, m, d, y]) => onDay(Number(d), monthNumber(m!), y),
  ],
  [new RegExp(`\\b(${MONTH}),? (?:of )?(\\d{4})\\b`, "i"), ([, m, y]) => month(Number(y), monthNumber(m!))],
  [
    new RegExp(`\\b(last|this|past|previous|in|during|since|until|by|of|early|late|mid) (${MONTH})\\b`, "i"),
    ([, which, m], now) => monthNamed(which!.toLowerCase(), monthNumber(m!), now),
  ],
  [
    new RegExp(`\\b(last|this|past|previous)? ?(${SEASON})(?: of)? ?(\\d{4})?\\b`, "i"),
    ([, which, s, y], now) =>
      seasonNamed(s!, { which: which?.toLowerCase(), of: y === undefined ? undefined : Number(y) }, now),
  ],
  [/\b(?:in|during|of|since|before|after|until|by|year) ((?:19|20)\d\d)\b/i, ([, y]) => year(Number(y))],
  [/\bday before yesterday\b/i, (_, now) => day(dayOf(now) - 2 * DAY)],
  [/\byesterday\b/i, (_, now) => day(dayOf(now) - DAY)],
  [/\b(?:today|tonight|this morning)\b/i, (_, now) => day(dayOf(now))],
  [
    /\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d{1,3})(?: of)? (day|week|fortnight|month|year)s? (?:ago|back|earlier)\b/i,
    ([, count, unit], now) => ago(count!, unit!.toLowerCase(), now),
  ],
  [
    /\b(?:in|over|during|within)? ?the (?:last|past) (\w+) (day|week|month|year)s\b/i,
    ([, count, unit], now) => within(count!, unit!.toLowerCase(), now),
  ],
  [
    /\b(last|past|previous|this) (week|month|year|weekend)\b/i,
    ([, which, unit], now) => unitNamed(unit!.toLowerCase(), which!.toLowerCase() === "this" ? 0 : 1, now),
  ],
  [
    new RegExp(`\\b(?:last|on|this|past) (${WEEKDAY})(?:day|nesday|rsday|urday)?\\b`, "i"),
    ([, name], now) => lastWeekday(name!, now),
  ],
];

const PAST =
  /\b(?:used to|did (?:\w+ ){1,3}use to|previous(?:ly)?|former(?:ly)?|before|original(?:ly)?|at first|in the past|back then|earlier|old(?:er)?|histor(?:y|ical)|once|initially|at the time|until)\b/i;
const PAST_TENSE = /\b(?:did|was|were|had|ever|first|changed?)\b/i;
const RELATION =
  /\b([Bb]efore|[Pp]rior to|[Aa]fter|[Ss]ince|[Ff]ollowing) ((?:the|my|his|her|their|our|[A-Z]\w+['’]s|I|we|he|she|they|moving|starting|joining|leaving|getting)\b[^?.,;]{2,80}?)(?=$|[?.,;]| (?:did|do|does|what|where|who|which|how|why|when)\b)/;
/** The length of time between two events is told by both of them, and lies on neither side. */
const SPAN = /\bhow (?:long|much time|many (?:minute|hour|day|night|week|month|year)s)\b/i;

/**
 * Reads what a question says about time.
 *
 * @example
 * ```ts
 * questionTime("Where did we eat last May?", Date.parse("2026-11-15")).matches?.(Date.parse("2026-05-20")); // true
 * ```
 */
export function questionTime(question: string, now: number): QuestionTime {
  const matches = namedTime(question, now);
  const relation = SPAN.test(question) ? null : RELATION.exec(question);
  const side = relation === null ? undefined : /after|since|following/i.test(relation[1]!) ? "after" : "before";
  return {
    matches,
    past: PAST.test(question) || matches?.(now) === false ? "yes" : PAST_TENSE.test(question) ? "maybe" : "no",
    relation: side === undefined || matches !== undefined ? undefined : { side, event: relation![2]!.trim() },
  };
}

function namedTime(question: string, now: number): ((time: number) => boolean) | undefined {
  for (const [pattern, reading] of READINGS) {
    const found = pattern.exec(question);
    const read = found === null ? undefined : reading(found, now);
    if (read !== undefined) return typeof read === "function" ? read : inside(read);
  }
  return undefined;
}

const inside =
  ({ from, to }: Stretch) =>
  (time: number): boolean =>
    time >= from && time < to;

function onDay(
  number: number,
  monthOfYear: number,
  ofYear: string | undefined,
): Stretch | ((time: number) => boolean) | undefined {
  if (number < 1 || number > 31) return undefined;
  if (ofYear !== undefined) return day(Date.UTC(Number(ofYear), monthOfYear, number));
  return (time) => new Date(time).getUTCMonth() === monthOfYear && new Date(time).getUTCDate() === number;
}

function monthNamed(which: string, number: number, now: number): Stretch | ((time: number) => boolean) {
  if (which === "this") return month(nowYear(now), number);
  if (!["last", "past", "previous"].includes(which)) return (time) => new Date(time).getUTCMonth() === number;
  return month(number < nowMonth(now) ? nowYear(now) : nowYear(now) - 1, number);
}

interface NamedSeason {
  readonly which: string | undefined;
  readonly of: number | undefined;
}

function seasonNamed(name: string, { which, of }: NamedSeason, now: number): Stretch | undefined {
  if (of !== undefined) return season(name, of);
  if (which === undefined) return undefined;
  const current = season(name, nowYear(now));
  if (which === "this" || current.to <= now) return current;
  return season(name, nowYear(now) - 1);
}

const countOf = (count: string): number => NUMBERS[count.toLowerCase()] ?? Number(count);

/** About then: the further back, the less exactly people mean it. */
function ago(count: string, unit: string, now: number): Stretch | undefined {
  const days = countOf(count) * UNIT_DAYS[unit]!;
  if (!Number.isFinite(days)) return undefined;
  const slack = unit === "day" ? 0 : (UNIT_DAYS[unit]! / 2) * DAY;
  const middle = dayOf(now - days * DAY);
  return { from: middle - slack, to: middle + slack + DAY };
}

function within(count: string, unit: string, now: number): Stretch | undefined {
  const days = countOf(count) * UNIT_DAYS[unit]!;
  return Number.isFinite(days) ? { from: now - days * DAY, to: now + 1 } : undefined;
}

function unitNamed(unit: string, back: number, now: number): Stretch {
  if (unit === "year") return year(nowYear(now) - back);
  if (unit === "month") return month(nowYear(now), nowMonth(now) - back);
  const monday = week(now - back * 7 * DAY);
  return unit === "week" ? monday : { from: monday.from + 4 * DAY, to: monday.to };
}

function lastWeekday(name: string, now: number): Stretch {
  const today = dayOf(now);
  const back = (new Date(today).getUTCDay() - weekdayNumber(name) + 7) % 7 || 7;
  return day(today - back * DAY);
}
