import type { Problem } from "../../errors/problem.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
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

/** Whether a repair is made, and of what. */
export interface RepairRequest {
  /** Make the repair; default false: only tell what it would be. */
  isApplied?: boolean;
  /** The hash of the proposal that was shown: exactly that is accepted. */
  ifHash?: string;
  /**
   * Without a proposal that was shown: take the code's value where the text gives another one; only a person may. Default
   * false: heed does not know which of the two is right.
   */
  takesValues?: boolean;
}

/** A repair as it is proposed, or as it was made. */
export interface RepairResult {
  /** `nothing`: no claim is broken, or of none it is known what it became. */
  outcome: "proposed" | "repaired" | "nothing";
  /** Whether the memory was changed. */
  isApplied: boolean;
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

/** Which memories are anchored, and whether it is done. */
export interface AnchorRequest {
  /** Default: all that speak of the repository at hand. */
  handles?: readonly string[];
  /** Add the claims; default false: only tell them. */
  isApplied?: boolean;
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

/** One step of upkeep. */
export interface TidyStep {
  action: "merge-duplicate" | "drop-episode";
  /** What is changed: a memory's name. */
  name: string;
  /** The other memory, where there is one. */
  other?: string;
  /** Why, in words. */
  reason: string;
}

/** What upkeep would do, or did. */
export interface TidyReport {
  steps: TidyStep[];
  isApplied: boolean;
  /** Steps that could not be done since somebody changed the memory meanwhile, one line each. */
  problems: string[];
  /** Ids of the changes that were made; each can be undone. */
  changes: string[];
  /** More would be to do than one run takes. */
  isCut: boolean;
}

/** What `heed check` found in one store. */
export interface CheckReport {
  stores: { store: StoreRef; files: number; memories: number; problems: Problem[] }[];
  errors: number;
  warnings: number;
}
