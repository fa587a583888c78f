import { FIELD_COUNT } from "../document/index-document.ts";
import { ByteWriter } from "./byte-writer.ts";
import { checksumOf } from "./checksum.ts";
import {
  BLOCK_TERMS,
  CHECKSUM_BYTES,
  headerLength,
  INDEX_VERSION,
  LENGTH_SECTIONS,
  MAX_FIELD_LENGTH,
  SECTIONS,
  SEGMENT_MAGIC,
  SPARSE_ENTRY_BYTES,
  type SectionName,
} from "./segment-format.ts";

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

const EMPTY: Buffer = Buffer.alloc(0);

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
  #previousTerm: Buffer = EMPTY;

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

  /** `documents` is the number of postings; terms must come in ascending order. */
  addTerm(term: string, documents: number, postings: Uint8Array, positions: Uint8Array): void {
    if (this.#blockTerms === BLOCK_TERMS) this.#closeBlock();
    const block = this.#block;
    if (this.#blockTerms === 0) {
      this.#sparse.uint32(this.#dictionary.length);
      this.#sparse.uint32(this.#postings.length);
      this.#sparse.uint32(this.#positions.length);
      this.#sparse.uint32(this.#firstTerms.length);
      this.#firstTerms.string(term);
      this.#previousTerm = EMPTY;
    }
    const bytes = Buffer.from(term);
    const shared = sharedPrefixLength(this.#previousTerm, bytes);
    block.varint(shared);
    block.varint(bytes.length - shared);
    block.bytes(bytes, shared);
    block.varint(documents);
    block.varint(postings.length);
    block.varint(positions.length);
    appendChecked(this.#postings, postings);
    appendChecked(this.#positions, positions);
    this.#previousTerm = bytes;
    this.#blockTerms++;
  }

  #closeBlock(): void {
    if (this.#blockTerms === 0) return;
    appendChecked(this.#dictionary, this.#block.view());
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
    const header = new ByteWriter(headerLength(FIELD_COUNT));
    header.uint32(SEGMENT_MAGIC);
    header.uint32(INDEX_VERSION);
    header.uint32(this.#documentCount);
    let offset = headerLength(FIELD_COUNT);
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

function appendChecked(writer: ByteWriter, piece: Uint8Array): void {
  if (piece.length === 0) return;
  writer.bytes(piece);
  writer.uint32(checksumOf(piece));
}

/** Bytes that a piece takes with its checksum. */
export const storedLength = (length: number): number => (length === 0 ? 0 : length + CHECKSUM_BYTES);
