import { FIELD_COUNT } from "../document/field.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ByteSource } from "./byte-source.ts";
import { checksumOf } from "./checksum.ts";
import { IndexDamage } from "./index-damage.ts";
import {
  CHECKSUM_BYTES,
  headerLength,
  INDEX_VERSION,
  SECTIONS,
  SEGMENT_MAGIC,
  type SectionName,
} from "./segment-format.ts";

interface SectionPlace {
  offset: number;
  length: number;
  /** Of the whole section, for those that are read as a whole. */
  checksum: number;
}

/** What a segment says about itself. */
export interface SegmentHeader {
  documentCount: number;
  sections: Record<SectionName, SectionPlace>;
  /** Sum of the field lengths over all documents, removed ones included. */
  fieldTotals: readonly number[];
  /** Of the header, and through it of the whole file: the manifest names a segment with it. */
  checksum: number;
}

/** Reads and tests the header; throws IndexDamage when it is of another version, damaged, or the file was cut. */
export function readHeader(source: ByteSource): SegmentHeader {
  const length = headerLength(FIELD_COUNT);
  const bytes = source.read(0, length);
  const reader = new ByteReader(bytes);
  if (reader.uint32() !== SEGMENT_MAGIC) throw new IndexDamage("not a segment");
  if (reader.uint32() !== INDEX_VERSION) throw new IndexDamage("a segment of another version");
  const checksum = bytes.readUInt32LE(length - CHECKSUM_BYTES);
  if (checksumOf(bytes, 0, length - CHECKSUM_BYTES) !== checksum)
    throw new IndexDamage("the header is damaged");
  const documentCount = reader.uint32();
  let end = length;
  const places = SECTIONS.map((name) => {
    const place = { offset: reader.float64(), length: reader.float64(), checksum: reader.uint32() };
    end = place.offset + place.length;
    return [name, place] as const;
  });
  if (end !== source.size) throw new IndexDamage("the segment was cut");
  const sections = Object.fromEntries(places) as Record<SectionName, SectionPlace>;
  const fieldTotals = Array.from({ length: FIELD_COUNT }, () => reader.float64());
  return { documentCount, sections, fieldTotals, checksum };
}
