/** A day as `2026-03-05`. */
export type Day = string;

/** The day of a moment where the process runs: what a person there calls "today". */
export function localDay(moment: Date): Day {
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
}
