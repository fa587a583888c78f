import { Inbox } from "../../curate/inbox.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { withLock } from "../../platform/file-lock.ts";
import { mkdirSync } from "node:fs";
import { capturePlaces } from "../records/capture-places.ts";
import { enqueueJob, hasJobs, takeJob } from "../records/capture-queue.ts";
import type { CaptureJob } from "../records/capture-queue.ts";
import { captureSession, refreshEpisode } from "./capture-session.ts";
import { listProgress, pruneProgress, readProgress, writeProgress } from "./session-progress.ts";
import type { CaptureReport } from "../api/capture-api.ts";
import { logTrouble } from "../place/trouble-log.ts";
import type { Workspace } from "../place/place.ts";
import { openWorkspace } from "../place/place.ts";

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
export async function runCapture(workspace: Workspace, job?: CaptureJob): Promise<CaptureReport> {
  const { places } = workspace;
  const { root, lock } = capturePlaces(places);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  if (job) enqueueJob(places, job);
  const report: CaptureReport = { sessions: [], isLeftToOther: false, problems: [] };
  do {
    try {
      await withLock(lock, { what: "capture", waitMs: 0 }, async (held) => {
        await workThrough(workspace, report, () => held.assertHeld());
      });
    } catch (error) {
      if (!(error instanceof HeedError && error.code === "locked")) throw error;
      return { ...report, isLeftToOther: true };
    }
  } while (hasJobs(places, workspace.now().getTime()));
  return report;
}

async function workThrough(
  workspace: Workspace,
  report: CaptureReport,
  assertHeld: () => void,
): Promise<void> {
  const next = (): ReturnType<typeof takeJob> => takeJob(workspace.places, workspace.now().getTime());
  for (let taken = next(); taken; taken = next()) {
    assertHeld();
    try {
      report.sessions.push(await captureSession(workspace, taken.job));
    } catch (error) {
      // A session that cannot be read is reported and not tried for ever.
      report.problems.push(`${taken.job.session}: ${error instanceof Error ? error.message : String(error)}`);
      logTrouble(`capture ${taken.job.session}`, error, workspace.env);
    }
    taken.done();
  }
  assertHeld();
  await sweep(workspace);
  expireProposals(workspace);
  pruneProgress(workspace.places, workspace.now());
}

/** Episodes of sessions that were killed, or whose last stop came soon after the one before. */
async function sweep(workspace: Workspace): Promise<void> {
  const before = workspace.now().getTime() - SILENT_MS;
  for (const { session, mtimeMs } of listProgress(workspace.places).slice(0, MAX_SWEPT)) {
    if (mtimeMs > before) continue;
    const progress = readProgress(workspace.places, session);
    if (!progress.isDirty || progress.digest.cwd === "") continue;
    try {
      const there = openWorkspace({
        cwd: progress.digest.cwd,
        env: workspace.env,
        now: () => workspace.now(),
      });
      await refreshEpisode(there, progress, progress.digest.client);
      writeProgress(workspace.places, progress);
    } catch (error) {
      logTrouble(`capture ${session}`, error, workspace.env);
    }
  }
}

/** What heed proposed by itself and nobody answered is dropped, and kept with the rejected ones. */
function expireProposals(workspace: Workspace): void {
  const inbox = new Inbox(workspace.places, workspace.find().types);
  const oldest = workspace.now().getTime() - PROPOSAL_DAYS * 86_400_000;
  for (const { memory, proposal } of inbox.list()) {
    if (proposal.by.kind !== "hook" || !(Date.parse(proposal.at) < oldest)) continue;
    inbox.reject(memory.name, `no answer in ${PROPOSAL_DAYS} days`, workspace.now());
  }
}
