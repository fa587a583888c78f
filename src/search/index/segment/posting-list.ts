import { BODY_FIELD, FIELD_COUNT } from "../document/index-document.ts";
import { type ByteWriter, IndexDamage, ByteReader } from "./bytes.ts";

const FIELD_MASK_FLAG = 0x80;
const BODY_MASK = 1 << BODY_FIELD;
const MAX_INLINE_FREQUENCY = 127;

/** Postings of one term in one segment, decoded into arrays that are reused from call to call. */
export interface Postings {
  count: number;
  documents: Uint32Array;
  frequencies: Uint32Array;
  /** Per posting: the frequency when the term is in the body alone, otherwise 0. */
  bodyOnly: Uint32Array;
}

export function emptyPostings(capacity = 256): Postings {
  return {
    count: 0,
    documents: new Uint32Array(capacity),
    frequencies: new Uint32Array(capacity * FIELD_COUNT),
    bodyOnly: new Uint32Array(capacity),
  };
}

/** Writes frequencies: a code below 128 is that of the body alone; else its low bits name fields, a varint each follows. */
export function writeFrequencies(writer: ByteWriter, frequencies: ArrayLike<number>, offset = 0): void {
  let mask = 0;
  for (let field = 0; field < FIELD_COUNT; field++)
    if ((frequencies[offset + field] as number) > 0) mask |= 1 << field;
  const inBody = frequencies[offset + BODY_FIELD] as number;
  if (mask === BODY_MASK && inBody <= MAX_INLINE_FREQUENCY) {
    writer.byte(inBody);
    return;
  }
  writer.byte(FIELD_MASK_FLAG | mask);
  for (let field = 0; field < FIELD_COUNT; field++) {
    if ((mask & (1 << field)) !== 0) writer.varint(frequencies[offset + field] as number);
  }
}

/** Decodes a posting list. Throws IndexDamage when it has a wrong end or an unknown document. */
export function decodePostings(
  bytes: Uint8Array,
  count: number,
  documentCount: number,
  into: Postings,
): void {
  if (into.documents.length < count) {
    const grown = emptyPostings(Math.max(count, into.documents.length * 2));
    into.documents = grown.documents;
    into.frequencies = grown.frequencies;
    into.bodyOnly = grown.bodyOnly;
  }
  const { documents, frequencies, bodyOnly } = into;
  let at = 0;
  let document = -1;
  for (let index = 0; index < count; index++) {
    let byte = bytes[at++] as number;
    let delta = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] as number;
      delta |= (byte & 0x7f) << shift;
    }
    document += delta + 1;
    documents[index] = document;
    const code = bytes[at++] as number;
    if (code < FIELD_MASK_FLAG) {
      bodyOnly[index] = code;
      continue;
    }
    bodyOnly[index] = 0;
    for (let field = 0; field < FIELD_COUNT; field++) {
      let frequency = 0;
      if ((code & (1 << field)) !== 0) {
        let part = bytes[at++] as number;
        frequency = part & 0x7f;
        for (let shift = 7; part >= 0x80; shift += 7) {
          part = bytes[at++] as number;
          frequency |= (part & 0x7f) << shift;
        }
      }
      frequencies[index * FIELD_COUNT + field] = frequency;
    }
  }
  if (at !== bytes.length || document >= documentCount) throw new IndexDamage("postings do not fit");
  into.count = count;
}

/** The documents of a special term, ascending. Throws IndexDamage like {@link decodePostings}. */
export function decodeDocuments(bytes: Uint8Array, count: number, documentCount: number): Uint32Array {
  const documents = new Uint32Array(count);
  let at = 0;
  let document = -1;
  for (let index = 0; index < count; index++) {
    let byte = bytes[at++] as number;
    let delta = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++] as number;
      delta |= (byte & 0x7f) << shift;
    }
    document += delta + 1;
    documents[index] = document;
  }
  if (at !== bytes.length || document >= documentCount) throw new IndexDamage("documents do not fit");
  return documents;
}

export function frequencyIn(postings: Postings, index: number, field: number): number {
  const inBody = postings.bodyOnly[index] as number;
  if (inBody > 0) return field === BODY_FIELD ? inBody : 0;
  return postings.frequencies[index * FIELD_COUNT + field] as number;
}

/** Ascending positions of a word by field, for each document that `wanted` admits. Only phrases need them. */
export function decodePositions(
  bytes: Buffer,
  postings: Postings,
  wanted: (document: number) => boolean,
): Map<number, number[][]> {
  const found = new Map<number, number[][]>();
  const reader = new ByteReader(bytes);
  for (let index = 0; index < postings.count; index++) {
    const document = postings.documents[index] as number;
    const isWanted = wanted(document);
    const fields: number[][] = [];
    for (let field = 0; field < FIELD_COUNT; field++) {
      const positions: number[] = [];
      let position = 0;
      for (let left = frequencyIn(postings, index, field); left > 0; left--) {
        position += reader.varint();
        if (isWanted) positions.push(position);
      }
      fields.push(positions);
    }
    if (isWanted) found.set(document, fields);
  }
  return found;
}
