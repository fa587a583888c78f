import { mkdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { capturePlaces } from "../records/capture-places.ts";
import type { CaptureJob } from "../records/capture-queue.ts";
import { enqueueBegun, enqueueJob, hasJobs } from "../records/capture-queue.ts";
import type { SessionEvent } from "../api/session-events.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";

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
  if (event.kind === "session-start") return true;
  const hasTranscript = (event.transcriptPath ?? "") !== "";
  return hasTranscript && (event.kind === "prompt" || REASONS[event.kind] !== undefined);
}

/**
 * Has a session captured in the background: the job goes into the queue, so that it is not lost, and a process that
 * outlives this one takes it. Clients kill the hooks of a session's end after a second and a half. A prompt leaves a job
 * that counts when no stop follows, as of a session that was killed, and the next session's start has it done.
 */
export function requestCapture(place: Place, event: SessionEvent): void {
  const { places, env } = place;
  const { program } = place.workspace;
  if (place.found.capture === "off") return;
  const { session, client, cwd, transcriptPath: transcript = "" } = event;
  const job = { session, transcript, client, cwd };
  if (event.kind === "prompt") {
    enqueueBegun(places, job);
    return;
  }
  const why = REASONS[event.kind];
  if (why !== undefined) enqueueJob(places, { ...job, why });
  else if (!hasJobs(places, place.now().getTime())) return;
  if (program === undefined) return;
  const { root } = capturePlaces(places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, [program, "capture", "--quiet"], {
    // Not the session's directory: that could not be removed while somebody works in it.
    cwd: root,
    env: { ...env },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", (error) => logTrouble("capture", error, env));
  child.unref();
}
