import type { MemoryDraft } from "../memory/memory-draft.ts";
import type { Word } from "../recall/read-statement.ts";
import { readStatement } from "../recall/read-statement.ts";

/** The words of a draft that a memory did not have. */
export function addedText(
  draft: Pick<MemoryDraft, "description" | "body">,
  description: string,
  body: string,
): string {
  const known = termsOf(`${description}\n${body}`);
  return wordsIn(`${draft.description}\n${draft.body}`)
    .filter(({ term }) => !known.has(term))
    .map(({ surface }) => surface)
    .join(" ");
}

/** The words of a text, line by line. */
export function wordsIn(text: string): Word[] {
  return text.split("\n").flatMap((line) => readStatement(line).words);
}

/** The words of a text as they are compared. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(wordsIn(text).map(({ term }) => term));
}
