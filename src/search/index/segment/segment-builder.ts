import { type Word, KnownWords, TextNumbers, Uint32List } from "../analysis/normalize-word.ts";
import { analyzeNumbered } from "../analysis/tokenize.ts";
import { FIELD_COUNT, type IndexDocument, SPECIAL } from "../document/index-document.ts";
import { fieldValuesOf, specialTermsOf } from "../document/index-document.ts";
import { ByteWriter } from "./bytes.ts";
import { type Segment, emptyPostings, frequencyIn } from "./segment.ts";
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_DOCUMENTS, PostingList, SegmentWriter } from "./segment-format.ts";
import type { TermEntry } from "./term-dictionary.ts";

/** Of a term that says something of a document, such as its type, and is in no field of it. */
const NO_FIELD = FIELD_COUNT;
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
  readonly #fields = new Uint32List();
  /** Per document: how many occurrences there are up to its end. */
  readonly #documentEnds = new Uint32List();

  get documentCount(): number {
    return this.#writer.documentCount;
  }

  get isFull(): boolean {
    return (
      this.documentCount >= MAX_SEGMENT_DOCUMENTS ||
      this.#writer.bytes + this.#fields.length * OCCURRENCE_BYTES > MAX_SEGMENT_BYTES
    );
  }

  #numberOf(term: string): number {
    const number = this.#terms.numberOf(term);
    if (number < this.#termStarts.length) return number;
    this.#termStarts.push(this.#termBytes.length);
    this.#termBytes.bytes(Buffer.from(term));
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
      analyzeNumbered(values, this.#words, (term) => {
        const isWord = typeof term === "number";
        this.#occurringTerms.push(isWord ? this.#numberOfWord(term) : this.#numberOf(term));
        this.#fields.push(field);
      }),
    );
    for (const term of specialTermsOf(source)) {
      this.#occurringTerms.push(this.#numberOf(term));
      this.#fields.push(NO_FIELD);
    }
    this.#documentEnds.push(this.#fields.length);
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
    const { documents, fields, ends } = this.#sorted(order);
    const postings = new PostingList();
    const frequencies = new Uint32Array(FIELD_COUNT);
    let at = 0;
    for (const term of order) {
      postings.clear();
      while (at < (ends[term] as number)) {
        const document = documents[at] as number;
        frequencies.fill(0);
        for (; at < (ends[term] as number) && documents[at] === document; at++) {
          const field = fields[at] as number;
          if (field !== NO_FIELD) frequencies[field] = (frequencies[field] as number) + 1;
        }
        postings.add(document, frequencies);
      }
      this.#writer.addTerm(bytes.subarray(starts[term], starts[term + 1]), postings);
    }
    return this.#writer.finish();
  }

  /** Occurrences by the order of their terms, each with its document, and where those of each term end. */
  #sorted(order: Uint32Array): { documents: Uint32Array; fields: Uint32Array; ends: Uint32Array } {
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
    const [documents, fields] = [new Uint32Array(length), new Uint32Array(length)];
    for (let document = 0, at = 0; document < this.documentCount; document++) {
      for (; at < (this.#documentEnds.items[document] as number); at++) {
        const term = terms[at] as number;
        const place = ends[term] as number;
        ends[term] = place + 1;
        documents[place] = document;
        fields[place] = this.#fields.items[at] as number;
      }
    }
    return { documents, fields, ends };
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

/** The live documents of several segments as one, without reading any text again. Throws IndexDamage. */
export function mergeSegments(segments: readonly Segment[]): Buffer {
  const writer = new SegmentWriter();
  const inputs = segments.map((segment) => {
    const terms = segment.dictionary.withPrefix("");
    return { segment, numbers: addDocuments(segment, writer), terms, head: nextOf(terms) };
  });
  const merged = new PostingList();
  const decoded = emptyPostings();
  const frequencies = new Uint32Array(FIELD_COUNT);
  for (;;) {
    const heads = inputs.flatMap(({ head }) => head?.term ?? []);
    const term = heads.sort((left, right) => left.compare(right))[0];
    if (term === undefined) return writer.finish();
    merged.clear();
    for (const input of inputs) {
      const { segment, numbers, head } = input;
      if (head?.term.equals(term) !== true) continue;
      segment.postingsOf(head, decoded);
      for (let index = 0; index < decoded.count; index++) {
        const number = numbers[decoded.documents[index] as number] as number;
        if (number === DROPPED) continue;
        for (let field = 0; field < FIELD_COUNT; field++)
          frequencies[field] = frequencyIn(decoded, index, field);
        merged.add(number, frequencies);
      }
      input.head = nextOf(input.terms);
    }
    if (merged.count > 0 || term[0] === SPECIAL.surface.charCodeAt(0)) writer.addTerm(term, merged);
  }
}

function nextOf(terms: Iterator<TermEntry, unknown>): TermEntry | undefined {
  const next = terms.next();
  return next.done === true ? undefined : next.value;
}

function addDocuments(segment: Segment, writer: SegmentWriter): Int32Array {
  const numbers = new Int32Array(segment.documentCount).fill(DROPPED);
  for (const [document, entry] of segment.files().entries()) {
    if (!segment.isLive(document)) continue;
    numbers[document] = writer.documentCount;
    const lengths = segment.lengths.map((ofField) => ofField?.[document] ?? 0);
    writer.addDocument(lengths, segment.rawMetadataOf(document), entry);
  }
  return numbers;
}
