import { mkdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { capturePlaces } from "../capture/capture-places.ts";
import type { CaptureJob } from "../capture/capture-queue.ts";
import { enqueueJob } from "../capture/capture-queue.ts";
import type { SessionEvent } from "../hook-api.ts";
import { logTrouble } from "../trouble-log.ts";
import type { Workspace } from "../workspace.ts";

const REASONS: Partial<Record<SessionEvent["kind"], CaptureJob["why"]>> = {
  stop: "stop",
  compaction: "compaction",
  "session-end": "end",
};

/** Whether an event is one at which a session is captured: never inside a subagent, never without a transcript. */
export function isCaptureEvent(event: SessionEvent): boolean {
  return (
    REASONS[event.kind] !== undefined &&
    event.agentId === undefined &&
    event.session !== "" &&
    (event.transcriptPath ?? "") !== ""
  );
}

/**
 * Has a session captured in the background: the job goes into the queue, so that it is not lost, and a process that
 * outlives this one takes it. Clients kill the hooks of a session's end after a second and a half.
 */
export function requestCapture(workspace: Workspace, event: SessionEvent): void {
  const why = REASONS[event.kind];
  const { program, places, env } = workspace;
  if (why === undefined || workspace.find().capture === "off") return;
  const { session, client, cwd, transcriptPath: transcript = "" } = event;
  enqueueJob(places, { session, transcript, client, cwd, why });
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
