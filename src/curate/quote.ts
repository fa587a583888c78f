import { isStopWord } from "../index/analysis/normalize-word.ts";

/** A longer sentence is a document: too long to be shown with the rule that it grounds. */
export const MAX_SENTENCE_CHARS: number = 500;

/** Somebody's words as quotes are compared: case, white space and typographic signs are the writer's. */
function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’ʼ´]/g, "'")
    .replace(/[‐‑‒–—―]/g, "-")
    .replace(/["“”„«»‹›`*]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * The whole sentences of a text in which a quote stands, as they were typed: a limit that the quote leaves out
 * must not be lost. Undefined where it does not stand there.
 */
export function sentenceAround(quote: string, text: string): string | undefined {
  const wanted = folded(quote).replace(/^[\s.,;:!?…-]+|[\s.,;:!?…-]+$/g, "");
  if (!/[\p{L}\p{N}]/u.test(wanted)) return undefined;
  const sentences = sentencesOf(text);
  let whole = "";
  const ends = sentences.map(({ words }) => {
    whole += `${whole === "" ? "" : " "}${folded(words)}`;
    return whole.length;
  });
  const found = new Set<number>();
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, after] = [whole[at - 1] ?? " ", whole[at + wanted.length] ?? " "];
    // "ok" is not said by "token"; scripts without spaces have no such bounds.
    if (isWordSign(before) && isWordSign(whole[at] ?? "")) continue;
    if (isWordSign(after) && isWordSign(whole[at + wanted.length - 1] ?? "")) continue;
    const first = ends.findIndex((end) => end > at);
    const last = ends.findIndex((end) => end >= at + wanted.length);
    for (let i = first; i <= last; i++) found.add(i);
  }
  if (found.size === 0) return undefined;
  const heads = new Set<string>();
  const parts = [...found]
    .sort((a, b) => a - b)
    .flatMap((i) => {
      const { words = "", head } = sentences[i] ?? {};
      const isNew = head !== undefined && !heads.has(head) && head !== words;
      heads.add(head ?? words);
      return isNew ? [head, words] : [words];
    });
  return [...new Set(parts)].join(" ").replace(/\s+/g, " ").trim();
}

function isWordSign(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign) && !UNSPACED.test(sign);
}

/** A sentence, and the line that announces it: "Never:" is what a list below it is about. */
interface Sentence {
  words: string;
  head?: string;
}

/**
 * The sentences of a text in order. They end at . ! ? ; before a blank, at a blank line and before a list
 * item, not at a line break. A line that ends in a colon goes with each sentence listed below it, up to a
 * blank line.
 */
function sentencesOf(text: string): Sentence[] {
  const blocks: (Sentence & { isItem: boolean; indent: number })[] = [];
  let head: string | undefined;
  let isBelow = false;
  for (const line of text.split("\n")) {
    const words = line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "").trim();
    const isItem = words !== line.trim();
    const indent = line.search(/\S/);
    const last = blocks.at(-1);
    if (words === "") {
      isBelow = false;
      continue;
    }
    if (head !== undefined && !isBelow && !isItem && last?.head === head) head = undefined;
    const isListed = last?.head !== undefined && !last.isItem && !/[,–—-]$/.test(last.words);
    if (last && isBelow && !isItem && !last.words.endsWith(":") && (!isListed || indent > last.indent))
      last.words += ` ${words}`;
    else blocks.push({ words, isItem, indent, ...(head !== undefined && { head }) });
    if (words.endsWith(":")) head = splitAtEnds(blocks.at(-1)?.words ?? words).at(-1);
    isBelow = true;
  }
  return blocks.flatMap(({ words, head: above }) =>
    splitAtEnds(words).map((part) => ({ words: part, ...(above !== undefined && { head: above }) })),
  );
}

/** A line at the ends of its sentences; the dots of "e.g." and of initials end none. */
function splitAtEnds(line: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: end, index } of line.matchAll(/[.!?;]+["'”’)\]]*(?=\s)|[。！？；]+/g)) {
    const last = /\S+$/.exec(line.slice(from, index))?.[0] ?? "";
    if (end === "." && /^["'“(]*(?:\p{L}|(?:\p{L}{1,3}\.)+\p{L}{1,3})$/u.test(last)) continue;
    parts.push(line.slice(from, index + end.length).trim());
    from = index + end.length;
  }
  return [...parts, line.slice(from).trim()].filter((part) => part !== "");
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Shorter words tell little, unless they name a program: `npm`. */
const MIN_LETTERS = 4;

/**
 * Content words as they are compared: folded, at least four letters, by the first four, without stop words;
 * pairs of characters in scripts without spaces.
 */
function contentWords(text: string, minLetters: number = MIN_LETTERS): Set<string> {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = new Set<string>();
  for (const [word] of plain.matchAll(/\p{L}+/gu)) {
    const signs = Array.from(word);
    if (UNSPACED.test(word))
      for (let i = 0; i + 1 < signs.length; i++) words.add(`${signs[i]}${signs[i + 1]}`);
    else if (signs.length >= minLetters && !isStopWord(word)) words.add(signs.slice(0, 4).join(""));
  }
  return words;
}

/** How many content words of a statement a text does not have. */
export function missingWords(statement: string, text: string): number {
  const had = contentWords(text);
  return [...contentWords(statement)].filter((word) => !had.has(word)).length;
}

/** How many content words two texts have in common, those of three letters included. */
export function commonWords(one: string, other: string): number {
  const words = contentWords(other, MIN_LETTERS - 1);
  return [...contentWords(one, MIN_LETTERS - 1)].filter((word) => words.has(word)).length;
}

/** The sentence of some texts that is likest to a quote which stands in none of them. */
export function nearestSentence(quote: string, texts: readonly string[]): string | undefined {
  const sentences = texts.flatMap((text) => sentencesOf(text).map(({ words }) => words));
  const similarity = (words: string): number => commonWords(quote, words);
  return sentences.reduce<string | undefined>(
    (best, words) => (similarity(words) > (best === undefined ? 0 : similarity(best)) ? words : best),
    undefined,
  );
}

/** How many content words a text has, those of three letters included. */
export function countWords(text: string): number {
  return contentWords(text, MIN_LETTERS - 1).size;
}

const ACTIONS: readonly RegExp[] = [
  // An address: with a scheme, of mail, a number, a host with a path.
  /\b[a-z][a-z0-9+.-]*:\/\/|\bwww\.|[\w.+-]@[\w-]+(?:\.[\w-]+)*(?:[:.]\w)|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?\/\w/i,
  // A path from the root or from home.
  /(?:^|[\s"'`(=:,])(?:\/[\w.~-]|~[\w-]*\/|\\\\\w|[A-Za-z]:[\\/]|\$\{?HOME\b|%\w+%)/,
  // A pipe into a shell, a command or process substitution.
  /\|\s*(?:sudo\s+|env\s+)*(?:\S*\/)?(?:(?:ba|z|da|k|fi|c|tc)?sh|pwsh|powershell|iex|source|eval|xargs)\b/i,
  /\$\(|[<>]\(|`[^`\n]*`\s*\|/,
];

/** A name with dots in it that may be a host: `logs.example.test`. */
const HOST = /(?<![\p{L}\p{N}_./-])(?:[\p{L}\p{N}-]+\.){2,}\p{L}{2,}(?![\p{L}\p{N}_/])/giu;

/**
 * Whether a statement names an address, outside path, pipe into a shell or substitution that the user did not.
 */
export function holdsAction(statement: string, said: string): boolean {
  const plain = statement.normalize("NFKC");
  const known = said.normalize("NFKC").toLowerCase();
  return (
    ACTIONS.some((action) => action.test(plain)) ||
    (plain.toLowerCase().match(HOST) ?? []).some((host) => !known.includes(host))
  );
}
