import { redactSecrets } from "../../memory/screening/find-secrets.ts";
import type { PendingCommand, PlanStep, SessionWork } from "../../here/records/past-conversations.ts";
import { oneLine, pushBounded } from "./one-line.ts";
import { isLook } from "./tool-call.ts";
import type { ToolOutcome } from "./transcript/transcript-event.ts";
import { recordsAt, textAt } from "./transcript/record-fields.ts";

const MAX_FILES = 80;
const MAX_COMMANDS = 20;
const MAX_COMMITS = 8;
const MAX_STEPS = 30;

/** Takes the end of a call into the work of a session. */
export function foldRun(work: SessionWork, call: PendingCommand, outcome: ToolOutcome, text: string): void {
  const { programs, what } = call;
  if (outcome === "failed") work.counts.failures += 1;
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

export function touch({ files }: SessionWork, path: string): void {
  const edits = Object.hasOwn(files, path) ? (files[path] ?? 0) : 0;
  if (edits === 0 && Object.keys(files).length >= MAX_FILES) return;
  const entry = { value: edits + 1, enumerable: true, configurable: true, writable: true };
  // A path may be named like a key of every object.
  Object.defineProperty(files, path, entry);
}

/** Takes a call of the agent's planning tool into the plan: whole lists take its place, single tasks change it. */
export function foldPlan(plan: PlanStep[], tool: string, input: Readonly<Record<string, unknown>>): void {
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
