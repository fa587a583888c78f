import type { TypeTable } from "../memory/memory-type.ts";
import type { ForeignReading } from "./foreign-memory.ts";
import type { ForeignSource } from "./foreign-source.ts";

/**
 * Who wrote what a source holds. A `person`'s rules are their word once they import them; what an agent (`model`) noted
 * passes the gates as an import; what a `tool` made of transcripts by itself is provisional and of low confidence.
 */
export type ForeignAuthor = "person" | "model" | "tool";

/** One way in which another tool keeps memories. Pure: the source reads. */
export interface ImportFormat {
  /** Stable name; stands in the origin of what is imported. */
  readonly name: string;
  /** For people: the tool, and what of it. */
  readonly title: string;
  readonly author: ForeignAuthor;
  /** heed reads such a folder where it lies, too: `heed attach`. */
  readonly isAttachable?: boolean;
  /** The files belong to the repository that they lie in. */
  readonly isOfRepository?: boolean;
  recognise(source: ForeignSource): boolean;
  read(source: ForeignSource, types: TypeTable): ForeignReading | Promise<ForeignReading>;
}
