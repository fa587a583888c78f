import { tokenize } from "./index/analysis/tokenize.ts";

export const CUT_MARK = " […] ";
const MAX_BODY_LENGTH = 65_536;
const MAX_PIECE_LENGTH = 400;
const FENCE = /^\s*(?:```|~~~)/;
const SENTENCE_END = /[.!?。！？]["')\]]*\s+|[。！？]/g;

interface Piece {
  text: string;
  place: number;
  weight: number;
}

/**
 * Best matching passages in text order, at most `maxChars` with marks; a repeated term counts less. No match: the
 * beginning. `weights`: worth of each term.
 */
export function bestPassages(body: string, weights: ReadonlyMap<string, number>, maxChars: number): string[] {
  if (maxChars <= 0) return [];
  const whole = body.trim();
  if (whole.length <= maxChars) return whole === "" ? [] : [whole];
  const pieces = piecesOf(whole.slice(0, MAX_BODY_LENGTH));
  const termsOf = new Map(pieces.map((piece) => [piece, matchedTerms(piece.text, weights)]));
  const left = new Map(weights);
  const chosen: Piece[] = [];
  const open = new Set(pieces);
  let room = maxChars;
  for (;;) {
    let best: Piece | undefined;
    for (const piece of open) {
      if (piece.text.length > room) continue;
      piece.weight = 0;
      for (const term of termsOf.get(piece) ?? []) piece.weight += left.get(term) ?? 0;
      if (piece.weight > 0 && (best === undefined || piece.weight > best.weight)) best = piece;
    }
    if (best === undefined) break;
    chosen.push(best);
    open.delete(best);
    room -= best.text.length + CUT_MARK.length;
    for (const term of termsOf.get(best) ?? []) left.set(term, (left.get(term) ?? 0) / 4);
  }
  if (chosen.length === 0) return [cutAtBlank(whole, maxChars)];
  return joinNeighbours(chosen);
}

function matchedTerms(text: string, weights: ReadonlyMap<string, number>): Set<string> {
  const terms = new Set<string>();
  tokenize(text, (term) => {
    if (weights.has(term)) terms.add(term);
  });
  return terms;
}

function joinNeighbours(chosen: readonly Piece[]): string[] {
  const passages: string[] = [];
  let previous = -2;
  for (const piece of [...chosen].sort((left, right) => left.place - right.place)) {
    if (piece.place === previous + 1) passages.push(`${passages.pop() ?? ""}\n${piece.text}`);
    else passages.push(piece.text);
    previous = piece.place;
  }
  return passages;
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: string): void => {
    for (let rest = piece.trim(); rest !== "";) {
      const part = rest.length <= MAX_PIECE_LENGTH ? rest : cutAtBlank(rest, MAX_PIECE_LENGTH);
      pieces.push({ text: part, place: pieces.length, weight: 0 });
      rest = rest.slice(part.length).trim();
    }
  };
  let code: string[] | undefined;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) {
      if (code === undefined) code = [line];
      else {
        pieces.push({ text: [...code, line].join("\n"), place: pieces.length, weight: 0 });
        code = undefined;
      }
    } else if (code !== undefined) code.push(line);
    else if (line.length <= MAX_PIECE_LENGTH) add(line);
    else for (const sentence of sentencesOf(line)) add(sentence);
  }
  // A fence that is never closed is ordinary lines.
  for (const line of code ?? []) add(line);
  return pieces;
}

function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const match of line.matchAll(SENTENCE_END)) {
    sentences.push(line.slice(start, match.index + match[0].length));
    start = match.index + match[0].length;
  }
  return [...sentences, line.slice(start)];
}

/** The beginning of a text, at a blank where one is near, never inside a surrogate pair. */
function cutAtBlank(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const blank = text.lastIndexOf(" ", maxChars);
  let end = blank > maxChars * 0.6 ? blank : maxChars;
  if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
  return text.slice(0, end === 0 ? Math.min(2, text.length) : end);
}

/** Text around a match is cut at the nearest blank within this many characters. */
const EDGE_CHARS = 24;

/** The chunk of a body with the most of the words, at most `maxChars` long; else its beginning. Cheap. */
export function snippetOf(body: string, terms: readonly string[], maxChars: number): string {
  const text = body.slice(0, MAX_BODY_LENGTH).replace(/\s+/g, " ").trim();
  if (text.length <= maxChars) return text;
  const lower = text.toLowerCase();
  const places = terms.flatMap((term) => {
    const at = firstWordBeginning(lower, term);
    return at < 0 ? [] : [at];
  });
  const windowOf = (start: number): number =>
    places.filter((at) => at >= start && at < start + maxChars - EDGE_CHARS).length;
  let start = 0;
  for (const at of places.sort((a, b) => a - b)) {
    const candidate = Math.max(0, at - EDGE_CHARS);
    if (windowOf(candidate) > windowOf(start)) start = candidate;
  }
  return cutAtBlanks(text, start, maxChars);
}

function firstWordBeginning(text: string, term: string): number {
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) {
    if (at === 0 || !isInsideWord(text.charCodeAt(at - 1))) return at;
  }
  return -1;
}

/** Digits, small letters, and everything beyond ASCII: coarse, but a Unicode class takes longer to set up than to use. */
function isInsideWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code > 0x7f;
}

function cutAtBlanks(text: string, start: number, maxChars: number): string {
  const room = maxChars - (start > 0 ? 2 : 0) - 2;
  const blank = start === 0 ? -1 : text.indexOf(" ", start);
  const from = blank >= 0 && blank - start < EDGE_CHARS ? blank + 1 : start;
  const to = Math.min(text.length, from + room);
  const lastBlank = to === text.length ? to : text.lastIndexOf(" ", to);
  const end = lastBlank > to - EDGE_CHARS ? lastBlank : to;
  return `${from > 0 ? "… " : ""}${text.slice(from, end)}${end < text.length ? " …" : ""}`;
}
