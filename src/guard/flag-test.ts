import { isWildcard, matchesWildcard } from "./wildcard.ts";

/** One option that must be there, by its name with dashes, and what its value must be like. */
export interface FlagNeed {
  name: string;
  /** Wildcard pattern; undefined: with or without a value. */
  value: string | undefined;
}

/** One entry of a guard's flags: options that must be there together. */
export interface FlagTest {
  text: string;
  needs: readonly FlagNeed[];
  /** The entry as one word, where it may also be a long option with one dash (`-delete`). */
  whole: string | undefined;
}

/**
 * Reads an entry of `flags`: `--no-verify`, `-n`, `-rf` (both letters, in any order and spelling, or a long option
 * with one dash), `--namespace=prod*`, `-c core.hooksPath=*` (an option and its value), `-r -f` (both). Undefined when
 * it is no flag.
 */
export function parseFlagTest(text: string): FlagTest | undefined {
  const words = text.trim().split(/\s+/);
  const needs: FlagNeed[] = [];
  for (const word of words) {
    const last = needs.at(-1);
    if (!word.startsWith("-")) {
      if (!last || last.value !== undefined) return undefined;
      last.value = word;
    } else if (/^--?[^\s=-][^\s=]+=/.test(word)) {
      needs.push({
        name: word.slice(0, word.indexOf("=")).replace(/^-(?=\w)/, "--"),
        value: word.slice(word.indexOf("=") + 1),
      });
    } else if (/^--[^\s-]/.test(word) || /^-[^\s-]$/.test(word)) {
      needs.push({ name: word, value: undefined });
    } else if (/^-[A-Za-z][\w-]*$/.test(word)) {
      for (const letter of word.slice(1)) needs.push({ name: `-${letter}`, value: undefined });
    } else return undefined;
  }
  const [only] = words;
  const isOneWord = words.length === 1 && only !== undefined && /^-[A-Za-z][\w-]+$/.test(only);
  return needs.length === 0 ? undefined : { text: text.trim(), needs, whole: isOneWord ? only : undefined };
}

/** Whether a value fits what a guard asks of it. */
export function fitsValue(value: string, pattern: string): boolean {
  return isWildcard(pattern) ? matchesWildcard(value, pattern) : value === pattern;
}
