/** Lists in front matter are read up to this many items: a memory has a handful of tags. */
export const MAX_LIST_ITEMS: number = 200;

const MAX_TEXT_CHARS = 20_000;

/** The keys of a memory file: `metadata` first, then the top level, where other tools keep them. */
export class FieldReader {
  readonly #levels: readonly Record<string, unknown>[];

  constructor(frontMatter: Record<string, unknown>) {
    const metadata = asRecord(frontMatter["metadata"]);
    this.#levels = metadata ? [metadata, frontMatter] : [frontMatter];
  }

  /** The first value among these keys, each also tried with dashes for underscores; null counts as absent. */
  get(...keys: string[]): unknown {
    for (const level of this.#levels) {
      for (const key of keys) {
        const value =
          own(level, key) ?? (key.includes("_") ? own(level, key.replaceAll("_", "-")) : undefined);
        if (value !== undefined && value !== null) return value;
      }
    }
    return undefined;
  }

  /** A text value with blanks trimmed and line breaks folded; numbers and booleans are taken as text. */
  text(...keys: string[]): string | undefined {
    const value = this.get(...keys);
    if (typeof value === "string")
      return value.slice(0, MAX_TEXT_CHARS).replace(/\s+/g, " ").trim() || undefined;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }

  /** A list of texts on one line each; one text is a list of one, and a comma-separated text is split. */
  list(...keys: string[]): string[] {
    const value = this.get(...keys);
    const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
    const texts = items
      .slice(0, MAX_LIST_ITEMS)
      .filter((item) => typeof item === "string" || typeof item === "number");
    return [...new Set(texts.map((item) => onOneLine(String(item))).filter((item) => item !== ""))];
  }

  word<T extends string>(allowed: readonly T[], ...keys: string[]): T | undefined {
    const value = this.text(...keys)?.toLowerCase();
    return allowed.find((word) => word === value);
  }

  /** An ISO time in UTC, from an ISO date or time or a YAML timestamp; undefined for anything else. */
  time(...keys: string[]): string | undefined {
    const value = this.get(...keys);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
    if (typeof value !== "string") return undefined;
    return normaliseTime(value);
  }
}

/** The text without blanks around it; control characters and runs of blanks become one blank. */
// oxlint-disable-next-line no-control-regex -- a tag, path or branch holds none, so none need be shown
export const onOneLine = (text: string): string => text.replace(/[\s\0-\x1f\x7f-\x9f]+/g, " ").trim();

export function own(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

export function isoSeconds(time: Date): string {
  return `${time.toISOString().slice(0, -".000Z".length)}Z`;
}

/** Dates stay dates (`2026-03-05`); times become UTC ISO times without fractions of a second. */
export function normaliseTime(value: string): string | undefined {
  const text = value.trim();
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDate && !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) return undefined;
  const time = new Date(isDate ? text : withZone(text));
  if (Number.isNaN(time.getTime())) return undefined;
  const iso = isoSeconds(time);
  if (!isDate) return iso;
  // 2026-02-30 parses as March: a date that does not come back as written is not valid.
  return iso.slice(0, 10) === text ? text : undefined;
}

/** A time without a zone is taken as UTC, so that the same file means the same on every machine. */
function withZone(text: string): string {
  const iso = text.replace(" ", "T");
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(iso) ? iso : `${iso}Z`;
}

/** The order of two values of a kind, for sorting. */
export const compare = <T>(left: T, right: T): number => (left < right ? -1 : left > right ? 1 : 0);

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Record<string, unknown>)
    : undefined;
}

export type Day = string;

/** The day of a moment where the process runs: what a person there calls "today". */
export function localDay(moment: Date): Day {
  const pad = (value: number): string => String(value).padStart(2, "0");
  return `${moment.getFullYear()}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
}

/** A day is past when it has ended where the process runs, a time once it is over. */
export function isPast(when: string, now: Date): boolean {
  return when.length === 10 ? when < localDay(now) : Date.parse(when) < now.getTime();
}

/** How often each word is there, the most frequent first. */
export function countWords(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
