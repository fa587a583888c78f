import { RE2JS } from "re2js";

/** A test of a text: contained, or matched by an expression that takes linear time. */
export interface TextTest {
  /** As people read it: `"eval("`, `/eval\(/`. */
  label: string;
  /** Steps that testing one character may take. */
  cost: number;
  test(text: string): boolean;
  /** The word that an expression begins with: a program, where it speaks of commands. */
  first?: string | undefined;
  /** False when no line of a text can pass the test: asks for many texts at once, each on lines of its own. */
  mayPass(lines: string): boolean;
}

/** Expressions of more characters are refused. */
export const MAX_PATTERN_CHARS: number = 300;
/** So much of a text is tested, in characters; where nothing is found in a longer one, that is not known. */
export const MAX_TESTED_CHARS: number = 64 * 1024;
/**
 * Expressions that compile to more instructions are refused: matching takes their number times the length of the text.
 */
const MAX_PROGRAM_SIZE = 500;

/** Tests whether a text contains another. */
export function containsTest(part: string): TextTest {
  const test = (text: string): boolean => text.includes(part);
  return { label: JSON.stringify(part), cost: 1, test, mayPass: test };
}

/** Tests a text by a regular expression of RE2, or says why it is none. */
export function regexTest(pattern: string): TextTest | { error: string } {
  if (pattern.length > MAX_PATTERN_CHARS)
    return { error: `it has ${pattern.length} characters, ${MAX_PATTERN_CHARS} at most are taken` };
  try {
    const expression = RE2JS.compile(pattern);
    const cost = expression.programSize();
    if (cost > MAX_PROGRAM_SIZE) return { error: "it repeats too much" };
    const test = (text: string): boolean => expression.test(text);
    // With ^ and $ at each line, whatever matches one of the texts matches where it stands among the others too.
    const ofLines = /\\[Az]|\(\?/.test(pattern) ? undefined : RE2JS.compile(pattern, RE2JS.MULTILINE);
    const [, first] = /^(?:\(\?\w*[):]|[(^]|\\b)*(\w[\w-]*)/.exec(pattern) ?? [];
    return { label: `/${pattern}/`, cost, test, first, mayPass: (lines) => ofLines?.test(lines) ?? true };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
