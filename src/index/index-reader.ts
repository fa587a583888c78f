import type { MemoryMetadata } from "../memory/memory-metadata.ts";
import { documentKeyOf } from "./document/index-document.ts";
import { reading } from "./segment/index-damage.ts";
import { type MetadataPart, SPECIAL, wellFormed } from "./segment/special-terms.ts";
import type { Segment } from "./segment/segment.ts";
import type { FileEntry } from "./segment/segment-writer.ts";

/** The metadata of so many memories is read at a time. */
const SLICE = 500;

/** One generation of a store's index. Damage calls `whenDamaged` and throws IndexDamage. */
export class IndexReader {
  readonly segments: readonly Segment[];
  /** Counts up with every change of the index on disk; 0 for an index in memory. */
  readonly generation: number;
  /** Called when damage is found, so that the index is not used again. */
  readonly whenDamaged: () => void;
  #all: WeakRef<readonly MemoryMetadata[]> | undefined;

  constructor(segments: readonly Segment[], generation = 0, whenDamaged: () => void = () => {}) {
    this.segments = segments;
    this.generation = generation;
    this.whenDamaged = whenDamaged;
  }

  /** Number of documents that were not removed. */
  get documentCount(): number {
    return this.segments.reduce((count, segment) => count + segment.liveCount, 0);
  }

  /** The metadata of all memories, or of those of some types. Order: as stored. */
  memories(filter: { types?: readonly string[] } = {}): MemoryMetadata[] {
    const { types } = filter;
    if (types === undefined) return [...this.#allMemories()];
    const documents = this.#read(() => this.segments.map((segment) => documentsOf(segment, types)));
    // Most of them are asked for with the others, or after them: a session's start reads each memory's once.
    if (documents.reduce((sum, some) => sum + some.length, 0) * 2 > this.documentCount)
      return this.#allMemories().filter(({ type }) => types.includes(type));
    return this.#read(() => this.segments.flatMap((segment, i) => segment.memoriesOf(documents[i] ?? [])));
  }

  /** The same, a few hundred at a time: each takes milliseconds. */
  *metadataSlices({ types }: { types?: readonly string[] } = {}): Generator<MemoryMetadata[]> {
    for (const segment of this.segments) {
      const documents = this.#read(() => documentsOf(segment, types));
      for (let at = 0; at < documents.length; at += SLICE)
        yield this.#read(() => segment.memoriesOf(documents.slice(at, at + SLICE)));
    }
  }

  /** The metadata of memories that have a part, without touching the others. Order: as stored. */
  memoriesWith(part: MetadataPart): MemoryMetadata[] {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.has + part));
  }

  /** The metadata with a document key (see documentKeyOf), or null when there is none. */
  metadata(key: string): MemoryMetadata | null {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.key + wellFormed(key))[0] ?? null);
  }

  /** Cards whose id or name is the handle. */
  memoriesByHandle(handle: string): MemoryMetadata[] {
    return this.#read(() => {
      const exact = wellFormed(handle);
      const found = [SPECIAL.id + exact, SPECIAL.name + exact].flatMap((term) => this.#memoriesOfTerm(term));
      return [...new Map(found.map((metadata) => [documentKeyOf(metadata), metadata])).values()];
    });
  }

  /** Cards with a link to an id or a name. */
  memoriesLinkingTo(handle: string): MemoryMetadata[] {
    return this.#read(() => this.#memoriesOfTerm(SPECIAL.linkTo + wellFormed(handle)));
  }

  /** File, modification time and size behind each document, to compare with the disk. */
  fileTable(): FileEntry[] {
    return this.#read(() =>
      this.segments.flatMap((segment) => segment.files().filter((_, document) => segment.isLive(document))),
    );
  }

  /** Gives the files back; the reader cannot be used afterwards. */
  close(): void {
    for (const segment of this.segments) segment.close();
  }

  #read<T>(read: () => T): T {
    return reading(read, this.whenDamaged);
  }

  /** Read once, and again when memory ran short: a session's start looks through them five times. */
  #allMemories(): readonly MemoryMetadata[] {
    const kept = this.#all?.deref();
    if (kept) return kept;
    const all = this.#read(() =>
      this.segments.flatMap((segment) => segment.memoriesOf(documentsOf(segment, undefined))),
    );
    this.#all = new WeakRef(all);
    return all;
  }

  #memoriesOfTerm(term: string): MemoryMetadata[] {
    return this.segments.flatMap((segment) => segment.memoriesOf(segment.liveDocumentsOf(term)));
  }
}

/** The documents of some types that were not removed, or all. */
function documentsOf(segment: Segment, types: readonly string[] | undefined): number[] {
  if (types !== undefined)
    return types
      .flatMap((type) => segment.liveDocumentsOf(SPECIAL.type + wellFormed(type)))
      .sort((a, b) => a - b);
  return Array.from({ length: segment.documentCount }, (_, document) => document).filter((document) =>
    segment.isLive(document),
  );
}
