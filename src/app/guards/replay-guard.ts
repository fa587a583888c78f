import type { PastRequest, GuardReplay } from "../api/guard-reports.ts";
import { openCollection } from "../place/collection.ts";
import { resolveHandle } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { shownCall } from "../session/rule-on-call.ts";
import { inboxOf } from "../writing/pending-items.ts";
import { readGivenGuards } from "../writing/propose-guard.ts";
import { replayCalls } from "./replay-calls.ts";
import { HeedError, invalidInput } from "../../errors/heed-error.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import { evaluateGuards } from "../../guard/evaluate-guards.ts";
import { SHELL_TOOLS } from "../../guard/guard-call.ts";
import { GuardSet } from "../../guard/guard.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { handleOf, plainHandle } from "../../memory/handle.ts";
import type { MemoryHeader } from "../../memory/memory.ts";

const MAX_EXAMPLES = 5;

/**
 * Tries a guard on the tool calls of the past, as far as clients kept transcripts of them: what it would have stopped
 * where its rule holds, and how those calls had ended. Nothing is run, and no trace is left.
 *
 * @param handle - A rule, or what is proposed in the inbox.
 * @throws HeedError `not-found`; `ambiguous`; `gate-refused` for a guard that cannot be read; `invalid-input` where there is
 *   no guard to try.
 */
export async function replayGuard(
  place: Place,
  handle: string,
  { guard, ...bounds }: PastRequest & { guard?: unknown } = {},
): Promise<GuardReplay> {
  const { metadata, raw } = await ruleOf(place, handle, guard);
  const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
  const set = new GuardSet(parseGuards(raw).guards.map((read) => ({ guard: read.guard, scope })));
  if (set.all.length === 0)
    throw invalidInput(
      "handle",
      handle,
      `${handleOf(metadata)} has no guard that can be read: give one to try`,
    );
  const found = { calls: 0, stopped: 0, succeeded: 0, warned: 0, undecided: 0 };
  const examples: GuardReplay["examples"] = [];
  let isShellAlone = true;
  const past = await replayCalls(place, bounds, ({ call, holds, time, session, client, outcome }) => {
    const isShell = SHELL_TOOLS.has(call.tool);
    if ((isShell ? set.forShell : set.forTool(call.tool)).length === 0 || !holds(metadata)) return;
    found.calls += 1;
    isShellAlone &&= isShell;
    const { action, fired, unevaluated } = evaluateGuards(call, set);
    if (action === "allow") {
      found.undecided += Number(unevaluated.length > 0);
      return;
    }
    found[action === "warn" ? "warned" : "stopped"] += 1;
    if (action !== "warn" && outcome === "ok") found.succeeded += 1;
    const text = shownCall(fired[0]?.text ?? "");
    examples.push({ time, session, client, action, text, ...(outcome && { outcome }) });
    // Sessions come the newest first, the calls of each the oldest first.
    if (examples.length > 2 * MAX_EXAMPLES) keepNewest(examples);
  });
  keepNewest(examples);
  const replay = { ...past, ...found, examples };
  return { summary: summaryOf(replay, isShellAlone ? "command" : "tool call"), ...replay };
}

function keepNewest(examples: GuardReplay["examples"]): void {
  examples.sort((a, b) => b.time.localeCompare(a.time)).splice(MAX_EXAMPLES);
}

type Rule = MemoryHeader & { storeId: string };

/** A rule, or a proposal as the rule that it would be, and the guard to try. */
async function ruleOf(
  place: Place,
  handle: string,
  given: unknown,
): Promise<{ metadata: Rule; raw: unknown }> {
  const metadata = await metadataOf(place, handle);
  if (given === undefined) return { metadata, raw: metadata.guard };
  const read = readGivenGuards(given, place.types.get(metadata.type));
  if ("guards" in read) return { metadata, raw: read.guards };
  const { reason, remedy } = read.refusal;
  throw new HeedError("gate-refused", `${reason}. ${remedy}`, { gate: "guard", remedy });
}

async function metadataOf(place: Place, handle: string): Promise<Rule> {
  const item = inboxOf(place).get(plainHandle(handle));
  if (item?.memory.guard !== undefined) return { ...item.memory, storeId: item.proposal.store };
  return resolveHandle(await openCollection(place, { thoroughness: "full" }), handle);
}

/** What a replay found, as a dialog says it: `Of 1,412 commands in 30 days it would have stopped 6; 2 of them had succeeded`. */
function summaryOf(
  {
    calls,
    days,
    stopped,
    succeeded,
    warned,
    undecided,
    sessions,
    sessionsLeft,
  }: Omit<GuardReplay, "summary">,
  unit: string,
): string {
  const number = (count: number): string => count.toLocaleString("en");
  const read =
    sessionsLeft > 0 ? ` (${number(sessions)} of ${number(sessions + sessionsLeft)} sessions were read)` : "";
  const within = `in ${days === 1 ? "1 day" : `${days} days`}`;
  if (calls === 0)
    return `It could not be tried: heed found no ${unit} ${within} where this rule holds${read}`;
  const succeededWords =
    stopped > 0 ? `; ${succeeded === 0 ? "none" : number(succeeded)} of them had succeeded` : "";
  return [
    `Of ${number(calls)} ${unit}${calls === 1 ? "" : "s"} ${within} it would have stopped ${stopped === 0 ? "none" : number(stopped)}${succeededWords}`,
    ...(warned > 0 ? [`warned about ${number(warned)}`] : []),
    ...(undecided > 0 ? [`heed cannot tell for ${number(undecided)}`] : []),
  ]
    .join("; ")
    .concat(read);
}
