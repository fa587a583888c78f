import { FIELD_COUNT } from "../document/field.ts";
import { ByteReader } from "./byte-reader.ts";
import type { Postings } from "./posting-list.ts";
import { BODY_FIELD } from "../document/field.ts";

/** Frequency of a posting in a field. */
export function frequencyIn(postings: Postings, index: number, field: number): number {
  const inBody = postings.bodyOnly[index] as number;
  if (inBody > 0) return field === BODY_FIELD ? inBody : 0;
  return postings.frequencies[index * FIELD_COUNT + field] as number;
}

/**
 * Positions of a word in the documents that `wanted` admits: document → per field the ascending positions. A phrase
 * walks whole lists, which is rare; an ordinary query never reads positions.
 */
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
