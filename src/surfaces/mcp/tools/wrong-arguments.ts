import type { z } from "zod";

type Issue = z.ZodError["issues"][number];

/** At most this many wrong arguments are told at once. */
const MAX_TOLD = 5;
const MAX_SHOWN_CHARS = 60;

/** What is wrong with a tool's arguments, as heed's own errors say it: which, what it is, and what to send. */
export function wrongArguments(
  error: z.ZodError,
  given: unknown,
  schema: z.ZodObject,
): { code: "invalid-input"; argument: string; message: string } {
  const told = error.issues.slice(0, MAX_TOLD).map((issue) => {
    if (issue.code === "unrecognized_keys") return unknownNames(issue, schema);
    const field = schema.shape[String(issue.path[0])];
    const meaning = (field as z.ZodType | undefined)?.description;
    const wanted = [...new Set([wantedBy(issue), meaning])].filter((part) => part !== undefined).join(": ");
    return `${placeOf(issue)} ${stateOf(valueAt(given, issue.path))}: give ${wanted}`;
  });
  const [first] = error.issues;
  const argument = first?.code === "unrecognized_keys" ? first.keys[0] : first?.path[0];
  return { code: "invalid-input", argument: String(argument ?? ""), message: told.join("; ") };
}

/** What was given under names that there are none of: often what is missing under another name. */
function unknownNames({ path, keys }: Issue & { code: "unrecognized_keys" }, schema: z.ZodObject): string {
  const shown = keys.slice(0, MAX_TOLD).map((key) => JSON.stringify(key.slice(0, MAX_SHOWN_CHARS)));
  const place =
    path.length === 0
      ? `here: this tool takes ${Object.keys(schema.shape).join(", ")}`
      : `in ${path.join(".")}`;
  return `there is no ${shown.join(" or ")} ${place}`;
}

function placeOf({ path }: Issue): string {
  return path.length === 0 ? "the arguments" : path.map(String).join(".");
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    given,
  );
}

function stateOf(value: unknown): string {
  if (value === undefined) return "is missing";
  if (typeof value === "string") {
    if (value === "") return "is empty";
    return value.length > MAX_SHOWN_CHARS ? `has ${value.length} characters` : `is ${JSON.stringify(value)}`;
  }
  if (Array.isArray(value)) return `has ${value.length} entries`;
  if (typeof value === "object" && value !== null) return "is an object";
  return `is ${JSON.stringify(value)}`;
}

/** What would pass, in a few words. */
function wantedBy(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return wantedType(issue.expected);
    case "invalid_value":
      return `one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `${issue.maximum}${issue.origin === "string" ? " characters" : ""} at most`;
    case "too_small":
      return issue.origin === "string" ? "a text" : `${issue.minimum} at least`;
    case "invalid_format":
      return "a text";
    default:
      return undefined;
  }
}

/** A type of the schema library in words. */
export function wantedType(expected: string): string {
  return NAMES[expected] ?? `a ${expected}`;
}

const NAMES: Readonly<Partial<Record<string, string>>> = {
  string: "a text",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
