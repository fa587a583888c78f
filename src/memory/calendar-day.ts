/** A day as `2026-03-05`; arithmetic is in UTC, so that no zone shifts a day. */
export type Day = string;

const MS_PER_DAY = 86_400_000;

/** The day of a moment where the process runs: what a person there calls "today". */
export function localDay(moment: Date): Day {
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
}

/** The day `count` days later (earlier when negative). */
export function addDays(day: Day, count: number): Day {
  return new Date(Date.parse(day) + count * MS_PER_DAY).toISOString().slice(0, 10);
}

/** The same day of another month, or that month's last day where it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const [year, month, date] = partsOf(day);
  const first = new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
  const last = endOfMonth(first);
  return last.slice(8) < String(date).padStart(2, "0")
    ? last
    : `${first.slice(0, 8)}${String(date).padStart(2, "0")}`;
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: Day): number {
  return new Date(day).getUTCDay();
}

/** The Monday of the day's week (ISO 8601: weeks begin on Monday). */
export function mondayOf(day: Day): Day {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

/** The last day of the day's month. */
export function endOfMonth(day: Day): Day {
  const [year, month] = partsOf(day);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}

/** The quarter of a day, 1 to 4, by the calendar year. */
export function quarterOf(day: Day): number {
  return Math.ceil(partsOf(day)[1] / 3);
}

/** The last day of a quarter of the calendar year. */
export function endOfQuarter(year: number, quarter: number): Day {
  return endOfMonth(`${year}-${String(quarter * 3).padStart(2, "0")}-01`);
}

/** Days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / MS_PER_DAY);
}

function partsOf(day: Day): [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
}
