import type { Language } from "./language-of.ts";
import { lineEnd } from "./literal-ends.ts";

/** After so many that never ended, which were shifts most likely, no more are looked for. */
const MAX_WITHOUT_END = 20;
const MAX_HEAD_CHARS = 80;

/** The heredocs of a text: each begins on one line, and its body on the next. */
export class Heredocs {
  readonly #text: string;
  readonly #language: Language;
  #begun: { word: string; isIndented: boolean }[] = [];
  #withoutEnd = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
  }

  /** Notes one that begins at a position. */
  note(at: number): void {
    if (this.#withoutEnd > MAX_WITHOUT_END) return;
    const match = headOf(this.#text.slice(at, at + MAX_HEAD_CHARS), this.#language);
    const before = this.#text.charAt(at - 1);
    if (!match || (this.#language === "shell" && before === "<")) return;
    // `x << FLAG` shifts or appends in Ruby; a heredoc has no blank before its word, and one before it.
    const isBare = match[1] === "" && match[2] === "";
    if (this.#language === "ruby" && isBare && /[\w)\]]/.test(before)) return;
    this.#begun.push({ word: match[3] ?? "", isIndented: this.#language === "php" || match[1] !== "" });
  }

  /** The bodies of those that were begun on the line before a position, and where the text goes on behind them. */
  pass(at: number): { bodies: { start: number; end: number }[]; after: number } {
    const bodies: { start: number; end: number }[] = [];
    let from = at;
    for (const { word, isIndented } of this.#begun) {
      const found = this.#endOf(word, isIndented, from);
      if (!found) {
        this.#withoutEnd += 1;
        continue;
      }
      if (found.end > from) bodies.push({ start: from, end: found.end });
      from = found.after;
    }
    this.#begun = [];
    return { bodies, after: from };
  }

  /** Where a body ends, and the text goes on behind its word. */
  #endOf(word: string, isIndented: boolean, from: number): { end: number; after: number } | undefined {
    const text = this.#text;
    const isPhp = this.#language === "php";
    for (let start = from; start < text.length;) {
      const stop = lineEnd(text, start);
      const line = text.slice(start, stop);
      const bare = isIndented ? line.trimStart() : line;
      const isClosed = isPhp && bare.startsWith(word) && !/^\w/.test(bare.slice(word.length));
      if (isClosed || bare.trimEnd() === word.trimEnd())
        return { end: start, after: isPhp ? start + line.indexOf(word) + word.length : stop };
      start = stop + 1;
    }
    return undefined;
  }
}

/** How a heredoc begins: its dash or tilde, its quote, its word. */
function headOf(rest: string, language: Language): RegExpExecArray | null {
  switch (language) {
    case "shell":
      return (
        /^<<(-?)[ \t]*(['"])([^\n]+?)\2/.exec(rest) ??
        /^<<(-?)[ \t]*(\\?)([A-Za-z_][^\s;&|<>()'"`$\\]*)/.exec(rest)
      );
    case "ruby":
      return /^<<([~-]?)(['"`]?)([A-Z_]\w*)\2/.exec(rest);
    case "php":
      return /^<<<()[ \t]*(['"]?)([A-Za-z_]\w*)\2/.exec(rest);
    default:
      return null;
  }
}
