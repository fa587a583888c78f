import { styleText } from "node:util";
import { redactValue } from "../../../heed.ts";

/** The looks that heed uses; each is a name of `util.styleText`. */
export type Look = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Text for a terminal. Strings are cleaned of control characters; looks come by objects only. */
export type Text = string | StyledText | readonly Text[];

export interface StyledText {
  look: Look;
  text: Text;
}

export function styled(look: Look, text: Text): StyledText {
  return { look, text };
}

export const bold = (text: Text): StyledText => styled("bold", text);
export const dim = (text: Text): StyledText => styled("dim", text);
export const red = (text: Text): StyledText => styled("red", text);
export const green = (text: Text): StyledText => styled("green", text);
export const yellow = (text: Text): StyledText => styled("yellow", text);
export const cyan = (text: Text): StyledText => styled("cyan", text);

export const doneLine = (...text: Text[]): Text => [green("✓ "), ...text];

// Bounded and without nested repetition: stored text is hostile input.
const CONTROL_SEQUENCE =
  "(?:\\u001b\\[|\\u009b)[\\u0030-\\u003f]{0,64}[\\u0020-\\u002f]{0,16}[\\u0040-\\u007e]?";
const CONTROL_STRING =
  "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]{0,4096}(?:\\u0007|\\u001b\\\\|\\u009c)?";
const OTHER_ESCAPE = "\\u001b[\\u0020-\\u002f]{0,4}[\\u0030-\\u007e]?";
const ESCAPES: RegExp = new RegExp(`${CONTROL_STRING}|${CONTROL_SEQUENCE}|${OTHER_ESCAPE}`, "g");
/** Control characters but tab and line feed, line separators, and the marks that reorder text to hide what it says. */
const CONTROLS: RegExp = new RegExp(
  // oxlint-disable-next-line no-control-regex -- finding them is the point
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]",
  "g",
);

/** Text without escape sequences, control characters (but tab and line feed) and marks that reorder text. */
export function cleanText(text: string): string {
  if (text.search(CONTROLS) < 0) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replace(ESCAPES, "")
    .replace(/[\u2028\u2029\r]/g, "\n")
    .replace(CONTROLS, "");
}

export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ").trim();
}

/** The same text with line breaks and tabs as blanks. */
function inOneLine(text: Text): Text {
  if (typeof text === "string") return cleanText(text).replace(/[\n\t]+/g, " ");
  if (isList(text)) return text.map(inOneLine);
  return styled(text.look, inOneLine(text.text));
}

/** The characters to write, with or without colour. */
export function renderText(text: Text, isColoured: boolean): string {
  if (typeof text === "string") return cleanText(text);
  if (isList(text)) return text.map((part) => renderText(part, isColoured)).join("");
  const inner = renderText(text.text, isColoured);
  return isColoured && inner !== "" ? styleText(text.look, inner, { validateStream: false }) : inner;
}

/** Columns that a text of one line takes. */
export function textWidth(text: Text): number {
  if (typeof text === "string") return displayWidth(cleanText(text));
  if (isList(text)) return text.reduce((sum: number, part) => sum + textWidth(part), 0);
  return textWidth(text.text);
}

function isList(text: Text): text is readonly Text[] {
  return Array.isArray(text);
}

/** Characters that a terminal draws over two columns (East Asian Wide and Fullwidth of Unicode TR 11, by blocks). */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b16f}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
/** Nothing but marks and format characters: draws on no column of its own. */
const ZERO = /^[\p{M}\p{Cf}]*$/u;
const PLAIN = /^[\u0020-\u007e]*$/;

let segmenter: Intl.Segmenter | undefined;

function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  let columns = 0;
  for (const { segment } of segmenter.segment(text))
    columns += ZERO.test(segment) ? 0 : WIDE.test(segment) ? 2 : 1;
  return columns;
}

export interface Column {
  title: string;
  align?: "left" | "right";
}

export const right = (title: string): Column => ({ title, align: "right" });

const GAP = "  ";

/** Rows as aligned lines, line breaks in cells as blanks. */
export function alignTable(
  given: readonly (string | Column)[],
  rows: readonly (readonly Text[])[],
  { hasHeader = true }: { hasHeader?: boolean } = {},
): Text[] {
  const columns = given.map((column): Column => (typeof column === "string" ? { title: column } : column));
  const cells = rows.map((row) => row.map(inOneLine));
  const lines = hasHeader ? [columns.map(({ title }): Text => dim(title)), ...cells] : cells;
  const widths = columns.map((_, index) => Math.max(0, ...lines.map((line) => textWidth(line[index] ?? ""))));
  return lines.map((line) =>
    columns.map(({ align }, index): Text => {
      const cell = line[index] ?? "";
      const isLast = index === columns.length - 1;
      const padding = " ".repeat(Math.max(0, (widths[index] ?? 0) - textWidth(cell)));
      if (align === "right") return [padding, cell, isLast ? "" : GAP];
      return isLast ? cell : [cell, padding, GAP];
    }),
  );
}

/** A label and what it says; without the latter it is left out. */
export type Fact = readonly [label: string, text: Text | undefined, look?: Look];

/** Facts as lines: dim labels in a column of `width`, then the text. */
export function factLines(width: number, facts: readonly Fact[]): Text[] {
  return facts.flatMap(([label, text, look = "dim"]): Text[] =>
    text === undefined || text === "" ? [] : [[styled(look, label.padEnd(width)), text]],
  );
}

/** `1 line`, `2 lines`; `2 memories`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A number with commas: `12,000`. For `toLocaleString` ICU reads its tables: 10 ms of a fresh process. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The minute of an ISO time, in UTC: `2026-03-05 10:23`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface TextStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** C1 controls, DEL, line separators and reordering marks, which JSON may carry raw and some terminals obey. */
const UNSAFE_IN_JSON: RegExp = new RegExp(
  "[\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]",
  "g",
);

/**
 * Where an answer goes, without secrets: JSON with `--json`, tables and colour on a terminal, plain lines in a pipe;
 * the rest to stderr.
 */
export class Output {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  readonly #stdout: TextStream;
  readonly #stderr: TextStream;
  readonly #isColoured: boolean;
  readonly #isErrorColoured: boolean;

  constructor(
    options: { isJson: boolean; isColourless?: boolean },
    env: Environment,
    stdout: TextStream,
    stderr: TextStream,
  ) {
    this.isJson = options.isJson;
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isTerminal = stdout.isTTY === true;
    this.#isColoured = !options.isColourless && hasColour(env, stdout);
    this.#isErrorColoured = !options.isColourless && hasColour(env, stderr);
  }

  /** Gives the answer: the value with `--json`, else the lines that `toLines` makes. */
  answer(value: unknown, toLines: () => readonly Text[], redact = redactValue): void {
    if (this.isJson) {
      this.piece(`${JSON.stringify(redact(value ?? null), null, this.isTerminal ? 2 : undefined)}\n`);
    } else {
      // Whole: a key of many lines is recognised by all of them.
      const text = toLines()
        .map((line) => `${renderText(line, this.#isColoured)}\n`)
        .join("");
      if (text !== "") this.#stdout.write(redact(text));
    }
  }

  /** Gives a piece of an answer that is JSON already, and holds no secrets. */
  piece(json: string): void {
    this.#stdout.write(json.replace(UNSAFE_IN_JSON, escapeUnit));
  }

  /** Gives what is wrong: the value with `--json`, else lines on stderr. */
  complain(value: unknown, ...lines: Text[]): void {
    if (this.isJson) this.answer(value, () => []);
    this.note(...lines);
  }

  /** Says something besides the answer, on stderr; nothing with `--json`. */
  note(...lines: Text[]): void {
    if (this.isJson) return;
    for (const line of lines) this.#stderr.write(`${redactValue(renderText(line, this.#isErrorColoured))}\n`);
  }

  /** The lines of an answer that holds nothing: a pipe gets none, and stderr says it. */
  nothing(words: string): Text[] {
    if (this.isTerminal) return [words];
    this.note(words);
    return [];
  }

  /** Rows for people on a terminal (header, aligned); in a pipe one row a line, cells by tabs. */
  rows(columns: readonly (string | Column)[], rows: readonly (readonly Text[])[]): Text[] {
    if (this.isTerminal) return alignTable(columns, rows);
    return rows.map((cells) => cells.map(flat).join("\t"));
  }
}

/** NO_COLOR wins, then FORCE_COLOR, then whether a capable terminal reads (https://no-color.org). */
function hasColour(env: Environment, stream: TextStream): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** A cell for a pipe: one line, with its indentation, which a line of a file may mean. */
function flat(text: Text): string {
  return renderText(inOneLine(text), false).trimEnd();
}

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
