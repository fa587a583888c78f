import { setTimeout as sleep } from "node:timers/promises";
import type { Place } from "../here/place.ts";
import { type SessionRecord, FRESH } from "../here/records/session-state.ts";
import { keepGoodState } from "../here/consent/rule-approvals.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { readOrEmpty } from "../machine/regular-file.ts";
import { isRepositoryLearnt } from "../machine/repository-identity.ts";
import type { HeardEvent } from "./normalise-event.ts";
import { beginStarts } from "./program-starts.ts";
import { lookOverClaims } from "./prompt-verdicts.ts";
import { type EventOutcome, type Situation, NOTHING } from "./situation.ts";
import { beginOpening, startSession } from "./tell-missing.ts";

/** Begins a session, or goes on with one: asks git what no prompt has the time for, and tells what the context lacks. */
export async function answerStart(
  place: Place,
  event: HeardEvent & { kind: "session-start" },
  look: () => Promise<Situation>,
): Promise<EventOutcome> {
  const isSeen = event.reach !== "none";
  const isFirst = !isSeen || event.session === "" || beginOpening(place, event.session, false);
  if (!isFirst && event.source === "startup") return NOTHING;
  await learnPlace(place);
  keepGoodState(place);
  await lookOverClaims(await look());
  const here = await look();
  try {
    await beginStarts(here, event);
  } catch (error) {
    logTrouble("starts of guarded programs", error, place.env);
  }
  if (!isSeen) return NOTHING;
  const { context, isKnown } = here.session;
  const isOpen = !context.missing.includes("rules");
  const isKept = event.source === "resume" && isOpen && (context.isFollowed || keepsLastHooks(event));
  const isEpoch = isKnown && (event.source !== "resume" || (isOpen && !isKept));
  const time = place.now().toISOString();
  const records: SessionRecord[] = isEpoch ? [{ kind: "epoch", time, why: event.source }] : [];
  const outcome = await startSession(here, event, isKept ? ["changes"] : FRESH);
  return { ...outcome, records: [...records, ...outcome.records] };
}

/** A session may wait so long for git, in milliseconds, the first time it starts in a repository. */
const MAX_WAIT_MS = 400;

/** Learns a new repository's name, so that memories of a clone or fork hold here from the first session on. */
async function learnPlace(place: Place): Promise<void> {
  const { cwd, places, env } = place;
  const failed = (error: unknown): void => logTrouble("repository", error, env);
  try {
    // Without memories there is nothing that could hold here.
    if (place.stores.length === 0 || isRepositoryLearnt(cwd, places)) return;
    const learning = place.learnRepository().catch(failed);
    await Promise.race([learning, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
  } catch (error) {
    failed(error);
  }
}

/** The last records of a transcript lie in so many bytes; each carries the version of the client that wrote it. */
const TAIL_BYTES = 64 * 1024;
const VERSION = /"version":"(\d{1,4})\.(\d{1,4})\.(\d{1,6})"/g;
/** The first Claude Code that was seen to keep what hooks told at the very end of a conversation. */
const KEEPS_LAST_HOOKS: readonly number[] = [2, 1, 139];

/** Whether the client that wrote a transcript still knows what hooks told after its last message. True where unknown. */
function keepsLastHooks({ transcriptPath = "" }: HeardEvent): boolean {
  const tail = readOrEmpty(transcriptPath, { maxBytes: TAIL_BYTES, part: "end" });
  const last = [...tail.matchAll(VERSION)].at(-1)?.slice(1).map(Number);
  if (!last) return true;
  const at = last.findIndex((part, i) => part !== KEEPS_LAST_HOOKS[i]);
  return at < 0 || (last[at] ?? 0) > (KEEPS_LAST_HOOKS[at] ?? 0);
}
