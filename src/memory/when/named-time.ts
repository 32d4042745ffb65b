import { DAY, day, dayOf, month, monthNumber, type Stretch, season, week, weekdayNumber, year } from "./calendar.js";

/** A time that a question names. */
export interface NamedTime {
  matches(time: number): boolean;
  /** Where it lies; undefined for a day or a month of any year. */
  readonly stretch: Stretch | undefined;
  /** The words that name a time beside it, as in "before 2020": what is of that time itself is not asked for. */
  readonly beside: string | undefined;
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

interface Asked {
  readonly now: number;
  /** It speaks of what is or will be: its Friday is the next one. */
  readonly isPresent: boolean;
  /** "Before May" is before one May, not before any: the next one where it speaks of what is to be done. */
  readonly side: Side | undefined;
}

type Side = "before" | "after" | "since";

type Matches = (time: number) => boolean;
type Reading = (found: RegExpExecArray, asked: Asked) => Stretch | Matches | undefined;

const nowYear = (now: number): number => new Date(now).getUTCFullYear();
const nowMonth = (now: number): number => new Date(now).getUTCMonth();

/** The first that is found is what the question says. */
const READINGS: readonly (readonly [RegExp, Reading])[] = [
  [/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/, ([, y, m, d]) => day(Date.UTC(Number(y), Number(m) - 1, Number(d)))],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b,? ?(\\d{4})?`, "i"),
    ([, d, m, y], asked) => onDay({ number: Number(d), of: monthNumber(m!), year: y }, asked),
  ],
  [
    new RegExp(`\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!\\d)(?:,? (\\d{4}))?`, "i"),
    ([, m, d, y], asked) => onDay({ number: Number(d), of: monthNumber(m!), year: y }, asked),
  ],
  [new RegExp(`\\b(${MONTH}),? (?:of )?(\\d{4})\\b`, "i"), ([, m, y]) => month(Number(y), monthNumber(m!))],
  [
    new RegExp(
      `\\b(last|this|past|previous|in|during|since|until|before|after|by|of|early|late|mid) (${MONTH})\\b`,
      "i",
    ),
    ([, which, m], asked) => monthNamed(which!.toLowerCase(), monthNumber(m!), asked),
  ],
  [
    new RegExp(`\\b(last|this|past|previous)? ?(${SEASON})(?: of)? ?(\\d{4})?\\b`, "i"),
    ([, which, s, y], { now }) =>
      seasonNamed(s!, { which: which?.toLowerCase(), of: y === undefined ? undefined : Number(y) }, now),
  ],
  [/\b(?:in|during|of|since|before|after|until|by|year) ((?:19|20)\d\d)\b/i, ([, y]) => year(Number(y))],
  [/\bday before yesterday\b/i, (_, { now }) => day(dayOf(now) - 2 * DAY)],
  [/\byesterday\b/i, (_, { now }) => day(dayOf(now) - DAY)],
  [/\b(?:today|tonight|this morning)\b/i, (_, { now }) => day(dayOf(now))],
  [
    /\b(a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|couple|\d{1,3})(?: of)? (day|week|fortnight|month|year)s? (?:ago|back|earlier)\b/i,
    ([, count, unit], { now }) => ago(count!, unit!.toLowerCase(), now),
  ],
  [
    /\b(?:in|over|during|within)? ?the (?:last|past) (\w+) (day|week|month|year)s\b/i,
    ([, count, unit], { now }) => within(count!, unit!.toLowerCase(), now),
  ],
  [
    /\b(last|past|previous|this) (week|month|year|weekend)\b/i,
    ([, which, unit], { now }) => unitNamed(unit!.toLowerCase(), which!.toLowerCase() === "this" ? 0 : 1, now),
  ],
  [
    new RegExp(`\\b(last|on|this|past|next) (${WEEKDAY})(?:day|nesday|rsday|urday)?\\b`, "i"),
    ([, which, name], asked) => weekdayNamed(which!.toLowerCase(), weekdayNumber(name!), asked),
  ],
];

/** What turns a time into all that lies on one side of it, where it stands before it or begins it. */
const SIDE = /\b(before|prior to|until|till|after|since)\W+(?:the\W+)?$/i;
const SIDE_FIRST = /^(before|until|after|since)\b/i;

/** The time that a question names; undefined where it names none. */
export function namedTime(question: string, { now, isPresent }: Omit<Asked, "side">): NamedTime | undefined {
  for (const [pattern, reading] of READINGS) {
    const found = pattern.exec(question);
    if (found === null) continue;
    const side = sideOf((SIDE.exec(question.slice(0, found.index)) ?? SIDE_FIRST.exec(found[0]))?.[1]);
    const read = reading(found, { now, isPresent, side });
    if (typeof read === "function") return { matches: read, stretch: undefined, beside: undefined };
    if (read !== undefined && side === undefined) return { ...inside(read), beside: undefined };
    if (read !== undefined && side !== undefined) return { ...inside(besides(read, side)), beside: found[0] };
  }
  return undefined;
}

function sideOf(word: string | undefined): Side | undefined {
  const side = word?.toLowerCase();
  return side === undefined || side === "after" || side === "since" ? side : "before";
}

function besides({ from, to }: Stretch, side: Side): Stretch {
  if (side === "after") return { from: to, to: Number.POSITIVE_INFINITY };
  return side === "since" ? { from, to: Number.POSITIVE_INFINITY } : { from: Number.NEGATIVE_INFINITY, to: from };
}

const inside = (stretch: Stretch): Pick<NamedTime, "matches" | "stretch"> => ({
  matches: (time) => time >= stretch.from && time < stretch.to,
  stretch,
});

interface NamedDay {
  readonly number: number;
  /** Its month. */
  readonly of: number;
  readonly year: string | undefined;
}

function onDay({ number, of, year: named }: NamedDay, asked: Asked): Stretch | Matches | undefined {
  if (number < 1 || number > 31) return undefined;
  if (named !== undefined) return day(Date.UTC(Number(named), of, number));
  if (asked.side !== undefined) return oneOf((ofYear) => day(Date.UTC(ofYear, of, number)), asked);
  return (time) => new Date(time).getUTCMonth() === of && new Date(time).getUTCDate() === number;
}

/** Of what comes each year the last that has begun; the next one that has not where it is a term. */
function oneOf(inYear: (year: number) => Stretch, { now, isPresent, side }: Asked): Stretch {
  const current = inYear(nowYear(now));
  if (side === "before" && isPresent) return current.from > now ? current : inYear(nowYear(now) + 1);
  return current.from <= now ? current : inYear(nowYear(now) - 1);
}

function monthNamed(which: string, number: number, asked: Asked): Stretch | Matches {
  const { now, side } = asked;
  if (which === "this") return month(nowYear(now), number);
  if (["last", "past", "previous"].includes(which))
    return month(number < nowMonth(now) ? nowYear(now) : nowYear(now) - 1, number);
  return side === undefined
    ? (time) => new Date(time).getUTCMonth() === number
    : oneOf((ofYear) => month(ofYear, number), asked);
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

function weekdayNamed(which: string, number: number, { now, isPresent }: Asked): Stretch {
  const today = dayOf(now);
  const ahead = (number - new Date(today).getUTCDay() + 7) % 7;
  const isAhead = which === "this" || which === "next" || (which === "on" && isPresent);
  if (isAhead) return day(today + (which === "next" && ahead === 0 ? 7 : ahead) * DAY);
  return day(today - (7 - ahead) * DAY);
}
