import { FIELD_COUNT } from "../document/index-document.ts";
import { ByteWriter, checksumOf } from "./bytes.ts";

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
export const INDEX_VERSION = 4;

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

export const LENGTH_SECTIONS: readonly SectionName[] = SECTIONS.slice(0, 6);

/** Terms of one dictionary block: small enough to scan in microseconds, large enough to keep the sparse table small. */
const BLOCK_TERMS = 16;
/** Per block: where it, its postings, its positions and the text of its first term start. The count of blocks ends the section. */
export const SPARSE_ENTRY_BYTES = 16;
export const CHECKSUM_BYTES = 4;
/** magic, version, documents, three numbers a section, one total a field, checksum. */
export const HEADER_BYTES: number = 12 + SECTIONS.length * 20 + FIELD_COUNT * 8 + CHECKSUM_BYTES;

/** Documents of one segment at most: bounds the memory that a build needs. More documents make more segments. */
export const MAX_SEGMENT_DOCUMENTS = 24_576;
/** Bytes of metadata and postings at which a build starts the next segment; keeps offsets far below 32 bits. */
export const MAX_SEGMENT_BYTES = 268_435_456;

const MAX_FIELD_LENGTH = 65_535;

/** Sections that are checked as a whole; the others carry a checksum for each piece. */
const WHOLE_SECTIONS: ReadonlySet<SectionName> = new Set([...LENGTH_SECTIONS, "metadataOffsets", "files"]);
const ALIGNMENT = 8;

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

/** Lays out one segment: documents in their order, then terms in the order of compareTerms. */
export class SegmentWriter {
  readonly #lengths: ByteWriter[] = Array.from({ length: FIELD_COUNT }, () => new ByteWriter());
  readonly #fieldTotals: number[] = Array.from({ length: FIELD_COUNT }, () => 0);
  readonly #memories = new ByteWriter(4096);
  readonly #metadataOffsets = new ByteWriter();
  readonly #files = new ByteWriter();
  readonly #sparse = new ByteWriter();
  readonly #firstTerms = new ByteWriter();
  readonly #dictionary = new ByteWriter(4096);
  readonly #block = new ByteWriter();
  readonly #postings = new ByteWriter(4096);
  readonly #positions = new ByteWriter(4096);
  #documentCount = 0;
  #blockTerms = 0;
  #previousTerm: Uint8Array = EMPTY;

  get documentCount(): number {
    return this.#documentCount;
  }

  get bytes(): number {
    return this.#memories.length + this.#postings.length + this.#positions.length;
  }

  /** `metadata` is JSON in UTF-8. */
  addDocument(lengths: ArrayLike<number>, metadata: Uint8Array, entry: FileEntry): void {
    for (let field = 0; field < FIELD_COUNT; field++) {
      const length = Math.min(lengths[field] as number, MAX_FIELD_LENGTH);
      const writer = this.#lengths[field] as ByteWriter;
      writer.byte(length & 0xff);
      writer.byte(length >>> 8);
      this.#fieldTotals[field] = (this.#fieldTotals[field] as number) + length;
    }
    this.#metadataOffsets.uint32(this.#memories.length);
    this.#memories.bytes(metadata);
    // The document's number is part of the checksum, so that a wrong offset cannot yield another document's metadata.
    this.#memories.uint32((checksumOf(metadata) ^ this.#documentCount) >>> 0);
    this.#files.string(entry.file);
    this.#files.varint(entry.section === undefined ? 0 : entry.section + 1);
    this.#files.float64(entry.mtimeMs);
    this.#files.varint(entry.sizeBytes);
    this.#documentCount++;
  }

  /** Terms, in UTF-8, must come in ascending order; of what is said of one, nothing is kept. */
  addTerm(term: Uint8Array, said: { count: number; postings: ByteWriter; positions: ByteWriter }): void {
    if (this.#blockTerms === BLOCK_TERMS) this.#closeBlock();
    const block = this.#block;
    if (this.#blockTerms === 0) {
      this.#sparse.uint32(this.#dictionary.length);
      this.#sparse.uint32(this.#postings.length);
      this.#sparse.uint32(this.#positions.length);
      this.#sparse.uint32(this.#firstTerms.length);
      this.#firstTerms.varint(term.length);
      this.#firstTerms.bytes(term);
      this.#previousTerm = EMPTY;
    }
    const shared = sharedPrefixLength(this.#previousTerm, term);
    block.varint(shared);
    block.varint(term.length - shared);
    block.bytes(term, shared);
    block.varint(said.count);
    block.varint(said.postings.length);
    block.varint(said.positions.length);
    appendChecked(this.#postings, said.postings);
    appendChecked(this.#positions, said.positions);
    this.#previousTerm = term;
    this.#blockTerms++;
  }

  #closeBlock(): void {
    if (this.#blockTerms === 0) return;
    appendChecked(this.#dictionary, this.#block);
    this.#block.clear();
    this.#blockTerms = 0;
  }

  /** The whole segment, in a buffer that starts at an aligned address. */
  finish(): Buffer {
    this.#closeBlock();
    this.#metadataOffsets.uint32(this.#memories.length);
    const blocks = this.#sparse.length / SPARSE_ENTRY_BYTES;
    this.#sparse.bytes(this.#firstTerms.view());
    this.#sparse.uint32(blocks);
    const lengths = LENGTH_SECTIONS.map((name, field) => [name, this.#lengths[field]?.view()]);
    const contents = {
      ...Object.fromEntries(lengths),
      sparse: this.#sparse.view(),
      dictionary: this.#dictionary.view(),
      postings: this.#postings.view(),
      positions: this.#positions.view(),
      metadataOffsets: this.#metadataOffsets.view(),
      memories: this.#memories.view(),
      files: this.#files.view(),
    } as Record<SectionName, Buffer>;
    const header = new ByteWriter(HEADER_BYTES);
    header.uint32(SEGMENT_MAGIC);
    header.uint32(INDEX_VERSION);
    header.uint32(this.#documentCount);
    let offset = HEADER_BYTES;
    const offsets: number[] = [];
    for (const name of SECTIONS) {
      offset = Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
      offsets.push(offset);
      header.float64(offset);
      header.float64(contents[name].length);
      header.uint32(WHOLE_SECTIONS.has(name) ? checksumOf(contents[name]) : 0);
      offset += contents[name].length;
    }
    for (const total of this.#fieldTotals) header.float64(total);
    header.uint32(checksumOf(header.view()));
    const segment = Buffer.alloc(offset);
    segment.set(header.view());
    for (const [index, name] of SECTIONS.entries()) segment.set(contents[name], offsets[index]);
    return segment;
  }
}

function appendChecked(writer: ByteWriter, piece: ByteWriter): void {
  if (piece.length === 0) return;
  const bytes = piece.view();
  writer.bytes(bytes);
  writer.uint32(checksumOf(bytes));
}
