/** What is wrong with an argument: where, what stands there, and what to give instead. */
export interface Complaint {
  /** The argument, or the place in it: `filter.tags`. */
  at: string;
  /** What stands there, in words. */
  is: string;
  give: string;
}

/** Says what is wrong with a value at a place, or nothing. Takes microseconds: every call of the façade is checked. */
export type Check = (value: unknown, at: string) => Complaint | undefined;

/** What a text may be, where it may not be any. */
interface TextRules {
  maxChars?: number;
  /** Nothing but white space will do as well. */
  allowsBlank?: boolean;
}

const MAX_SHOWN_CHARS = 60;
/** The longest time that a timer of Node can wait, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Data from JSON is deeper nowhere; a value that holds itself is. */
const MAX_DEPTH = 200;
const MAX_NODES = 1_000_000;

/** A text; by default one that says something, and without the null character, which no file name can have. */
export function text(give: string, { maxChars = Infinity, allowsBlank = false }: TextRules = {}): Check {
  return (value, at) => {
    if (typeof value !== "string") return { at, is: shown(value), give };
    if (value.length > maxChars)
      return { at, is: `a text of ${value.length} characters`, give: `${give}, ${maxChars} at most` };
    if (allowsBlank) return undefined;
    return value.trim() === "" || value.includes("\0") ? { at, is: shown(value), give } : undefined;
  };
}

/** A whole number from `min` on. */
export function count(give: string, min = 1): Check {
  return (value, at) =>
    Number.isSafeInteger(value) && (value as number) >= min ? undefined : { at, is: shown(value), give };
}

/** A time span in milliseconds. */
export const milliseconds: Check = (value, at) =>
  typeof value === "number" && value >= 0 && value <= MAX_TIMER_MS
    ? undefined
    : { at, is: shown(value), give: "a number of milliseconds" };

export const flag: Check = (value, at) =>
  typeof value === "boolean" ? undefined : { at, is: shown(value), give: "true or false" };

export const callback: Check = (value, at) =>
  typeof value === "function" ? undefined : { at, is: shown(value), give: "a function" };

export function oneOf(words: readonly string[]): Check {
  const give = words.length === 1 ? String(words[0]) : `one of ${words.join(", ")}`;
  return (value, at) => (words.includes(value as string) ? undefined : { at, is: shown(value), give });
}

/** Nothing, or what passes the check. */
export function optional(check: Check): Check {
  return (value, at) => (value === undefined ? undefined : check(value, at));
}

export function list(check: Check): Check {
  return (value, at) => {
    if (!Array.isArray(value)) return { at, is: shown(value), give: "a list" };
    for (const [index, item] of value.entries()) {
      const complaint = check(item, `${at}[${index}]`);
      if (complaint) return complaint;
    }
    return undefined;
  };
}

/** An object of which the named fields pass their checks; what else it has is let be. */
export function record(give: string, fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value, at) => {
    if (!isRecord(value)) return { at, is: shown(value), give };
    for (const [key, check] of checks) {
      const complaint = check(value[key], `${at}.${key}`);
      if (complaint) return complaint;
    }
    return undefined;
  };
}

/** An object of which every field passes the check. */
export function recordOf(give: string, check: Check): Check {
  return (value, at) =>
    record(give, isRecord(value) ? Object.fromEntries(Object.keys(value).map((key) => [key, check])) : {})(
      value,
      at,
    );
}

/** An object of which the named fields pass their checks, and that has no others: what is kept as it is given. */
export function closedRecord(give: string, fields: Readonly<Record<string, Check>>): Check {
  const whole = record(give, fields);
  return (value, at) => {
    const complaint = whole(value, at);
    if (complaint) return complaint;
    const other = Object.keys(value as object).find((key) => !Object.hasOwn(fields, key));
    return other === undefined
      ? undefined
      : { at: `${at}.${other}`, is: "not known", give: Object.keys(fields).join(", ") };
  };
}

/** An object that is checked as one of its fields says; with no field of them it is none. */
export function recordBy(key: string, kinds: Readonly<Record<string, Check>>): Check {
  const word = oneOf(Object.keys(kinds));
  return (value, at) => {
    if (!isRecord(value)) return { at, is: shown(value), give: `an object with ${key}` };
    const kind = value[key];
    return word(kind, `${at}.${key}`) ?? kinds[kind as string]?.(value, at);
  };
}

/** An object with one of the named fields at least; each that is there is checked. */
export function anyOf(fields: Readonly<Record<string, Check>>): Check {
  const keys = Object.keys(fields);
  const whole = record(
    "an object",
    Object.fromEntries(keys.map((key) => [key, optional(fields[key] ?? (() => undefined))])),
  );
  return (value, at) =>
    isRecord(value) && keys.some((key) => value[key] !== undefined)
      ? whole(value, at)
      : { at, is: shown(value), give: `an object with ${keys.join(" or ")}` };
}

/** What passes any of the checks. */
export function either(give: string, ...checks: readonly Check[]): Check {
  return (value, at) =>
    checks.some((check) => check(value, at) === undefined) ? undefined : { at, is: shown(value), give };
}

/** An object as JSON could hold it, whatever its fields: no functions, and nothing that holds itself. */
export const data: Check = (value, at) => {
  if (!isRecord(value)) return { at, is: shown(value), give: "an object" };
  let nodes = 0;
  const isPlain = (part: unknown, depth: number): boolean => {
    if (typeof part !== "object" || part === null)
      return typeof part !== "function" && typeof part !== "symbol" && typeof part !== "bigint";
    nodes += 1;
    if (depth > MAX_DEPTH || nodes > MAX_NODES) return false;
    for (const inner of Array.isArray(part) ? (part as unknown[]) : Object.values(part))
      if (!isPlain(inner, depth + 1)) return false;
    return true;
  };
  return isPlain(value, 0)
    ? undefined
    : { at, is: "an object that JSON cannot hold", give: "an object of texts, numbers, lists and objects" };
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a few words: it may be anything, of any size. */
function shown(value: unknown): string {
  if (typeof value === "string") {
    if (value.trim() === "") return "an empty text";
    return value.length > MAX_SHOWN_CHARS ? `a text of ${value.length} characters` : JSON.stringify(value);
  }
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return String(value);
}
