import { redactSecrets } from "./find-secrets.ts";

/** Longer texts are seldom said twice in one value. */
const MAX_KNOWN_CHARS = 64;

/**
 * A value without secrets in its texts and keys. Texts are looked at one by one: as JSON, a `token` beside an
 * id would look like a secret.
 */
export function redactValue<T>(value: T): T {
  // Thousands of rows have the same keys, types and tags.
  const known = new Map<string, string>();
  const redactedText = (text: string): string => {
    if (text.length > MAX_KNOWN_CHARS) return redactSecrets(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const clean = redactSecrets(text);
    known.set(text, clean);
    return clean;
  };
  const redacted = (inner: unknown): unknown => {
    if (typeof inner === "string") return redactedText(inner);
    if (Array.isArray(inner)) return inner.map(redacted);
    if (typeof inner !== "object" || inner === null || inner instanceof Date) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, value]) => [redactedText(key), redacted(value)]),
    );
  };
  return redacted(value) as T;
}
