import type { MemoryCard } from "../memory/memory-card.ts";
import { documentKeyOf } from "./document/index-document.ts";
import { reading } from "./segment/index-damage.ts";
import type { CardPart } from "./segment/special-terms.ts";
import { SPECIAL, wellFormed } from "./segment/special-terms.ts";
import type { Segment } from "./segment/segment.ts";
import type { FileEntry } from "./segment/segment-writer.ts";

/** So many cards are read at a time. */
const SLICE = 500;

/** One generation of a store's index. Damage calls `whenDamaged` and throws IndexDamage. */
export class IndexReader {
  readonly segments: readonly Segment[];
  /** Counts up with every change of the index on disk; 0 for an index in memory. */
  readonly generation: number;
  /** Called when damage is found, so that the index is not used again. */
  readonly whenDamaged: () => void;
  #all: WeakRef<readonly MemoryCard[]> | undefined;

  constructor(segments: readonly Segment[], generation = 0, whenDamaged: () => void = () => {}) {
    this.segments = segments;
    this.generation = generation;
    this.whenDamaged = whenDamaged;
  }

  /** Number of documents that were not removed. */
  get documentCount(): number {
    return this.segments.reduce((count, segment) => count + segment.liveCount, 0);
  }

  /** All cards, or those of some types. Order: as stored. */
  cards(filter: { types?: readonly string[] } = {}): MemoryCard[] {
    const { types } = filter;
    if (types === undefined) return [...this.#allCards()];
    const documents = this.#read(() => this.segments.map((segment) => documentsOf(segment, types)));
    // Most of them are asked for with the others, or after them: a session's start reads each card once.
    if (documents.reduce((sum, some) => sum + some.length, 0) * 2 > this.documentCount)
      return this.#allCards().filter(({ type }) => types.includes(type));
    return this.#read(() => this.segments.flatMap((segment, i) => segment.cardsOf(documents[i] ?? [])));
  }

  /** The same, a few hundred at a time: each takes milliseconds. */
  *cardSlices({ types }: { types?: readonly string[] } = {}): Generator<MemoryCard[]> {
    for (const segment of this.segments) {
      const documents = this.#read(() => documentsOf(segment, types));
      for (let at = 0; at < documents.length; at += SLICE)
        yield this.#read(() => segment.cardsOf(documents.slice(at, at + SLICE)));
    }
  }

  /** The cards that have a part, without touching the others. Order: as stored. */
  cardsWith(part: CardPart): MemoryCard[] {
    return this.#read(() => this.#cardsOfTerm(SPECIAL.has + part));
  }

  /** The card with a document key (see documentKeyOf), or null when there is none. */
  card(key: string): MemoryCard | null {
    return this.#read(() => this.#cardsOfTerm(SPECIAL.key + wellFormed(key))[0] ?? null);
  }

  /** Cards whose id or name is the handle. */
  cardsByHandle(handle: string): MemoryCard[] {
    return this.#read(() => {
      const exact = wellFormed(handle);
      const found = [SPECIAL.id + exact, SPECIAL.name + exact].flatMap((term) => this.#cardsOfTerm(term));
      return [...new Map(found.map((card) => [documentKeyOf(card), card])).values()];
    });
  }

  /** Cards with a link to an id or a name. */
  cardsLinkingTo(handle: string): MemoryCard[] {
    return this.#read(() => this.#cardsOfTerm(SPECIAL.linkTo + wellFormed(handle)));
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
  #allCards(): readonly MemoryCard[] {
    const kept = this.#all?.deref();
    if (kept) return kept;
    const all = this.#read(() =>
      this.segments.flatMap((segment) => segment.cardsOf(documentsOf(segment, undefined))),
    );
    this.#all = new WeakRef(all);
    return all;
  }

  #cardsOfTerm(term: string): MemoryCard[] {
    return this.segments.flatMap((segment) => segment.cardsOf(segment.liveDocumentsOf(term)));
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
