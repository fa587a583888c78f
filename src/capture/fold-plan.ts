import { redactSecrets } from "../screening/redact-secrets.ts";
import { oneLine } from "./text/one-line.ts";
import type { PlanStep } from "./digest/session-digest.ts";
import { recordsAt, textAt } from "./transcript/record-fields.ts";

const MAX_STEPS = 30;

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
