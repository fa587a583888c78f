import type { BackfillOptions, BackfillReport, CaptureReport } from "./capture-api.ts";
import type { Progress } from "./progress.ts";

/** What is kept of sessions. */
export interface LearningApi {
  /** Captures the sessions that wait: episode, proposals, solutions. */
  capture(): Promise<CaptureReport>;
  /** Reads old transcripts, the newest first, and tells what it would propose; with `isApplied` it does. Resumable. */
  backfill(options?: BackfillOptions, progress?: Progress): Promise<BackfillReport>;
}
