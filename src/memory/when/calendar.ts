/** Stretches of time, in UTC: from the first millisecond to the first after it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export const DAY = 86_400_000;

const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
const WEEKDAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** 0 to 11 for a month's name or its beginning. */
export const monthNumber = (name: string): number =>
  MONTH_NAMES.findIndex((month) => name.toLowerCase().startsWith(month));

/** 0 (Sunday) to 6 for a weekday's name or its beginning. */
export const weekdayNumber = (name: string): number =>
  WEEKDAY_NAMES.findIndex((weekday) => name.toLowerCase().startsWith(weekday));

export const dayOf = (time: number): number => Math.floor(time / DAY) * DAY;

export const day = (from: number): Stretch => ({ from, to: from + DAY });

/** Months counted from January of a year; numbers outside 0 to 11 lie in other years. */
export const month = (year: number, number: number): Stretch => ({
  from: Date.UTC(year, number, 1),
  to: Date.UTC(year, number + 1, 1),
});

export const year = (number: number): Stretch => ({ from: Date.UTC(number, 0, 1), to: Date.UTC(number + 1, 0, 1) });

/** The week, from Monday, that a time is in. */
export function week(time: number): Stretch {
  const start = dayOf(time);
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * DAY;
  return { from: monday, to: monday + 7 * DAY };
}

const SEASON_START: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

/** Three months of the northern year; winter begins in December of the year given. */
export function season(name: string, ofYear: number): Stretch {
  const start = SEASON_START[name.toLowerCase()]!;
  return { from: Date.UTC(ofYear, start, 1), to: Date.UTC(ofYear, start + 3, 1) };
}
