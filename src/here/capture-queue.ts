import { rmSync, closeSync, futimesSync, mkdirSync, writeFileSync } from "node:fs";
import { join, dirname } from "node:path";
import { FORMATS, newerAt, readVersioned, writeVersioned, openToAppend } from "../machine/state-file.ts";
import { type Places, capturePlaces } from "../machine/places.ts";
import { namesInFolder, stampOf, statIfThere } from "../machine/regular-file.ts";
import { sessionKey } from "./records/session-state.ts";
import type { SessionEvent } from "./records/session-events.ts";
import type { Place } from "./place.ts";
import { logTrouble } from "./trouble-log.ts";

export interface CaptureJob {
  session: string;
  transcript: string;
  cwd: string;
  /** `begun`: a prompt was given, and no stop has come yet; it matters when the session is killed before one does. */
  why: "begun" | "stop" | "end";
}

/** A session that was begun, and whose transcript was silent for so long, was killed, or waits for its user. */
const SILENT_MS = 10 * 60_000;
/** A job waits this long for its transcript to be written. */
const ABSENT_MS = 24 * 3_600_000;

/** The next session that may be read; its job stays on disk until `done`. Only for the holder of the lock. */
export function nextJob(places: Places, nowMs: number): { job: CaptureJob; done: () => void } | undefined {
  const { queue } = capturePlaces(places);
  for (const name of namesInFolder(queue).filter((one) => one.endsWith(".json"))) {
    const file = join(queue, name);
    const stamp = stampOf(file);
    const job = readJob(file);
    const done = (): void => {
      // A newer one may have come into its place.
      if (stampOf(file) === stamp) rmSync(file, { force: true, recursive: true });
    };
    if (job && isRipe(job, file, nowMs)) return { job, done };
    if (!job && !newerAt(file)) done();
  }
  return undefined;
}

/** A session in the middle of its turn is left alone until its stop. */
function isRipe({ transcript: path, why }: CaptureJob, file: string, nowMs: number): boolean {
  // That of a session in a database is `file#session`.
  const transcript = statIfThere(path) ?? statIfThere(path.replace(/#[^#]*$/, ""));
  // Some clients write it after their hooks have run.
  if (!transcript) return nowMs - (statIfThere(file)?.mtimeMs ?? 0) >= ABSENT_MS;
  return why !== "begun" || nowMs - transcript.mtimeMs >= SILENT_MS;
}

function readJob(file: string): CaptureJob | undefined {
  const job: Partial<CaptureJob> | undefined = readVersioned(file, FORMATS.captureJob);
  const texts = [job?.session, job?.transcript, job?.cwd, job?.why];
  const isWhole = texts.every((value) => typeof value === "string") && job?.transcript !== "";
  return isWhole ? (job as CaptureJob) : undefined;
}

/** After this much silence, work that nobody waits for may begin. */
const IDLE_SECONDS = 60;

/** How long it has to be quiet, in milliseconds; `HEED_IDLE_SECONDS` sets another time, up to an hour. */
export function idleMs(env: Readonly<Record<string, string | undefined>>): number {
  const given = Number(env["HEED_IDLE_SECONDS"] || Number.NaN);
  return (given >= 0 && given <= 3600 ? given : IDLE_SECONDS) * 1000;
}

function notePrompt(places: Places): void {
  const file = capturePlaces(places).lastPrompt;
  const now = new Date();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const handle = openToAppend(file);
  try {
    futimesSync(handle, now, now);
  } finally {
    closeSync(handle);
  }
}

/** When a person last said something, in milliseconds since 1970; 0 when that is not known. */
export function lastPromptMs(places: Places): number {
  return statIfThere(capturePlaces(places).lastPrompt)?.mtimeMs ?? 0;
}

const REASONS: Partial<Record<SessionEvent["kind"], CaptureJob["why"]>> = {
  prompt: "begun",
  stop: "stop",
  "session-end": "end",
};

/** Queues a session's capture: run at once after its end, in a process that outlives this one; after a stop when a minute was quiet. */
export function requestCapture(place: Place, event: SessionEvent): void {
  const { places } = place;
  const { kind, session, cwd, transcriptPath: transcript = "" } = event;
  if (kind === "prompt") notePrompt(places);
  if (place.found.capture === "off") return;
  if (kind === "prompt") clearTimeout(place.workspace.timer?.running);
  const why = REASONS[kind];
  if (why !== undefined && transcript !== "") {
    // One that waits already is replaced, as the newer job reads at least as far; that of a newer heed stays.
    const file = join(capturePlaces(places).queue, `${sessionKey(session)}.json`);
    const job: CaptureJob = { session, transcript, cwd, why };
    readVersioned(file, FORMATS.captureJob);
    if (!newerAt(file)) writeVersioned(file, FORMATS.captureJob, job, { isDurable: false });
    if (why === "end") startCapture(place);
    if (why === "stop") startCaptureWhenIdle(place);
  } else if (kind === "session-start" && nextJob(places, place.now().getTime())) startCaptureWhenIdle(place);
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
  const mark = join(capturePlaces(place.places).root, "indexing");
  if (program === undefined || !markUnless(mark, INDEXING_MS)) return;
  start(place, process.execPath, [program, "doctor", "--quick", "--cwd", place.cwd]);
}

/** A process that stays (the server) waits itself; any other starts one that sleeps until then, one for all sessions. */
function startCaptureWhenIdle(place: Place): void {
  const { program, timer } = place.workspace;
  if (program === undefined) return;
  const waitMs = idleMs(place.env);
  if (timer) {
    const wait = (forMs: number): void => {
      clearTimeout(timer.running);
      // It keeps no process alive.
      timer.running = setTimeout(() => {
        // Another session of this machine may have had a prompt.
        const leftMs = lastPromptMs(place.places) + waitMs - Date.now();
        if (leftMs > 0) wait(leftMs);
        else startCapture(place);
      }, forMs).unref();
    };
    wait(waitMs);
    return;
  }
  if (!markUnless(capturePlaces(place.places).waiting, waitMs + SILENT_WAITER_MS)) return;
  const command = [process.execPath, program, "capture", "--quiet", "--when-idle"];
  // A shell that sleeps takes next to nothing, and the start of Node would fall beside the next prompt.
  if (process.platform === "win32") start(place, process.execPath, command.slice(1));
  else start(place, "/bin/sh", ["-c", `sleep ${Math.ceil(waitMs / 1000)}; exec "$@"`, "heed", ...command]);
}

/** Marks a file by its time, and says so, unless that was done less than so long ago. */
function markUnless(file: string, sinceMs: number): boolean {
  if (Date.now() - (statIfThere(file)?.mtimeMs ?? 0) < sinceMs) return false;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, "", { mode: 0o600 });
  return true;
}

function start(place: Place, program: string, args: readonly string[]): void {
  const { root } = capturePlaces(place.places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  // Loaded here: prompts, which start nothing, read this file too.
  const child = process.getBuiltinModule("node:child_process").spawn(program, args, {
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
