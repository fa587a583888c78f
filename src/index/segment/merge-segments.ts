import { FIELD_COUNT } from "../document/index-document.ts";
import { ByteWriter } from "./byte-writer.ts";
import type { Postings } from "./posting-list.ts";
import { decodePostings, emptyPostings, writeFrequencies, frequencyIn } from "./posting-list.ts";
import type { Segment } from "./segment.ts";
import { compareTerms, type TermEntry } from "./term-dictionary.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { isSpecialTerm } from "./special-terms.ts";

const DROPPED = -1;

/** One segment on its way into the merged one. */
interface Input {
  segment: Segment;
  /** New number of each document, or -1. */
  numbers: Int32Array;
  terms: Iterator<TermEntry>;
  /** The next term, undefined at the end. */
  head: TermEntry | undefined;
}

/** The live documents of several segments as one, without reading any text again. Throws IndexDamage. */
export function mergeSegments(segments: readonly Segment[]): Buffer {
  const writer = new SegmentWriter();
  const inputs = segments.map((segment): Input => {
    const terms = segment.dictionary.withPrefix("");
    return { segment, numbers: addDocuments(segment, writer), terms, head: nextOf(terms) };
  });
  const postings = new ByteWriter();
  const positions = new ByteWriter();
  const decoded = emptyPostings();
  for (;;) {
    const heads = inputs.flatMap((input) => (input.head === undefined ? [] : [input.head.term]));
    const term = heads.sort(compareTerms)[0];
    if (term === undefined) return writer.finish();
    postings.clear();
    positions.clear();
    let count = 0;
    let previous = -1;
    let isSurface = false;
    for (const input of inputs) {
      const entry = input.head;
      if (entry?.term !== term) continue;
      if (entry.count === 0) isSurface = true;
      else {
        const added = isSpecialTerm(term)
          ? appendDocuments(input, entry, previous, postings)
          : appendPostings(input, entry, decoded, previous, postings, positions);
        count += added.count;
        previous = added.last;
      }
      input.head = nextOf(input.terms);
    }
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

function appendDocuments(
  input: Input,
  entry: TermEntry,
  last: number,
  postings: ByteWriter,
): { count: number; last: number } {
  let count = 0;
  let previous = last;
  for (const document of input.segment.documentsOf(entry)) {
    const number = input.numbers[document] as number;
    if (number === DROPPED) continue;
    postings.varint(number - previous - 1);
    previous = number;
    count++;
  }
  return { count, last: previous };
}

function appendPostings(
  input: Input,
  entry: TermEntry,
  decoded: Postings,
  last: number,
  postings: ByteWriter,
  positions: ByteWriter,
): { count: number; last: number } {
  const lists = input.segment.rawListsOf(entry);
  decodePostings(lists.postings, entry.count, input.segment.documentCount, decoded);
  const frequencies = new Uint32Array(FIELD_COUNT);
  let count = 0;
  let previous = last;
  let positionsAt = 0;
  for (let index = 0; index < decoded.count; index++) {
    let occurrences = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      const frequency = frequencyIn(decoded, index, field);
      frequencies[field] = frequency;
      occurrences += frequency;
    }
    const start = positionsAt;
    positionsAt = skipVarints(lists.positions, positionsAt, occurrences);
    const number = input.numbers[decoded.documents[index] as number] as number;
    if (number === DROPPED) continue;
    postings.varint(number - previous - 1);
    writeFrequencies(postings, frequencies);
    positions.bytes(lists.positions, start, positionsAt);
    previous = number;
    count++;
  }
  return { count, last: previous };
}

function skipVarints(bytes: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < bytes.length; at++) if ((bytes[at] as number) < 0x80) left--;
  return at;
}
