import { redactSecrets } from "./find-secrets.ts";

/** The beginning of a text for a message: what is cut through the middle of a secret is known for one no more. */
export function cutShown(text: string, maxChars: number): string {
  return redactSecrets(text).slice(0, maxChars);
}
