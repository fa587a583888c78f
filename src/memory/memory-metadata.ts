import type { HostileKind } from "../screening/hostile-pattern.ts";
import type { MemoryHeader } from "./memory.ts";

/** Whose files a store holds: the user's own, the repository's, or those of another tool. */
export const STORE_KINDS = ["user", "project", "attached"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * What is known of a stored memory without opening its file: its header and where it is.
 * The index keeps it, so that policies and scope are decided without reading a file; the body is read for hits only.
 */
export interface MemoryMetadata extends MemoryHeader {
  /** The id of the store that holds it. */
  storeId: string;
  /** Path of the file relative to the store's root, with forward slashes. */
  file: string;
  /** For a file that holds several memories (one a `##` section): which one, from 0. Such memories are read-only. */
  section?: number;
  /** Modification time in milliseconds and size in bytes of the file when it was read: a cheap test for change. */
  mtimeMs: number;
  sizeBytes: number;
  /** First 16 hex digits of the SHA-256 of the memory's raw text: tells whether it changed since it was shown. */
  contentHash: string;
  /** Length of the body in characters. */
  bodyLength: number;
  /**
   * What its text does that no memory has to (see findHostile): it is told to nobody before a person has released it.
   * Absent for nearly all.
   */
  flags?: readonly HostileKind[];
}
