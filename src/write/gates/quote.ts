export interface QuotedWords {
  /** The less indented lines above it, on one line: "Never:" is what a list below it is about. */
  head: string;
  line: string;
  quote: string;
  /** The first and last character of the turn that it covers. */
  start: number;
  end: number;
  /** What in the text around it makes it a question to the user instead of their word. */
  sign?: "question" | "quotation";
}

const ITEM = /^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+/;
const ITEMS_INSIDE = /(^|\s)(?:[-*+•]|\d{1,2}[.)])(?=\s)/g;
const CHARS = /^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+|[^]/gmu;

/** A text as quotes are compared, and where each of its characters begins and ends in what was typed. */
interface FoldedText {
  text: string;
  from: number[];
  to: number[];
}

/** Case, white space, marks of list items and typographic characters make no difference. */
function fold(typed: string): FoldedText {
  const folded: FoldedText = { text: "", from: [], to: [] };
  for (const { 0: char, index } of typed.matchAll(CHARS)) {
    const plain = /^\s|\s$/.test(char) ? " " : foldChar(char);
    if (plain === " " && /(?:^| )$/.test(folded.text.slice(-1))) continue;
    folded.text += plain;
    for (let i = 0; i < plain.length; i++) {
      folded.from.push(index);
      folded.to.push(index + char.length);
    }
  }
  return folded;
}

function foldChar(char: string): string {
  return char
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[‘’ʼ´]/g, "'")
    .replace(/[‐‑‒–—―]/g, "-")
    .replace(/["“”„«»‹›`*]/g, "");
}

/** Finds a quote letter by letter, over lines too. Of several places all are shown, and a sign around any counts. */
export function findQuote(quote: string, turn: string): QuotedWords | undefined {
  const whole = fold(turn);
  for (const given of [quote, quote.replace(ITEMS_INSIDE, "$1")]) {
    const wanted = fold(given).text.replace(/^[\s.,;:!?…]+|[\s.,;:!?…-]+$/g, "");
    if (!/[\p{L}\p{N}]/u.test(wanted)) continue;
    const places = placesOf(wanted, whole);
    const [first] = places;
    if (!first) continue;
    const around = places.map((place) => linesAround(place, turn));
    const sign = places.flatMap((place) => signAround(place, turn) ?? [])[0];
    return {
      head: [...new Set(around.map(({ head }) => head))].filter((head) => head !== "").join(" / "),
      line: [...new Set(around.map(({ line }) => line))].join(" / "),
      quote: onOneLine(turn.slice(first.start, first.end)),
      ...first,
      ...(sign && { sign }),
    };
  }
  return undefined;
}

type Passage = Pick<QuotedWords, "start" | "end">;

function placesOf(wanted: string, { text, from, to }: FoldedText): Passage[] {
  const places = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const last = at + wanted.length - 1;
    // "ok" is not said by "token"; scripts without spaces have no such bounds.
    const isWord = [at, last + 1].every((end) => !isWordChar(text[end - 1]) || !isWordChar(text[end]));
    if (isWord) places.push({ start: from[at] ?? 0, end: to[last] ?? 0 });
  }
  return places;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function isWordChar(char: string = " "): boolean {
  return /[\p{L}\p{N}]/u.test(char) && !UNSPACED.test(char);
}

function linesAround({ start, end }: Passage, turn: string): Pick<QuotedWords, "head" | "line"> {
  const first = turn.lastIndexOf("\n", start - 1) + 1;
  const after = turn.indexOf("\n", end);
  const heads: string[] = [];
  let depth = depthOf(turn.slice(first, end));
  for (const above of turn.slice(0, first).split("\n").toReversed()) {
    if (above.trim() === "" || depthOf(above) >= depth) continue;
    heads.unshift(onOneLine(above));
    depth = depthOf(above);
  }
  return { head: heads.join(" "), line: onOneLine(turn.slice(first, after < 0 ? undefined : after)) };
}

/** An item is deeper than a line that begins where its mark does. */
function depthOf(line: string): number {
  return line.search(/\S/) + (ITEM.test(line) ? 1 : 0);
}

function onOneLine(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(ITEM, "").replace(/\s+/g, " ").trim());
  return lines.filter((line) => line !== "").join(" / ");
}

const QUOTATIONS = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|‹[^›]*›|「[^」]*」|『[^』]*』/g;

function signAround({ start, end }: Passage, turn: string): QuotedWords["sign"] {
  const mark = /[.!?]+(?=["'“”’»)\]]*(?:\s|$))|[。！？]|\n/g;
  mark.lastIndex = end;
  if (/[?？]/.test(mark.exec(turn)?.[0] ?? "")) return "question";
  const first = turn.lastIndexOf("\n", start - 1) + 1;
  const line = turn.slice(first).split("\n", 1)[0] ?? "";
  const isInside = [...line.matchAll(QUOTATIONS)].some(
    ({ 0: text, index }) => first + index < start && end < first + index + text.length,
  );
  return isInside ? "quotation" : undefined;
}

/** Folded words of four letters or a digit, by their first four; pairs of characters in scripts without spaces. */
function contentWords(text: string): Set<string> {
  const words = new Set<string>();
  for (const word of wordsOf(text)) {
    const chars = Array.from(word);
    if (UNSPACED.test(word))
      for (let i = 0; i + 1 < chars.length; i++) words.add(`${chars[i]}${chars[i + 1]}`);
    else if (chars.length >= 4 || /\p{N}/u.test(word)) words.add(chars.slice(0, 4).join(""));
  }
  return words;
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Where more content words of a statement are missing from the turn, the user's line is told first. */
const MAX_MISSING = 4;

/** Whether a statement is the writer's reading of a turn rather than what the turn says: by its content words that are missing there. */
export function isReading(statement: string, turn: string): boolean {
  const said = contentWords(turn);
  const words = [...contentWords(statement)];
  const missing = words.filter((word) => !said.has(word)).length;
  return missing > MAX_MISSING || (missing > 0 && missing === words.length);
}

/** Whether a quote says nothing by itself ("yes", "ok do it") of a statement that has content which the turn does not. */
export function isBare(quote: string, statement: string, turn: string): boolean {
  const said = contentWords(turn);
  return contentWords(quote).size === 0 && [...contentWords(statement)].some((word) => !said.has(word));
}

/** Whether a new statement has all old words in order, and everything added to them is in `said`. */
export function isAmended(before: string, after: string, said: string): boolean {
  const old = wordsOf(before);
  const known = new Set(wordsOf(said));
  let kept = 0;
  const added: string[] = [];
  for (const word of wordsOf(after)) {
    if (word === old[kept]) kept += 1;
    else if (kept === old.length) added.push(word);
    else if (!known.has(word)) return false;
  }
  const content = contentWords(said);
  return kept === old.length && [...contentWords(added.join(" "))].every((word) => content.has(word));
}

/** How heed itself marks a rule and what was said: nobody else's text may look so. */
const OWN_MARKS = /\((?:the user|you|read as)\s*:|\byou(?: said)?\s*:\s*["“]|\byou said\s*:|\[\s*heed\s*:/i;

/** Letters with an apostrophe in them, an abbreviation, a dash. */
const PLAIN = /^(?:[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*['’]?|(?:\p{L}\.)+\p{L}|[-‐‑‒–—―…]*)$/u;

/** True for code (flag, path, address, number, pipe) that the quote lacks, or a mark of heed's. Compounds of typed words pass. */
export function addsCode(statement: string, quote: string, turn: string): boolean {
  if (OWN_MARKS.test(statement.normalize("NFKC"))) return true;
  const known = ` ${tokensOf(quote).join(" ")} `;
  const words = contentWords(turn);
  const isTyped = (tokens: readonly string[]): boolean => known.includes(` ${tokens.join(" ")} `);
  const isCompound = (token: string): boolean => {
    const parts = [...contentWords(token)];
    return /^\p{L}+(?:-\p{L}+)+$/u.test(token) && parts.length > 0 && parts.every((part) => words.has(part));
  };
  const spans = statement.match(/`[^`]+`/g) ?? [];
  return (
    spans.some((span) => !isTyped(tokensOf(span))) ||
    tokensOf(statement.replace(/`[^`]+`/g, " ")).some(
      (token) => !PLAIN.test(token) && !isCompound(token) && !isTyped([token]),
    )
  );
}

/** Where writers of such scripts may put a blank. */
const BESIDE_NUMBER = new RegExp(`(?<=${UNSPACED.source})(?=\\d)|(?<=\\d)(?=${UNSPACED.source})`, "gu");

/** The parts of a text between blanks, without the marks of sentences and emphasis around them. */
function tokensOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      // In an address it is a dot.
      .replace(/(?<=[a-z\d])。(?=[a-z\d])/g, ".")
      .replace(/(?<=\d)[‐‑‒–—―](?=\d)/g, "-")
      .replace(BESIDE_NUMBER, " ")
      .split(/[\s、。・「」『』〈〉《》【】]+/u)
      .map((token) =>
        token
          .replace(/^[([{"'`“‘«„]+|^@(?=.*[./])|[)\]}"'`”’»“,.;:!?]+$/g, "")
          .replace(/^(\*\*?|__?)([\p{L}\p{M}\p{N}]+)\1$/u, "$2"),
      )
      .filter((token) => token !== "")
  );
}
