import type { Place } from "../../here/place.ts";
import { callOf } from "../guard-tool-use.ts";
import { boundInput } from "../normalise-event.ts";
import { type OldTranscript, findTranscripts } from "../../past/transcripts/find-transcripts.ts";
import { readSessionOn } from "../../past/transcripts/read-session.ts";
import { toolNameOf, withOneCommand } from "../../guard/tools.ts";
import type { ToolOutcome, TranscriptEvent } from "../../past/capture/transcript/transcript-event.ts";
import { afterSteps, stepsOf } from "../../guard/evaluate-guards.ts";
import type { DutyState, GuardCall } from "../../guard/guard-call.ts";
import type { Guard } from "../../guard/guard.ts";
import type { MemoryMetadata } from "../../memory/memory.ts";
import { Breather } from "../../machine/breather.ts";
import { scopeMismatch } from "../../search/search-query.ts";
import { findProjectRoot } from "../../store/find-stores.ts";

interface PastCall {
  session: string;
  /** The client, as its transcripts are known. */
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

/** A past call, as guards are asked about it. */
export interface ReplayedCall extends PastCall {
  /** What a tool hook would have told. The files of the machine are not those of then: nothing is asked of them. */
  call: GuardCall;
  /** Whether a memory held where the call was made: its store, its repository, its branch. */
  holds: (rule: Pick<MemoryMetadata, "type" | "scope" | "origin" | "storeId">) => boolean;
}

/** As long as clients keep their transcripts. */
const DEFAULT_DAYS = 30;
/** A person asks, who can wait. A dialog says how long it can. */
const DEFAULT_WITHIN_MS = 10_000;
const DAY_MS = 86_400_000;

/** How much of the past is looked at. */
export interface PastRequest {
  /** How far back, in days. Default 30, as long as clients keep transcripts. */
  days?: number | undefined;
  /** How long it may take, in milliseconds; the newest sessions come first. Default 10,000. */
  withinMs?: number | undefined;
}

/** How much of the past was read. */
export interface PastRead {
  days: number;
  /** ISO time from which on. */
  since: string;
  /** Sessions whose transcripts were read, and those for which the time did not suffice. */
  sessions: number;
  sessionsLeft: number;
}

/** Goes through past tool calls in clients' transcripts, newest session first, for at most `withinMs`; repeats come once. */
export async function replayCalls(
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
  const progress = { offsets: {}, format: "" };
  const calls: PastCall[] = [];
  const open = new Map<string, PastCall>();
  const places = new Map<string | undefined, { cwd?: string; branch?: string }>();
  const onEvent = (event: TranscriptEvent, agent?: string): void => {
    const { cwd, branch } = { ...places.get(undefined), ...places.get(agent) };
    if (event.kind === "place") {
      const { kind: _kind, isSubagent: _isSubagent, ...said } = event;
      places.set(agent, { ...places.get(agent), ...said });
    } else if (event.kind === "tool") {
      const { id, time } = event;
      const [tool, input] = [toolNameOf(event.tool), withOneCommand(event.input)];
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
  const client = progress.format;
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

/** Follows duties through the calls of each session: gives each call with what those before it did. */
export function followDuties(guards: readonly Guard[]): (past: ReplayedCall) => GuardCall {
  let session = "";
  let duties: ReadonlyMap<Guard, DutyState> = new Map();
  return (past) => {
    if (past.session !== session) [session, duties] = [past.session, new Map()];
    const call = { ...past.call, duties };
    if (past.outcome === "refused") return call;
    for (const guard of guards) {
      const steps = guard.duty ? stepsOf(call, guard.duty, past.outcome && past.outcome === "ok") : [];
      if (steps.length > 0) duties = new Map([...duties, [guard, afterSteps(steps, duties.get(guard))]]);
    }
    return call;
  };
}
