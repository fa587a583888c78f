import type { GateName } from "../errors/gate-name.ts";
import type { MemoryDraft } from "./memory.ts";

/** A memory that a write resembles: shown, never merged in silence. */
export interface NearDuplicate {
  name: string;
  description: string;
  /** Removed memories are named with the reason of their removal. */
  removed?: { reason: string; date: string };
  /** 0 to 1. */
  similarity: number;
}

/** One gate's refusal: which gate, why, and what would pass. */
export interface GateRefusal {
  gate: GateName;
  reason: string;
  remedy: string;
  /** A draft that would pass, where one can be made (dates resolved, sections named). */
  proposal?: Partial<MemoryDraft>;
  duplicates?: NearDuplicate[];
}
