import type { PastRequest } from "./replay-calls.ts";
import type { Place } from "../../here/place.ts";
import { listSessions, readSession } from "../../here/records/session-state.ts";
import { usesSince } from "../../here/records/use-log.ts";
import { guardsInForce } from "../guard-tool-use.ts";
import { memoriesInForce } from "../situation.ts";
import { situationOf } from "./look-at-guards.ts";
import { handleOf } from "../../memory/handle.ts";
import { type MemoryMetadata, memoryKey } from "../../memory/memory.ts";

/** `injected` into its context; a call `stopped`, or `excepted` as the user allowed; `cited` in an answer. */
export type RuleOutcome = "injected" | "stopped" | "excepted" | "cited";

/** How often something became of a rule, and what shows it. */
export interface RuleCount {
  sessions: number;
  times: number;
  /** The newest, ten at most; `text`: the call. */
  evidence: { session: string; time: string; text: string }[];
}

/** A rule that holds here, and what became of it. Only what is certain is counted. */
export interface RuleRecord extends Record<RuleOutcome, RuleCount> {
  handle: string;
  name: string;
  description: string;
  /** It has a guard that is in force here. */
  isGuarded: boolean;
}

/** The rules that hold here, those that stopped most first. */
export interface RuleRecords {
  days: number;
  /** ISO time from which on. */
  since: string;
  rules: RuleRecord[];
}

const MAX_EVIDENCE = 10;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** In the order in which they rank rules. */
const OUTCOMES: readonly RuleOutcome[] = ["stopped", "excepted", "cited", "injected"];

type Evidence = RuleCount["evidence"][number];

/** What became of each rule that holds here, from heed's own logs: nothing is noted for it while a session runs. */
export async function readRuleRecords(
  place: Place,
  options: Pick<PastRequest, "days"> = {},
): Promise<RuleRecords> {
  const { days = DEFAULT_DAYS } = options;
  const situation = await situationOf(place);
  const rules = memoriesInForce(situation, (injection) => injection === "always");
  const since = new Date(place.now().getTime() - days * DAY_MS).toISOString();
  const found = new Map<string, Evidence[]>();
  const note = (
    outcome: RuleOutcome,
    rule: string,
    { text = "", ...at }: Omit<Evidence, "text"> & { text?: string },
  ) => {
    if (at.time >= since)
      found.set(`${outcome} ${rule}`, [...(found.get(`${outcome} ${rule}`) ?? []), { ...at, text }]);
  };
  for (const { name: session } of listSessions(place.places)) {
    const { context, guarded, startedAt } = readSession(place.places, session);
    for (const { key, form } of context.injected.values())
      if (form === "rule") note("injected", key, { session, time: startedAt });
    for (const { rule, time, text, allowedBy } of guarded)
      note(allowedBy === undefined ? "stopped" : "excepted", rule, { session, time, text });
  }
  for (const { key, session, time, what } of usesSince(place.places, since))
    if (what === "cited") note("cited", key, { session, time });
  const guardedKeys = new Set(guardsInForce(situation)?.all.map(({ metadata }) => memoryKey(metadata)));
  const recordOf = (metadata: MemoryMetadata): RuleRecord => {
    const key = memoryKey(metadata);
    const counts = OUTCOMES.map((outcome) => [outcome, countOf(found.get(`${outcome} ${key}`) ?? [])]);
    const { name, description } = metadata;
    const isGuarded = guardedKeys.has(key);
    return {
      handle: handleOf(metadata),
      name,
      description,
      isGuarded,
      ...(Object.fromEntries(counts) as Record<RuleOutcome, RuleCount>),
    };
  };
  return { days, since, rules: rules.map(recordOf).sort(inOrder) };
}

function countOf(all: readonly Evidence[]): RuleCount {
  return {
    sessions: new Set(all.map(({ session }) => session)).size,
    times: all.length,
    evidence: all.toSorted((a, b) => b.time.localeCompare(a.time)).slice(0, MAX_EVIDENCE),
  };
}

function inOrder(a: RuleRecord, b: RuleRecord): number {
  const outcome = OUTCOMES.find((one) => a[one].times !== b[one].times);
  return outcome ? b[outcome].times - a[outcome].times : a.name.localeCompare(b.name, "en");
}
