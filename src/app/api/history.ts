import type { Actor, BlameLine, Change } from "./writing-api.ts";

/** What changed, when and why; and taking it back. */
export interface HistoryApi {
  /** Changes of one memory, or of all; newest first. */
  list(handle?: string, limit?: number): Promise<Change[]>;
  blame(handle: string): Promise<BlameLine[]>;
  /** Unified diff of a memory against its state before a change (default: before its last one). */
  diff(handle: string, change?: string): Promise<string>;
  /** Takes a change back (default: the last one), as a change of its own. */
  undo(change: string | undefined, actor: Actor): Promise<Change>;
}
