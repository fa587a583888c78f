import { type UseEvent, appendUse } from "../here/records/use-log.ts";
import { checksumOf } from "../search/index/segment/bytes.ts";
import { handlesIn, isShortFor } from "../memory/handle.ts";
import { memoryKey } from "../memory/memory.ts";
import { existsSync } from "node:fs";
import { noteCall } from "../here/records/heed-in-calls.ts";
import { type Place, tellsOfDamage } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { modeHere, whoMayWrite } from "../here/user-config.ts";
import { type Need, type SessionState, FRESH, turnRecord } from "../here/records/session-state.ts";
import type { HeardEvent } from "../here/records/session-events.ts";
import {
  type FactSituation,
  type Outcome,
  type Situation,
  NOTHING,
  joinOutcomes,
  openForFacts,
  openSituation,
} from "./situation.ts";
import { isUserPrompt } from "../memory/typed-text.ts";
import { isOwnTool, isShellTool } from "../guard/tools.ts";
import { liveFile } from "../machine/places.ts";

/** What an event leads to, without a trace. Rejects where a store or state cannot be dealt with. */
export async function outcomeOf(place: Place, event: HeardEvent, session: SessionState): Promise<Outcome> {
  const mode = modeHere(place, session.mode);
  if (mode === "off") return NOTHING;
  const time = place.now().toISOString();
  const { agentId: agent, client } = event;
  const owner = { agent, client, session: event.session };
  const look = (): Promise<Situation> => openSituation(place, session);
  const isSeen = event.reach !== "none";
  const withMissing = async (situation: FactSituation, told: Outcome): Promise<Outcome> => {
    const needs = missingFrom(situation, event);
    if (needs.length === 0) return told;
    const { tellMissing } = await import("./tell-missing.ts");
    return tellMissing(needs, situation, owner, { told, hasStarts: event.reach !== "late" });
  };
  switch (event.kind) {
    case "session-start":
      return (await import("./tell-missing.ts")).answerStart(place, event, look);
    case "subagent-start": {
      if (!isSeen) return NOTHING;
      const { openContext } = await import("./tell-missing.ts");
      return openContext(await look(), owner, FRESH);
    }
    case "prompt": {
      if (!isUserPrompt(event.prompt)) return NOTHING;
      // What is said to a subagent is its caller's word, not the user's.
      const typed = turnRecord(event.isTyped ? event.prompt : "", time);
      const turn = { ...typed, session: event.session, client, root: place.workRoot };
      const said = { records: agent === undefined ? [turn] : [] };
      if (!isSeen) return said;
      try {
        const { answerPrompt } = await import("./answer-prompt.ts");
        const situation = await openForFacts(place, session);
        const facts = await answerPrompt(situation, event, agent);
        const nudge = mode === "rules" ? NOTHING : await nudged(place, event, session, time);
        const changed = await changedFiles(situation, event);
        return await withMissing(situation, joinOutcomes(changed, said, facts, nudge));
      } catch (error) {
        if (tellsOfDamage(error)) throw error;
        logTrouble("event prompt", error, place.env);
        return said;
      }
    }
    case "tool-use": {
      // A subagent has no user, and nobody reminds its model of anything.
      if (isOwnTool(event.tool)) return { records: agent === undefined ? [{ kind: "called", time }] : [] };
      noteCall(place.places, event.session, { ...event, ran: await heedRunBy(event) }, time);
      const situation = await look();
      const asked = await quietly(place, () => askGuards(situation, event));
      const judged = joinOutcomes(await changedFiles(situation, event), asked);
      const broken = async (): Promise<Outcome> =>
        (await import("./at-action.ts")).tellBroken(situation, event, judged);
      const guarded = isShellTool(event.tool) ? judged : await quietly(place, broken, judged);
      const isStopped = guarded.decision !== undefined;
      const isAllowed =
        guarded.records?.some((one) => one.kind === "guarded" && one.allowedBy !== undefined) === true;
      const begun = isStopped ? NOTHING : await beginCall(situation, event, isAllowed);
      // A call whose end nobody tells counts as done when it begins.
      const isDone = !event.tellsResult && !isStopped;
      const duties = isDone ? await dutiesDone(situation, event, undefined) : NOTHING;
      const told = joinOutcomes(guarded, begun, duties);
      if (!isSeen) return told;
      const { answerToolUse } = await import("./rules-here.ts");
      const rules = await answerToolUse(situation, event);
      const atAction = async (): Promise<Outcome> =>
        (await import("./at-action.ts")).factsAtAction(situation, event);
      const facts = isStopped ? NOTHING : await quietly(place, atAction);
      return withMissing(situation, joinOutcomes(told, rules, facts));
    }
    case "tool-result": {
      const situation = await look();
      const duties = await dutiesDone(situation, event, true);
      return joinOutcomes(await changedFiles(situation, event), duties);
    }
    case "tool-failure": {
      const situation = await look();
      const duties = await dutiesDone(situation, event, false);
      const kept = joinOutcomes(await changedFiles(situation, event), duties);
      if (!isSeen || mode !== "typed") return kept;
      const { answerWithFacts } = await import("./answer-prompt.ts");
      const question = { text: event.error, injections: new Set(["symptom"] as const), agent };
      const found = await answerWithFacts(situation, question);
      const then = await quietly(place, async () => {
        const { factsAtAction, tellWhatWorked } = await import("./at-action.ts");
        const known = situation.after(found);
        return joinOutcomes(await factsAtAction(known, event), await tellWhatWorked(known, event));
      });
      return joinOutcomes(kept, found, then);
    }
    case "stop": {
      const here = await look();
      const cited = citationsIn(event, here);
      await changedFiles(here, event);
      if (agent !== undefined) return cited;
      const ended = await ofGuards(here, DUTIES, async () =>
        (await import("./guard-tool-use.ts")).endOfTurn(here, event),
      );
      const stopped = [{ kind: "stopped", time } as const];
      return joinOutcomes(ended, { records: ended.sendBack === undefined ? stopped : [] }, cited);
    }
    case "compaction":
      return { records: [{ kind: "epoch", time, why: "compaction" }] };
    default:
      await quietly(place, async () => (await import("./program-starts.ts")).endStarts(place, event.session));
      return { records: [{ kind: "ended", time, why: event.reason.slice(0, 100) }] };
  }
}

/** What a context lacks that the answer to a prompt or a tool use can tell. */
export function missingFrom(situation: FactSituation, event: HeardEvent): readonly Need[] {
  const { missing, map } = situation.session.context;
  // A subagent's context is opened at its start alone; what is told without a session is told each time.
  const canOpen = event.agentId === undefined && (event.session !== "" || event.reach === "late");
  if (missing.includes("rules")) return canOpen ? missing : [];
  if (missing.length > 0) return missing;
  if (event.kind !== "prompt" || map === undefined) return [];
  const signature = situation.signature();
  return signature !== "" && signature === map.signature ? [] : ["changes"];
}

async function nudged(
  place: Place,
  event: HeardEvent,
  { trail }: SessionState,
  time: string,
): Promise<Outcome> {
  if (!event.isTyped || event.agentId !== undefined) return NOTHING;
  const { nudgeFor } = await import("./nudge.ts");
  const nudge = nudgeFor(trail);
  // Where only the user may write, the model could do nothing about it.
  if (nudge === undefined || ["me", "nobody"].includes(whoMayWrite(place))) return NOTHING;
  return { context: nudge, records: [{ kind: "nudged", time }] };
}

async function heedRunBy(event: ToolUseEvent): Promise<string[][] | undefined> {
  if (!isShellTool(event.tool) || !/heed/i.test(JSON.stringify(event.input))) return undefined;
  return (await import("../guard/own-commands.ts")).ownCommands({ ...event, roots: [], home: undefined });
}

type ToolUseEvent = HeardEvent & { kind: "tool-use" };

/** What heed's own protection and guards say; code that no call needs is not loaded. */
async function askGuards(situation: Situation, event: ToolUseEvent): Promise<Outcome> {
  const kept = (await import("./protect-records.ts")).protectRecords(situation, event);
  if (kept.decision || situation.collection.memoriesWith("guard").length === 0) return kept;
  const { guardToolUse } = await import("./guard-tool-use.ts");
  return joinOutcomes(await guardToolUse(situation, event), kept);
}

async function beginCall(situation: Situation, event: ToolUseEvent, isAllowed: boolean): Promise<Outcome> {
  const begun = await ofGuards(situation, ANY, async () =>
    (await import("./program-starts.ts")).beginCall(situation, event, isAllowed),
  );
  await ofGuards(situation, FILES, async () =>
    (await import("./guarded-files.ts")).lookBeforeCall(situation, event),
  );
  return begun;
}

const dutiesDone = (
  situation: Situation,
  event: HeardEvent & { kind: "tool-use" | "tool-result" | "tool-failure" },
  isOk: boolean | undefined,
): Promise<Outcome> =>
  ofGuards(situation, DUTIES, async () => {
    const { dutyRecords } = await import("./guard-tool-use.ts");
    return { records: await dutyRecords(situation, event, isOk) };
  });

/** What became of guarded files since the call before, and of programs that started unchecked. */
async function changedFiles(situation: FactSituation, event: HeardEvent): Promise<Outcome> {
  const reported = await ofGuards(situation, FILES, async () =>
    (await import("./guarded-files.ts")).reportChangedFiles(situation.place, event),
  );
  const { place } = situation;
  const live = liveFile(place.places, event.session);
  if (live === undefined || !existsSync(`${live}.failed`)) return reported;
  const unchecked = await quietly(place, async () => {
    const { tellUnchecked } = await import("./program-starts.ts");
    return { notice: tellUnchecked(place, event.session) };
  });
  return joinOutcomes(unchecked, reported);
}

const DUTIES = /"needs":/;
const ANY = /./;
const FILES = /"(?:paths?|writes|destroys)":/;

/** Asks where some guard has one of the keys; else nothing is loaded. What fails stops nothing. */
async function ofGuards(
  { place, collection }: FactSituation,
  keys: RegExp,
  ask: () => Promise<Outcome | void>,
): Promise<Outcome> {
  const isAsked = collection.memoriesWith("guard").some(({ guard }) => keys.test(JSON.stringify(guard)));
  return isAsked ? quietly(place, ask) : NOTHING;
}

/** Whatever fails beside the guards' own decision tells nothing. */
async function quietly(
  place: Place,
  ask: () => Promise<Outcome | void>,
  otherwise: Outcome = NOTHING,
): Promise<Outcome> {
  try {
    return (await ask()) ?? NOTHING;
  } catch (error) {
    logTrouble("a tool use", error, place.env);
    return otherwise;
  }
}

/** The memories that the answer which just ended cites: taken down as use, once a message. */
function citationsIn(
  { lastMessage = "", session }: HeardEvent & { kind: "stop" },
  { collection, place }: Situation,
): Outcome {
  const time = place.now().toISOString();
  const of = checksumOf(Buffer.from(lastMessage));
  const uses = citedHandles(lastMessage).flatMap((name): UseEvent[] => {
    const [found] = collection.readers.flatMap((reader) => reader.memoriesByHandle(name));
    const metadata = found ?? collection.memories().find((other) => isShortFor(name, other.name));
    return metadata
      ? [{ time, session, key: memoryKey(metadata), name: metadata.name, what: "cited", of }]
      : [];
  });
  if (uses.length === 0) return NOTHING;
  return { afterwards: () => appendUse(place.places, uses) };
}

const MAX_MESSAGE_CHARS = 100_000;

/** The handles that a message cites, `[heed:name]` or `heed:name`; not where it repeats heed, quotes, or shows code. */
export function citedHandles(message: string): string[] {
  const own = message
    .slice(0, MAX_MESSAGE_CHARS)
    .replace(/<(heed-[\w-]+)>[^]*?(?:<\/\1>|$)/g, " ")
    .replace(/^[ \t]*(```+|~~~+)[^\n]*\n[^]*?(?:^[ \t]*\1[^\n]*$|(?![^]))/gm, " ")
    .replace(/^[ \t]*>[^\n]*$/gm, " ")
    // A line of heed's own, repeated: handle, type and dates, each parted by a dot.
    .replace(/^\[heed:[^\]\n]+\] [\w-]+ · [^\n]*$/gm, " ")
    .replace(/^- [^\n]{0,2000}\[heed:[^\]\n]{1,120}\]$/gm, " ");
  return handlesIn(own);
}
