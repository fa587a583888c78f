import type { MemoryMetadata } from "../../memory/memory.ts";
import { documentKeyOf, type MetadataPart, SPECIAL } from "./document/index-document.ts";
import {
  reading,
  ByteReader,
  ByteWriter,
  checksumOf,
  IndexDamage,
  isIndexDamage,
  fileSource,
} from "./segment/bytes.ts";
import { Segment } from "./segment/segment.ts";
import { type FileEntry, INDEX_VERSION } from "./segment/segment-format.ts";
import { join } from "node:path";
import { MAX_OWN_FILE_BYTES, readRegularFile } from "../../machine/regular-file.ts";

const SLICE = 500;

/** One generation of a store's index. Damage calls `whenDamaged` and throws IndexDamage. */
export class IndexReader {
  readonly segments: readonly Segment[];
  /** Another one with every change of the index on disk; empty for an index in memory. */
  readonly generation: string;
  readonly whenDamaged: () => void;
  #holders = 1;
  #hasLinks: boolean | undefined;
  /** Read once, and again when memory ran short between calls: a session's start looks through them five times. */
  #all: WeakRef<readonly MemoryMetadata[]> | undefined;
  /** What was read of some types or of all, until a call ends. */
  #held: { types: readonly string[] | undefined; memories: readonly MemoryMetadata[] }[] = [];

  constructor(segments: readonly Segment[], generation = "", whenDamaged: () => void = () => {}) {
    this.segments = segments;
    this.generation = generation;
    this.whenDamaged = whenDamaged;
  }

  get documentCount(): number {
    return this.segments.reduce((count, segment) => count + segment.liveCount, 0);
  }

  /** The metadata of all memories, or of those of some types. Order: as stored. */
  memories(types?: readonly string[]): MemoryMetadata[] {
    return [...this.metadataSlices(types)].flat();
  }

  /** The same, a few hundred at a time: each takes milliseconds. */
  *metadataSlices(types?: readonly string[]): Generator<readonly MemoryMetadata[]> {
    const isAmong = ({ type }: MemoryMetadata): boolean => types === undefined || types.includes(type);
    const held = this.#held.find((one) => !one.types || types?.every((type) => one.types?.includes(type)));
    const kept = held?.memories ?? this.#all?.deref();
    if (kept) {
      yield kept.filter(isAmong);
      return;
    }
    const documents = this.#read(() => this.segments.map((segment) => documentsOf(segment, types)));
    // Most of them are asked for with the others, or after them: a session's start reads each memory's once.
    if (types && documents.reduce((sum, some) => sum + some.length, 0) * 2 > this.documentCount) {
      for (const slice of this.metadataSlices()) yield slice.filter(isAmong);
      return;
    }
    const memories: MemoryMetadata[] = [];
    for (const [i, segment] of this.segments.entries()) {
      const slices = segment.slicesOf(documents[i] ?? [], SLICE);
      try {
        for (;;) {
          const { done, value } = this.#read(() => slices.next());
          if (done) break;
          memories.push(...value);
          yield value;
        }
      } finally {
        slices.return(undefined);
      }
    }
    this.#held.push({ types, memories });
    if (!types) this.#all = new WeakRef(memories);
  }

  /** The metadata of all memories one by one, by their files' names, which alone are held. */
  *byFile(): Generator<MemoryMetadata> {
    const places = this.#read(() =>
      this.segments.flatMap((segment) =>
        segment.files().flatMap(({ file, section = -1 }, document) => {
          return segment.isLive(document) ? [{ file, section, segment, document }] : [];
        }),
      ),
    );
    places.sort((a, b) => (a.file === b.file ? a.section - b.section : a.file < b.file ? -1 : 1));
    for (const { segment, document } of places) yield this.#read(() => segment.metadataOf(document));
  }

  /** The metadata of memories that have a part, without touching the others. Order: as stored. */
  memoriesWith(part: MetadataPart): MemoryMetadata[] {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.has + part));
  }

  memoriesNaming(name: string): MemoryMetadata[] {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.names + name.toWellFormed()));
  }

  memoriesByHandle(handle: string): MemoryMetadata[] {
    return this.#read(() => {
      const exact = handle.toWellFormed();
      const found = [SPECIAL.id + exact, SPECIAL.name + exact].flatMap((term) => this.#memoriesOfTerm(term));
      return [...new Map(found.map((metadata) => [documentKeyOf(metadata), metadata])).values()];
    });
  }

  memoriesLinkingTo(handle: string): MemoryMetadata[] {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.linkTo + handle.toWellFormed()));
  }

  /** Whether any memory links to another: in most stores none does, and a list asks for each of its memories. */
  get hasLinks(): boolean {
    return (this.#hasLinks ??= this.#read(() =>
      this.segments.some(({ dictionary }) => !dictionary.withPrefix(SPECIAL.linkTo).next().done),
    ));
  }

  /** File, modification time and size behind each document, to compare with the disk. */
  fileTable(): FileEntry[] {
    return this.#read(() =>
      this.segments.flatMap((segment) => segment.files().filter((_, document) => segment.isLive(document))),
    );
  }

  /** Keeps the files open until one more {@link close}. */
  hold(): void {
    this.#holders++;
  }

  /** Gives the files back once all who hold the reader have closed it. */
  close(): void {
    this.#held = [];
    if (--this.#holders === 0) for (const segment of this.segments) segment.close();
  }

  #read<T>(read: () => T): T {
    return reading(read, this.whenDamaged);
  }

  #memoriesOfTerm(term: string): MemoryMetadata[] {
    return this.segments.flatMap((segment) => segment.memoriesOf(segment.liveDocumentsOf(term)));
  }
}

function documentsOf(segment: Segment, types: readonly string[] | undefined): number[] {
  if (types !== undefined)
    return types
      .flatMap((type) => segment.liveDocumentsOf(SPECIAL.type + type.toWellFormed()))
      .sort((a, b) => a - b);
  return Array.from({ length: segment.documentCount }, (_, document) => document).filter((document) =>
    segment.isLive(document),
  );
}

/** Name of the file that names the live segments; it is replaced whole, so a reader sees one generation or the next. */
export const MANIFEST_FILE = "manifest";

export interface ManifestSegment {
  file: string;
  /** Checksum of the segment's header: the file must be the one that was meant. */
  checksum: number;
  documents: number;
  dead: readonly number[];
}

export interface Manifest {
  /** A name of its own, so that two that were made of the same one beforehand differ. */
  generation: string;
  segments: readonly ManifestSegment[];
  /** Files of the generation before: kept on disk for readers that are still opening them. */
  previous: readonly string[];
}

/** The manifest's text: checksum of the rest, a space, JSON. Removed documents are varint deltas in base64. */
export function encodeManifest(manifest: Manifest): string {
  const segments = manifest.segments.map(({ dead, ...segment }) => ({
    ...segment,
    dead: encodeNumbers(dead),
  }));
  const json = JSON.stringify({ ...manifest, version: INDEX_VERSION, segments });
  return `${checksumOf(Buffer.from(json)).toString(16).padStart(8, "0")} ${json}\n`;
}

function decodeManifest(text: string): Manifest {
  const json = text.slice(9, -1);
  const checksum = checksumOf(Buffer.from(json)).toString(16).padStart(8, "0");
  if (text !== `${checksum} ${json}\n`) throw new IndexDamage("the manifest is damaged");
  const { version, generation, segments, previous } = JSON.parse(json) as {
    version: number;
    generation: string;
    segments: (Omit<ManifestSegment, "dead"> & { dead: string })[];
    previous: string[];
  };
  if (version !== INDEX_VERSION) throw new IndexDamage("an index of another version");
  return {
    generation,
    previous,
    segments: segments.map((segment) => ({ ...segment, dead: decodeNumbers(segment.dead) })),
  };
}

/** Throws IndexDamage, or the file system's error when there is none. */
export function readManifest(directory: string): Manifest {
  return decodeManifest(readRegularFile(join(directory, MANIFEST_FILE), { maxBytes: MAX_OWN_FILE_BYTES }));
}

function encodeNumbers(numbers: readonly number[]): string {
  const writer = new ByteWriter(64);
  let previous = -1;
  for (const number of numbers) {
    writer.varint(number - previous - 1);
    previous = number;
  }
  return writer.view().toString("base64");
}

function decodeNumbers(text: string): number[] {
  const reader = new ByteReader(Buffer.from(text, "base64"));
  const numbers: number[] = [];
  let previous = -1;
  while (reader.at < reader.end) {
    previous += reader.varint() + 1;
    numbers.push(previous);
  }
  return numbers;
}

/** A writer may drop a segment between the reading of the manifest and the opening of its files: then read again. */
const ATTEMPTS = 3;

export interface Generation {
  manifest: Manifest;
  segments: readonly Segment[];
}

/** Opens an index without a lock. Undefined: missing, of another version or damaged; further damage shows when read. */
export function openIndex(directory: string, whenDamaged?: () => void): IndexReader | undefined {
  const opened = openGeneration(directory);
  return opened && new IndexReader(opened.segments, opened.manifest.generation, whenDamaged);
}

export function openGeneration(directory: string): Generation | undefined {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const segments: Segment[] = [];
    try {
      const manifest = readManifest(directory);
      for (const entry of manifest.segments) segments.push(openSegment(directory, entry));
      return { manifest, segments };
    } catch (error) {
      for (const segment of segments) segment.close();
      if (!isIndexDamage(error)) throw error;
    }
  }
  return undefined;
}

function openSegment(directory: string, entry: ManifestSegment): Segment {
  const source = fileSource(join(directory, entry.file));
  try {
    const segment = new Segment(source, entry.dead);
    if (segment.header.checksum !== entry.checksum) throw new IndexDamage("another segment of the same name");
    return segment;
  } catch (error) {
    source.close();
    throw error;
  }
}
