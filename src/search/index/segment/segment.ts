import type { MemoryMetadata } from "../../../memory/memory.ts";
import { BODY_FIELD, FIELDS, FIELD_COUNT, MEASURED_FIELDS } from "../document/index-document.ts";
import { ByteReader, type ByteSource, checksumOf, IndexDamage } from "./bytes.ts";
import type { SectionName, FileEntry } from "./segment-format.ts";
import { CHECKSUM_BYTES, HEADER_BYTES, INDEX_VERSION, SECTIONS, SEGMENT_MAGIC } from "./segment-format.ts";
import { TermDictionary, type TermEntry } from "./term-dictionary.ts";

/** All metadata is read at once when that of more than one memory in this many is asked for; else each alone. */
const MANY_OF = 8;

/** One immutable segment with the documents that were removed from it since. All methods may throw IndexDamage. */
export class Segment {
  readonly header: SegmentHeader;
  readonly dead: Uint8Array | undefined;
  readonly liveCount: number;
  readonly #source: ByteSource;
  readonly #deadDocuments: readonly number[];
  readonly #verified = new Set<number>();
  #lengths: readonly (Uint16Array | undefined)[] | undefined;
  #totals: readonly number[] | undefined;
  #offsets: Buffer | undefined;
  #dictionary: TermDictionary | undefined;
  /** All metadata, while that of many documents is read. */
  #memories: Buffer | undefined;

  constructor(source: ByteSource, deadDocuments: readonly number[] = []) {
    this.#source = source;
    this.#deadDocuments = deadDocuments;
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
    const { offset, length, checksum } = this.header.sections[name];
    const bytes = this.#source.read(offset, length);
    if (checksumOf(bytes) !== checksum) throw new IndexDamage(`section ${name} is damaged`);
    return bytes;
  }

  #piece(name: SectionName, at: number, length: number): Buffer {
    if (length === 0) return Buffer.alloc(0);
    const section = this.header.sections[name];
    if (length < 0 || at + length + CHECKSUM_BYTES > section.length)
      throw new IndexDamage(`section ${name} is too short`);
    const place = section.offset + at;
    const bytes = this.#source.read(place, length + CHECKSUM_BYTES);
    if (!this.#verified.has(place)) {
      if (checksumOf(bytes, length) !== bytes.readUInt32LE(length))
        throw new IndexDamage(`${name} are damaged`);
      this.#verified.add(place);
    }
    return bytes.subarray(0, length);
  }

  /** Number of terms, by field and document; undefined for fields that are not measured. */
  get lengths(): readonly (Uint16Array | undefined)[] {
    if (this.#lengths === undefined) {
      // A copy is aligned, which typed arrays need.
      const all = new Uint16Array(Uint8Array.from(this.#whole("lengths")).buffer);
      const count = this.documentCount;
      this.#lengths = FIELDS.map((name) => {
        const place = MEASURED_FIELDS.indexOf(name);
        return place < 0 ? undefined : all.subarray(place * count, (place + 1) * count);
      });
    }
    return this.#lengths;
  }

  /** Number of terms of all documents that were not removed, by measured field. */
  get totalLengths(): readonly number[] {
    return (this.#totals ??= MEASURED_FIELDS.map((name, place) => {
      const ofField = this.#deadDocuments.length === 0 ? undefined : this.lengths[FIELDS.indexOf(name)];
      const total = this.header.totalLengths[place] as number;
      return this.#deadDocuments.reduce((sum, document) => sum - (ofField?.[document] ?? 0), total);
    }));
  }

  get dictionary(): TermDictionary {
    return (this.#dictionary ??= new TermDictionary(
      this.#whole("sparse"),
      this.header.sections.dictionary.length,
      (start, end) => this.#piece("dictionary", start, end - start - CHECKSUM_BYTES),
    ));
  }

  postingsOf(entry: TermEntry, into: Postings): void {
    const bytes = this.#piece("postings", entry.postingsAt, entry.postingsLength);
    decodePostings(bytes, entry.count, this.documentCount, into);
  }

  /** Documents with a term, removed ones left out. */
  liveDocumentsOf(term: string): number[] {
    const entry = this.dictionary.find(term);
    if (entry === undefined) return [];
    const postings = emptyPostings(entry.count);
    this.postingsOf(entry, postings);
    return [...postings.documents].filter((document) => this.isLive(document));
  }

  rawMetadataOf(document: number): Buffer {
    const { memories, metadataOffsets } = this.header.sections;
    const bounds =
      this.#offsets?.subarray(document * 4, document * 4 + 8) ??
      this.#source.read(metadataOffsets.offset + document * 4, 8);
    const start = bounds.readUInt32LE(0);
    const end = bounds.readUInt32LE(4);
    const length = end - start - CHECKSUM_BYTES;
    if (length < 0 || end > memories.length) throw new IndexDamage("metadata offsets are damaged");
    const bytes =
      this.#memories?.subarray(start, end) ?? this.#source.read(memories.offset + start, end - start);
    if ((checksumOf(bytes, length) ^ document) >>> 0 !== bytes.readUInt32LE(length))
      throw new IndexDamage("metadata is damaged");
    return bytes.subarray(0, length);
  }

  /** Of all documents at once, for whoever looks at many. */
  #readOffsets(): void {
    const { offset, length } = this.header.sections.metadataOffsets;
    this.#offsets ??= this.#source.read(offset, length);
  }

  metadataOf(document: number): MemoryMetadata {
    return JSON.parse(this.rawMetadataOf(document).toString()) as MemoryMetadata;
  }

  memoriesOf(documents: readonly number[]): MemoryMetadata[] {
    return [...this.slicesOf(documents, documents.length)].flat();
  }

  /** The metadata of many documents, so many at a time: one read instead of thousands. */
  *slicesOf(documents: readonly number[], size: number): Generator<MemoryMetadata[], undefined> {
    const { offset, length } = this.header.sections.memories;
    if (documents.length * MANY_OF > this.documentCount) {
      this.#memories = this.#source.read(offset, length);
      this.#readOffsets();
    }
    try {
      for (let at = 0; at < documents.length; at += size)
        yield documents.slice(at, at + size).map((document) => this.metadataOf(document));
    } finally {
      this.#memories = undefined;
    }
  }

  files(): FileEntry[] {
    this.#readOffsets();
    const reader = new ByteReader(this.#whole("files"));
    return Array.from({ length: this.documentCount }, () => {
      const file = reader.string();
      const section = reader.varint();
      const mtimeMs = reader.float64();
      const sizeBytes = reader.varint();
      return { file, mtimeMs, sizeBytes, ...(section > 0 && { section: section - 1 }) };
    });
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
  totalLengths: readonly number[];
  /** Of the header, and through it of the whole file: the manifest names a segment with it. */
  checksum: number;
}

function readHeader(source: ByteSource): SegmentHeader {
  const bytes = source.read(0, HEADER_BYTES);
  const reader = new ByteReader(bytes);
  if (reader.uint32() !== SEGMENT_MAGIC) throw new IndexDamage("not a segment");
  if (reader.uint32() !== INDEX_VERSION) throw new IndexDamage("a segment of another version");
  const checksum = bytes.readUInt32LE(HEADER_BYTES - CHECKSUM_BYTES);
  if (checksumOf(bytes, HEADER_BYTES - CHECKSUM_BYTES) !== checksum)
    throw new IndexDamage("the header is damaged");
  const documentCount = reader.uint32();
  const places = SECTIONS.map((name) => {
    const place = { offset: reader.float64(), length: reader.float64(), checksum: reader.uint32() };
    return [name, place] as const;
  });
  const sections = Object.fromEntries(places) as Record<SectionName, SectionPlace>;
  if (sections.files.offset + sections.files.length !== source.size)
    throw new IndexDamage("the segment was cut");
  const totalLengths = MEASURED_FIELDS.map(() => reader.float64());
  return { documentCount, sections, totalLengths, checksum };
}

/** Postings of one term in one segment, decoded into arrays that are reused from call to call. */
export interface Postings {
  count: number;
  documents: Uint32Array;
  /** Per posting: the frequency when the term is in the body alone, as most are, otherwise 0. */
  bodyOnly: Uint32Array;
  /** Of the others, field by field. */
  frequencies: Uint32Array;
}

export function emptyPostings(capacity = 256): Postings {
  return {
    count: 0,
    documents: new Uint32Array(capacity),
    bodyOnly: new Uint32Array(capacity),
    frequencies: new Uint32Array(capacity * FIELD_COUNT),
  };
}

export function frequencyIn({ bodyOnly, frequencies }: Postings, index: number, field: number): number {
  const inBody = bodyOnly[index] as number;
  if (inBody > 0) return field === BODY_FIELD ? inBody : 0;
  return frequencies[index * FIELD_COUNT + field] as number;
}

/** Decodes what a PostingList wrote. Throws IndexDamage when it has a wrong end or an unknown document. */
function decodePostings(bytes: Buffer, count: number, documentCount: number, into: Postings): void {
  if (into.documents.length < count) Object.assign(into, emptyPostings(count * 2));
  const { documents, bodyOnly, frequencies } = into;
  const reader = new ByteReader(bytes);
  let document = -1;
  for (let index = 0; index < count; index++) {
    // Most numbers have one byte: a call for each is a fifth of a cold search.
    const delta = bytes[reader.at] as number;
    document += 1 + (delta < 0x80 ? (reader.at++, delta) : reader.varint());
    documents[index] = document;
    const first = bytes[reader.at] as number;
    const code = first < 0x80 ? (reader.at++, first) : reader.varint();
    bodyOnly[index] = (code & 1) === 1 ? code >>> 1 : 0;
    if ((code & 1) === 1) continue;
    for (let field = 0; field < FIELD_COUNT; field++)
      frequencies[index * FIELD_COUNT + field] = (code & (2 << field)) === 0 ? 0 : reader.varint();
  }
  if (reader.at !== bytes.length || document >= documentCount) throw new IndexDamage("postings do not fit");
  into.count = count;
}
