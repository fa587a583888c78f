import { analyzeField, type Word } from "../analysis/tokenize.ts";
import type { Field, IndexDocument } from "../document/index-document.ts";
import {
  FIELD_COUNT,
  FIELDS,
  fieldValuesOf,
  SPECIAL,
  specialTermsOf,
  isSpecialTerm,
} from "../document/index-document.ts";
import { ByteWriter } from "./bytes.ts";
import { type Postings, type Segment, emptyPostings, frequencyIn, writeFrequencies } from "./segment.ts";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_DOCUMENTS, SegmentWriter } from "./segment-format.ts";
import { sortTerms, compareTerms, type TermEntry } from "./term-dictionary.ts";

const NONE = 0xff_ff_ff_ff;
const NO_BYTES = new Uint8Array(0);

class DocumentTerms {
  readonly terms = new Uint32List(256);
  /** Per term: how many documents lie between this one and the last that has it. */
  readonly deltas = new Uint32List(256);
  readonly frequencies = new Uint32List(256 * FIELD_COUNT);
  readonly #firstOccurrence = new Uint32List(256);
  readonly #lastOccurrence = new Uint32List(256);
  /** Per occurrence: its position, its field and the next occurrence of the same term. */
  readonly #positions = new Uint32List(1024);
  readonly #fields = new Uint32List(1024);
  readonly #next = new Uint32List(1024);

  clear(): void {
    const occurrences = [
      this.#firstOccurrence,
      this.#lastOccurrence,
      this.#positions,
      this.#fields,
      this.#next,
    ];
    for (const list of [this.terms, this.deltas, this.frequencies, ...occurrences]) list.length = 0;
  }

  addTerm(term: number, delta: number): number {
    this.terms.push(term);
    this.deltas.push(delta);
    for (let field = 0; field < FIELD_COUNT; field++) this.frequencies.push(0);
    this.#firstOccurrence.push(NONE);
    this.#lastOccurrence.push(NONE);
    return this.terms.length - 1;
  }

  addOccurrence(slot: number, field: number, position: number): void {
    this.frequencies.add(slot * FIELD_COUNT + field, 1);
    const occurrence = this.#positions.length;
    this.#positions.push(position);
    this.#fields.push(field);
    this.#next.push(NONE);
    const last = this.#lastOccurrence.items[slot] as number;
    if (last === NONE) this.#firstOccurrence.items[slot] = occurrence;
    else this.#next.items[last] = occurrence;
    this.#lastOccurrence.items[slot] = occurrence;
  }

  /** Positions of a term, by field and ascending, as deltas that start again with each field. */
  writePositions(slot: number, writer: ByteWriter): void {
    let field = NONE;
    let previous = 0;
    for (
      let at = this.#firstOccurrence.items[slot] as number;
      at !== NONE;
      at = this.#next.items[at] as number
    ) {
      if (this.#fields.items[at] !== field) {
        field = this.#fields.items[at] as number;
        previous = 0;
      }
      const position = this.#positions.items[at] as number;
      writer.varint(position - previous);
      previous = position;
    }
  }
}

/** Turns documents into one segment: postings are kept in document order and sorted by term at the end. */
export class SegmentBuilder {
  readonly #writer = new SegmentWriter();
  /** Words outlive the builder, and must not hold it. */
  readonly #numbering = {};
  readonly #termNumbers = new Map<string, number>();
  /** Per term: its place in the document that has it last, that document, how many have it, and its bytes. */
  readonly #slotOfTerm = new Uint32List(4096);
  readonly #documentOfTerm = new Uint32List(4096);
  readonly #countOfTerm = new Uint32List(4096);
  readonly #postingsOfTerm = new Uint32List(4096);
  readonly #positionsOfTerm = new Uint32List(4096);
  readonly #document = new DocumentTerms();
  /** Per occurrence of a term in a document: the term, and where the bytes of both end. */
  readonly #eventTerms = new Uint32List(4096);
  readonly #eventPostings = new Uint32List(4096);
  readonly #eventPositions = new Uint32List(4096);
  readonly #postings = new ByteWriter(4096);
  readonly #positions = new ByteWriter(4096);
  readonly #surfaces = new Set<string>();
  readonly #json = new ByteWriter(4096);

  get documentCount(): number {
    return this.#writer.documentCount;
  }

  get isFull(): boolean {
    return (
      this.documentCount >= MAX_SEGMENT_DOCUMENTS ||
      this.#writer.bytes + this.#postings.length > MAX_SEGMENT_BYTES
    );
  }

  #numberOf(term: string): number {
    const known = this.#termNumbers.get(term);
    if (known !== undefined) return known;
    const number = this.#termNumbers.size;
    this.#termNumbers.set(term, number);
    this.#documentOfTerm.push(NONE);
    for (const list of [this.#slotOfTerm, this.#countOfTerm, this.#postingsOfTerm, this.#positionsOfTerm])
      list.push(0);
    return number;
  }

  #numberOfWord(word: Word): number {
    if (word.numberedBy === this.#numbering) return word.number;
    if (word.surface !== word.term) this.#surfaces.add(word.surface);
    word.numberedBy = this.#numbering;
    return (word.number = this.#numberOf(word.term));
  }

  #slotOf(number: number, document: number): number {
    const last = this.#documentOfTerm.items[number] as number;
    if (last !== document) {
      this.#documentOfTerm.items[number] = document;
      this.#slotOfTerm.items[number] = this.#document.addTerm(
        number,
        last === NONE ? document : document - last - 1,
      );
    }
    return this.#slotOfTerm.items[number] as number;
  }

  add(source: IndexDocument): void {
    const { metadata } = source;
    const document = this.documentCount;
    this.#document.clear();
    const lengths = FIELDS.map((name: Field, field) =>
      analyzeField(fieldValuesOf(source, name), (term, position, _kind, _isStop, word) => {
        const number = word === undefined ? this.#numberOf(term) : this.#numberOfWord(word);
        this.#document.addOccurrence(this.#slotOf(number, document), field, position);
      }),
    );
    const words = this.#document.terms.length;
    for (let slot = 0; slot < words; slot++) this.#addEvent(slot, true);
    for (const term of specialTermsOf(source))
      this.#addEvent(this.#slotOf(this.#numberOf(term), document), false);
    this.#json.clear();
    this.#json.text(JSON.stringify(metadata));
    const { file, section, mtimeMs, sizeBytes } = metadata;
    this.#writer.addDocument(lengths, this.#json.view(), {
      file: file.toWellFormed(),
      mtimeMs,
      sizeBytes,
      ...(section !== undefined && { section }),
    });
  }

  #addEvent(slot: number, isWord: boolean): void {
    const term = this.#document.terms.items[slot] as number;
    const [postingsAt, positionsAt] = [this.#postings.length, this.#positions.length];
    this.#postings.varint(this.#document.deltas.items[slot] as number);
    if (isWord) {
      writeFrequencies(this.#postings, this.#document.frequencies.items, slot * FIELD_COUNT);
      this.#document.writePositions(slot, this.#positions);
    }
    this.#eventTerms.push(term);
    this.#eventPostings.push(this.#postings.length);
    this.#eventPositions.push(this.#positions.length);
    this.#countOfTerm.add(term, 1);
    this.#postingsOfTerm.add(term, this.#postings.length - postingsAt);
    this.#positionsOfTerm.add(term, this.#positions.length - positionsAt);
  }

  finish(): Buffer {
    const sorted = (bytes: ByteWriter, ends: Uint32List, sizes: Uint32List): BytesOfTerm =>
      sortedByTerm(this.#eventTerms, bytes, ends, sizes);
    const postings = sorted(this.#postings, this.#eventPostings, this.#postingsOfTerm);
    const positions = sorted(this.#positions, this.#eventPositions, this.#positionsOfTerm);
    const surfaces = [...this.#surfaces].map((surface) => SPECIAL.surface + surface);
    for (const term of sortTerms([...this.#termNumbers.keys(), ...surfaces])) {
      const number = this.#termNumbers.get(term);
      const count = number === undefined ? 0 : (this.#countOfTerm.items[number] as number);
      this.#writer.addTerm(term, count, postings(number), positions(number));
    }
    return this.#writer.finish();
  }
}

type BytesOfTerm = (term: number | undefined) => Uint8Array;

/** The bytes of each term in one piece. Events are gone through in their order: that of terms would miss every cache. */
function sortedByTerm(
  { items: terms, length }: Uint32List,
  bytes: ByteWriter,
  { items: ends }: Uint32List,
  sizes: Uint32List,
): BytesOfTerm {
  const source = bytes.view();
  const sorted = Buffer.allocUnsafeSlow(source.length);
  const ended = new Uint32Array(sizes.length);
  for (let term = 1; term < sizes.length; term++)
    ended[term] = (ended[term - 1] as number) + (sizes.items[term - 1] as number);
  for (let event = 0, at = 0; event < length; event++) {
    const [term, end] = [terms[event] as number, ends[event] as number];
    let to = ended[term] as number;
    while (at < end) sorted[to++] = source[at++] as number;
    ended[term] = to;
  }
  return (term) =>
    term === undefined
      ? NO_BYTES
      : sorted.subarray((ended[term] as number) - (sizes.items[term] as number), ended[term]);
}

/** A growing list of unsigned 32-bit numbers: a tenth of the memory of an array of objects. */
class Uint32List {
  items: Uint32Array;
  length = 0;

  constructor(capacity = 1024) {
    this.items = new Uint32Array(capacity);
  }

  push(value: number): void {
    if (this.length === this.items.length) {
      const grown = new Uint32Array(this.items.length * 2);
      grown.set(this.items);
      this.items = grown;
    }
    this.items[this.length++] = value;
  }

  add(place: number, value: number): void {
    this.items[place] = (this.items[place] as number) + value;
  }
}

const DROPPED = -1;

interface Input {
  segment: Segment;
  numbers: Int32Array;
  terms: Iterator<TermEntry>;
  head: TermEntry | undefined;
}

/** One term of the merged segment. */
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
    const { count, postings, positions } = merged;
    if (count > 0 || isSurface) writer.addTerm(term, count, postings.view(), positions.view());
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
