import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import {
  oneLine,
  pushBounded,
  rewoundTo,
  setBounded,
  commandOfCall,
  filesOfCall,
  isLook,
  programsOf,
  withoutHeredocs,
  noteChange,
  trackStruggles,
} from "./tool-calls.ts";
import { type ToolOutcome, type TranscriptEvent, recordsAt, textAt } from "./transcript/transcript-event.ts";
import { MAX_TYPED_CHARS, userWords } from "../../memory/typed-text.ts";
import type {
  Conversation,
  Passage,
  PassageKind,
  PastConversation,
  PendingCommand,
  PlanStep,
  SessionWork,
} from "../../here/records/past-conversations.ts";

type Folded = Pick<PastConversation, "conversation" | "work">;
type EventOf<Kind> = Extract<TranscriptEvent, { kind: Kind }>;

const MAX_PASSAGES = 600;
/** What is longer is pasted, or a report. */
const MAX_CHARS = 2000;
const MAX_ANSWER = 200;
const MAX_SEEN = 400;
const MAX_PENDING = 60;
const MAX_TURNS = 200;
/** What is kept of the agent's words before a turn: enough to see what a "no" is about. */
const MAX_BEFORE_CHARS = 300;
/** Fewer words than these ("Down.", "go on") say nothing without what they answer, and are kept with it. */
const MIN_WORDS = 3;

/** Takes one event of a session into its record. `agent`: of a subagent, whose calls alone count. Returns a struggle that it ends. */
export function foldEvent(past: Folded, event: TranscriptEvent, agent?: string): Passage | undefined {
  const { conversation, work } = past;
  if (event.kind === "result") return foldResult(past, event, agent);
  if (event.kind === "tool") foldCall(past, event, agent);
  if (event.kind === "tool" || agent !== undefined) return undefined;
  if (event.kind === "place") {
    conversation.cwd ||= event.cwd ?? "";
    if (work) work.cwd = event.cwd ?? work.cwd;
    conversation.branch = event.branch ?? conversation.branch;
    conversation.isSubagent ||= event.isSubagent === true;
    return undefined;
  }
  const { time } = event;
  if (time !== "" && (conversation.started === "" || time < conversation.started))
    conversation.started = time;
  if (time > conversation.ended) conversation.ended = time;
  if (event.kind === "user") foldSaid(past, event);
  else conversation.closing = passageOf("answer", time, event.text) ?? conversation.closing;
  return undefined;
}

function foldSaid({ conversation, work }: Folded, event: EventOf<"user">): void {
  const { seen } = conversation;
  // Before anything is taken out of it: a key is known by all of its lines.
  const said = userWords(redactSecrets(event.text.slice(0, MAX_TYPED_CHARS))).said.slice(0, 4 * MAX_CHARS);
  // Some clients write a message twice: when it is queued and when it is taken up, with other ids and times.
  const beginning = `said:${said.slice(0, 80)}`;
  const isAgain = seen.findLast((one) => one.startsWith("said:")) === beginning;
  if (said === "" || isAgain || seen.includes(event.id)) return;
  if (event.id !== "") pushBounded(seen, event.id, MAX_SEEN);
  pushBounded(seen, beginning, MAX_SEEN);
  const since = rewoundTo((conversation.followed ??= {}), event);
  // What the user went back behind was not said, as it were.
  const stands = ({ time }: { time: string }): boolean => since === undefined || time < since;
  conversation.passages = conversation.passages.filter(stands);
  if (conversation.closing && !stands(conversation.closing)) conversation.closing = undefined;
  const passage = passageOf("said", event.time, said);
  // The turn is over: the agent's last message in it was its closing one.
  const { closing, isSubagent } = conversation;
  if (work && !isSubagent) {
    const turn = { time: event.time, said: said.slice(0, MAX_CHARS) };
    const before = closing?.text.slice(-MAX_BEFORE_CHARS) ?? "";
    work.turns = work.turns.filter(stands);
    pushBounded(work.turns, { ...turn, before }, MAX_TURNS);
  }
  if (closing && !passage && !isSubagent)
    closing.text += `\n\nThe user answered: ${oneLine(said, MAX_ANSWER)}`;
  if (closing) keep(conversation, closing);
  conversation.closing = undefined;
  if (passage && !isSubagent) keep(conversation, passage);
}

function keep(conversation: Conversation, passage: Passage): void {
  conversation.passages.push(passage);
  if (conversation.passages.length <= MAX_PASSAGES) return;
  conversation.passages.shift();
  conversation.missing = { passages: (conversation.missing?.passages ?? 0) + 1 };
}

function foldCall({ conversation, work }: Folded, event: EventOf<"tool">, agent: string | undefined): void {
  const { id, tool, input } = event;
  if (conversation.seen.includes(id) || (agent !== undefined && !work)) return;
  if (id !== "") pushBounded(conversation.seen, id, MAX_SEEN);
  for (const file of filesOfCall(tool, input)) {
    const path = oneLine(redactSecrets(file.slice(0, 1000)), 300);
    if (agent === undefined) noteChange(conversation.open, oneLine(path, 120));
    if (work) touch(work, path);
  }
  if (work && Object.keys(input).length > 0) foldPlan(work.plan, tool, input);
  if (id === "") return;
  const given = commandOfCall(tool, input);
  const text = given === undefined ? inputText(input) : redactSecrets(given.slice(0, 20_000));
  const call = {
    what: oneLine(given === undefined ? `${tool} ${text}` : withoutHeredocs(text), 400),
    size: text.length,
    programs: given !== undefined ? programsOf(text) : isFileTool(input) ? [] : [tool],
    isCommand: given !== undefined,
  };
  setBounded(conversation.pending, id, call, MAX_PENDING);
}

/** An input as short JSON: long texts in it (a file that is written) are cut before they are taken in. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  const short = Object.entries(input)
    .slice(0, 8)
    .map(
      ([key, value]) =>
        [key, typeof value === "string" ? redactSecrets(value.slice(0, 4000)).slice(0, 160) : value] as const,
    );
  return redactSecrets(JSON.stringify(Object.fromEntries(short)).slice(0, 2000));
}

/** What reads and edits files fails by a wrong line or path, which is no struggle. */
function isFileTool(input: Readonly<Record<string, unknown>>): boolean {
  return ["file_path", "path", "notebook_path", "absolute_path", "filePath", "pattern"].some(
    (key) => key in input,
  );
}

function foldResult(
  { conversation, work }: Folded,
  { id, time, outcome, text }: EventOf<"result">,
  agent: string | undefined,
): Passage | undefined {
  const { pending, open } = conversation;
  const call = Object.hasOwn(pending, id) ? pending[id] : undefined;
  if (!call) return undefined;
  delete pending[id];
  if (work) foldRun(work, call, outcome, text);
  const struggle = agent === undefined ? trackStruggles(open, call, outcome, text.slice(-4000)) : undefined;
  const passage = struggle && passageOf("fixed", time, struggle.text);
  if (!passage) return undefined;
  passage.failures = struggle.failures;
  passage.failed = struggle.failed;
  keep(conversation, passage);
  return passage;
}

function passageOf(kind: PassageKind, time: string, given: string): Passage | undefined {
  // A secret that the cut would tear is still whole here.
  const text = redactSecrets(given.slice(0, MAX_TYPED_CHARS)).trim();
  if ((text.match(/\p{L}{2,}|\p{Lo}/gu)?.length ?? 0) < MIN_WORDS) return undefined;
  if (text.length <= MAX_CHARS) return { kind, time, text };
  // What an agent asks is at the end of its message.
  const end = kind === "answer" ? text.slice(-MAX_CHARS / 4) : "";
  return { kind, time, text: `${text.slice(0, MAX_CHARS - end.length)} […] ${end}`.trimEnd() };
}

const MAX_FILES = 80;
const MAX_COMMANDS = 20;
const MAX_COMMITS = 8;
const MAX_STEPS = 30;

function foldRun(work: SessionWork, call: PendingCommand, outcome: ToolOutcome, text: string): void {
  const { programs, what } = call;
  // heed's own commands and refusals are no part of the work.
  if (!call.isCommand || programs.length === 0 || programs.includes("heed")) return;
  if (outcome !== "ok" || !programs.every(isLook)) foldCommand(work, oneLine(what, 160), outcome);
  if (outcome !== "ok" || !programs.includes("git commit")) return;
  const ends = text.length <= 8000 ? text : `${text.slice(0, 4000)}\n${text.slice(-4000)}`;
  const commit = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] (.{1,200})$/m.exec(ends);
  if (commit)
    pushBounded(work.commits, redactSecrets(`${commit[1]} ${oneLine(commit[2] ?? "", 100)}`), MAX_COMMITS);
}

function foldCommand({ commands }: SessionWork, command: string, outcome: ToolOutcome): void {
  // The last command goes last: how it ended is how the session stopped.
  const known = commands.findIndex((run) => run.command === command && run.outcome === outcome);
  const times = known < 0 ? 1 : (commands.splice(known, 1)[0]?.times ?? 0) + 1;
  pushBounded(commands, { command, outcome, times }, MAX_COMMANDS);
}

function touch({ files }: SessionWork, path: string): void {
  // A path may be named like a key of every object.
  const edits = Object.hasOwn(files, path) ? (files[path] ?? 0) : 0;
  if (edits > 0 || Object.keys(files).length < MAX_FILES) files[path] = edits + 1;
}

/** Takes a call of the agent's planning tool into the plan: whole lists take its place, single tasks change it. */
function foldPlan(plan: PlanStep[], tool: string, input: Readonly<Record<string, unknown>>): void {
  switch (tool) {
    case "TodoWrite":
    case "update_plan":
    case "write_todos": {
      const steps = [...recordsAt(input, "todos"), ...recordsAt(input, "plan")].map((step): PlanStep => ({
        text: textOf(textAt(step, "content", "step", "description")),
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
