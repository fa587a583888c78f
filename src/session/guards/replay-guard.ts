import type { Place } from "../../here/place.ts";
import { callOf } from "../guard-tool-use.ts";
import { boundInput } from "../answer-event.ts";
import { type OldTranscript, findTranscripts } from "../../past/transcripts/find-transcripts.ts";
import { readSessionOn } from "../../past/transcripts/read-session.ts";
import { toolNameOf, isShellTool } from "../../guard/tools.ts";
import type { ToolOutcome, TranscriptEvent } from "../../past/capture/transcript/transcript-event.ts";
import { evaluateGuards } from "../../guard/evaluate-guards.ts";
import { type GuardCall, callUnitOf } from "../../guard/guard-call.ts";
import { GuardSet } from "../../guard/guard.ts";
import type { MemoryMetadata, MemoryHeader } from "../../memory/memory.ts";
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
  session: string;
  client: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** ISO time; empty where the transcript has none. */
  time: string;
  cwd: string | undefined;
  branch: string | undefined;
  /** Undefined: the transcript does not say. */
  outcome: ToolOutcome | undefined;
}

interface ReplayedCall extends PastCall {
  /** What a tool hook would have told. The files of the machine are not those of then: nothing is asked of them. */
  call: GuardCall;
  /** Whether a memory held where the call was made: its store, its repository, its branch. */
  holds: (rule: Pick<MemoryMetadata, "type" | "scope" | "origin" | "storeId">) => boolean;
}

const DEFAULT_DAYS = 30;
/** A person asks, who can wait. A dialog says how long it can. */
const DEFAULT_WITHIN_MS = 10_000;
const DAY_MS = 86_400_000;

export interface PastRequest {
  /** Default 30, as long as clients keep transcripts. */
  days?: number | undefined;
  /** The newest sessions come first. Default 10,000. */
  withinMs?: number | undefined;
}

export interface PastRead {
  days: number;
  since: string;
  sessions: number;
  sessionsLeft: number;
}

/** Goes through past tool calls in clients' transcripts, newest session first, for at most `withinMs`; repeats come once. */
async function replayCalls(
  place: Place,
  { days = DEFAULT_DAYS, withinMs = DEFAULT_WITHIN_MS }: PastRequest,
  onCall: (call: ReplayedCall) => void,
): Promise<PastRead> {
  const deadlineAtMs = performance.now() + withinMs;
  const isLate = (): boolean => performance.now() > deadlineAtMs;
  const since = new Date(place.now().getTime() - days * DAY_MS).toISOString();
  const transcripts = findTranscripts(place.env).filter(({ mtimeMs }) => mtimeMs >= Date.parse(since));
  const folders = new Map<string, (past: PastCall) => Pick<ReplayedCall, "call" | "holds">>();
  const seen = new Set<string>();
  const breather = new Breather();
  let sessions = 0;
  for (const transcript of transcripts) {
    try {
      for (const past of callsOf(transcript, since, seen, isLate)) {
        const { cwd = place.cwd } = past;
        const asked = folders.get(cwd) ?? lookAt(place.at(cwd));
        folders.set(cwd, asked);
        if (!isLate()) onCall({ ...past, ...asked(past) });
      }
    } catch {
      // Being written, or of a form that nobody knows.
    }
    if (isLate()) break;
    sessions += 1;
    if (breather.isDue) await breather.rest();
  }
  return { days, since, sessions, sessionsLeft: transcripts.length - sessions };
}

function callsOf(
  { file, session }: OldTranscript,
  since: string,
  seen: Set<string>,
  isLate: () => boolean,
): PastCall[] {
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
      const tool = toolNameOf(event.tool);
      // A message that is written again when its calls have ended names the same ones.
      if ((time !== "" && time < since) || (id !== "" && (open.has(id) || seen.has(`${id} ${time}`)))) return;
      seen.add(`${id} ${time}`);
      const call = { session, client: "", tool, input, time, cwd, branch, outcome: undefined };
      open.set(id, call);
      calls.push(call);
    } else if (event.kind === "result") {
      const call = open.get(event.id);
      if (call) call.outcome = event.outcome;
    }
  };
  readSessionOn(progress, file, onEvent, isLate);
  const { client } = progress;
  return calls.map((call) => ({ ...call, client }));
}

/** How guards see the calls that were made in a folder; it is looked at once. */
function lookAt(place: Place): (past: PastCall) => Pick<ReplayedCall, "call" | "holds"> {
  const now = place.here();
  const storeKinds = new Map(place.stores.map(({ id, kind }) => [id, kind]));
  const root = findProjectRoot(place.cwd) ?? place.cwd;
  const { exists: _exists, treeOf: _tree, ...frame } = callOf({ place, root }, { tool: "", input: {} });
  return ({ tool, input, branch = now.branch }) => ({
    call: { ...frame, tool, ...boundInput(input), branch },
    holds(rule) {
      const kind = storeKinds.get(rule.storeId);
      const policy = place.types.get(rule.type);
      return kind !== undefined && scopeMismatch(rule, { ...now, branch }, kind, policy) === undefined;
    },
  });
}

const MAX_EXAMPLES = 5;

export interface GuardReplay extends PastRead {
  summary: string;
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
  const guards = parseGuards(read.guards).guards.map((one) => one.guard);
  if (guards.length === 0)
    throw invalidInput("handle", handle, `${handleOf(metadata)} has no guard that can be read: give one`);
  const single = guards.filter(({ duty }) => duty === undefined);
  const set = new GuardSet(single.map((guard) => ({ guard, scope })));
  const found = { calls: 0, stopped: 0, succeeded: 0, warned: 0 };
  const examples: GuardReplay["examples"] = [];
  let isShellAlone = true;
  const past = await replayCalls(place, bounds, (tried) => {
    const { call, holds, time, session, client, outcome } = tried;
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
  if (single.length === 0)
    return { summary: "Not tested against past calls: it goes by what was done before", ...replay };
  const frame = {
    ...callOf({ place, root: place.workRoot }, { tool: "", input: {} }),
    roots: [place.workRoot],
  };
  const parts = [
    summaryOf(replay, isShellAlone ? "command" : "tool call"),
    single.length < guards.length ? "What goes by what was done before was not tested" : undefined,
    whyNotAllLookedAt(frame, guards),
  ];
  return { summary: parts.filter((part) => part !== undefined).join(". "), ...replay };
}

function keepNewest(examples: GuardReplay["examples"]): void {
  examples.sort((a, b) => b.time.localeCompare(a.time)).splice(MAX_EXAMPLES);
}

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
