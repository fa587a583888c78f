import { plainWords } from "../plain-words.ts";
import { readSections } from "./sections.ts";

/**
 * A line that quotes the user, `> "never push on fridays" (the user, 2026-03-05)`, or what was imported,
 * `> "use tabs" (from CLAUDE.md:15)`.
 */
const QUOTATION = /^ {0,3}> ?["“](.+)["”] \((?:the user(?:, \d{4}-\d\d-\d\d)?|from [^()\n]{1,200})\)\s*$/gm;

/** A line that quotes the user, and nobody else. */
const OF_USER = /^ {0,3}> ?["“](.+)["”] \(the user(?:, \d{4}-\d\d-\d\d)?\)\s*$/gm;

/** What the user said, as a text quotes it; the first where it quotes them more than once. */
export function userQuotationIn(body: string): string | undefined {
  return [...body.matchAll(OF_USER)][0]?.[1];
}

/** A text without what it quotes of the user, but for the words that may stay. */
export function withoutUserQuotations(body: string, mayStay?: string): string {
  return body
    .replace(OF_USER, (line: string, words: string) => (words === mayStay ? line : ""))
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** A text that quotes the user with these words and no others, where its first quotation was, else at its end. */
export function quotingUser(body: string, words: string, day: string): string {
  const line = `> "${words.replace(/\s+/g, " ").trim()}" (the user, ${day})`;
  let isPlaced = false;
  const placed = body.replace(OF_USER, () => {
    const text = isPlaced ? "" : line;
    isPlaced = true;
    return text;
  });
  return (isPlaced ? placed.replace(/\n{3,}/g, "\n\n") : `${body.trim()}\n\n${line}`).trim();
}

/** A statement with the user's words as a quotation, and the reason that they gave; what was not given is not there. */
export function textOfStatement(given: {
  text: string;
  quote?: string | undefined;
  reason?: string | undefined;
  /** The day on which they said it, as 2026-03-05. */
  day: string;
}): string {
  const { text, quote = "", reason, day } = given;
  return withReason(quote.trim() === "" ? text.trim() : quotingUser(text, quote, day), reason);
}

/** The words that a text quotes, in order. */
export function quotationsIn(body: string): string[] {
  return [...body.matchAll(QUOTATION)].map(([, words = ""]) => words);
}

/** A text without the quotations of just these words: said once is enough. */
export function withoutQuotationOf(body: string, words: string): string {
  const plain = plainWords(words);
  return body
    .replace(QUOTATION, (line: string, quoted: string) => (plainWords(quoted) === plain ? "" : line))
    .trim();
}

/** A text changed everywhere but in its quotations: what somebody said stays as they said it. */
export function changedAroundQuotations(body: string, change: (text: string) => string): string {
  let changed = "";
  let at = 0;
  for (const { 0: line, index } of body.matchAll(QUOTATION)) {
    changed += change(body.slice(at, index)) + line;
    at = index + line.length;
  }
  return changed + change(body.slice(at));
}

/** A text without its quotations: the words of one turn are no similarity of two memories that it brought. */
export function withoutQuotations(body: string): string {
  return body.replace(QUOTATION, "");
}

/** An imported statement with the words of its source, where it gives no reason: what a rule rests on is never made up. */
export function withSourceQuoted(body: string, place: string): string {
  const words = body.trim().split("\n", 1)[0]?.trim() ?? "";
  const source = place
    .replace(/[()\s]+/g, " ")
    .trim()
    .slice(0, 200);
  return hasReason(body) || quotationsIn(body).length > 0
    ? body
    : `${body.trim()}\n\n> "${words}" (from ${source})`;
}

/** A text with a reason under its label, unless it has one. */
export function withReason(body: string, reason: string | undefined): string {
  const why = reason?.replace(/\s+/g, " ").trim() ?? "";
  return why === "" || hasReason(body) ? body : `${body.trimEnd()}\n\n**Why:** ${why}`;
}

/** Whether a text gives its reason. */
export function hasReason(body: string): boolean {
  return readSections(body).sections.why !== undefined;
}
