import { isStopWord, MAX_TERM_LENGTH, termOf } from "./normalize-word.ts";

/** A growing list of unsigned 32-bit numbers: a tenth of the memory of an array of objects. */
export class Uint32List {
  items: Uint32Array = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.items.length) this.items = grown(this.items, new Uint32Array(this.length * 2));
    this.items[this.length++] = value;
  }
}

function grown<T extends Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Numbers texts as they come. One is found by its characters, without a string of it, in few places of the memory. */
export class TextNumbers {
  /** Of each text but the last, where it ends: where the next one begins. */
  readonly #starts = new Uint32List();
  #characters = new Uint16Array(8192);
  /** One place in two is free. Each has the hash of a text, and its number from 1 on. */
  #places = new Int32Array(4096);

  constructor() {
    this.#starts.push(0);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  numberAt(codes: Uint16Array, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (codes[at] as number), 0x9e3779b1);
    hash ^= hash >>> 15;
    let place = this.#placeOf(hash);
    for (let next = 0; (next = this.#places[place + 1] as number) > 0; place = this.#after(place))
      if (this.#places[place] === hash && this.#isWritten(next - 1, codes, start, end)) return next - 1;
    this.#places[place] = hash;
    this.#places[place + 1] = this.#starts.length;
    return this.#add(codes.subarray(start, end));
  }

  numberOf(text: string): number {
    if (text.length > copied.length) copied = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at++) copied[at] = text.charCodeAt(at);
    return this.numberAt(copied, 0, text.length);
  }

  #placeOf(hash: number): number {
    return (hash * 2) & (this.#places.length - 2);
  }

  #after(place: number): number {
    return (place + 2) & (this.#places.length - 2);
  }

  #isWritten(number: number, codes: Uint16Array, start: number, end: number): boolean {
    let at = this.#starts.items[number] as number;
    if ((this.#starts.items[number + 1] as number) - at !== end - start) return false;
    for (let from = start; from < end; from++) if (this.#characters[at++] !== codes[from]) return false;
    return true;
  }

  #add(text: Uint16Array): number {
    const start = this.#starts.items[this.count] as number;
    const end = start + text.length;
    if (end > this.#characters.length) this.#characters = grown(this.#characters, new Uint16Array(end * 2));
    this.#characters.set(text, start);
    this.#starts.push(end);
    if (this.count * 4 === this.#places.length) this.#grow();
    return this.count - 1;
  }

  #grow(): void {
    const before = this.#places;
    this.#places = new Int32Array(before.length * 2);
    for (let from = 0; from < before.length; from += 2) {
      if (before[from + 1] === 0) continue;
      let place = this.#placeOf(before[from] as number);
      while (this.#places[place + 1] !== 0) place = this.#after(place);
      this.#places[place] = before[from] as number;
      this.#places[place + 1] = before[from + 1] as number;
    }
  }
}

let copied = new Uint16Array(512);

/** What becomes of a word. */
export interface Word {
  term: string;
  surface: string;
  isStop: boolean;
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
    this.words.push({ term: termOf(lower), surface: lower.slice(0, MAX_TERM_LENGTH), isStop });
    const isCode = /\d/.test(lower) && /\D/.test(lower);
    this.kinds.push(isStop ? WordKind.stop : isCode ? WordKind.code : WordKind.other);
    this.marks.push(0);
  }
}
