/** A shape of text that is a secret whatever stands around it. The value is the group `value`, else the whole match. */
export interface SecretPattern {
  /** What it is, in the words of a redaction: `stripe-key`. */
  kind: string;
  /**
   * What a match begins with, in lower case. The pattern is tried only there: finding a literal is far
   * cheaper.
   */
  hints: readonly string[];
  /** Sticky. */
  pattern: RegExp;
  /** What has to stand before it and belongs to it, for forms that have their literal in the middle. */
  reach?: RegExp;
  /** What stands before it (the first group of `reach`) is the value, and the match says so. */
  isBehind?: boolean;
  /** A last look at the value, with what stands before the match and behind the value. */
  isSecret?: (value: string, around: Surroundings) => boolean;
}

/** What stands beside a value, some 60 characters of it. */
export interface Surroundings {
  /** Before the match: for a name, its beginning. */
  before: string;
  /** Behind the value. */
  after: string;
  /** From the beginning of the match up to the value. */
  lead: string;
}

/** Values longer than this are cut there: nothing that a person keeps as a credential is longer, keys in blocks aside. */
export const MAX_VALUE_CHARS: number = 400;

/** A value in quotes, or up to what cannot be in one. */
export const VALUE: string = `(?<quote>["'\`])?(?<value>(?<=["'\`])[^"'\`\\n\\\\]{6,${MAX_VALUE_CHARS}}(?=\\k<quote>)|[^\\s"'\`<>,;\\\\]{6,${MAX_VALUE_CHARS}})`;
