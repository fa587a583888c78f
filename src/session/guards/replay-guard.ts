import { type PastRequest, type PastRead, followDuties, replayCalls } from "./replay-calls.ts";
import { openCollection } from "../../here/collection.ts";
import { resolveHandle } from "../../here/reading/find-memory.ts";
import type { Place } from "../../here/place.ts";
import { callOf } from "../guard-tool-use.ts";
import { whyNotAllLookedAt } from "../guarded-files.ts";
import { shownCall } from "../decide-stopped-call.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { readGivenGuards, refused } from "../../write/ask-user.ts";
import { invalidInput } from "../../machine/heed-error.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import { evaluateGuards } from "../../guard/evaluate-guards.ts";
import { callUnitOf } from "../../guard/guard-call.ts";
import { isShellTool } from "../../guard/tools.ts";
import { GuardSet } from "../../guard/guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { handleOf, plainHandle } from "../../memory/handle.ts";
import type { MemoryHeader } from "../../memory/memory.ts";

const MAX_EXAMPLES = 5;

/** What a guard would have done to the tool calls of the past. */
export interface GuardReplay extends PastRead {
  /** In a sentence, as a dialog shows it. */
  summary: string;
  /** Calls of the tools that it is about, made where its rule holds. */
  calls: number;
  /** Of these: denied or asked about; of those the ones that had succeeded. */
  stopped: number;
  succeeded: number;
  /** Calls that it would have let run with a warning. */
  warned: number;
  /** The newest calls on which it would have fired, five at most. */
  examples: {
    /** ISO time; empty where the transcript has none. */
    time: string;
    session: string;
    client: string;
    action: "deny" | "ask" | "warn";
    /** On what it would have fired, without secrets. */
    text: string;
    /** How the call ended; absent: the transcript does not say. */
    outcome?: "ok" | "failed" | "refused";
  }[];
}

/** Tries a guard of a rule or proposal on past tool calls. Nothing is run, and no trace is left. */
export async function replayGuard(
  place: Place,
  handle: string,
  request: PastRequest & { guard?: unknown } = {},
): Promise<GuardReplay> {
  const { guard, ...bounds } = request;
  const metadata = await ruleOf(place, handle);
  const read =
    guard === undefined
      ? { guards: metadata.guard }
      : await readGivenGuards(guard, place.types.get(metadata.type));
  if ("refusal" in read) throw refused(read.refusal.reason, read.refusal.remedy);
  const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
  const set = new GuardSet(parseGuards(read.guards).guards.map((one) => ({ guard: one.guard, scope })));
  if (set.all.length === 0)
    throw invalidInput("handle", handle, `${handleOf(metadata)} has no guard that can be read: give one`);
  const found = { calls: 0, stopped: 0, succeeded: 0, warned: 0 };
  const examples: GuardReplay["examples"] = [];
  const follow = followDuties(set.all.map((one) => one.guard));
  let isShellAlone = true;
  const past = await replayCalls(place, bounds, (tried) => {
    const { holds, time, session, client, outcome } = tried;
    const call = follow(tried);
    const isShell = isShellTool(call.tool);
    if ((isShell ? set.forShell : set.forCall(callUnitOf(call).names)).length === 0 || !holds(metadata))
      return;
    found.calls += 1;
    isShellAlone &&= isShell;
    const { action, fired } = evaluateGuards(call, set);
    if (action === "allow") return;
    found[action === "warn" ? "warned" : "stopped"] += 1;
    if (action !== "warn" && outcome === "ok") found.succeeded += 1;
    const text = shownCall(fired[0]?.text ?? "");
    examples.push({ time, session, client, action, text, ...(outcome && { outcome }) });
    // Sessions come the newest first, the calls of each the oldest first.
    if (examples.length > 2 * MAX_EXAMPLES) keepNewest(examples);
  });
  keepNewest(examples);
  const replay = { ...past, ...found, examples };
  if (set.atTurnEnd.length === set.all.length)
    return { summary: "Not tested against past calls: it is asked at the end of a turn", ...replay };
  const frame = {
    ...callOf({ place, root: place.workRoot }, { tool: "", input: {} }),
    roots: [place.workRoot],
  };
  const guards = set.all.map((one) => one.guard);
  const parts = [summaryOf(replay, isShellAlone ? "command" : "tool call"), whyNotAllLookedAt(frame, guards)];
  return { summary: parts.filter((part) => part !== undefined).join(". "), ...replay };
}

function keepNewest(examples: GuardReplay["examples"]): void {
  examples.sort((a, b) => b.time.localeCompare(a.time)).splice(MAX_EXAMPLES);
}

/** A rule, or a proposal as the rule that it would be. */
async function ruleOf(place: Place, handle: string): Promise<MemoryHeader & { storeId: string }> {
  const item = inboxOf(place).get(plainHandle(handle));
  if (item?.memory.guard !== undefined) return { ...item.memory, storeId: item.proposal.store };
  return resolveHandle(await openCollection(place, { thoroughness: "full" }), handle);
}

/** What a replay found, as a dialog says it: `Of 1,412 commands in 30 days it would have stopped 6; 2 of them had succeeded`. */
function summaryOf(found: Omit<GuardReplay, "summary">, unit: string): string {
  const { calls, days, stopped, succeeded, warned, sessions, sessionsLeft } = found;
  const number = (count: number): string => (count === 0 ? "none" : count.toLocaleString("en"));
  const read = sessionsLeft > 0 ? ` (${sessions} of ${sessions + sessionsLeft} sessions were read)` : "";
  const within = `in ${days === 1 ? "1 day" : `${days} days`}`;
  if (calls === 0) return `No past ${unit} to test against ${within}${read}`;
  const parts = [
    `Of ${number(calls)} ${unit}${calls === 1 ? "" : "s"} ${within} it would have stopped ${number(stopped)}`,
    ...(stopped > 0 ? [`${number(succeeded)} of them had succeeded`] : []),
    ...(warned > 0 ? [`warned about ${number(warned)}`] : []),
  ];
  return parts.join("; ") + read;
}
