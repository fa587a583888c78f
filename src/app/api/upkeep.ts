import type { TidyReport } from "./capture-api.ts";
import type { AnchorReport, Attestation, HealthReport, RepairResult, VerifyResult } from "./freshness-api.ts";
import type { Progress } from "./progress.ts";
import type { CheckReport, StatusReport } from "./reading-api.ts";
import type { SavedTest, TestReport } from "./testing-api.ts";
import type { Actor } from "./writing-api.ts";

/** Whether memories are sound, and keeping them so. */
export interface UpkeepApi {
  check(): Promise<CheckReport>;
  /** What is wrong with the memories here, each finding with the command that settles it. */
  health(): Promise<HealthReport>;
  /** Attests a memory: what it claims is checked; refused when a claim is false or nothing was attested. */
  verify(handle: string, attestation: Attestation, actor: Actor): Promise<VerifyResult>;
  /**
   * Proposes to put right what a memory says of things that moved or changed; makes the change only when accepted.
   * Give the proposal's hash to accept exactly what was shown.
   */
  repair(
    handle: string,
    request: { isApplied?: boolean; ifHash?: string },
    actor: Actor,
  ): Promise<RepairResult>;
  /** Finds the claims that memories make about the repository at hand, and adds them when `isApplied`. */
  anchor(request: { handles?: readonly string[]; isApplied?: boolean }, actor: Actor): Promise<AnchorReport>;
  /** Upkeep: tells what it would do, or does it. Every step can be undone. */
  tidy(request?: { isApplied?: boolean }): Promise<TidyReport>;
  reindex(progress?: Progress): Promise<StatusReport>;
  /** Looks over all claims here so that prompts find the verdicts ready; the number of stale memories. */
  refreshVerdicts(limitMs?: number): Promise<number>;
  /**
   * Runs the cases of every store's `tests/*.yaml`: what a fresh session must and must not be told on a prompt.
   * `filter`: only those whose file, name or prompt contains it.
   */
  test(filter?: string): Promise<TestReport>;
  /** Records what a prompt would be told here, or what a past receipt says, as a case of `tests/recorded.yaml`. */
  saveTest(about: { prompt: string } | { receipt: string }): Promise<SavedTest>;
}
