import type { Injected } from "../records/receipt-log.ts";
import type { Verdict } from "../../freshness/verdict.ts";
import type { MemoryMetadata } from "../../memory/memory-metadata.ts";
import type { Collection } from "../place/collection.ts";
import type { Remedy, HealthReport, HealthSection } from "../api/maintenance-reports.ts";
import type { Place } from "../place/place.ts";

/** What the sections of a health report are made from. */
export interface HealthInput {
  place: Place;
  collection: Collection;
  memories: MemoryMetadata[];
  verdicts: ReadonlyMap<MemoryMetadata, Verdict>;
  injected: Injected["byMemory"];
  telemetry: Omit<HealthReport["telemetry"], "uses">;
  /** How many citations and reports of use are known. */
  uses: number;
  use: ReadonlyMap<string, number>;
  /** The guards that memories here carry, with how often each fired. */
  guards: readonly WardGuard[];
}

/** A guard and what is known of its use. */
export interface WardGuard {
  metadata: MemoryMetadata;
  /** Its place in the memory, from 1. */
  number: number;
  summary: string;
  /** Why it does nothing here; undefined: it is in force. */
  whyNot: string | undefined;
  fired: number;
  wrong: number;
}

/** What to do about a memory. */
export function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

/** What one section found, or why it says nothing. */
export type Section = Pick<HealthSection, "findings" | "withheld">;
