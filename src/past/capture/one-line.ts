import { cutText } from "../../memory/delimit.ts";

export function oneLine(text: string, maxChars: number): string {
  // Only the beginning of a long text is folded; blanks may shrink.
  const line = text
    .slice(0, maxChars * 4 + 200)
    .replace(/\s+/g, " ")
    .trim();
  return cutText(line, maxChars, true);
}

export function setBounded<T>(record: Record<string, T>, key: string, value: T, max: number): void {
  record[key] = value;
  const [oldest, ...others] = Object.keys(record);
  if (others.length >= max && oldest !== undefined) delete record[oldest];
}

export function pushBounded<T>(list: T[], item: T, max: number): void {
  list.push(item);
  if (list.length > max) list.shift();
}

const MAX_FOLLOWED = 200;

/** The time from which on nothing stands, where a message follows what another one followed before; undefined else. */
export function rewoundTo(
  followed: Record<string, string>,
  { time, parent = "" }: { time: string; parent?: string },
): string | undefined {
  if (parent === "" || time === "") return undefined;
  const before = Object.hasOwn(followed, parent) ? followed[parent] : undefined;
  setBounded(followed, parent, time, MAX_FOLLOWED);
  return before;
}
