import { redactValue } from "../../../heed.ts";
import { type Text, type Column, inOneLine, renderText, alignTable } from "./text.ts";

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
