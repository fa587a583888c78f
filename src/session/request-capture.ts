import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "../here/api/session-events.ts";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { statIfThere } from "../machine/regular-file.ts";
import {
  type CaptureJob,
  enqueueBegun,
  enqueueJob,
  hasJobs,
  idleMs,
  lastPromptMs,
  notePrompt,
  capturePlaces,
} from "../here/records/capture-queue.ts";

const REASONS: Partial<Record<SessionEvent["kind"], Exclude<CaptureJob["why"], "begun">>> = {
  stop: "stop",
  compaction: "compaction",
  "session-end": "end",
};

/** Whether a session is captured or put down as begun at an event; never inside a subagent. */
export function isCaptureEvent(event: SessionEvent): boolean {
  if (event.agentId !== undefined || event.session === "") return false;
  if (event.kind === "session-start" || event.kind === "prompt") return true;
  const hasTranscript = (event.transcriptPath ?? "") !== "";
  return hasTranscript && REASONS[event.kind] !== undefined;
}

/** Queues a session's capture: run at once after its end, in a process that outlives this one; after a stop when a minute was quiet. */
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

/** A process that waits says so by a file; one that says nothing for so long beyond its wait is gone. */
const SILENT_WAITER_MS = 60_000;

function startCapture(place: Place): void {
  const { program } = place.workspace;
  if (program !== undefined) start(place, process.execPath, [program, "capture", "--quiet"]);
}

/** An index of 200,000 memories takes a minute or two; a process that does not end is tried again after this. */
const INDEXING_MS = 600_000;

/** Has another process read what this one had no time for: one at a time. */
export function startIndexing(place: Place): void {
  const { program } = place.workspace;
  const { root } = capturePlaces(place.places);
  const mark = join(root, "indexing");
  if (program === undefined || Date.now() - (statIfThere(mark)?.mtimeMs ?? 0) < INDEXING_MS) return;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(mark, "", { mode: 0o600 });
  start(place, process.execPath, [program, "doctor", "--quick", "--cwd", place.cwd]);
}

/** A process that stays (the server) waits itself; any other starts one that sleeps until then, one for all sessions. */
function startCaptureWhenIdle(place: Place): void {
  const { program, timer } = place.workspace;
  if (program === undefined) return;
  const waitMs = idleMs(place.env);
  if (timer) {
    const begin = (): void => {
      // Another session of this machine may have had a prompt.
      const leftMs = lastPromptMs(place.places) + waitMs - Date.now();
      if (leftMs > 0) timer.set(leftMs, begin);
      else startCapture(place);
    };
    timer.set(waitMs, begin);
    return;
  }
  const { root, waiting } = capturePlaces(place.places);
  const since = statIfThere(waiting)?.mtimeMs ?? 0;
  if (Date.now() - since < waitMs + SILENT_WAITER_MS) return;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(waiting, "", { mode: 0o600 });
  const command = [process.execPath, program, "capture", "--quiet", "--when-idle"];
  // A shell that sleeps takes next to nothing, and the start of Node would fall beside the next prompt.
  if (process.platform === "win32") start(place, process.execPath, command.slice(1));
  else start(place, "/bin/sh", ["-c", `sleep ${Math.ceil(waitMs / 1000)}; exec "$@"`, "heed", ...command]);
}

function start(place: Place, program: string, args: readonly string[]): void {
  const { root } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const child = spawn(program, args, {
    // Not the session's directory: that could not be removed while somebody works in it.
    cwd: root,
    env: { ...place.env },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", (error) => logTrouble("capture", error, place.env));
  child.unref();
}
