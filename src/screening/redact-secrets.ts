import { findSecrets } from "./find-secrets.ts";

/** The text with each secret in it replaced by its kind: `[redacted: github-token]`. Twice changes nothing more. */
export function redactSecrets(text: string): string {
  const found = findSecrets(text);
  if (found.length === 0) return text;
  let redacted = "";
  let at = 0;
  for (const { kind, start, end } of found) {
    redacted += `${text.slice(at, start)}[redacted: ${kind}]`;
    at = end;
  }
  return redacted + text.slice(at);
}
