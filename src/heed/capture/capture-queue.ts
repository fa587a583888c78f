import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../store/atomic-file.ts";
import type { Places } from "../../store/places.ts";
import { capturePlaces, sessionKey } from "./capture-places.ts";

/** A session that is to be read on. */
export interface CaptureJob {
  session: string;
  transcript: string;
  client: string;
  cwd: string;
  why: "stop" | "compaction" | "end" | "backfill";
}

/** More waiting sessions than this are nobody's work of a day. */
const MAX_JOBS = 1000;
const WAITING = ".json";
const AT_WORK = ".at-work";

/** Puts a session in the queue. One that waits already is replaced: the newer job reads at least as far. */
export function enqueueJob(places: Places, job: CaptureJob): void {
  const { queue } = capturePlaces(places);
  mkdirSync(queue, { recursive: true, mode: 0o700 });
  writeFileAtomic(join(queue, `${sessionKey(job.session)}${WAITING}`), JSON.stringify(job), {
    mode: 0o600,
    isDurable: false,
  });
}

/**
 * Takes the next job, or undefined. It stays on disk until `done` is called, so that a run that dies leaves it to the
 * next one. Only the holder of the lock may take.
 */
export function takeJob(places: Places): { job: CaptureJob; done: () => void } | undefined {
  const { queue } = capturePlaces(places);
  for (const name of listQueue(queue)) {
    const file = join(queue, name);
    const taken = name.endsWith(AT_WORK) ? file : `${file.slice(0, -WAITING.length)}${AT_WORK}`;
    try {
      if (taken !== file) renameSync(file, taken);
      const job = parseJob(readFileSync(taken, "utf8"));
      const done = (): void => rmSync(taken, { force: true });
      if (job) return { job, done };
      done();
    } catch {
      // Taken by nobody else, since the lock is held: it was removed by hand.
    }
  }
  return undefined;
}

/** Whether a job waits. */
export function hasJobs(places: Places): boolean {
  return listQueue(capturePlaces(places).queue).length > 0;
}

function listQueue(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(WAITING) || name.endsWith(AT_WORK))
      .sort()
      .slice(0, MAX_JOBS);
  } catch {
    return [];
  }
}

function parseJob(text: string): CaptureJob | undefined {
  try {
    const job = JSON.parse(text) as Partial<CaptureJob> | null;
    const texts = [job?.session, job?.transcript, job?.client, job?.cwd, job?.why];
    return texts.every((value) => typeof value === "string") ? (job as CaptureJob) : undefined;
  } catch {
    return undefined;
  }
}
