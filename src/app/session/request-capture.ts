import type { CaptureJob } from "../records/capture-queue.ts";
import { enqueueBegun, enqueueJob, hasJobs } from "../records/capture-queue.ts";
import type { SessionEvent } from "../api/session-events.ts";
import type { Place } from "../place/place.ts";
import { notePrompt } from "../records/last-prompt.ts";
import { startCapture, startCaptureWhenIdle } from "./start-capture.ts";

const REASONS: Partial<Record<SessionEvent["kind"], Exclude<CaptureJob["why"], "begun">>> = {
  stop: "stop",
  compaction: "compaction",
  "session-end": "end",
};

/**
 * Whether an event is one at which a session is captured, or put down as begun, or those that were killed are looked for:
 * never inside a subagent.
 */
export function isCaptureEvent(event: SessionEvent): boolean {
  if (event.agentId !== undefined || event.session === "") return false;
  if (event.kind === "session-start" || event.kind === "prompt") return true;
  const hasTranscript = (event.transcriptPath ?? "") !== "";
  return hasTranscript && REASONS[event.kind] !== undefined;
}

/**
 * Has a session captured in the background: the job goes into the queue, so that it is not lost. A session that has ended
 * is captured at once, by a process that outlives this one, as clients kill the hooks of a session's end after a second
 * and a half; one that has only stopped when nobody has said anything for a minute: nothing runs beside the next prompt.
 * A prompt leaves a job that counts when no stop follows, as of a session that was killed.
 */
export function requestCapture(place: Place, event: SessionEvent): void {
  const { places } = place;
  if (event.kind === "prompt") notePrompt(places);
  if (place.found.capture === "off") return;
  const { session, client, cwd, transcriptPath: transcript = "" } = event;
  const job = { session, transcript, client, cwd };
  if (event.kind === "prompt") {
    place.workspace.timer?.clear();
    if (transcript !== "") enqueueBegun(places, job);
    return;
  }
  const why = REASONS[event.kind];
  if (why !== undefined) enqueueJob(places, { ...job, why });
  else if (!hasJobs(places, place.now().getTime())) return;
  if (why === "end") startCapture(place);
  else startCaptureWhenIdle(place);
}
