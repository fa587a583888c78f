import { type Word, identifierTermOf, MAX_TERM_LENGTH, KnownWords, WordKind } from "./normalize-word.ts";

/** Characters of one text that are read; the rest is ignored. 50,000 words: ten times the longest real memory. */
export const MAX_TEXT_LENGTH = 262_144;
/** Longer runs without a space (minified code, base64) are cut here. */
const MAX_RUN_LENGTH = 512;

const VERSION = /^v?(\d+(?:\.\d+)+)(.*)$/i;
const NUMBER = /^\d+$/;
const MIN_NUMBER_PART = 3;

/** Between word characters they belong to a word. Looked up by code: this is asked of each character. */
const isConnector: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  "_-./\\:'".includes(String.fromCharCode(code)) ? 1 : 0,
);
const isWordClass = (kind: number): boolean => kind > CharacterClass.other && kind < CharacterClass.unspaced;

const isPrefix = (code: number | undefined): boolean => code === 0x2d || code === 0x2e || code === 0x40;
const isAsciiLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Its characters as numbers, until the next text: a string gives them up one by one far more slowly. */
function codesOf(text: string): Uint16Array {
  if (text.length > codes.length) codes = new Uint16Array(text.length);
  Buffer.from(codes.buffer).write(text, "utf16le");
  return codes;
}
let codes = new Uint16Array(4096);

class Tokenizer {
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #words: KnownWords;
  readonly #sink: NumberedSink;
  #position: number;
  /** Whether the last run was one word of ASCII letters, lower-case after the first: most are, and need no splitting. */
  #isPlain = false;

  constructor(text: string, words: KnownWords, sink: NumberedSink, position: number) {
    this.#text = text;
    this.#codes = codesOf(text);
    this.#words = words;
    this.#sink = sink;
    this.#position = position;
  }

  run(): number {
    const { length } = this.#text;
    let at = 0;
    while (at < length) {
      const kind = this.#classAt(at);
      if (isWordClass(kind)) at = this.#identifierRun(at);
      else if (kind === CharacterClass.unspaced) at = this.#unspacedRun(at);
      else at++;
    }
    return this.#position;
  }

  #classAt(at: number): number {
    if (at < 0 || at >= this.#text.length) return CharacterClass.other;
    const code = this.#codes[at] as number;
    return characterClassOf(code < ASCII_LIMIT ? code : (this.#text.codePointAt(at) as number));
  }

  /** The end of a run of word characters, with single connectors (or `::`) between word characters. */
  #endOfRun(start: number): number {
    const text = this.#text;
    const codes = this.#codes;
    const limit = Math.min(text.length, start + MAX_RUN_LENGTH);
    let at = start;
    this.#isPlain = isAsciiLetter(codes[start] as number);
    while (at < limit) {
      const code = codes[at] as number;
      if (code >= 0x61 && code <= 0x7a) {
        at++;
        continue;
      }
      if (isWordClass(this.#classAt(at))) {
        if (at > start) this.#isPlain = false;
        at += (text.codePointAt(at) as number) > 0xff_ff ? 2 : 1;
        continue;
      }
      if (isConnector[code] !== 1) break;
      const width = code === 0x3a ? (codes[at + 1] === 0x3a ? 2 : 0) : 1;
      if (width === 0 || !isWordClass(this.#classAt(at + width))) break;
      this.#isPlain = false;
      at += width;
    }
    return at;
  }

  #identifierRun(start: number): number {
    const text = this.#text;
    const end = this.#endOfRun(start);
    if (end - start >= MAX_RUN_LENGTH) return this.#oversizedRun(start, end);
    if (this.#isPlain && end - start > 1 && !isPrefix(this.#codes[start - 1])) {
      this.#sink(this.#words.numberAt(this.#codes, start, end), this.#position++, TokenKind.word);
      return end;
    }
    let run = text.slice(start, end);
    if (run.includes("'")) run = run.replace(/'s$/i, "").replaceAll("'", "");
    const next = text[end];
    const special = next === "+" && text[end + 1] === "+" ? "++" : next === "#" ? "#" : "";
    if (special !== "" && run.length === 1 && !isWordClass(this.#classAt(end + special.length))) {
      this.#exact(run.toLowerCase() + special, true);
      return end + special.length;
    }
    if (run.includes("/") || run.includes("\\") || run.includes("::"))
      this.#path(run, this.#prefixBefore(start));
    else this.#identifier(run, this.#prefixBefore(start));
    return end;
  }

  /** A run longer than any name: its head is one term, the rest of it is skipped to the next gap. */
  #oversizedRun(start: number, end: number): number {
    const text = this.#text;
    this.#exact(text.slice(start, start + MAX_TERM_LENGTH).toLowerCase(), true);
    let at = end;
    while (at < text.length && isWordClass(this.#classAt(at))) at++;
    return at;
  }

  /** What stands before a run and belongs to its name: `--` and `-` of flags, `.` of dot files, `@` of packages. */
  #prefixBefore(start: number): string {
    const text = this.#text;
    const one = text[start - 1];
    if (one !== "-" && one !== "." && one !== "@") return "";
    const prefix = one === "-" && text[start - 2] === "-" ? "--" : one;
    const before = text[start - prefix.length - 1];
    if (before === one || before === "/" || before === "\\") return "";
    if (isWordClass(this.#classAt(start - prefix.length - 1))) return "";
    return one === "-" && characterClassOf(text.charCodeAt(start)) === CharacterClass.digit ? "" : prefix;
  }

  /** A term that is not stemmed; `advance` when it takes the place of a word of its own. */
  #exact(whole: string, advance: boolean): void {
    const term = whole.slice(0, MAX_TERM_LENGTH);
    this.#sink(term, advance ? this.#position++ : this.#position, TokenKind.identifier);
  }

  #path(run: string, prefix: string): void {
    const path = run.replace(/\\|::/g, "/");
    const whole = (prefix === "-" || prefix === "--" ? path : prefix + path).toLowerCase();
    this.#exact(whole, false);
    for (const segment of path.split("/")) this.#identifier(segment, "", true);
  }

  #identifier(run: string, prefix: string, isPart = false): void {
    const version = VERSION.exec(run);
    if (version !== null) {
      this.#exact(`${version[1]}${version[2]}`.toLowerCase(), true);
      return;
    }
    const parts = splitIdentifier(run);
    if (prefix !== "") this.#exact(prefix + run.toLowerCase(), false);
    if (parts.length === 1) {
      this.#word(run, isPart || prefix !== "");
      return;
    }
    this.#exact(identifierTermOf(run), false);
    for (const part of parts) {
      const isNoise = part.length < 2 || (part.length < MIN_NUMBER_PART && NUMBER.test(part));
      if (isNoise) this.#position++;
      else this.#word(part, true);
    }
  }

  #word(text: string, isPart: boolean): void {
    const number = this.#words.numberOf(text);
    const isCode = this.#words.kinds.items[number] === WordKind.code;
    const kind = isCode ? TokenKind.identifier : isPart ? TokenKind.part : TokenKind.word;
    this.#sink(number, this.#position++, kind);
  }

  #unspacedRun(start: number): number {
    const text = this.#text;
    let at = start;
    let previous = "";
    while (at < text.length && this.#classAt(at) === CharacterClass.unspaced) {
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      if (previous !== "") this.#sink(previous + character, this.#position - 1, TokenKind.pair);
      this.#sink(character, this.#position++, TokenKind.character);
      previous = character;
      at += character.length;
    }
    return at;
  }
}

/** Words of texts that are read now and then; of more than this, all are forgotten. */
const MAX_SHARED_WORDS = 32_768;
let sharedWords = new KnownWords();

function shared(): KnownWords {
  return sharedWords.words.length > MAX_SHARED_WORDS ? (sharedWords = new KnownWords()) : sharedWords;
}

/**
 * Splits a text into terms and returns the position after the last word. `src/http/retryPolicy.ts` gives the path,
 * `retrypolicy.ts` and its words; `MAX_RETRIES` and `maxRetries` are one term.
 */
export function tokenize(text: string, sink: TokenSink, position = 0): number {
  const words = shared();
  return numbered(text, position, words, (term, at, kind) => {
    if (typeof term === "string") return sink(term, at, kind, false, term);
    const word = words.words[term] as Word;
    sink(word.term, at, kind, words.kinds.items[term] === WordKind.stop, word.surface);
  });
}

function numbered(text: string, position: number, words: KnownWords, sink: NumberedSink): number {
  const cut = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  return new Tokenizer(foldText(cut), words, sink, position).run();
}

/**
 * What a term stands for.
 *
 * - `word`: a word of prose, stemmed.
 * - `part`: a word inside an identifier (`retry` of `maxRetries`), stemmed.
 * - `identifier`: a whole identifier, path, flag, version or error code, not split.
 * - `character`, `pair`: one, or two neighbouring, characters of a script without spaces.
 */
export const TokenKind = { word: 0, part: 1, identifier: 2, character: 3, pair: 4 } as const;

export type TokenKindValue = (typeof TokenKind)[keyof typeof TokenKind];

/** Receives each term, its position in words, whether it is a stop word, and the word in small letters. */
type TokenSink = (
  term: string,
  position: number,
  kind: TokenKindValue,
  isStop: boolean,
  surface: string,
) => void;

/** Receives words by their number, other terms as they are. */
type NumberedSink = (term: number | string, position: number, kind: TokenKindValue) => void;

const MAX_PARTS = 32;
/** `URLs`, `APIs`: the plural of an acronym is one word, not `UR` + `Ls`. */
const PLURAL_ACRONYM = /^[A-Z]{2,}s$/;

/** Splits at case changes: `parseHTTPHeader` → `parse`, `HTTP`, `Header`; digits stay with the letters before them. */
function splitCase(word: string, parts: string[]): void {
  if (PLURAL_ACRONYM.test(word)) {
    parts.push(word);
    return;
  }
  let start = 0;
  let previous = characterClassOf(word.charCodeAt(0));
  for (let at = 1; at < word.length; at++) {
    const current = characterClassOf(word.charCodeAt(at));
    const isHump = current === CharacterClass.upper && previous !== CharacterClass.upper;
    const isAcronymEnd =
      current === CharacterClass.lower && previous === CharacterClass.upper && at - 1 > start;
    if (isHump || isAcronymEnd) {
      const end = isHump ? at : at - 1;
      parts.push(word.slice(start, end));
      start = end;
    }
    previous = current;
  }
  parts.push(word.slice(start));
}

/** The words of an identifier in order, case kept, at most 32: `foo_bar-baz.Qux` → foo, bar, baz, Qux. */
function splitIdentifier(identifier: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= identifier.length && parts.length < MAX_PARTS; at++) {
    const character = identifier[at];
    if (character !== undefined && character !== "_" && character !== "-" && character !== ".") continue;
    if (at > start) splitCase(identifier.slice(start, at), parts);
    start = at + 1;
  }
  return parts.length > MAX_PARTS ? parts.slice(0, MAX_PARTS) : parts;
}

// oxlint-disable-next-line no-control-regex -- "is there anything but ASCII" is the question
export const NOT_ASCII: RegExp = /[^\u0000-\u007f]/;
/** Combining marks of Latin, Greek and Cyrillic; those of other scripts are vowels and tones and stay. */
const DIACRITICS = /[\u0300-\u036f]/g;
/** Letters that Unicode does not decompose, in the spelling of people who lack the key. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  þ: "th",
  ı: "i",
  "\u2019": "'",
  "\u2018": "'",
  "\u02bc": "'",
  "\u2010": "-",
  "\u2011": "-",
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");

/** Unifies compatibility forms (NFKC), removes diacritics, replaces lone surrogates. Keeps case. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .normalize("NFKD")
    .replace(DIACRITICS, "")
    .normalize("NFC")
    .replace(UNDECOMPOSED, (letter) => PLAIN[letter] as string)
    .toWellFormed();
}

/** Classes of code points. `lower` includes caseless scripts; `unspaced` writes words without spaces. */
export const CharacterClass = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  unspaced: 4,
} as const;

const ASCII_LIMIT = 128;
const BMP_SIZE = 0x1_00_00;

/** Indexed as characters and overlapping pairs; Hangul too, whose particles are glued to words (as in Lucene). */
const unspaced = (): RegExp =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;

const asciiClasses = new Uint8Array(ASCII_LIMIT);
for (let code = 0; code < 26; code++) {
  asciiClasses[0x61 + code] = CharacterClass.lower;
  asciiClasses[0x41 + code] = CharacterClass.upper;
}
for (let code = 0x30; code <= 0x39; code++) asciiClasses[code] = CharacterClass.digit;

/** Classes of other code points + 1, filled as they are met: the regular expressions above are slow and rarely needed. */
let knownClasses: Uint8Array | undefined;

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (!/[\p{L}\p{M}\p{N}]/u.test(character)) return CharacterClass.other;
  if (unspaced().test(character)) return CharacterClass.unspaced;
  if (/\p{Nd}/u.test(character)) return CharacterClass.digit;
  return character.toLowerCase() === character ? CharacterClass.lower : CharacterClass.upper;
}

export function characterClassOf(codePoint: number): number {
  if (codePoint < ASCII_LIMIT) return asciiClasses[codePoint] as number;
  if (codePoint >= BMP_SIZE) return classify(codePoint);
  knownClasses ??= new Uint8Array(BMP_SIZE);
  const known = knownClasses[codePoint] as number;
  if (known > 0) return known - 1;
  const found = classify(codePoint);
  knownClasses[codePoint] = found + 1;
  return found;
}

/** Distance between two values of one field, so that no phrase runs across them. */
const VALUE_GAP = 8;

/** The terms of one field, without stop words unless there is nothing else. Returns the number of terms. */
export function analyzeField(
  values: readonly string[],
  sink: (term: string, position: number, kind: TokenKindValue) => void,
): number {
  const words = shared();
  return analyzeNumbered(values, words, (term, position, kind) => {
    sink(typeof term === "string" ? term : (words.words[term]?.term ?? ""), position, kind);
  });
}

/** The same, words by their number. */
export function analyzeNumbered(values: readonly string[], words: KnownWords, sink: NumberedSink): number {
  let held: Parameters<NumberedSink>[] | undefined;
  let hasContent = false;
  let position = 0;
  let length = 0;
  const keep: NumberedSink = (term, at, kind) => {
    if (typeof term === "number" && words.kinds.items[term] === WordKind.stop) {
      if (!hasContent) (held ??= []).push([term, at, kind]);
      return;
    }
    hasContent = true;
    held = undefined;
    length++;
    sink(term, at, kind);
  };
  for (const value of values) position = numbered(value, position, words, keep) + VALUE_GAP;
  if (hasContent || held === undefined) return length;
  for (const one of held) sink(...one);
  return held.length;
}
