import { LIMITS } from "../memory/limits.ts";

/** One line that says what a text says: its first sentence, cut at a word where it is too long. The text itself stays. */
export function descriptionOf(text: string): string {
  const plain = text
    .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, "")
    .replace(/^#{1,6}\s+/, "")
    .replace(/\*\*([^*\n]{1,200})\*\*/g, "$1")
    .split(/\n\s*\n|\n[ \t]*(?:`{3}|~{3})/, 1)[0]!
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= LIMITS.descriptionChars) return plain;
  const sentence = /^(.{20,}?[.!?])(?=\s)/.exec(plain.slice(0, LIMITS.descriptionChars + 1))?.[1];
  if (sentence !== undefined) return sentence;
  const cut = plain.slice(0, LIMITS.descriptionChars - 2);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), 100))} …`;
}

/** The beginning of a text, for a report. */
export function beginningOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

/** What a format that knows no types holds: facts of the work, to be checked by whoever imports them (`--type` says other). */
export const ASSUMED = { type: "project", status: "provisional" } as const;
