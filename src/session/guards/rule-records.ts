import type {
  PastRequest,
  RuleCount,
  RuleOutcome,
  RuleRecord,
  RuleRecords,
} from "../../here/api/guard-reports.ts";
import type { Place } from "../../here/place.ts";
import { type GuardedCall, listSessions, readSession, sessionKey } from "../../here/records/session-state.ts";
import { usesSince } from "../../here/records/use-log.ts";
import { type GuardInForce, guardsInForce } from "../guard-tool-use.ts";
import { shownCall } from "../decide-stopped-call.ts";
import { type Situation, whyNotHere } from "../situation.ts";
import { situationOf } from "./look-at-guards.ts";
import { type ReplayedCall, followDuties, replayCalls } from "./replay-calls.ts";
import { evaluateGuards, type GuardStep } from "../../guard/evaluate-guards.ts";
import { GuardSet } from "../../guard/guard.ts";
import { handleOf } from "../../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";

const MAX_EVIDENCE = 10;
/** In the order in which they rank rules. */
const OUTCOMES: readonly RuleOutcome[] = ["broken", "stopped", "excepted", "followed", "cited", "injected"];

type Evidence = RuleCount["evidence"][number];
type Moment = Pick<Evidence, "session" | "time"> & { turn?: number };

/**
 * What became of each rule that holds here, from what heed's logs say and what guards say to the calls in the clients'
 * transcripts: nothing is noted for it while a session runs. Only what is certain counts. A call that failed is no
 * evidence.
 */
export async function readRuleRecords(place: Place, bounds: PastRequest = {}): Promise<RuleRecords> {
  const situation = await situationOf(place);
  const rules = rulesIn(situation);
  const tallies = new Map(rules.map((metadata) => [memoryKey(metadata), perOutcome((): Evidence[] => [])]));
  const guards = guardsInForce(situation)?.all ?? [];
  const set = new GuardSet(guards);
  const follow = followDuties(guards.map(({ guard }) => guard));
  const logs = new Map(listSessions(place.places).map(({ name }) => [name, logOf(place, name)]));
  const note = (key: string, outcome: RuleOutcome, at: Moment, text = ""): void => {
    const { session, time, turn = 0 } = at;
    const named = sessionKey(session);
    // A turn that the log has is counted there, from 1.
    const turnThere = logs.get(named)?.turns.filter((one) => one <= time).length ?? turn;
    tallies.get(key)?.[outcome].push({ session: named, turn: turnThere, time, text });
  };
  // Before the logs are counted: what became of a call that was asked about, only its transcript knows.
  const onCall = (past: ReplayedCall): void => {
    const call = { ...past, call: follow(past) };
    for (const [key, [outcome, text]] of judge(call, set, logs.get(sessionKey(call.session))))
      note(key, outcome, call, text);
  };
  const past = await replayCalls(place, bounds, guards.length === 0 ? undefined : onCall);
  for (const [session, { context, left, startedAt }] of logs) {
    for (const { key, form } of context.injected.values())
      if (form === "rule") note(key, "injected", { session, time: startedAt });
    for (const { rule, time, text, allowedBy } of left)
      note(rule, allowedBy === undefined ? "stopped" : "excepted", { session, time }, text);
  }
  for (const { key, session, time, what } of usesSince(place.places, past.since))
    if (what === "cited") note(key, "cited", { session, time });
  const guarded = new Set(guards.map(({ metadata }) => memoryKey(metadata)));
  const records = rules.map((metadata): RuleRecord => {
    const { name, description } = metadata;
    const key = memoryKey(metadata);
    const counts = perOutcome((outcome) => countOf(tallies.get(key)?.[outcome] ?? [], past.since));
    return { handle: handleOf(metadata), name, description, isGuarded: guarded.has(key), ...counts };
  });
  return { ...past, rules: records.sort(inOrder) };
}

function perOutcome<T>(make: (outcome: RuleOutcome) => T): Record<RuleOutcome, T> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, make(outcome)])) as Record<RuleOutcome, T>;
}

/** The rules that hold here, of stores whose rules are rules. */
function rulesIn(situation: Situation): MemoryMetadata[] {
  const { collection } = situation;
  const types = collection.types.all().filter(({ injection }) => injection === "always");
  return collection
    .memories(types.map(({ name }) => name))
    .filter((one) => collection.storeOf(one).isTrusted && whyNotHere(one, situation) === undefined);
}

type PastLog = ReturnType<typeof logOf>;

/** The log of one session: also when the user spoke, and what guards stopped that no call of a transcript is known for. */
function logOf({ places }: Place, name: string) {
  const state = readSession(places, name);
  const turns = state.trail.flatMap(({ kind, time }) => (kind === "turn" ? [time] : []));
  return { ...state, turns, left: [...state.guarded] };
}

/** A transcript dates a call when the model made it, the log when the hook answered: so far apart they may be. */
const MAX_APART_MS = 10 * 60_000;

/** Takes out what a log says of a call that was made: an exception before a question, that before a refusal. */
function take(log: PastLog | undefined, rule: string, time: string, text?: string): GuardedCall | undefined {
  const rank = ({ allowedBy, code }: GuardedCall): number => (allowedBy ? 0 : code === undefined ? 1 : 2);
  const [call] = (log?.left ?? [])
    .filter((one) => one.rule === rule && (text === undefined || one.text === text))
    .filter((one) => !(Math.abs(Date.parse(one.time) - Date.parse(time)) > MAX_APART_MS))
    .sort((a, b) => rank(a) - rank(b));
  if (call) log?.left.splice(log.left.indexOf(call), 1);
  return call;
}

type Judged = [outcome: RuleOutcome, text: string];

/** What a call that was made shows of rules with a guard, by their keys. */
function judge(past: ReplayedCall, set: GuardSet<GuardInForce>, log?: PastLog): Map<string, Judged> {
  const { call, holds, outcome, time } = past;
  const judged = new Map<string, Judged>();
  if (outcome !== "ok" && outcome !== "failed") return judged;
  const steps: GuardStep<GuardInForce>[] = [];
  const { fired } = evaluateGuards(call, set, steps);
  const isCounted = ({ metadata }: GuardInForce): boolean =>
    holds(metadata) && (time === "" || time >= (metadata.created ?? ""));
  const command = call.input["command"];
  const wholeCall = typeof command === "string" ? shownCall(command) : undefined;
  const stopped = new Set<string>();
  for (const { rule, text } of fired) {
    const key = memoryKey(rule.metadata);
    stopped.add(key);
    const noted = isCounted(rule) ? take(log, key, time, wholeCall) : undefined;
    // Whether a call that failed ran at all nobody knows: the client, or another hook, may have stopped it.
    if (!isCounted(rule) || (!noted && outcome === "failed")) continue;
    // Of a call that was asked about, the user's answer is that it was made.
    const isAllowed = noted !== undefined && (noted.allowedBy !== undefined || noted.code === undefined);
    const became = isAllowed ? "excepted" : outcome === "failed" ? "stopped" : "broken";
    judged.set(key, [became, wholeCall ?? shownCall(text)]);
  }
  for (const step of steps) {
    const key = memoryKey(step.rule.metadata);
    if (!stopped.has(key) && isKept(step) && isCounted(step.rule))
      judged.set(key, ["followed", shownCall(step.text)]);
  }
  return judged;
}

/** The guard was about this command, and the command keeps to it: by another part of the condition, or by an exception. */
function isKept({ rule, answer, by }: GuardStep<GuardInForce>): boolean {
  const isAbout = rule.guard.condition.commands.length > 0 && by !== "scope" && by !== "command";
  return answer === "excepted" || (answer === "no" && isAbout);
}

function countOf(all: readonly Evidence[], since: string): RuleCount {
  const evidence = all.filter(({ time }) => time === "" || time >= since);
  return {
    sessions: new Set(evidence.map(({ session }) => session)).size,
    times: evidence.length,
    evidence: evidence.sort((a, b) => b.time.localeCompare(a.time)).slice(0, MAX_EVIDENCE),
  };
}

function inOrder(a: RuleRecord, b: RuleRecord): number {
  const outcome = OUTCOMES.find((one) => a[one].times !== b[one].times);
  return outcome ? b[outcome].times - a[outcome].times : a.name.localeCompare(b.name, "en");
}
