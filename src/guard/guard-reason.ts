import { describeCondition } from "./describe-guard.ts";
import type { FiredGuard } from "./evaluate-guards.ts";
import type { RuleGuard } from "./guard-set.ts";

/** What a rule says for itself, each on one line and harmless as data. */
export interface RuleWords {
  handle: string;
  statement: string;
  why: string;
}

/** Longer texts are cut: the client shows the reason to model and user. */
const MAX_REASON_CHARS = 1500;
const MAX_WHY_CHARS = 400;

/** What the model is told when a guard fires: the rule, its why, what to do instead, the exception, the handle. */
export function guardReason(fired: FiredGuard<RuleGuard>, words: RuleWords): string {
  const { guard } = fired.rule;
  const verb = { deny: "Refused", ask: "Needs the user's consent", warn: "Careful" }[fired.action];
  const where = fired.route.length > 0 ? ` (inside ${fired.route.join(" > ")})` : "";
  const exceptions = guard.unless.map(describeCondition).filter((text) => text !== "");
  return [
    `${verb} by a rule of the user that heed keeps: ${end(cut(words.statement, 300))}`,
    ...(words.why === "" ? [] : [`Why: ${end(cut(words.why, MAX_WHY_CHARS))}`]),
    ...(guard.say === undefined ? [] : [`Instead: ${end(guard.say)}`]),
    ...(exceptions.length === 0 ? [] : [`Allowed: ${exceptions.join("; or ")}.`]),
    `It fired on: ${cut(fired.text.replace(/\s+/g, " "), 200)}${where}.`,
    `Follow the rule; do not look for a way around it. [${words.handle}]`,
  ]
    .join("\n")
    .slice(0, MAX_REASON_CHARS);
}

function end(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
