import type { FiredGuard } from "./evaluate-guards.ts";
import type { Guard, GuardCondition, RuleGuard } from "./guard.ts";

/** A guard in one line: `deny git commit with --no-verify or -n, unless with --dry-run`. */
export function describeGuard(guard: Guard): string {
  const unless = guard.unless.map(describeCondition);
  const isShell = guard.tools.length === 1 && guard.tools[0] === "Bash";
  const tools = isShell ? "" : ` ${guard.tools.join("/")}`;
  return `${guard.action}${tools} ${describeCondition(guard.condition)}${unless.length > 0 ? `, unless ${unless.join(", or ")}` : ""}`;
}

/** A guard as shown to the person who decides about it: with what it tells the model to do instead. */
export function describeWholeGuard(guard: Guard): string {
  return `${describeGuard(guard)}${guard.say === undefined ? "" : `, saying "${guard.say}"`}`;
}

/** A condition in words. */
export function describeCondition(condition: GuardCondition): string {
  const { commands, flags, args, env, branches, remotes, files, paths, content, pattern } = condition;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["", commands.map((words) => words.join(" "))],
    ["with ", flags.map(({ text }) => text)],
    ["given ", args],
    ["with ", env.map(({ name, value }) => (value === undefined ? `$${name}` : `${name}=${value}`))],
    ["of branch ", branches],
    ["of remote ", remotes],
    [files === undefined ? "on " : `on ${files} `, paths.map(({ glob }) => glob)],
    ["writing ", content.map(({ label }) => label)],
    ["matching ", pattern.map(({ label }) => label)],
  ];
  return parts.flatMap(([word, items]) => (items.length > 0 ? word + items.join(" or ") : [])).join(" ");
}

/** The texts of a rule, each on one line and escaped. */
interface RuleWords {
  handle: string;
  statement: string;
  why: string;
}

/** Longer texts are cut: the client shows the reason to model and user. */
const MAX_REASON_CHARS = 1500;
const MAX_WHY_CHARS = 400;

/** The message to the model when a guard fires: the rule, its why, what to do instead, the exceptions, the handle. */
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
