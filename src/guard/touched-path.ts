import type { ShellWord } from "./shell/shell-word.ts";

/**
 * A path that a call touches, and how much there: the file itself, all of a folder, something in it that is not named,
 * or this file if what stands before it is a folder.
 */
export interface TouchedPath {
  word: ShellWord;
  reach: "file" | "tree" | "some" | "maybe";
  /** Nobody can tell whether the program that it is given to changes it. */
  isUnsure?: boolean;
}
