import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import type { SessionSummary, PlanStep } from "../../here/records/session-progress.ts";
import { oneLine, pushBounded, rewoundTo, setBounded, spanTime } from "./one-line.ts";
import { commandOfCall, filesOfCall, isLook, programsOf, withoutHeredocs } from "./tool-call.ts";
import type { ToolOutcome, TranscriptEvent } from "./transcript/transcript-event.ts";
import { MAX_TYPED_CHARS, userWords } from "../../memory/typed-text.ts";
import { recordsAt, textAt } from "./transcript/record-fields.ts";

const MAX_FILES = 80;
const MAX_COMMANDS = 60;
const MAX_COMMITS = 20;
const MAX_SEEN = 400;
const MAX_PENDING = 60;
const MAX_TURNS = 200;
const MAX_TURN_CHARS = 2000;
const MAX_MESSAGE_CHARS = 1500;
/** What is kept of the agent's words before a turn: enough to see what a "no" is about. */
const MAX_BEFORE_CHARS = 300;

/** Takes one event into the digest of its session. `agent` is set for the events of a subagent. */
export function foldEvent(digest: SessionSummary, event: TranscriptEvent, agent?: string): void {
  spanTime(digest, event);
  switch (event.kind) {
    case "place":
      if (agent !== undefined) return;
      digest.cwd = event.cwd ?? digest.cwd;
      digest.branch = event.branch ?? digest.branch;
      digest.isSubagent ||= event.isSubagent === true;
      return;
    case "user":
      // What a subagent is told is the agent's word.
      if (agent === undefined && !digest.isSubagent) foldUser(digest, event);
      return;
    case "assistant":
      if (agent === undefined) foldMessage(digest, event.text);
      return;
    case "tool":
      foldCall(digest, event);
      return;
    case "result":
      foldResult(digest, event);
      return;
    case "compaction":
      if (agent === undefined) digest.counts.compactions += 1;
      return;
  }
}

function foldUser(digest: SessionSummary, event: Extract<TranscriptEvent, { kind: "user" }>): void {
  // Before anything is taken out of it: a key is known by all of its lines.
  const { said } = userWords(redactSecrets(event.text.slice(0, MAX_TYPED_CHARS)));
  // Some clients write a message twice: when it is queued and when it is taken up, with other ids and times.
  const isSeen =
    markSeen(digest, event.id) ||
    (said !== "" && markSeen(digest, `said:${said.slice(0, 80)}@${digest.counts.calls}`));
  if (isSeen || said === "") return;
  const since = rewoundTo((digest.followed ??= {}), event);
  if (since !== undefined) digest.turns = digest.turns.filter(({ time }) => time < since);
  digest.counts.turns += 1;
  const before = digest.lastMessage.slice(-MAX_BEFORE_CHARS);
  pushBounded(digest.turns, { time: event.time, said: said.slice(0, MAX_TURN_CHARS), before }, MAX_TURNS);
  digest.lastMessage = "";
}

function foldMessage(digest: SessionSummary, text: string): void {
  const said = redactSecrets(text.slice(0, MAX_MESSAGE_CHARS * 4)).trim();
  if (said !== "") digest.lastMessage = said.slice(0, MAX_MESSAGE_CHARS);
}

function foldCall(digest: SessionSummary, event: Extract<TranscriptEvent, { kind: "tool" }>): void {
  if (markSeen(digest, event.id)) return;
  digest.counts.calls += 1;
  const { tool, input } = event;
  const given = commandOfCall(tool, input);
  const command = given && redactSecrets(given.slice(0, 20_000));
  for (const file of filesOfCall(tool, input)) touch(digest, file);
  if (Object.keys(input).length > 0) foldPlan(digest.plan, tool, input);
  const call = {
    what: oneLine(withoutHeredocs(command ?? inputText(input)).slice(0, 2000), 600),
    programs: command === undefined ? [] : programsOf(command),
    isLook: command !== undefined && isLook(command),
  };
  setBounded(digest.pending, event.id, call, MAX_PENDING);
}

/** An input as short JSON: long texts in it (a file that is written) are cut before they are taken in. */
export function inputText(input: Readonly<Record<string, unknown>>): string {
  const short = Object.entries(input)
    .slice(0, 8)
    .map(
      ([key, value]) =>
        [key, typeof value === "string" ? redactSecrets(value.slice(0, 4000)).slice(0, 160) : value] as const,
    );
  return redactSecrets(JSON.stringify(Object.fromEntries(short)).slice(0, 2000));
}

function foldResult(digest: SessionSummary, event: Extract<TranscriptEvent, { kind: "result" }>): void {
  const call = digest.pending[event.id];
  if (!call || !Object.hasOwn(digest.pending, event.id)) return;
  delete digest.pending[event.id];
  const { outcome, text } = event;
  if (outcome === "failed") digest.counts.failures += 1;
  // heed's own commands and refusals are no part of the work.
  const isWork = call.programs.length > 0 && !call.programs.includes("heed");
  if (isWork && !(call.isLook && outcome === "ok")) foldCommand(digest, call.what, outcome);
  if (outcome !== "ok" || !call.programs.includes("git commit")) return;
  const commit = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.{1,200})$/m.exec(ends(text));
  if (commit)
    pushBounded(digest.commits, redactSecrets(`${commit[1]} ${oneLine(commit[2] ?? "", 100)}`), MAX_COMMITS);
}

function ends(text: string): string {
  return text.length <= 8000 ? text : `${text.slice(0, 4000)}\n${text.slice(-4000)}`;
}

function foldCommand(digest: SessionSummary, command: string, outcome: ToolOutcome): void {
  const short = oneLine(command, 160);
  // The last command goes last: how it ended is how the session stopped.
  const known = digest.commands.findIndex((run) => run.command === short && run.outcome === outcome);
  const times = known < 0 ? 1 : (digest.commands.splice(known, 1)[0]?.times ?? 0) + 1;
  pushBounded(digest.commands, { command: short, outcome, times }, MAX_COMMANDS);
}

function touch(digest: SessionSummary, file: string): void {
  const path = oneLine(redactSecrets(file.slice(0, 1000)), 300);
  const edits = Object.hasOwn(digest.files, path) ? (digest.files[path] ?? 0) : 0;
  if (edits === 0 && Object.keys(digest.files).length >= MAX_FILES) return;
  // A path may be named like a key of every object.
  Object.defineProperty(digest.files, path, {
    value: edits + 1,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Notes an id; whether it was there already. */
function markSeen(digest: SessionSummary, id: string): boolean {
  if (id === "") return false;
  if (digest.seen.includes(id)) return true;
  pushBounded(digest.seen, id, MAX_SEEN);
  return false;
}

const MAX_STEPS = 30;

/** Takes a call of the agent's planning tool into the plan: whole lists take its place, single tasks change it. */
function foldPlan(plan: PlanStep[], tool: string, input: Readonly<Record<string, unknown>>): void {
  switch (tool) {
    case "TodoWrite":
    case "update_plan":
    case "write_todos": {
      const steps = [...recordsAt(input, "todos"), ...recordsAt(input, "plan")].map((step): PlanStep => ({
        text: textOf(textAt(step, "content") || textAt(step, "step") || textAt(step, "description")),
        isDone: textAt(step, "status") === "completed",
      }));
      plan.splice(0, plan.length, ...steps.filter(({ text }) => text !== "").slice(0, MAX_STEPS));
      return;
    }
    case "TaskCreate": {
      const text = textOf(textAt(input, "subject"));
      if (text !== "" && plan.length < MAX_STEPS) plan.push({ text, isDone: false });
      return;
    }
    case "TaskUpdate": {
      // Tasks are numbered from 1 in the order of their making.
      const step = plan[Number(textAt(input, "taskId")) - 1];
      if (step && /^(?:completed|deleted)$/.test(textAt(input, "status"))) step.isDone = true;
      return;
    }
    default:
  }
}

function textOf(step: string): string {
  return oneLine(redactSecrets(step.slice(0, 4000)), 160);
}
