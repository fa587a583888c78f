import { globTest } from "../memory/match-globs.ts";
import { RE2JS } from "re2js";

/** Whether something holds; `unknown` where nobody says. */
export type Ternary = "yes" | "no" | "unknown";

/** Matches `*` (any text) and `?` (one character). At most the product of both lengths in steps. */
export function matchesWildcard(text: string, pattern: string): boolean {
  let t = 0;
  let p = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}

/** One option that must be there, by its name with dashes, and what its value must be like. */
export interface FlagNeed {
  name: string;
  /** Wildcard pattern; undefined: with or without a value. */
  value: string | undefined;
}

export interface FlagTest {
  text: string;
  needs: readonly FlagNeed[];
  /** The entry as one word, where it may also be a long option with one dash (`-delete`). */
  whole: string | undefined;
}

/** Reads an entry of `flags`: `-n`, `-rf`, `--namespace=prod*`, `-c core.hooksPath=*`, `-r -f` (both). Undefined when invalid. */
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
    } else if (word === "--" || /^--[^\s-]/.test(word) || /^-[^\s-]$/.test(word)) {
      needs.push({ name: word, value: undefined });
    } else if (/^-[A-Za-z][\w-]*$/.test(word)) {
      for (const letter of word.slice(1)) needs.push({ name: `-${letter}`, value: undefined });
    } else return undefined;
  }
  const whole = /^-[A-Za-z][\w-]+$/.exec(text.trim())?.[0];
  return needs.length === 0 ? undefined : { text: text.trim(), needs, whole };
}

/** The directories that paths are relative to; all absolute, with forward slashes. */
export interface PathFrame {
  cwd: string;
  /** The repository's root under each of its names (a link to it, its real path). */
  roots: readonly string[];
  home: string | undefined;
  temp?: string | undefined;
}

export interface PathTest {
  glob: string;
  test(path: string, frame: PathFrame): boolean;
  patterns(frame: PathFrame): string[];
}

const VARIABLE = /^\$\{?(HOME|TMPDIR|workspace)\}?\//;

/** Reads a path glob: from the root with a slash, else a name in any folder; absolute, below `~/`, `$TMPDIR/`. Undefined: invalid. */
export function parsePathTest(glob: string): PathTest | undefined {
  const [whole = "", variable] = VARIABLE.exec(glob) ?? [];
  if (variable !== undefined)
    return testBelow(glob, glob.slice(whole.length), ({ home, temp, roots }) =>
      variable === "workspace" ? roots : [(variable === "HOME" ? home : temp) ?? []].flat(),
    );
  if (glob.startsWith("$")) return undefined;
  if (glob.startsWith("~/"))
    return testBelow(glob, glob.slice(2), ({ home }) => (home === undefined ? [] : [home]));
  if (glob.startsWith("/")) return testBelow(glob, glob.slice(1), () => [""]);
  return testBelow(glob, glob.includes("/") ? glob : `**/${glob}`, ({ roots }) => roots);
}

function testBelow(
  glob: string,
  inner: string,
  basesOf: (frame: PathFrame) => readonly string[],
): PathTest | undefined {
  const test = globTest(glob.includes("/") ? inner : `${inner}{,/**}`);
  const whole = inner.replace(/^\.\//, "").replace(/\/$/, "/**");
  const plain = (base: string): string => base.replace(/\/$/, "");
  return (
    test && {
      glob,
      test: (path, frame) =>
        basesOf(frame).some((base) => {
          const start = `${plain(base)}/`;
          return path.startsWith(start) && path.length > start.length && test(path.slice(start.length));
        }),
      patterns: (frame) => basesOf(frame).map((base) => `${plain(base)}/${whole}`),
    }
  );
}

/** The folders of an absolute glob before its first wildcard. */
export function plainPrefix(pattern: string): string {
  const segments = pattern.split("/");
  const at = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return (at < 0 ? segments : segments.slice(0, at)).join("/") || "/";
}

/** A test of a text: contained, or matched by an expression that takes linear time. */
export interface TextTest {
  /** As people read it: `"eval("`, `/eval\(/`. */
  label: string;
  /** Steps that testing one character may take. */
  cost: number;
  test(text: string): boolean;
  /** The word that an expression begins with: for commands, the program. */
  first?: string | undefined;
}

const MAX_PATTERN_CHARS: number = 300;
/** How much of a text is tested, in characters; without a match in it, the answer for a longer text is unknown. */
export const MAX_TESTED_CHARS: number = 64 * 1024;
/** In instructions: matching takes their number times the length of the text. */
const MAX_PROGRAM_SIZE = 500;

/** Tests whether a text contains another. */
export function containsTest(part: string): TextTest {
  const test = (text: string): boolean => text.includes(part);
  return { label: JSON.stringify(part), cost: 1, test };
}

/** Tests a text by a regular expression of RE2; undefined where it is none, too long, or repeats too much. */
export function regexTest(pattern: string): TextTest | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined;
  try {
    const expression = RE2JS.compile(pattern);
    const cost = expression.programSize();
    if (cost > MAX_PROGRAM_SIZE) return undefined;
    const test = (text: string): boolean => expression.test(text);
    const [, first] = /^(?:\(\?\w*[):]|[(^]|\\b)*(\w[\w-]*)/.exec(pattern) ?? [];
    return { label: `/${pattern}/`, cost, test, first };
  } catch {
    return undefined;
  }
}
