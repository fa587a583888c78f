import type { TypePolicy } from "../../memory/memory-type.ts";
import type { UseCounts, UseOutcome } from "./freshness-api.ts";
import type {
  MemoryFilter,
  Overview,
  SearchAnswer,
  SearchRequest,
  ShownCard,
  ShownFile,
  ShownMemory,
} from "./reading-api.ts";
import type { Actor, Change, DraftReading, MemoryChanges, MemoryDraft, WriteResult } from "./writing-api.ts";

/** The memories that hold here: found, read, written. */
export interface MemoriesApi {
  /** Memories in a steady order: type, then name. */
  list(filter?: MemoryFilter): Promise<ShownCard[]>;
  /** `reader`: a memory that is held back is shown in full to a person alone; default: to nobody. */
  show(handle: string, store?: string, reader?: Actor): Promise<ShownMemory>;
  /** The file of a memory as it is, without secrets. Rejects with `gate-refused` for a text that is held back from the reader. */
  showFile(handle: string, store?: string, reader?: Actor): Promise<ShownFile>;
  search(request: SearchRequest): Promise<SearchAnswer>;
  overview(): Promise<Overview>;
  /** The types that hold here, declared ones included. */
  types(): TypePolicy[];
  /** Writes a memory through the gates; a name or title that exists amends that memory. */
  write(draft: MemoryDraft, actor: Actor): Promise<WriteResult>;
  update(handle: string, changes: MemoryChanges, actor: Actor): Promise<WriteResult>;
  /**
   * Replaces the file of a memory by an edited text, front matter included, through the gates; keeps what heed does not
   * know. Rejects with `changed-outside` when the memory no longer has the content hash that the editor saw.
   */
  edit(handle: string, text: string, ifHash: string, actor: Actor): Promise<WriteResult>;
  /** Reads a markdown memory (front matter and text) as a draft, without writing it. */
  readDraft(text: string): Promise<DraftReading>;
  /** Moves a memory to the tombstones, with the reason. */
  remove(handle: string, reason: string, actor: Actor): Promise<Change>;
  /** Brings a removed memory back. */
  restore(handle: string, actor: Actor): Promise<Change>;
  rename(handle: string, newName: string, actor: Actor): Promise<Change>;
  /** Takes down what came of a memory in the work. */
  recordUse(handle: string, report: { outcome: UseOutcome; note?: string }, actor: Actor): Promise<UseCounts>;
}
