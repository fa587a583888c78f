import { invalidInput } from "../../machine/heed-error.ts";
import { slugOf } from "../../memory/handle.ts";

/** Shorter values stand in too many honest places. */
const MIN_CHARS = 6;
/** A private key of 8,192 bits has 6,400. From expressions that a longer one makes V8 runs out of memory, for good. */
const MAX_BYTES = 8 * 1024;
/** Of a longer value no cut beginning is looked for: each character that may be missing is a level of nesting. */
const MAX_CUT_BYTES = 4 * 1024;
/** A slug or the beginning of a value that is shorter than this says too little to be taken for it. */
const MIN_PART_CHARS = 12;
/** What stands for the value afterwards: harmless in YAML, JSON and markdown, in the middle of a word too. */
const MARK = "(scrubbed)";
const SLUG_MARK = "scrubbed";

/**
 * A value to find and replace in every form heed may have written it: plain, escaped for JSON, YAML and URLs, base64 or
 * hex, indented or joined, as a slug, cut to its beginning. Files are Latin-1 strings of their bytes.
 */
export class LeakedValue {
  readonly #forms: readonly { pattern: RegExp; mark: string }[];

  /** @throws HeedError `invalid-input` for a value that is too short or too long. */
  constructor(value: string) {
    const plain = value.replace(/^\s+|\s+$/g, "");
    if (plain.length < MIN_CHARS || Buffer.byteLength(plain) > MAX_BYTES)
      throw invalidInput(
        "value",
        // The value itself is not repeated: errors are logged.
        plain.length,
        `a value of ${plain.length} characters cannot be scrubbed: give ${MIN_CHARS} characters to ${MAX_BYTES} bytes, since it is replaced wherever it is`,
      );
    const quoted = JSON.stringify(plain).slice(1, -1);
    const whole = [
      plain,
      quoted,
      JSON.stringify(quoted).slice(1, -1),
      plain.replaceAll("'", "''"),
      encodeURIComponent(plain),
      encodeURI(plain),
      new URLSearchParams({ v: plain }).toString().slice(2),
    ].map(patternOf);
    const encoded = ["base64", "base64url", "hex"] as const;
    const alone = [plain, `${plain}\n`, value].flatMap((text) =>
      encoded.map(
        (encoding) =>
          `(?<![\\w+/-])${escape(Buffer.from(text).toString(encoding).replace(/=+$/, ""))}={0,2}(?![\\w+/-])`,
      ),
    );
    const slug = slugOf(plain);
    const forms = [...unique([...whole, ...alone])].map((source) => ({
      pattern: new RegExp(source, "g"),
      mark: MARK,
    }));
    if (slug.length >= MIN_PART_CHARS && slug !== plain)
      forms.push({ pattern: new RegExp(escape(latin1(slug)), "gi"), mark: SLUG_MARK });
    const beginning = beginningOf(plain);
    if (beginning !== undefined) forms.push({ pattern: new RegExp(beginning, "g"), mark: MARK });
    this.#forms = forms;
  }

  count(text: string): number {
    let found = 0;
    this.replace(text, () => (found += 1));
    return found;
  }

  replace(text: string, tell?: () => void): string {
    return this.#forms.reduce(
      (rest, { pattern, mark }) =>
        rest.replace(pattern, () => {
          tell?.();
          return mark;
        }),
      text,
    );
  }
}

/** The value with each of its line breaks in any form: escaped, indented, folded into a blank. */
function patternOf(form: string): string {
  return (
    form
      .split(/(?:\r?\n|\\n|\\\\n|%0A)/i)
      // Blanks that indent or fold; another kind of white space is a part of the value.
      .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ""))
      .filter((line) => line !== "")
      .map((line) => escape(latin1(line)))
      .join("(?:\\s|\\\\{1,2}[nrt]|%0[AaDd]|[>|])+")
  );
}

/** Three fifths of a long value, and as much of the rest as follows: what a cut has left of it. */
function beginningOf(plain: string): string | undefined {
  const length = Math.max(MIN_PART_CHARS, Math.ceil(plain.length * 0.6));
  if (plain.length < length + 4 || /\s/.test(plain)) return undefined;
  if (latin1(plain).length > MAX_CUT_BYTES) return undefined;
  const rest = Array.from(latin1(plain.slice(length)), escape);
  return escape(latin1(plain.slice(0, length))) + rest.reduceRight((tail, char) => `(?:${char}${tail})?`, "");
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function unique(sources: readonly string[]): Set<string> {
  // The longest first: a form may hold another one.
  return new Set(sources.filter((source) => source !== "").sort((a, b) => b.length - a.length));
}
