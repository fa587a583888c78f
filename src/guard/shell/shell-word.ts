/**
 * Stands in a word for a piece of text that only the running shell knows. NUL, since no argument of a program can hold
 * one.
 */
export const HOLE: string = "\0";

/** One argument of a command after expansion. */
export interface ShellWord {
  /** The text, with a HOLE for each piece that cannot be told without running the shell. */
  text: string;
  /** May stand for no word or for several: an unquoted expansion that cannot be told. */
  isMany: boolean;
  /** Comes from a list of operands (the input of xargs, the files of find): never an option. */
  isOperand?: boolean;
  /** May be the value of the option before it, of which heed does not know whether it takes one. */
  isMaybeValue?: boolean;
  /** Holds a wildcard that the shell expands: stands for the files that fit. */
  isGlob?: boolean;
  /** What reading this word as a file gives: the output of a process substitution. */
  stream?: string | undefined;
}

/** A word whose text is known. */
export function knownWord(text: string): ShellWord {
  return { text, isMany: false };
}

/** Whether every character of a word is known. */
export function isKnown(word: ShellWord): boolean {
  return !word.isMany && !word.text.includes(HOLE);
}

/** A word as people read it: what cannot be told is an ellipsis. */
export function showWord(word: ShellWord): string {
  return word.text.replaceAll(HOLE, "…");
}
