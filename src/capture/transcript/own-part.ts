import { MAX_TYPED_CHARS, unmarkedLines, userWords } from "./user-words.ts";

/** A longer turn holds a document, whoever typed or pasted it: nothing in it is taken for the user's own word. */
const MAX_CHARS = 1500;
const MAX_LINES = 25;

/**
 * The part of a prompt that counts as typed by the user: what is not fenced, not marked with `>`, and not between tags or
 * marks of the client (a paste, a reminder). Empty for a long turn and for a message that no person wrote. Structure alone
 * decides, no wording: an unmarked short paste counts as typed.
 */
export function ownPart(prompt: string): string {
  // Whatever is that long without marks stays too long when it is cut.
  const { said, isWritten } = userWords(prompt.slice(0, MAX_TYPED_CHARS));
  if (!isWritten || said.length > MAX_CHARS || said.split("\n").length > MAX_LINES) return "";
  return unmarkedLines(said);
}
