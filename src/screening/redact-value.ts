import { redactSecrets } from "./redact-secrets.ts";

/**
 * A value as it may be shown: each text in it, keys included, without secrets. Texts are looked at one by one: as JSON a
 * key like `token` beside an id would look like a secret. Answers are no deeper than a few levels.
 */
export function redactValue<T>(value: T): T {
  return redacted(value) as T;
}

function redacted(value: unknown): unknown {
  if (typeof value === "string") return redactSecrets(value);
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redactSecrets(key), redacted(inner)]),
  );
}
