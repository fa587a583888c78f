import type { StoreRef } from "../../memory/store-ref.ts";
import type { JudgeStatus, JudgeTrial } from "./judge-api.ts";
import type { Progress } from "./progress.ts";
import type { StatusReport } from "./reading-api.ts";
import type { ScrubReport, TrustReview } from "./safety-api.ts";
import type { SemanticPlan, SemanticRequest, SemanticStatus } from "./semantic-api.ts";
import type { Actor, SyncReport } from "./writing-api.ts";

/** Stores, trust, modes and optional parts on this machine. */
export interface SetupApi {
  /**
   * Makes a store: the user's, or `.heed/` in the repository at hand. Keeps what is there. A `.heed/` that came with a
   * clone comes back with `isTrusted` false: its memories are data until `trust`.
   */
  init(kind: "user" | "project"): Promise<StoreRef>;
  stores(): StoreRef[];
  /** Adds a directory of another tool; written only when `isWritable`. */
  attach(directory: string, request: { isWritable?: boolean }, actor: Actor): Promise<StoreRef>;
  detach(directory: string): Promise<void>;
  /** Carries the user store to a git remote and back. */
  sync(remote: string | undefined, progress?: Progress): Promise<SyncReport>;
  /** What would take force when the project store at hand is trusted, or again after others have changed it. */
  reviewTrust(): Promise<TrustReview>;
  /**
   * Approves the project store at hand on this machine: its rules are in force from now on, in the texts that they have.
   * `token`: of the review that was shown; rejects with `changed-outside` when something changed since.
   */
  trust(token?: string): Promise<StoreRef>;
  /**
   * Takes a leaked value out of every file that heed owns; tells what it would do unless `isApplied`. For a person
   * alone, as it cannot be undone.
   */
  scrub(value: string, request: { isApplied?: boolean }, actor: Actor): Promise<ScrubReport>;
  status(): Promise<StatusReport>;
  semantic: {
    /** Whether a sentence model takes part in searches on this machine, and which. */
    status(): Promise<SemanticStatus>;
    /** Says what `install` would fetch; asks nobody. */
    plan(request: SemanticRequest): Promise<SemanticPlan>;
    /** Has npm fetch and check what a plan says; the user must have agreed to it. */
    install(plan: SemanticPlan): Promise<SemanticStatus>;
    /** Removes what was installed, and the vectors of the stores at hand. */
    remove(): Promise<{ removed: string[] }>;
  };
  judge: {
    /** Whether a judge is set up on this machine, and what it has cost. Asks nobody. */
    status(): Promise<JudgeStatus>;
    /** Asks the judge that is set up once, about memories made up for it. Rejects with `invalid-input` when there is none. */
    try(): Promise<JudgeTrial>;
  };
}
