import { isStopWord, MAX_TERM_LENGTH, termOf } from "./normalize-word.ts";

/** A growing list of unsigned 32-bit numbers: a tenth of the memory of an array of objects. */
export class Uint32List {
  items: Uint32Array = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }
}

/** Others in each process, so that nobody can write two texts that are taken for one. */
const SEEDS = [Math.random() * 2 ** 32, Math.random() * 2 ** 32] as const;

/**
 * Numbers texts as they come. A text is known by two hashes and never compared: the chance that any two of a million texts
 * share both is 1 in 37 million.
 */
export class TextNumbers {
  count = 0;
  /** Four numbers a place: both hashes, and the text's number from 1 on. Every other place is free. */
  #places = new Int32Array(4096);

  numberAt(codes: Uint16Array, start: number, end: number): number {
    let [one, two] = [SEEDS[0] | 0, SEEDS[1] | 0];
    for (let at = start; at < end; at++) {
      const code = codes[at] as number;
      one = Math.imul(one ^ code, 0x9e3779b1);
      two = Math.imul((two ^ (two >>> 15)) + code, 0x85ebca6b);
    }
    one ^= one >>> 15;
    const places = this.#places;
    let place = placeOf(one, places);
    for (let next = 0; (next = places[place + 2] as number) > 0; place = (place + 4) & (places.length - 4))
      if (places[place] === one && places[place + 1] === two) return next - 1;
    places[place] = one;
    places[place + 1] = two;
    places[place + 2] = ++this.count;
    if (this.count * 8 === places.length) this.#grow();
    return this.count - 1;
  }

  numberOf(text: string): number {
    if (text.length > copied.length) copied = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) copied[at] = text.charCodeAt(at);
    return this.numberAt(copied, 0, text.length);
  }

  #grow(): void {
    const [before, places] = [this.#places, new Int32Array(this.#places.length * 2)];
    for (let from = 0; from < before.length; from += 4) {
      if (before[from + 2] === 0) continue;
      let place = placeOf(before[from] as number, places);
      while (places[place + 2] !== 0) place = (place + 4) & (places.length - 4);
      for (let i = 0; i < 3; i++) places[place + i] = before[from + i] as number;
    }
    this.#places = places;
  }
}

let copied = new Uint16Array(512);

const placeOf = (hash: number, places: Int32Array): number => (hash * 4) & (places.length - 4);

/** What becomes of a word, and its small letters. */
export interface Word {
  term: string;
  surface: string;
}

export const WordKind = { other: 0, stop: 1, code: 2 } as const;

/** Words as they are written, by number: most of a text are among the few thousand that every text has. */
export class KnownWords {
  readonly words: Word[] = [];
  /** Of each its {@link WordKind}; letters and digits are a code: E11000. */
  readonly kinds: Uint32List = new Uint32List();
  /** What a reader keeps of each; 0 at first. */
  readonly marks: Uint32List = new Uint32List();
  readonly #numbers = new TextNumbers();

  numberAt(codes: Uint16Array, start: number, end: number): number {
    const number = this.#numbers.numberAt(codes, start, end);
    if (number === this.words.length) this.#add(String.fromCharCode(...codes.subarray(start, end)));
    return number;
  }

  numberOf(text: string): number {
    const number = this.#numbers.numberOf(text);
    if (number === this.words.length) this.#add(text);
    return number;
  }

  #add(written: string): void {
    const lower = written.toLowerCase();
    const isStop = isStopWord(lower);
    this.words.push({ term: termOf(lower), surface: lower.slice(0, MAX_TERM_LENGTH) });
    const isCode = /\d/.test(lower) && /\D/.test(lower);
    this.kinds.push(isStop ? WordKind.stop : isCode ? WordKind.code : WordKind.other);
    this.marks.push(0);
  }
}
