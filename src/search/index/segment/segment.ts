import type { MemoryMetadata } from "../../../memory/memory.ts";
import { BODY_FIELD, FIELD_COUNT } from "../document/index-document.ts";
import { ByteReader, type ByteSource, type ByteWriter, checksumOf, IndexDamage } from "./bytes.ts";
import type { SectionName, FileEntry } from "./segment-format.ts";
import {
  CHECKSUM_BYTES,
  LENGTH_SECTIONS,
  HEADER_BYTES,
  INDEX_VERSION,
  SECTIONS,
  SEGMENT_MAGIC,
} from "./segment-format.ts";
import { TermDictionary, type TermEntry } from "./term-dictionary.ts";

/** All metadata is read at once when that of more than one memory in this many is asked for; else each alone. */
const MANY_OF = 8;

/** One immutable segment with the documents that were removed from it since. All methods may throw IndexDamage. */
export class Segment {
  readonly header: SegmentHeader;
  readonly dead: Uint8Array | undefined;
  readonly liveCount: number;
  readonly #source: ByteSource;
  readonly #sections = new Map<SectionName, Buffer>();
  readonly #verified = new Set<number>();
  readonly #lengths: (Uint16Array | undefined)[] = [];
  #liveTotals: number[] | undefined;
  #dictionary: TermDictionary | undefined;

  constructor(source: ByteSource, deadDocuments: readonly number[] = []) {
    this.#source = source;
    this.header = readHeader(source);
    if (deadDocuments.length > 0) {
      const dead = new Uint8Array(this.documentCount);
      for (const document of deadDocuments) {
        if (document >= this.documentCount || dead[document] === 1) throw new IndexDamage("no such document");
        dead[document] = 1;
      }
      this.dead = dead;
    }
    this.liveCount = this.documentCount - deadDocuments.length;
  }

  /** The same bytes with other removed documents; shares the source, so only one of the two is closed. */
  withDead(deadDocuments: readonly number[]): Segment {
    return new Segment(this.#source, deadDocuments);
  }

  get documentCount(): number {
    return this.header.documentCount;
  }

  isLive(document: number): boolean {
    return this.dead === undefined || this.dead[document] === 0;
  }

  close(): void {
    this.#source.close();
  }

  #whole(name: SectionName): Buffer {
    const known = this.#sections.get(name);
    if (known !== undefined) return known;
    const { offset, length, checksum } = this.header.sections[name];
    const bytes = this.#source.read(offset, length);
    if (checksumOf(bytes) !== checksum) throw new IndexDamage(`section ${name} is damaged`);
    return bytes;
  }

  #piece(name: SectionName, at: number, length: number): Buffer {
    if (length === 0) return Buffer.alloc(0);
    const section = this.header.sections[name];
    if (at + length + CHECKSUM_BYTES > section.length) throw new IndexDamage(`section ${name} is too short`);
    const bytes = this.#source.read(section.offset + at, length + CHECKSUM_BYTES);
    const place = section.offset + at;
    if (!this.#verified.has(place)) {
      if (checksumOf(bytes, 0, length) !== bytes.readUInt32LE(length))
        throw new IndexDamage(`${name} are damaged`);
      this.#verified.add(place);
    }
    return bytes.subarray(0, length);
  }

  /** Number of terms of a field, by document; each field is read when it is first asked for. */
  lengthsOf(field: number): Uint16Array {
    const known = this.#lengths[field];
    if (known !== undefined) return known;
    const bytes = this.#whole(LENGTH_SECTIONS[field] as SectionName);
    if (bytes.length !== this.documentCount * 2) throw new IndexDamage("lengths do not fit");
    const lengths = new Uint16Array(bytes.buffer, bytes.byteOffset, this.documentCount);
    this.#lengths[field] = lengths;
    return lengths;
  }

  totalLengthOf(field: number): number {
    if (this.#liveTotals === undefined) {
      const totals = [...this.header.fieldTotals];
      for (let document = 0; this.dead !== undefined && document < this.dead.length; document++) {
        if (this.dead[document] === 0) continue;
        for (let place = 0; place < FIELD_COUNT; place++) {
          totals[place] = (totals[place] as number) - (this.lengthsOf(place)[document] as number);
        }
      }
      this.#liveTotals = totals;
    }
    return this.#liveTotals[field] as number;
  }

  get dictionary(): TermDictionary {
    this.#dictionary ??= new TermDictionary({
      sparse: this.#source.read(this.header.sections.sparse.offset, this.header.sections.sparse.length),
      length: this.header.sections.dictionary.length,
      block: (start, end) => this.#piece("dictionary", start, end - start - CHECKSUM_BYTES),
    });
    return this.#dictionary;
  }

  postingsOf(entry: TermEntry, into: Postings): void {
    decodePostings(this.#postings(entry), entry.count, this.documentCount, into);
  }

  documentsOf(entry: TermEntry): Uint32Array {
    return decodeDocuments(this.#postings(entry), entry.count, this.documentCount);
  }

  #postings({ postingsAt, postingsLength }: TermEntry): Buffer {
    return this.#piece("postings", postingsAt, postingsLength);
  }

  positionsOf(entry: TermEntry): Buffer {
    return this.#piece("positions", entry.positionsAt, entry.positionsLength);
  }

  liveDocumentsOf(term: string): number[] {
    const entry = this.dictionary.find(term);
    if (entry === undefined) return [];
    return [...this.documentsOf(entry)].filter((document) => this.isLive(document));
  }

  rawMetadataOf(document: number): Buffer {
    const { offset } = this.header.sections.metadataOffsets;
    const kept = this.#sections.get("metadataOffsets");
    const bounds =
      kept?.subarray(document * 4, document * 4 + 8) ?? this.#source.read(offset + document * 4, 8);
    const start = bounds.readUInt32LE(0);
    const end = bounds.readUInt32LE(4);
    const memories = this.header.sections.memories;
    if (end < start + CHECKSUM_BYTES || end > memories.length)
      throw new IndexDamage("metadata offsets are damaged");
    const whole = this.#sections.get("memories");
    const bytes = whole?.subarray(start, end) ?? this.#source.read(memories.offset + start, end - start);
    const length = end - start - CHECKSUM_BYTES;
    if ((checksumOf(bytes, 0, length) ^ document) >>> 0 !== bytes.readUInt32LE(length)) {
      throw new IndexDamage("metadata is damaged");
    }
    return bytes.subarray(0, length);
  }

  metadataOf(document: number): MemoryMetadata {
    const bytes = this.rawMetadataOf(document);
    return JSON.parse(bytes.toString("utf8")) as MemoryMetadata;
  }

  memoriesOf(documents: readonly number[]): MemoryMetadata[] {
    return [...this.slicesOf(documents, documents.length)].flat();
  }

  /** The metadata of many documents, so many at a time: one read instead of thousands. */
  *slicesOf(documents: readonly number[], size: number): Generator<MemoryMetadata[], undefined> {
    if (documents.length * MANY_OF > this.documentCount) {
      const { offset, length } = this.header.sections.memories;
      this.#sections.set("memories", this.#source.read(offset, length));
      this.#sections.set("metadataOffsets", this.#whole("metadataOffsets"));
    }
    try {
      for (let at = 0; at < documents.length; at += size)
        yield documents.slice(at, at + size).map((document) => this.metadataOf(document));
    } finally {
      this.#sections.delete("memories");
      this.#sections.delete("metadataOffsets");
    }
  }

  files(): FileEntry[] {
    // Whoever looks at all files may read the metadata of many.
    this.#sections.set("metadataOffsets", this.#whole("metadataOffsets"));
    const reader = new ByteReader(this.#whole("files"));
    const entries: FileEntry[] = [];
    for (let document = 0; document < this.documentCount; document++) {
      const file = reader.string();
      const section = reader.varint();
      const mtimeMs = reader.float64();
      const sizeBytes = reader.varint();
      entries.push({ file, mtimeMs, sizeBytes, ...(section > 0 && { section: section - 1 }) });
    }
    return entries;
  }
}

interface SectionPlace {
  offset: number;
  length: number;
  checksum: number;
}

interface SegmentHeader {
  documentCount: number;
  sections: Record<SectionName, SectionPlace>;
  fieldTotals: readonly number[];
  /** Of the header, and through it of the whole file: the manifest names a segment with it. */
  checksum: number;
}

function readHeader(source: ByteSource): SegmentHeader {
  const bytes = source.read(0, HEADER_BYTES);
  const reader = new ByteReader(bytes);
  if (reader.uint32() !== SEGMENT_MAGIC) throw new IndexDamage("not a segment");
  if (reader.uint32() !== INDEX_VERSION) throw new IndexDamage("a segment of another version");
  const checksum = bytes.readUInt32LE(HEADER_BYTES - CHECKSUM_BYTES);
  if (checksumOf(bytes, 0, HEADER_BYTES - CHECKSUM_BYTES) !== checksum)
    throw new IndexDamage("the header is damaged");
  const documentCount = reader.uint32();
  let end = HEADER_BYTES;
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
function decodePostings(bytes: Uint8Array, count: number, documentCount: number, into: Postings): void {
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
function decodeDocuments(bytes: Buffer, count: number, documentCount: number): Uint32Array {
  const reader = new ByteReader(bytes);
  let document = -1;
  const documents = Uint32Array.from({ length: count }, () => (document += reader.varint() + 1));
  if (reader.at !== bytes.length || document >= documentCount) throw new IndexDamage("documents do not fit");
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
