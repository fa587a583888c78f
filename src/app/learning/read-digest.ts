import { foldEvent } from "../../capture/fold-event.ts";
import type { IsToStop, ReadReport } from "../transcripts/read-session.ts";
import { readSessionOn } from "../transcripts/read-session.ts";
import type { SessionProgress } from "../records/session-progress.ts";

/** Reads a session's transcript on into its digest. */
export function readDigestOn(progress: SessionProgress, transcript: string, isToStop?: IsToStop): ReadReport {
  const { digest } = progress;
  const report = readSessionOn(
    progress,
    transcript,
    (event, agent) => foldEvent(digest, event, agent),
    isToStop,
  );
  if (report.bytes > 0) Object.assign(progress, { isDirty: true, isTold: false });
  digest.client = progress.format;
  return report;
}
