import { Inbox } from "../../curate/inbox.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { withLock } from "../../platform/file-lock.ts";
import { mkdirSync } from "node:fs";
import { capturePlaces } from "../records/capture-places.ts";
import { enqueueJob, hasJobs, takeJob } from "../records/capture-queue.ts";
import type { CaptureJob } from "../records/capture-queue.ts";
import { captureSession, refreshEpisode } from "./capture-session.ts";
import { listProgress, pruneProgress, readProgress, writeProgress } from "./session-progress.ts";
import type { CaptureReport } from "../api/learning-reports.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Place } from "../place/place.ts";

/** A proposal that nobody answered is dropped after so many days. */
export const PROPOSAL_DAYS: number = 14;
/** A session that stopped without an end, and was silent for so long, gets its episode from somebody else's run. */
const SILENT_MS = 10 * 60_000;
const MAX_SWEPT = 20;

/**
 * Captures the sessions that wait in the queue, one process at a time: a run that finds another one at work leaves its
 * jobs to it. `job` is put in the queue first.
 *
 * Whoever holds the lock looks at the queue again after giving it back, so that a job that came in between is not left.
 */
export async function runCapture(place: Place, job?: CaptureJob): Promise<CaptureReport> {
  const { places } = place;
  const { root, lock } = capturePlaces(places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (job) enqueueJob(places, job);
  const report: CaptureReport = { sessions: [], isLeftToOther: false, problems: [] };
  do {
    try {
      await withLock(lock, { what: "capture", waitMs: 0 }, async (held) => {
        await workThrough(place, report, () => held.assertHeld());
      });
    } catch (error) {
      if (!(error instanceof HeedError && error.code === "locked")) throw error;
      return { ...report, isLeftToOther: true };
    }
  } while (hasJobs(places, place.now().getTime()));
  return report;
}

async function workThrough(place: Place, report: CaptureReport, assertHeld: () => void): Promise<void> {
  const next = (): ReturnType<typeof takeJob> => takeJob(place.places, place.now().getTime());
  for (let taken = next(); taken; taken = next()) {
    assertHeld();
    try {
      report.sessions.push(await captureSession(place, taken.job));
    } catch (error) {
      // A session that cannot be read is reported and not tried for ever.
      report.problems.push(`${taken.job.session}: ${error instanceof Error ? error.message : String(error)}`);
      logTrouble(`capture ${taken.job.session}`, error, place.env);
    }
    taken.done();
  }
  assertHeld();
  await sweep(place);
  expireProposals(place);
  pruneProgress(place.places, place.now());
}

/** Episodes of sessions that were killed, or whose last stop came soon after the one before. */
async function sweep(place: Place): Promise<void> {
  const before = place.now().getTime() - SILENT_MS;
  for (const { session, mtimeMs } of listProgress(place.places).slice(0, MAX_SWEPT)) {
    if (mtimeMs > before) continue;
    const progress = readProgress(place.places, session);
    if (!progress.isDirty || progress.digest.cwd === "") continue;
    try {
      await refreshEpisode(place.at(progress.digest.cwd), progress, progress.digest.client);
      writeProgress(place.places, progress);
    } catch (error) {
      logTrouble(`capture ${session}`, error, place.env);
    }
  }
}

/** What heed proposed by itself and nobody answered is dropped, and kept with the rejected ones. */
function expireProposals(place: Place): void {
  const inbox = new Inbox(place.places, place.types);
  const oldest = place.now().getTime() - PROPOSAL_DAYS * 86_400_000;
  for (const { memory, proposal } of inbox.list()) {
    if (proposal.by.kind !== "hook" || !(Date.parse(proposal.at) < oldest)) continue;
    const reason = `no answer in ${PROPOSAL_DAYS} days`;
    inbox.reject(memory.name, { reason, actor: { kind: "hook" }, at: place.now() });
  }
}
