import { NOT_ASCII, TokenKind, tokenize } from "./index/analysis/tokenize.ts";

const MAX_CHARS = 2000;

/** An address, split into where it is and what it names there. */
const URL = /\b[a-z][a-z0-9+.-]*:\/\/([^\s/?#]+)([^\s]*)/gi;
/** A number, version, id or date as it is written: search leaves short ones out, a comparison must not. */
const numbers = (): RegExp => /(?<![\p{L}\d])\d[\p{L}\d.,:/_-]*/gu;
const ASCII_NUMBER = /(?<![a-z\d])\d[\w.,:/-]*/gi;

/** Terms that tell statements apart (words, hosts, numbers, versions), each with its surface form. */
export function termsOfStatement(text: string): Map<string, string> {
  const terms = new Map<string, string>();
  const add = (term: string, surface: string): void => {
    if (!terms.has(term)) terms.set(term, surface);
  };
  const plain = text.slice(0, MAX_CHARS).replace(URL, (_, host: string, rest: string) => {
    add(host.toLowerCase(), host);
    return ` ${rest} `;
  });
  for (const [number] of plain.matchAll(NOT_ASCII.test(plain) ? numbers() : ASCII_NUMBER)) {
    const value = number.replace(/[.,:/_-]+$/, "").toLowerCase();
    add(value, value);
  }
  tokenize(plain, (term, _position, kind, isStop, surface) => {
    if (!isStop && kind !== TokenKind.identifier && !/^\d/.test(term)) add(term, surface);
  });
  return terms;
}

/** Whether a statement says something else than its text: fewer than two content words in common, or than it has. */
export function saysElse(statement: string, text: string): boolean {
  const [first, second] = [termsOfStatement(statement), termsOfStatement(text)];
  return differenceOf(first, second).shared.size < Math.min(MIN_SHARED, first.size, second.size);
}

/** What two statements have in common, and what each has alone: terms, each with a word as the text has it. */
export interface Difference {
  shared: ReadonlyMap<string, string>;
  ofFirst: ReadonlyMap<string, string>;
  ofSecond: ReadonlyMap<string, string>;
}

export function differenceOf(
  first: ReadonlyMap<string, string>,
  second: ReadonlyMap<string, string>,
): Difference {
  const shared = new Map<string, string>();
  const ofFirst = new Map<string, string>();
  for (const [term, surface] of first) (second.has(term) ? shared : ofFirst).set(term, surface);
  const ofSecond = new Map([...second].filter(([term]) => !first.has(term)));
  return { shared, ofFirst, ofSecond };
}

/** Look-alikes share at least this many terms, and as many as either has of its own. Set by eye, over the cases of the test. */
const MIN_SHARED = 2;

/** Whether two statements say the same of two things, as five runbooks do; perhaps two versions of one fact. */
export function areLookAlikes({ shared, ofFirst, ofSecond }: Difference): boolean {
  const own = Math.max(extentOf(ofFirst), extentOf(ofSecond));
  return Math.min(ofFirst.size, ofSecond.size) > 0 && shared.size >= MIN_SHARED && shared.size >= own;
}

/** How many terms are a statement's own: a thing and its value (`Redis`, `6380`) are one difference, not two. */
function extentOf(own: ReadonlyMap<string, string>): number {
  const values = [...own.keys()].filter((term) => /^\d/.test(term)).length;
  return Math.max(values, own.size - values);
}

export interface Family<T> {
  members: T[];
  distinguishing: string[][];
}

/** Fewer look-alikes are lines of their own. */
const MIN_FAMILY = 3;

/** Groups look-alikes: a family is one statement and its look-alikes. Compares all pairs, so for a few hundred statements. */
export function familiesOf<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  least: number = MIN_FAMILY,
): Family<T>[] {
  const terms = items.map((item) => termsOfStatement(textOf(item)));
  const isTaken = items.map(() => false);
  const families: Family<T>[] = [];
  for (const [i, first] of terms.entries()) {
    if (isTaken[i]) continue;
    const places = [i];
    for (let k = i + 1; k < terms.length; k++)
      if (!isTaken[k] && areLookAlikes(differenceOf(first, terms[k]!))) places.push(k);
    if (places.length < least) continue;
    for (const place of places) isTaken[place] = true;
    families.push({
      members: places.map((place) => items[place]!),
      distinguishing: places.map((place) => ownWords(terms, places, place)),
    });
  }
  return families;
}

/** The words of one member that no other has; where there are none, those that not all have. */
function ownWords(
  terms: readonly ReadonlyMap<string, string>[],
  places: readonly number[],
  own: number,
): string[] {
  const others = places.filter((place) => place !== own).map((place) => terms[place]!);
  const words = (isOwn: (term: string) => boolean): string[] =>
    [...terms[own]!].filter(([term]) => isOwn(term)).map(([, surface]) => surface);
  const alone = words((term) => others.every((other) => !other.has(term)));
  return alone.length > 0 ? alone : words((term) => others.some((other) => !other.has(term)));
}
