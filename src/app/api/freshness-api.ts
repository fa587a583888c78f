import type { RepairStep } from "../../freshness/propose-repair.ts";
import type { Verdict } from "../../freshness/verdict.ts";
import type { GateRefusal } from "../../memory/gate-refusal.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";

export type { ClaimCheck } from "../../freshness/claim-check.ts";
export type { RepairStep } from "../../freshness/propose-repair.ts";
export type { BrokenClaim, Standing, Verdict } from "../../freshness/verdict.ts";

/** What a verification attests. */
export interface Attestation {
  /** Claims that hold, besides those that the memory has; they are added to it. */
  claims?: readonly string[];
  /** How it was checked, in a sentence. It alone attests a memory in which nothing can be checked by a claim. */
  note?: string;
}

/** What came of a verification. */
export type VerifyResult =
  | {
      outcome: "verified";
      card: MemoryCard;
      /** The claims that were checked and hold. */
      attested: string[];
      announcement: string;
      /** The change in the store's history. */
      change: string;
      verdict: Verdict;
    }
  | { outcome: "refused"; refusals: GateRefusal[]; verdict: Verdict };

/** A repair as it is proposed, or as it was made. */
export interface RepairResult {
  /** `nothing`: no claim is broken, or of none it is known what it became. */
  outcome: "proposed" | "repaired" | "nothing";
  name: string;
  verdict: Verdict;
  steps: RepairStep[];
  /** Broken claims of which it is not known what they became. */
  open: string[];
  /** Unified diff of the memory's file. */
  diff: string;
  /** The content hash that the proposal is about: give it to `repair` to accept exactly this. */
  hash: string;
  /** The change in the store's history; `heed undo` takes it back. */
  change?: string;
}

/** What anchoring found, or did, for one memory. */
export interface AnchoredMemory {
  name: string;
  type: string;
  store: string;
  /** Claims that it has already. */
  has: number;
  /** Claims that hold now and that its text makes. */
  added: string[];
}

export interface AnchorReport {
  memories: AnchoredMemory[];
  /** How many memories were looked at. */
  looked: number;
  isApplied: boolean;
  changes: string[];
  /** Why some were not looked at, in words. */
  notes: string[];
}

/** What came of a memory in the work: what a model reports. */
export type UseOutcome = "applied" | "ignored" | "contradicted" | "corrected";
export const USE_OUTCOMES: readonly UseOutcome[] = ["applied", "ignored", "contradicted", "corrected"];

/** How often a memory was told, cited and reported on, as far as is known. */
export interface UseCounts {
  cited: number;
  applied: number;
  ignored: number;
  contradicted: number;
  corrected: number;
  /** ISO time of the last of these. */
  last?: string;
}

/** One thing that health found, with the command that settles it. */
export interface HealthFinding {
  /** The memory, tag or store that it is about. */
  subject: string;
  words: string;
  command: string;
}

export type HealthKind =
  | "stale"
  | "contradicted"
  | "verification-debt"
  | "claim-debt"
  | "commit-drift"
  | "dead-weight"
  | "never-surfaced"
  | "heavily-used"
  | "tag-typos"
  | "guards-wrong"
  | "guards-idle"
  | "rule-budget"
  | "expired"
  | "tombstones"
  | "stores";

/** One kind of finding. */
export interface HealthSection {
  kind: HealthKind;
  title: string;
  findings: HealthFinding[];
  /** No judgement, and why: what it would rest on is missing. */
  withheld?: string;
  /** The section could not be made; the others could. */
  failed?: string;
}

export interface HealthReport {
  total: number;
  byType: Record<string, number>;
  byScope: Record<string, number>;
  byTag: Record<string, number>;
  byStanding: Record<string, number>;
  sections: HealthSection[];
  /** What use is judged by: since when, how many sessions' injections, how many reports. */
  telemetry: { since?: string; receipts: number; uses: number };
}
