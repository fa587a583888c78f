import type { Place } from "../../here/place.ts";
import { callOf } from "../guard-tool-use.ts";
import { boundInput } from "../answer-event.ts";
import { type OldTranscript, findTranscripts } from "../../past/transcripts/find-transcripts.ts";
import { readSessionOn } from "../../past/transcripts/read-session.ts";
import { toolNameOf, isShellTool } from "../../guard/tools.ts";
import type { ToolOutcome, TranscriptEvent } from "../../past/capture/transcript/transcript-event.ts";
import { evaluateGuards } from "../../guard/evaluate-guards.ts";
import { type GuardCall, callUnitOf } from "../../guard/guard-call.ts";
import { guardsFor } from "../../guard/guard.ts";
import type { MemoryHeader } from "../../memory/memory.ts";
import { Breather } from "../../machine/breather.ts";
import { scopeMismatch } from "../../search/search-query.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import { openCollection } from "../../here/collection.ts";
import { resolveHandle } from "../../here/reading/find-memory.ts";
import { whyNotAllLookedAt } from "../guarded-files.ts";
import { shownCall } from "../decide-stopped-call.ts";
import { inboxOf } from "../../here/consent/inbox.ts";
import { readGivenGuards, refused } from "../../write/ask-user.ts";
import { invalidInput } from "../../machine/heed-error.ts";
import { parsePathTest } from "../../guard/entry-tests.ts";
import { parseGuards } from "../../guard/parse-guards.ts";
import { handleOf, plainHandle } from "../../memory/handle.ts";

interface PastCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** ISO time; empty where the transcript has none. */
  time: string;
  cwd: string | undefined;
  branch: string | undefined;
  /** Undefined: the transcript does not say. */
  outcome: ToolOutcome | undefined;
}

const DEFAULT_DAYS = 30;
/** A person asks, who can wait. A dialog says how long it can. */
const DEFAULT_WITHIN_MS = 10_000;
const DAY_MS = 86_400_000;
const MAX_EXAMPLES = 5;

export interface PastRequest {
  /** Default 30, as long as clients keep transcripts. */
  days?: number | undefined;
  /** The newest sessions come first. Default 10,000. */
  withinMs?: number | undefined;
}

export interface GuardReplay {
  summary: string;
  days: number;
  since: string;
  sessions: number;
  sessionsLeft: number;
  calls: number;
  /** Of these: denied or asked about; of those the ones that had succeeded. */
  stopped: number;
  succeeded: number;
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

type RuleHeader = MemoryHeader & { storeId: string };

/** Tries a guard of a rule or proposal on tool calls of past sessions, the newest first. Nothing is run, and no trace is left. */
export async function replayGuard(
  place: Place,
  handle: string,
  request: PastRequest & { guard?: unknown } = {},
): Promise<GuardReplay> {
  const { guard, days = DEFAULT_DAYS, withinMs = DEFAULT_WITHIN_MS } = request;
  const metadata = await ruleOf(place, handle);
  const read =
    guard === undefined
      ? { guards: metadata.guard }
      : await readGivenGuards(guard, place.types.get(metadata.type));
  if ("refusal" in read) throw refused(read.refusal.reason, read.refusal.remedy);
  const scope = metadata.scope.paths.flatMap((glob) => parsePathTest(glob) ?? []);
  const guards = parseGuards(read.guards).guards.map((one) => one.guard);
  if (guards.length === 0)
    throw invalidInput("handle", handle, `${handleOf(metadata)} has no guard that can be read: give one`);
  const rules = guards.filter(({ duty }) => duty === undefined).map((one) => ({ guard: one, scope }));
  const deadlineAtMs = performance.now() + withinMs;
  const isLate = (): boolean => performance.now() > deadlineAtMs;
  const since = new Date(place.now().getTime() - days * DAY_MS).toISOString();
  const transcripts = findTranscripts(place.env).filter(({ mtimeMs }) => mtimeMs >= Date.parse(since));
  const found = { calls: 0, stopped: 0, succeeded: 0, warned: 0 };
  const examples: GuardReplay["examples"] = [];
  let isShellAlone = true;
  const folders = new Map<string, ReturnType<typeof lookAt>>();
  const replay = (past: PastCall, from: { session: string; client: string }): void => {
    const { cwd = place.cwd, time, outcome } = past;
    const look = folders.get(cwd) ?? lookAt(place.at(cwd), metadata);
    folders.set(cwd, look);
    const call = look(past);
    const isShell = isShellTool(past.tool);
    if (!call || guardsFor(rules, isShell ? ["Bash"] : callUnitOf(call).names).length === 0) return;
    found.calls += 1;
    isShellAlone &&= isShell;
    const { action, fired } = evaluateGuards(call, rules);
    if (action === "allow") return;
    found[action === "warn" ? "warned" : "stopped"] += 1;
    if (action !== "warn" && outcome === "ok") found.succeeded += 1;
    const text = shownCall(fired[0]?.text ?? "");
    examples.push({ time, ...from, action, text, ...(outcome && { outcome }) });
    examples.sort((a, b) => b.time.localeCompare(a.time)).splice(MAX_EXAMPLES);
  };
  const seen = new Set<string>();
  const breather = new Breather();
  let sessions = 0;
  for (const transcript of transcripts) {
    const { session } = transcript;
    try {
      const { calls, client } = callsOf(transcript, since, seen, isLate);
      for (const past of calls) if (!isLate()) replay(past, { session, client });
    } catch {
      // Being written, or of a form that nobody knows.
    }
    if (isLate()) break;
    sessions += 1;
    if (breather.isDue) await breather.rest();
  }
  const said = { days, since, sessions, sessionsLeft: transcripts.length - sessions, ...found, examples };
  if (rules.length === 0)
    return { summary: "Not tested against past calls: it goes by what was done before", ...said };
  const frame = {
    ...callOf({ place, root: place.workRoot }, { tool: "", input: {} }),
    roots: [place.workRoot],
  };
  const parts = [
    summaryOf(said, isShellAlone ? "command" : "tool call"),
    rules.length < guards.length ? "What goes by what was done before was not tested" : undefined,
    whyNotAllLookedAt(frame, guards),
  ];
  return { summary: parts.filter((part) => part !== undefined).join(". "), ...said };
}

/** The calls of a transcript, in their order; one that another repeats comes once. */
function callsOf(
  { file }: OldTranscript,
  since: string,
  seen: Set<string>,
  isLate: () => boolean,
): { calls: PastCall[]; client: string } {
  const progress = { offsets: {}, client: "" };
  const calls: PastCall[] = [];
  const open = new Map<string, PastCall>();
  const places = new Map<string | undefined, { cwd?: string; branch?: string }>();
  const onEvent = (event: TranscriptEvent, agent?: string): void => {
    const { cwd, branch } = { ...places.get(undefined), ...places.get(agent) };
    if (event.kind === "place") {
      const { kind: _kind, isSubagent: _isSubagent, ...said } = event;
      places.set(agent, { ...places.get(agent), ...said });
    } else if (event.kind === "tool") {
      const { id, time, input } = event;
      // A message that is written again when its calls have ended names the same ones.
      if ((time !== "" && time < since) || (id !== "" && (open.has(id) || seen.has(`${id} ${time}`)))) return;
      seen.add(`${id} ${time}`);
      const call = { tool: toolNameOf(event.tool), input, time, cwd, branch, outcome: undefined };
      open.set(id, call);
      calls.push(call);
    } else if (event.kind === "result") {
      const call = open.get(event.id);
      if (call) call.outcome = event.outcome;
    }
  };
  readSessionOn(progress, file, onEvent, isLate);
  return { calls, client: progress.client };
}

/** How guards see the calls that were made in a folder, without its files of today; undefined where the rule did not hold. */
function lookAt(place: Place, rule: RuleHeader): (past: PastCall) => GuardCall | undefined {
  const now = place.here();
  const kind = place.stores.find(({ id }) => id === rule.storeId)?.kind;
  const policy = place.types.get(rule.type);
  const root = findProjectRoot(place.cwd) ?? place.cwd;
  const { exists: _exists, treeOf: _tree, ...frame } = callOf({ place, root }, { tool: "", input: {} });
  return ({ tool, input, branch = now.branch }) =>
    kind === undefined || scopeMismatch(rule, { ...now, branch }, kind, policy) !== undefined
      ? undefined
      : { ...frame, tool, ...boundInput(input), branch };
}

async function ruleOf(place: Place, handle: string): Promise<RuleHeader> {
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
