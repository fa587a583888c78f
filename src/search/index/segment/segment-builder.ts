import { KnownWords, TextNumbers, Uint32List, type Word } from "../analysis/text-numbers.ts";
import { analyzeNumbered } from "../analysis/tokenize.ts";
import { FIELD_COUNT, type IndexDocument, isSpecialTerm, SPECIAL } from "../document/index-document.ts";
import { fieldValuesOf, specialTermsOf } from "../document/index-document.ts";
import { ByteWriter } from "./bytes.ts";
import { type Postings, type Segment, emptyPostings, frequencyIn, writeFrequencies } from "./segment.ts";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_DOCUMENTS, SegmentWriter } from "./segment-format.ts";
import { compareTerms, type TermEntry } from "./term-dictionary.ts";

/** An occurrence is its field and its position in one number. */
const POSITION_BITS = 29;
const MAX_POSITION = 2 ** POSITION_BITS - 1;
/** What an occurrence takes while it waits, and again once it is sorted. */
const OCCURRENCE_BYTES = 16;

/** Turns documents into one segment: occurrences of terms are kept as they come and sorted by term at the end. */
export class SegmentBuilder {
  readonly #writer = new SegmentWriter();
  /** Each is marked with the number of its term, from 1 on. */
  readonly #words = new KnownWords();
  readonly #terms = new TextNumbers();
  readonly #termBytes = new ByteWriter(4096);
  readonly #termStarts = new Uint32List();
  readonly #occurringTerms = new Uint32List();
  readonly #occurrences = new Uint32List();
  /** Per document: how many occurrences there are up to its end. */
  readonly #documentEnds = new Uint32List();

  get documentCount(): number {
    return this.#writer.documentCount;
  }

  get isFull(): boolean {
    return (
      this.documentCount >= MAX_SEGMENT_DOCUMENTS ||
      this.#writer.bytes + this.#occurrences.length * OCCURRENCE_BYTES > MAX_SEGMENT_BYTES
    );
  }

  #numberOf(term: string): number {
    const number = this.#terms.numberOf(term);
    if (number < this.#termStarts.length) return number;
    this.#termStarts.push(this.#termBytes.length);
    this.#termBytes.text(term);
    return number;
  }

  #numberOfWord(word: number): number {
    const known = this.#words.marks.items[word] as number;
    if (known > 0) return known - 1;
    const { term, surface } = this.#words.words[word] as Word;
    if (surface !== term) this.#numberOf(SPECIAL.surface + surface);
    const number = this.#numberOf(term);
    this.#words.marks.items[word] = number + 1;
    return number;
  }

  add(source: IndexDocument): void {
    const { metadata } = source;
    const lengths = fieldValuesOf(source).map((values, field) =>
      analyzeNumbered(values, this.#words, (term, position) => {
        const isWord = typeof term === "number";
        this.#occurringTerms.push(isWord ? this.#numberOfWord(term) : this.#numberOf(term));
        this.#occurrences.push(((field << POSITION_BITS) | position) >>> 0);
      }),
    );
    for (const term of specialTermsOf(source)) {
      this.#occurringTerms.push(this.#numberOf(term));
      this.#occurrences.push(0);
    }
    this.#documentEnds.push(this.#occurrences.length);
    const { file, section, mtimeMs, sizeBytes } = metadata;
    this.#writer.addDocument(lengths, Buffer.from(JSON.stringify(metadata)), {
      file: file.toWellFormed(),
      mtimeMs,
      sizeBytes,
      ...(section !== undefined && { section }),
    });
  }

  finish(): Buffer {
    const bytes = this.#termBytes.view();
    this.#termStarts.push(bytes.length);
    const starts = this.#termStarts.items;
    const order = sortByBytes(bytes, starts, this.#terms.count);
    const { documents, occurrences, ends } = this.#sorted(order);
    const merged = new MergedTerm();
    const frequencies = new Uint32Array(FIELD_COUNT);
    let at = 0;
    for (const term of order) {
      const [start, end] = [starts[term] as number, ends[term] as number];
      const hasPositions = (bytes[start] as number) >= 0x20;
      merged.clear();
      while (at < end) {
        const document = documents[at] as number;
        merged.addDocument(document);
        frequencies.fill(0);
        let [field, previous] = [0, 0];
        for (; at < end && documents[at] === document; at++) {
          if (!hasPositions) continue;
          const occurrence = occurrences[at] as number;
          if (occurrence >>> POSITION_BITS !== field) [field, previous] = [occurrence >>> POSITION_BITS, 0];
          merged.positions.varint((occurrence & MAX_POSITION) - previous);
          previous = occurrence & MAX_POSITION;
          frequencies[field] = (frequencies[field] as number) + 1;
        }
        if (hasPositions) writeFrequencies(merged.postings, frequencies);
      }
      this.#writer.addTerm(bytes.subarray(start, starts[term + 1]), merged);
    }
    return this.#writer.finish();
  }

  /** Occurrences by the order of their terms, each with its document, and where those of each term end. */
  #sorted(order: Uint32Array): { documents: Uint32Array; occurrences: Uint32Array; ends: Uint32Array } {
    const { items: terms, length } = this.#occurringTerms;
    const ends = new Uint32Array(order.length);
    for (let at = 0; at < length; at++) {
      const term = terms[at] as number;
      ends[term] = (ends[term] as number) + 1;
    }
    let start = 0;
    for (const term of order) {
      const count = ends[term] as number;
      ends[term] = start;
      start += count;
    }
    const [documents, occurrences] = [new Uint32Array(length), new Uint32Array(length)];
    for (let document = 0, at = 0; document < this.documentCount; document++) {
      for (; at < (this.#documentEnds.items[document] as number); at++) {
        const term = terms[at] as number;
        const place = ends[term] as number;
        ends[term] = place + 1;
        documents[place] = document;
        occurrences[place] = this.#occurrences.items[at] as number;
      }
    }
    return { documents, occurrences, ends };
  }
}

/** The numbers of terms in the order of their bytes: quicksort by one byte after the other. */
function sortByBytes(bytes: Uint8Array, starts: Uint32Array, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let term = 0; term < count; term++) order[term] = term;
  const waiting = [0, count, 0];
  while (waiting.length > 0) {
    const [depth, to, from] = [waiting.pop(), waiting.pop(), waiting.pop()] as [number, number, number];
    const pivot = byteOf(bytes, starts, order[(from + to) >>> 1] as number, depth);
    let [less, more] = [from, to];
    for (let at = from; at < more;) {
      const term = order[at] as number;
      const byte = byteOf(bytes, starts, term, depth);
      if (byte === pivot) {
        at++;
        continue;
      }
      const other = byte < pivot ? less++ : --more;
      order[at] = order[other] as number;
      order[other] = term;
      if (byte < pivot) at++;
    }
    if (less - from > 1) waiting.push(from, less, depth);
    if (to - more > 1) waiting.push(more, to, depth);
    if (more - less > 1 && pivot >= 0) waiting.push(less, more, depth + 1);
  }
  return order;
}

function byteOf(bytes: Uint8Array, starts: Uint32Array, term: number, depth: number): number {
  const at = (starts[term] as number) + depth;
  return at < (starts[term + 1] as number) ? (bytes[at] as number) : -1;
}

const DROPPED = -1;

interface Input {
  segment: Segment;
  numbers: Int32Array;
  terms: Iterator<TermEntry>;
  head: TermEntry | undefined;
}

/** One term of a segment to be: its documents, ascending, with what is known of each. */
class MergedTerm {
  readonly postings = new ByteWriter();
  readonly positions = new ByteWriter();
  count = 0;
  #previous = -1;

  clear(): void {
    this.postings.clear();
    this.positions.clear();
    this.count = 0;
    this.#previous = -1;
  }

  addDocument(number: number): void {
    this.postings.varint(number - this.#previous - 1);
    this.#previous = number;
    this.count++;
  }
}

/** The live documents of several segments as one, without reading any text again. Throws IndexDamage. */
export function mergeSegments(segments: readonly Segment[]): Buffer {
  const writer = new SegmentWriter();
  const inputs = segments.map((segment): Input => {
    const terms = segment.dictionary.withPrefix("");
    return { segment, numbers: addDocuments(segment, writer), terms, head: nextOf(terms) };
  });
  const merged = new MergedTerm();
  const decoded = emptyPostings();
  for (;;) {
    const heads = inputs.flatMap((input) => (input.head === undefined ? [] : [input.head.term]));
    const term = heads.sort(compareTerms)[0];
    if (term === undefined) return writer.finish();
    merged.clear();
    let isSurface = false;
    for (const input of inputs) {
      const entry = input.head;
      if (entry?.term !== term) continue;
      if (entry.count === 0) isSurface = true;
      else if (isSpecialTerm(term)) appendDocuments(input, entry, merged);
      else appendPostings(input, entry, decoded, merged);
      input.head = nextOf(input.terms);
    }
    if (merged.count > 0 || isSurface) writer.addTerm(Buffer.from(term), merged);
  }
}

function nextOf(terms: Iterator<TermEntry>): TermEntry | undefined {
  const next = terms.next();
  return next.done === true ? undefined : next.value;
}

function addDocuments(segment: Segment, writer: SegmentWriter): Int32Array {
  const numbers = new Int32Array(segment.documentCount).fill(DROPPED);
  for (const [document, entry] of segment.files().entries()) {
    if (!segment.isLive(document)) continue;
    numbers[document] = writer.documentCount;
    const lengths = Array.from(
      { length: FIELD_COUNT },
      (_, field) => segment.lengthsOf(field)[document] as number,
    );
    writer.addDocument(lengths, segment.rawMetadataOf(document), entry);
  }
  return numbers;
}

function appendDocuments({ segment, numbers }: Input, entry: TermEntry, merged: MergedTerm): void {
  for (const document of segment.documentsOf(entry)) {
    const number = numbers[document] as number;
    if (number !== DROPPED) merged.addDocument(number);
  }
}

function appendPostings(
  { segment, numbers }: Input,
  entry: TermEntry,
  decoded: Postings,
  merged: MergedTerm,
): void {
  segment.postingsOf(entry, decoded);
  const bytes = segment.positionsOf(entry);
  const frequencies = new Uint32Array(FIELD_COUNT);
  let positionsAt = 0;
  for (let index = 0; index < decoded.count; index++) {
    let occurrences = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const frequency = frequencyIn(decoded, index, field);
      frequencies[field] = frequency;
      occurrences += frequency;
    }
    const start = positionsAt;
    positionsAt = skipVarints(bytes, positionsAt, occurrences);
    const number = numbers[decoded.documents[index] as number] as number;
    if (number === DROPPED) continue;
    merged.addDocument(number);
    writeFrequencies(merged.postings, frequencies);
    merged.positions.bytes(bytes, start, positionsAt);
  }
}

function skipVarints(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < bytes.length; at++) if ((bytes[at] as number) < 0x80) left--;
  return at;
}
