import { plainWords } from "../plain-words.ts";
import { readSections } from "./sections.ts";

/** What a memory says, with what the user gave for it. */
export interface Statement {
  /** The memory's own text: mostly one sentence. */
  text: string;
  /** The user's words, verbatim. */
  quote?: string | undefined;
  /** The reason that the user gave. */
  reason?: string | undefined;
  /** The day on which the user said it, as 2026-03-05. */
  day: string;
}

/**
 * A line that quotes the user, `> "never push on fridays" (the user, 2026-03-05)`, or what was imported,
 * `> "use tabs" (from CLAUDE.md:15)`.
 */
const QUOTATION = /^ {0,3}> ?["“](.+)["”] \((?:the user(?:, \d{4}-\d\d-\d\d)?|from [^()\n]{1,200})\)\s*$/gm;

/** The user's words that a text quotes, in order. */
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

/**
 * A statement as the text of a memory: what it says, the user's words as a quotation, the reason under its label. What was
 * not given is not there.
 */
export function textOfStatement({ text, quote, reason, day }: Statement): string {
  const said = quote?.replace(/\s+/g, " ").trim() ?? "";
  const parts = [text.trim()];
  if (said !== "" && !quotationsIn(text).includes(said)) parts.push(`> "${said}" (the user, ${day})`);
  return withReason(parts.join("\n\n"), reason);
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
