import { existsSync, renameSync, rmSync, closeSync, futimesSync, mkdirSync } from "node:fs";
import { join, dirname } from "node:path";
import { FORMATS, newerAt, readVersioned, writeVersioned, openToAppend } from "../../machine/state-file.ts";
import type { Places } from "../../machine/places.ts";
import { statIfThere, namesInFolder } from "../../machine/regular-file.ts";
import { sessionKey } from "./session-state.ts";

type CaptureFile = "root" | "queue" | "sessions" | "lock" | "announcements" | "lastPrompt" | "waiting";

/** `lastPrompt` is empty, its time that of the last prompt; `waiting` is there while a process waits for a quiet minute. */
export function capturePlaces(places: Places): Readonly<Record<CaptureFile, string>> {
  const root = join(places.state, "capture");
  return {
    root,
    queue: join(root, "queue"),
    sessions: join(root, "sessions"),
    lock: join(root, "lock"),
    announcements: join(root, "announcements.jsonl"),
    lastPrompt: join(root, "last-prompt"),
    waiting: join(root, "waiting"),
  };
}

export interface CaptureJob {
  session: string;
  transcript: string;
  client: string;
  cwd: string;
  /** `begun`: a prompt was given, and no stop has come yet; it matters when the session is killed before one does. */
  why: "begun" | "stop" | "compaction" | "end" | "backfill";
}

/** More waiting sessions than this are nobody's work of a day. */
const MAX_JOBS = 1000;
/** A session that was begun, and whose transcript was silent for so long, was killed, or waits for its user. */
const SILENT_MS = 10 * 60_000;
/** A job waits this long for its transcript to be written. */
const ABSENT_MS = 24 * 3_600_000;
const WAITING = ".json";
const AT_WORK = ".at-work";

/** Puts a session in the queue. One that waits already is replaced: the newer job reads at least as far; that of a newer heed stays. */
export function enqueueJob(places: Places, job: CaptureJob): void {
  const file = fileOf(places, job.session);
  readVersioned(file, FORMATS.captureJob);
  if (!newerAt(file)) writeJob(file, job);
}

/** Puts a session in the queue that has a prompt to answer, unless it waits there already. */
export function enqueueBegun(places: Places, job: Omit<CaptureJob, "why">): void {
  const file = fileOf(places, job.session);
  if (!existsSync(file)) writeJob(file, { ...job, why: "begun" });
}

function writeJob(file: string, job: CaptureJob): void {
  writeVersioned(file, FORMATS.captureJob, job, { isDurable: false });
}

function fileOf(places: Places, session: string): string {
  return join(capturePlaces(places).queue, `${sessionKey(session)}${WAITING}`);
}

/** Takes the next job, which stays on disk until `done`. Only for the holder of the lock. */
export function takeJob(places: Places, nowMs: number): { job: CaptureJob; done: () => void } | undefined {
  const { queue } = capturePlaces(places);
  for (const name of listQueue(queue)) {
    const file = join(queue, name);
    if (!isRipe(file, nowMs)) continue;
    const taken = name.endsWith(AT_WORK) ? file : `${file.slice(0, -WAITING.length)}${AT_WORK}`;
    try {
      if (taken !== file) renameSync(file, taken);
      const job = readJob(taken);
      const done = (): void => rmSync(taken, { force: true });
      if (job) return { job, done };
      done();
    } catch {
      // Taken by nobody else, since the lock is held: it was removed by hand.
    }
  }
  return undefined;
}

export function hasJobs(places: Places, nowMs: number): boolean {
  const { queue } = capturePlaces(places);
  return listQueue(queue).some((name) => isRipe(join(queue, name), nowMs));
}

/** A session in the middle of its turn is left alone until its stop. A job that cannot be read is taken, and dropped. */
function isRipe(file: string, nowMs: number): boolean {
  let job: CaptureJob | undefined;
  try {
    job = readJob(file);
  } catch {
    return true;
  }
  if (newerAt(file)) return false;
  if (!job) return true;
  const transcript = transcriptOf(job);
  // Some clients write it after their hooks have run.
  if (!transcript) return nowMs - (statIfThere(file)?.mtimeMs ?? 0) >= ABSENT_MS;
  return job.why !== "begun" || nowMs - transcript.mtimeMs >= SILENT_MS;
}

/** The transcript of a session in a database is `file#session`. */
function transcriptOf({ transcript }: CaptureJob): ReturnType<typeof statIfThere> {
  return statIfThere(transcript) ?? statIfThere(transcript.replace(/#[^#]*$/, ""));
}

function listQueue(folder: string): string[] {
  return namesInFolder(folder)
    .filter((name) => name.endsWith(WAITING) || name.endsWith(AT_WORK))
    .slice(0, MAX_JOBS);
}

function readJob(file: string): CaptureJob | undefined {
  const job: Partial<CaptureJob> | undefined = readVersioned(file, FORMATS.captureJob);
  const texts = [job?.session, job?.transcript, job?.client, job?.cwd, job?.why];
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

/** Notes that a person has just said something in a session of this machine. */
export function notePrompt(places: Places): void {
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
