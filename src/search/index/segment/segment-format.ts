import { BODY_FIELD, FIELDS, FIELD_COUNT, MEASURED_FIELDS } from "../document/index-document.ts";
import { ByteWriter, checksumOf } from "./bytes.ts";

/**
 * The layout of a segment file. Everything that is read is checked: the header, the lengths, the sparse table and the
 * files as a whole, the dictionary by block, postings and metadata one by one, each with a checksum of its own, that of
 * metadata with its number, so that the offsets need none. A cold search pays for what it reads, and a wrong byte anywhere is found before it is used.
 *
 * ```text
 * header       magic, version, documents, sections (offset, length, checksum), total lengths, checksum
 * lengths      statements, then bodies: number of terms of each document (uint16, saturating)
 * sparse       per dictionary block: where it and its postings start, and its first term
 * dictionary   blocks of 16 terms, front-coded: term, document frequency, bytes of postings
 * postings     per term: document deltas and term frequencies per field
 * metadataOffsets  per document: where its metadata starts (uint32)
 * memories     per document: its metadata as JSON
 * files        per document: file, section, mtime, size
 * ```
 */
export const SEGMENT_MAGIC = 0x64656568;

/** Raised whenever the layout, the analysis of text or the meaning of a term changes: older indexes are rebuilt. */
export const INDEX_VERSION = 5;

export const SECTIONS = [
  "lengths",
  "sparse",
  "dictionary",
  "postings",
  "metadataOffsets",
  "memories",
  "files",
] as const;
export type SectionName = (typeof SECTIONS)[number];

/** Terms of one dictionary block: small enough to scan in microseconds, large enough to keep the sparse table small. */
const BLOCK_TERMS = 16;
/** Per block: where it, its postings and the text of its first term start. The count of blocks ends the section. */
export const SPARSE_ENTRY_BYTES = 12;
export const CHECKSUM_BYTES = 4;
/** magic, version, documents, three numbers a section, one total a measured field, checksum. */
export const HEADER_BYTES: number = 12 + SECTIONS.length * 20 + MEASURED_FIELDS.length * 8 + CHECKSUM_BYTES;

/** Documents of one segment at most: bounds the memory that a build needs. More documents make more segments. */
export const MAX_SEGMENT_DOCUMENTS = 24_576;
/** Bytes of metadata and postings at which a build starts the next segment; keeps offsets far below 32 bits. */
export const MAX_SEGMENT_BYTES = 268_435_456;

const MAX_FIELD_LENGTH = 65_535;

/** Sections that are checked as a whole; the others carry a checksum for each piece. */
const WHOLE_SECTIONS: ReadonlySet<SectionName> = new Set(["lengths", "sparse", "files"]);

/** What the index remembers of a document's file, to compare with the disk without opening either. */
export interface FileEntry {
  file: string;
  section?: number;
  mtimeMs: number;
  sizeBytes: number;
}

const EMPTY = new Uint8Array(0);

function sharedPrefixLength(left: Uint8Array, right: Uint8Array): number {
  const limit = Math.min(left.length, right.length);
  let at = 0;
  while (at < limit && left[at] === right[at]) at++;
  return at;
}

/**
 * The postings of one term of a segment to be: of each document, ascending, how far it is from the one before, and a code:
 * odd for the frequency in the body alone, even for a set of fields, whose frequencies follow.
 */
export class PostingList {
  readonly bytes = new ByteWriter();
  count = 0;
  #document = -1;

  clear(): void {
    this.bytes.clear();
    this.count = 0;
    this.#document = -1;
  }

  add(document: number, frequencies: Uint32Array): void {
    this.bytes.varint(document - this.#document - 1);
    this.#document = document;
    this.count++;
    let fields = 0;
    for (let field = 0; field < FIELD_COUNT; field++) if (frequencies[field]! > 0) fields |= 1 << field;
    if (fields === 1 << BODY_FIELD) return this.bytes.varint(frequencies[BODY_FIELD]! * 2 + 1);
    this.bytes.varint(fields * 2);
    for (const frequency of frequencies) if (frequency > 0) this.bytes.varint(frequency);
  }
}

/** Lays out one segment: documents in their order, then terms in the order of their bytes. */
export class SegmentWriter {
  readonly #lengths: number[][] = MEASURED_FIELDS.map(() => []);
  readonly #memories = new ByteWriter(4096);
  readonly #metadataOffsets = new ByteWriter();
  readonly #files = new ByteWriter();
  readonly #sparse = new ByteWriter();
  readonly #firstTerms = new ByteWriter();
  readonly #dictionary = new ByteWriter(4096);
  readonly #block = new ByteWriter();
  readonly #postings = new ByteWriter(4096);
  documentCount = 0;
  #blockTerms = 0;
  #previousTerm: Uint8Array = EMPTY;

  get bytes(): number {
    return this.#memories.length;
  }

  /** `metadata` is JSON in UTF-8. */
  addDocument(lengths: ArrayLike<number>, metadata: Buffer, entry: FileEntry): void {
    for (const [place, name] of MEASURED_FIELDS.entries())
      this.#lengths[place]?.push(Math.min(lengths[FIELDS.indexOf(name)] as number, MAX_FIELD_LENGTH));
    this.#metadataOffsets.uint32(this.#memories.length);
    this.#memories.bytes(metadata);
    // The document's number is part of the checksum, so that a wrong offset cannot yield another document's metadata.
    this.#memories.uint32((checksumOf(metadata) ^ this.documentCount) >>> 0);
    this.#files.string(entry.file);
    this.#files.varint(entry.section === undefined ? 0 : entry.section + 1);
    this.#files.float64(entry.mtimeMs);
    this.#files.varint(entry.sizeBytes);
    this.documentCount++;
  }

  /** Terms, in UTF-8, must come in ascending order. */
  addTerm(term: Uint8Array, postings: PostingList): void {
    if (this.#blockTerms === BLOCK_TERMS) this.#closeBlock();
    const block = this.#block;
    if (this.#blockTerms === 0) {
      this.#sparse.uint32(this.#dictionary.length);
      this.#sparse.uint32(this.#postings.length);
      this.#sparse.uint32(this.#firstTerms.length);
      this.#firstTerms.varint(term.length);
      this.#firstTerms.bytes(term);
      this.#previousTerm = EMPTY;
    }
    const shared = sharedPrefixLength(this.#previousTerm, term);
    block.varint(shared);
    block.varint(term.length - shared);
    block.bytes(term.subarray(shared));
    block.varint(postings.count);
    block.varint(postings.bytes.length);
    appendChecked(this.#postings, postings.bytes);
    this.#previousTerm = term;
    this.#blockTerms++;
  }

  #closeBlock(): void {
    appendChecked(this.#dictionary, this.#block);
    this.#block.clear();
    this.#blockTerms = 0;
  }

  finish(): Buffer {
    this.#closeBlock();
    this.#metadataOffsets.uint32(this.#memories.length);
    const blocks = this.#sparse.length / SPARSE_ENTRY_BYTES;
    this.#sparse.bytes(this.#firstTerms.view());
    this.#sparse.uint32(blocks);
    const contents: Record<SectionName, Buffer> = {
      lengths: Buffer.from(Uint16Array.from(this.#lengths.flat()).buffer),
      sparse: this.#sparse.view(),
      dictionary: this.#dictionary.view(),
      postings: this.#postings.view(),
      metadataOffsets: this.#metadataOffsets.view(),
      memories: this.#memories.view(),
      files: this.#files.view(),
    };
    const header = new ByteWriter(HEADER_BYTES);
    header.uint32(SEGMENT_MAGIC);
    header.uint32(INDEX_VERSION);
    header.uint32(this.documentCount);
    let offset = HEADER_BYTES;
    for (const name of SECTIONS) {
      header.float64(offset);
      header.float64(contents[name].length);
      header.uint32(WHOLE_SECTIONS.has(name) ? checksumOf(contents[name]) : 0);
      offset += contents[name].length;
    }
    for (const lengths of this.#lengths) header.float64(lengths.reduce((sum, length) => sum + length, 0));
    header.uint32(checksumOf(header.view()));
    return Buffer.concat([header.view(), ...SECTIONS.map((name) => contents[name])]);
  }
}

function appendChecked(writer: ByteWriter, piece: ByteWriter): void {
  if (piece.length === 0) return;
  writer.bytes(piece.view());
  writer.uint32(checksumOf(piece.view()));
}
