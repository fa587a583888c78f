import { Heredocs } from "./heredocs.ts";
import type { Language } from "./language-of.ts";
import { closingOf, isLineStart, lineEnd, percentEnd, regexEnd } from "./literal-ends.ts";

/** A source text with what is no code blanked out; both have the length and the line breaks of the original. */
export interface MaskedSource {
  /** Without comments; strings are as they were. */
  withStrings: string;
  /** Without comments and without what strings hold; their quotes stay. */
  code: string;
}

/** Characters at which something other than code can begin: all others are passed over at once. */
const TELLING: Readonly<Record<Language, RegExp>> = {
  typescript: /["'`/]/g,
  javascript: /["'`/]/g,
  python: /["'#]/g,
  go: /["'`/]/g,
  rust: /["'/r]/g,
  java: /["'/]/g,
  c: /["'/R]/g,
  cpp: /["'/R]/g,
  csharp: /["'/]/g,
  ruby: /["'`/#\\%$?=<_\n]/g,
  php: /["'`/#?<\n]/g,
  kotlin: /["'/]/g,
  swift: /["#/]/g,
  shell: /["'`#\\<\n]/g,
};

/** Blanks out comments and strings. Runs in time linear in the text, whatever the text is. */
export function maskSource(text: string, language: Language): MaskedSource {
  return new Masker(text, language).run();
}

class Masker {
  readonly #text: string;
  readonly #language: Language;
  readonly #lexicon: Lexicon;
  /** Ranges to blank out, in order; `isString` ones in `code` only. */
  readonly #ranges: { start: number; end: number; isString: boolean }[] = [];
  /** Until one turns out to be never closed: looking for its end again and again would take forever. */
  #hasTemplates = true;
  readonly #heredocs: Heredocs;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.#lexicon = LEXICONS[language];
    this.#heredocs = new Heredocs(text, language);
  }

  run(): MaskedSource {
    const text = this.#text;
    let at = this.#language === "php" ? this.#skipMarkup(0) : 0;
    const telling = TELLING[this.#language];
    for (;;) {
      telling.lastIndex = at;
      const next = telling.exec(text);
      if (!next) break;
      at = this.#step(next.index);
    }
    return {
      withStrings: blank(
        text,
        this.#ranges.filter(({ isString }) => !isString),
      ),
      code: blank(text, this.#ranges),
    };
  }

  /** Takes what begins at a position; the position after it. */
  #step(at: number): number {
    const text = this.#text;
    const char = text.charAt(at);
    const { line, block } = this.#lexicon;
    if (char === "\n") {
      const { bodies, after } = this.#heredocs.pass(at + 1);
      for (const body of bodies) this.#ranges.push({ ...body, isString: true });
      return after;
    }
    if (line.some((mark) => text.startsWith(mark, at)) && this.#isComment(at)) {
      const end = lineEnd(text, at);
      // In PHP `?>` ends a comment with the code.
      const mark = this.#language === "php" ? text.slice(at, end).indexOf("?>") : -1;
      return this.#comment(at, mark < 0 ? end : at + mark);
    }
    if (block && text.startsWith(block[0], at)) return this.#comment(at, this.#blockEnd(at));
    if (this.#language === "php" && text.startsWith("?>", at)) return this.#skipMarkup(at);
    if (this.#language === "ruby") {
      if (char === "=" && isLineStart(text, at) && /^=begin\b/.test(text.slice(at, at + 7))) {
        const end = text.indexOf("\n=end", at);
        return this.#comment(at, end < 0 ? text.length : lineEnd(text, end + 1));
      }
      if (isLineStart(text, at) && text.startsWith("__END__\n", at)) return this.#comment(at, text.length);
      // `$'`, `?"` and the like are no strings.
      if (
        (char === "$" || char === "?") &&
        /["'`]/.test(text.charAt(at + 1)) &&
        !/[\w)]/.test(text.charAt(at - 1))
      )
        return at + 2;
    }
    if (char === "<") this.#heredocs.note(at);
    if (char === "/" && /^(?:typescript|javascript|ruby)$/.test(this.#language)) {
      const end = regexEnd(text, at);
      if (end > at) return this.#string(at + 1, end);
    }
    if (char === "\\" && /^(?:shell|ruby)$/.test(this.#language)) return at + 2;
    if (char === "%" && this.#language === "ruby") {
      const end = percentEnd(text, at);
      if (end > at) return this.#string(at + 1, end);
    }
    if (this.#lexicon.quotes.includes(char)) return this.#quoted(at);
    const raw = this.#rawString(at);
    return raw > at ? raw : at + 1;
  }

  #isComment(at: number): boolean {
    const before = this.#text.charAt(at - 1);
    // `$#`, `${#x}` and `a#b` in a shell are no comments; `#[attribute]` in PHP is none either.
    if (this.#language === "shell") return at === 0 || /[\s;&|()`]/.test(before);
    return !(this.#language === "php" && this.#text.startsWith("#[", at));
  }

  #comment(start: number, end: number): number {
    this.#ranges.push({ start, end, isString: false });
    return end;
  }

  /** Blanks from `start` to before the closing quote; `end` is the position after that. */
  #string(start: number, end: number, closing = 1): number {
    if (end - closing > start) this.#ranges.push({ start, end: end - closing, isString: true });
    return end;
  }

  #blockEnd(at: number): number {
    const text = this.#text;
    const [open, close] = this.#lexicon.block ?? ["", ""];
    if (!this.#lexicon.isBlockNested) {
      const end = text.indexOf(close, at + open.length);
      return end < 0 ? text.length : end + close.length;
    }
    let depth = 1;
    let i = at + open.length;
    while (i < text.length && depth > 0) {
      if (text.startsWith(close, i)) {
        depth -= 1;
        i += close.length;
      } else if (text.startsWith(open, i)) {
        depth += 1;
        i += open.length;
      } else i += 1;
    }
    return i;
  }

  #quoted(at: number): number {
    const text = this.#text;
    const quote = text.charAt(at);
    const triple = quote.repeat(3);
    if (this.#lexicon.hasTriple && quote !== "`" && text.startsWith(triple, at)) {
      if (quote === '"' || this.#language === "python") {
        const isRaw = this.#language === "kotlin";
        return this.#string(at + 3, closingOf(text, at + 3, triple, !isRaw, true), 3);
      }
    }
    if (quote === "'" && this.#language === "rust" && !/^'(?:\\|[^\\\n]{1,2}')/.test(text.slice(at, at + 4)))
      return at + 1;
    // 1'000'000 in C++.
    if (
      quote === "'" &&
      /^(?:c|cpp)$/.test(this.#language) &&
      /[0-9a-fA-F]/.test(text.charAt(at - 1)) &&
      /[0-9a-fA-F]/.test(text.charAt(at + 1))
    )
      return at + 1;
    if (quote === "`" && /^(?:typescript|javascript)$/.test(this.#language)) return this.#template(at);
    if (quote === '"' && this.#language === "csharp" && /@\$?$/.test(text.slice(Math.max(0, at - 2), at))) {
      return this.#verbatim(at);
    }
    const isEscaped = !this.#lexicon.rawQuotes?.includes(quote);
    const isMultiline = this.#lexicon.multiline?.includes(quote) ?? false;
    return this.#string(at + 1, closingOf(text, at + 1, quote, isEscaped, isMultiline));
  }

  /** C#: @"…" doubles its quotes. */
  #verbatim(at: number): number {
    const text = this.#text;
    let i = at + 1;
    while (i < text.length) {
      if (text.charAt(i) !== '"') i += 1;
      else if (text.charAt(i + 1) === '"') i += 2;
      else return this.#string(at + 1, i + 1);
    }
    return this.#string(at + 1, i, 0);
  }

  /** A template: its expressions are blanked with it, as nothing that counts is defined there. */
  #template(at: number): number {
    if (!this.#hasTemplates) return at + 1;
    const text = this.#text;
    const braces: number[] = [];
    let i = at + 1;
    let isText = true;
    while (i < text.length) {
      const char = text.charAt(i);
      if (isText) {
        if (char === "\\") i += 1;
        else if (char === "`") {
          const outer = braces.at(-1);
          if (outer === undefined) return this.#string(at + 1, i + 1);
          isText = false;
        } else if (char === "$" && text.charAt(i + 1) === "{") {
          braces.push(0);
          isText = false;
          i += 1;
        }
      } else if (char === "`") isText = true;
      else if (char === '"' || char === "'") i = closingOf(text, i + 1, char, true, false) - 1;
      else if (char === "{") braces.push((braces.pop() ?? 0) + 1);
      else if (char === "}") {
        const depth = braces.pop() ?? 0;
        if (depth > 0) braces.push(depth - 1);
        else isText = true;
      }
      i += 1;
    }
    // Never closed, as it seems: better to read on behind this quote than to lose the file.
    this.#hasTemplates = false;
    return at + 1;
  }

  /** Rust r#"…"#, C++ R"x(…)x", Swift #"…"#: the position after it, or the given one. */
  #rawString(at: number): number {
    const text = this.#text;
    const char = text.charAt(at);
    const isInWord = /[\w$]/.test(text.charAt(at - 1));
    if (this.#language === "rust" && char === "r" && (!isInWord || text.charAt(at - 1) === "b")) {
      const hashes = /^r(#{0,20})"/.exec(text.slice(at, at + 24))?.[1];
      if (hashes !== undefined) return this.#rawUntil(at + hashes.length + 2, `"${hashes}`);
    }
    if (this.#language === "swift" && char === "#") {
      const [whole, hashes, quotes] = /^(#{1,5})("""|")/.exec(text.slice(at, at + 9)) ?? [];
      if (whole !== undefined) return this.#rawUntil(at + whole.length, `${quotes}${hashes}`);
    }
    if (/^(?:c|cpp)$/.test(this.#language) && char === "R" && text.charAt(at + 1) === '"') {
      const [whole, delimiter] = /^R"([^()\\\s"]{0,16})\(/.exec(text.slice(at, at + 20)) ?? [];
      if (whole !== undefined) return this.#rawUntil(at + whole.length, `)${delimiter}"`);
    }
    return at;
  }

  #rawUntil(from: number, mark: string): number {
    const end = this.#text.indexOf(mark, from);
    return this.#string(from, end < 0 ? this.#text.length : end + mark.length, end < 0 ? 0 : mark.length);
  }

  /** PHP: text outside of `<?php … ?>`. */
  #skipMarkup(at: number): number {
    const open = /<\?(?:php\b|=)/g;
    open.lastIndex = at;
    const match = open.exec(this.#text);
    const end = match ? match.index + match[0].length : this.#text.length;
    this.#ranges.push({ start: at, end, isString: false });
    return end;
  }
}

function blank(text: string, ranges: readonly { start: number; end: number }[]): string {
  if (ranges.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    if (start < from) continue;
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]/g, " "));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** How a language writes comments and strings. */
interface Lexicon {
  line: readonly string[];
  block?: readonly [open: string, close: string];
  isBlockNested?: boolean;
  quotes: string;
  /** Quotes inside which nothing is escaped by a backslash. */
  rawQuotes?: string;
  hasTriple?: boolean;
  /** Quotes that may span lines. */
  multiline?: string;
}

const C_LIKE: Lexicon = { line: ["//"], block: ["/*", "*/"], quotes: "\"'" };

/** The lexicon of each language. */
const LEXICONS: Readonly<Record<Language, Lexicon>> = {
  typescript: { ...C_LIKE, quotes: "\"'`", multiline: "`" },
  javascript: { ...C_LIKE, quotes: "\"'`", multiline: "`" },
  python: { line: ["#"], quotes: "\"'", hasTriple: true },
  go: { ...C_LIKE, quotes: "\"'`", rawQuotes: "`", multiline: "`" },
  rust: { ...C_LIKE, isBlockNested: true, multiline: '"' },
  java: { ...C_LIKE, hasTriple: true },
  c: C_LIKE,
  cpp: C_LIKE,
  csharp: { ...C_LIKE, hasTriple: true },
  ruby: { line: ["#"], quotes: "\"'`", multiline: "\"'`" },
  php: { line: ["//", "#"], block: ["/*", "*/"], quotes: "\"'`", multiline: "\"'`" },
  kotlin: { ...C_LIKE, isBlockNested: true, hasTriple: true },
  swift: { ...C_LIKE, isBlockNested: true, hasTriple: true, quotes: '"' },
  shell: { line: ["#"], quotes: "\"'`", rawQuotes: "'", multiline: "\"'`" },
};
