/**
 * The layout of a segment file. Everything that is read is checked: the header and the lengths of each field as a
 * whole, the dictionary by block, postings, positions and metadata one by one, each with a checksum of its
 * own. The sparse table needs none: what it leads to is checked, and so is that nothing lies between. A cold search pays for what it reads, and a wrong byte anywhere is found before it is used.
 *
 * ```text
 * header       magic, version, documents, sections (offset, length, checksum), field totals, checksum
 * lengths0-5   per field: number of terms of each document (uint16, saturating)
 * sparse       per dictionary block: where it, its postings and its positions start, and its first term
 * dictionary   blocks of 16 terms, front-coded: term, document frequency, bytes of postings and positions
 * postings     per term: document deltas and term frequencies per field
 * positions    per term: word positions, for phrases
 * metadataOffsets  per document: where its metadata starts (uint32)
 * memories     per document: its metadata as JSON
 * files        per document: file, section, mtime, size
 * ```
 */
export const SEGMENT_MAGIC = 0x64656568;

/** Raised whenever the layout, the analysis of text or the meaning of a term changes: older indexes are rebuilt. */
export const INDEX_VERSION = 3;

export const SECTIONS = [
  "lengths0",
  "lengths1",
  "lengths2",
  "lengths3",
  "lengths4",
  "lengths5",
  "sparse",
  "dictionary",
  "postings",
  "positions",
  "metadataOffsets",
  "memories",
  "files",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** The sections of field lengths, in the order of FIELDS. */
export const LENGTH_SECTIONS: readonly SectionName[] = SECTIONS.slice(0, 6);

/** Terms of one dictionary block: small enough to scan in microseconds, large enough to keep the sparse table small. */
export const BLOCK_TERMS = 16;
/** Per block: where it, its postings, its positions and the text of its first term start. The count of blocks ends the section. */
export const SPARSE_ENTRY_BYTES = 16;
/** Bytes of one checksum. */
export const CHECKSUM_BYTES = 4;
/** magic, version, documents, three numbers a section, one total a field, checksum. */
export const headerLength = (fieldCount: number): number =>
  12 + SECTIONS.length * 20 + fieldCount * 8 + CHECKSUM_BYTES;

/** Documents of one segment at most: bounds the memory that a build needs. More documents make more segments. */
export const MAX_SEGMENT_DOCUMENTS = 65_536;
/** Bytes of metadata and postings at which a build starts the next segment; keeps offsets far below 32 bits. */
export const MAX_SEGMENT_BYTES = 268_435_456;

/** Field lengths saturate here. */
export const MAX_FIELD_LENGTH = 65_535;
