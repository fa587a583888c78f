import type { TrustEntry } from "./setup-reports.ts";
import type { Problem } from "../../machine/problem.ts";
import type { StoreRef, MemoryMetadata, GateRefusal } from "../../memory/memory.ts";
import type { RepairStep } from "../../freshness/propose-repair.ts";
import type { Verdict } from "../../freshness/verdict.ts";

export type { ClaimCheck } from "../../freshness/verdict.ts";
export type { RepairStep } from "../../freshness/propose-repair.ts";
export type { BrokenClaim, Standing, Verdict } from "../../freshness/verdict.ts";

/** What a verification attests. */
export interface Attestation {
  /** Claims that hold, besides those that the memory has; they are added to it. */
  claims?: readonly string[];
  /** How it was checked, in a sentence. It alone attests a memory in which nothing can be checked by a claim. */
  note?: string;
}

/** Result of a verification. */
export type VerifyResult =
  | {
      outcome: "verified";
      metadata: MemoryMetadata;
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

/** Which memories are extracted, and whether it is done. */
export interface ExtractClaimsRequest {
  /** Default: all that speak of the repository at hand. */
  handles?: readonly string[];
  /** Add the claims; default false: only tell them. */
  isApplied?: boolean;
}

/** What extraction found, or did, for one memory. */
export interface ExtractedClaims {
  name: string;
  type: string;
  store: string;
  /** Claims that it has already. */
  has: number;
  /** Claims that hold now and that its text makes. */
  added: string[];
}

export interface ExtractClaimsReport {
  memories: ExtractedClaims[];
  /** How many memories were looked at. */
  looked: number;
  isApplied: boolean;
  changes: string[];
  /** Why some were not looked at, in words. */
  notes: string[];
}

/** One step of maintenance. */
export interface TidyStep {
  action: "merge-duplicate" | "drop-episode";
  /** What is changed: a memory's name. */
  name: string;
  /** The other memory, where there is one. */
  other?: string;
  /** Why, in words. */
  reason: string;
}

/** What maintenance would do, or did. */
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

/** What a change of the repository is compared with. */
export interface CheckDiffRequest {
  /** A commit, branch or tag; default: HEAD. */
  base?: string;
  /** What is staged is compared with HEAD, not HEAD with `base`. */
  isStaged?: boolean;
  /** Make the repairs; default: only propose them as a patch. */
  isFixed?: boolean;
}

/** One thing that is wrong after a change. */
export interface DiffFinding extends Omit<Problem, "file"> {
  /** Path in the repository. */
  path: string;
  /** The name of the memory, where it is about one. */
  memory?: string;
  /** The claim that does not hold, and the one that holds in its place. */
  claim?: string;
  becomes?: string;
}

/** What a change of the repository does to its memories. */
export interface DiffReport {
  /** The commit that is compared with: where the branch left the base. */
  base: string;
  /** A commit, or `staged`. */
  head: string;
  /** Rules and guards that it brings, changes or removes. */
  rules: TrustEntry[];
  findings: DiffFinding[];
  /** The repair of what can be repaired, for `git apply`. */
  patch: string;
  /** The memories that were repaired. */
  fixed: string[];
  errors: number;
  warnings: number;
}

/** One thing that health found, with what mends it. */
export interface HealthFinding {
  /** The memory, tag or store that it is about. */
  subject: string;
  words: string;
  /** One of these, the likeliest first. */
  remedies: Remedy[];
}

export type HealthKind =
  | "broken"
  | "errors"
  | "violated"
  | "stale"
  | "claim-debt"
  | "commit-drift"
  | "dead-weight"
  | "never-surfaced"
  | "rules-idle"
  | "descriptions"
  | "rule-budget"
  | "stranded"
  | "expired"
  | "warnings";

/** One kind of finding. */
export interface HealthSection {
  kind: HealthKind;
  title: string;
  /** What a memory says is not so, or its file is at fault; the rest is housekeeping. */
  isWrong: boolean;
  findings: HealthFinding[];
  /** How many there are, where not all are listed. */
  count?: number;
  /** Nothing is said, and why: what it would rest on is missing. */
  withheld?: string;
  /** The section could not be made; the others could. */
  failed?: string;
}

export interface HealthReport {
  total: number;
  /** Findings of sections that are wrong, and of the others. */
  errors: number;
  warnings: number;
  byType: Record<string, number>;
  byScope: Record<string, number>;
  byTag: Record<string, number>;
  byStanding: Record<string, number>;
  sections: HealthSection[];
  /** What is said of use rests on this: since when, how many sessions' injections, how many reports. */
  telemetry: { since?: string; receipts: number; uses: number };
}

/**
 * What mends a finding: a command of heed as data, so that a terminal can print it, a page make a button of it, and a
 * model say it to the user.
 */
export interface Remedy {
  /** Default: heed. */
  program?: "git";
  /** As one types it after `heed`: `edit`, `verify --repair`, `guard test`. */
  command: string;
  /** What the command is about, in its order: most often the name of a memory. What is to be filled in is in capitals. */
  args: string[];
  /** Options by their names, without dashes. */
  options?: Readonly<Record<string, string>>;
}
