import { inboxOf } from "../here/consent/inbox.ts";
import { isPersonal } from "../memory/memory-type.ts";
import { HeedError } from "../machine/heed-error.ts";
import { withLock } from "../machine/file-lock.ts";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { readSession } from "../here/records/session-state.ts";
import { capturePlaces } from "../machine/places.ts";
import { idleMs, lastPromptMs, nextJob } from "../here/capture-queue.ts";
import { type CapturedSession, captureSession, concludeSession } from "./capture-session.ts";
import { readConversations } from "./conversations/read-conversations.ts";
import type { IsToStop } from "./transcripts/read-session.ts";
import { emptyWork, listConversations, readKept } from "../here/records/past-conversations.ts";
import { logTrouble } from "../here/trouble-log.ts";
import type { SessionEvent } from "../here/records/session-events.ts";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";

const PROPOSAL_DAYS: number = 14;
/** A session that stopped without an end, and was silent for so long, gets its episode from somebody else's run. */
const SILENT_MS = 10 * 60_000;
const MAX_SWEPT = 20;
/** A run that stops for a prompt leaves its jobs to the one that the end of that prompt's turn has started meanwhile. */
const MAX_LOCK_WAIT_MS = 3000;

/** What a run of capture did. */
export interface CaptureReport {
  sessions: CapturedSession[];
  /** Another process is at work and takes what waits. */
  isLeftToOther: boolean;
  /** Sessions that could not be read, one line each. */
  problems: string[];
}

/** Captures the sessions that wait, one process at a time; in the background until somebody says something in a session. */
export async function runCapture(
  place: Place,
  options: { isInBackground?: boolean | undefined; waitsForIdle?: boolean | undefined } = {},
): Promise<CaptureReport> {
  const { places } = place;
  const { isInBackground = false } = options;
  const report: CaptureReport = { sessions: [], isLeftToOther: false, problems: [] };
  if (options.waitsForIdle === true && !(await waitForIdle(place))) return report;
  const startedMs = Date.now();
  const isToStop = (): boolean => isInBackground && lastPromptMs(places) > startedMs;
  const hold = { what: "capture", waitMs: isInBackground ? MAX_LOCK_WAIT_MS : 0 };
  do {
    try {
      await withLock(capturePlaces(places).lock, hold, (held) =>
        workThrough(place, report, isToStop, () => held.assertHeld()),
      );
    } catch (error) {
      if (!(error instanceof HeedError && error.code === "locked")) throw error;
      return { ...report, isLeftToOther: true };
    }
  } while (!isToStop() && nextJob(places, place.now().getTime()));
  return report;
}

/** Reads a session on at once, as far as it comes in a time: its context is about to be compacted, and is told of it then. */
export async function captureNow(outer: Place, event: SessionEvent, withinMs: number): Promise<void> {
  const { session, cwd, agentId, transcriptPath: transcript = "" } = event;
  if (agentId !== undefined || session === "" || transcript === "") return;
  const place = outer.at(cwd);
  const mode = modeHere(place, readSession(place.places, session).mode);
  if (mode === "off" || place.found.capture === "off") return;
  const untilMs = performance.now() + withinMs;
  const occasion = { why: "compaction", isToStop: () => performance.now() >= untilMs } as const;
  await withLock(capturePlaces(place.places).lock, { what: "capture", waitMs: withinMs / 4 }, () =>
    captureSession(place, { session, transcript, cwd }, occasion),
  );
}

/** How often a run that waits looks whether it is quiet, and says that it still waits. */
const LOOK_EVERY_MS = 10_000;
const MAX_WAIT_MS = 3_600_000;

/** Whether it became quiet within an hour. */
async function waitForIdle({ places, env }: Place): Promise<boolean> {
  const { waiting } = capturePlaces(places);
  const giveUpMs = Date.now() + MAX_WAIT_MS;
  try {
    while (Date.now() < giveUpMs) {
      const leftMs = lastPromptMs(places) + idleMs(env) - Date.now();
      if (leftMs <= 0) return true;
      writeFileAtomic(waiting, "", { mode: 0o600, isDurable: false });
      await sleep(Math.min(leftMs, LOOK_EVERY_MS));
    }
    return false;
  } finally {
    rmSync(waiting, { force: true });
  }
}

async function workThrough(
  place: Place,
  report: CaptureReport,
  isToStop: IsToStop,
  assertHeld: () => void,
): Promise<void> {
  const next = (): ReturnType<typeof nextJob> => nextJob(place.places, place.now().getTime());
  for (let taken = next(); taken; taken = next()) {
    assertHeld();
    const { job, done } = taken;
    try {
      const captured = await captureSession(place, job, { why: job.why, isToStop });
      // It stays in the queue, which the next run takes up.
      if (captured === undefined) return;
      report.sessions.push(captured);
    } catch (error) {
      // A session that cannot be read is reported and not tried for ever.
      report.problems.push(`${job.session}: ${error instanceof Error ? error.message : String(error)}`);
      logTrouble(`capture ${job.session}`, error, place.env);
    }
    done();
    if (isToStop()) return;
  }
  assertHeld();
  readConversations(place, { isToStop });
  await sweep(place, isToStop);
  expireProposals(place);
}

/** Episodes of sessions that were killed, or whose last stop came soon after the one before. */
async function sweep(place: Place, isToStop: IsToStop): Promise<void> {
  const before = place.now().getTime() - SILENT_MS;
  if (place.found.capture === "off") return;
  for (const { file, name, mtimeMs } of listConversations(place.places).slice(0, MAX_SWEPT)) {
    const past = mtimeMs > before ? undefined : readKept(file);
    const { isDirty, turns, cwd } = past?.work ?? emptyWork();
    if (!past || !(isDirty || turns.length > 0) || cwd === "") continue;
    try {
      // Silent for so long, it is over.
      await concludeSession(place, past, { why: "end", isToStop });
    } catch (error) {
      logTrouble(`capture ${name}`, error, place.env);
    }
  }
}

/** Rejects what heed proposed by itself, and what a model concluded about the user once they were shown it, after two weeks. */
function expireProposals(place: Place): void {
  const inbox = inboxOf(place);
  const oldest = place.now().getTime() - PROPOSAL_DAYS * 86_400_000;
  for (const { memory, proposal } of inbox.list()) {
    const isAboutUser = isPersonal(place.types.get(memory.type));
    const since =
      proposal.by.kind === "hook"
        ? proposal.at
        : proposal.by.kind === "model" && isAboutUser && !proposal.target
          ? proposal.shown
          : undefined;
    if (since === undefined || !(Date.parse(since) < oldest)) continue;
    const reason = `no answer in ${PROPOSAL_DAYS} days`;
    inbox.reject(memory.name, { reason, actor: { kind: "hook" }, at: place.now() });
  }
}
