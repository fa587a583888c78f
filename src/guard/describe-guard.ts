import type { Guard, GuardCondition } from "./guard.ts";

/** A guard in one line: `deny git commit with --no-verify or -n, unless with --dry-run`. */
export function describeGuard(guard: Guard): string {
  const unless = guard.unless.map(describeCondition);
  const isShell = guard.tools.length === 1 && guard.tools[0] === "Bash";
  const tools = isShell ? "" : ` ${guard.tools.join("/")}`;
  return `${guard.action}${tools} ${describeCondition(guard.condition)}${unless.length > 0 ? `, unless ${unless.join(", or ")}` : ""}`;
}

/** A guard as it is shown to who decides about it: with what it tells the model instead. */
export function describeWholeGuard(guard: Guard): string {
  return `${describeGuard(guard)}${guard.say === undefined ? "" : `, saying "${guard.say}"`}`;
}

/** A condition in words. */
export function describeCondition(condition: GuardCondition): string {
  const parts = [
    part(
      "",
      condition.commands.map((words) => words.join(" ")),
    ),
    part(
      "with ",
      condition.flags.map(({ text }) => text),
    ),
    part("given ", condition.args),
    part(
      "with ",
      condition.env.map(({ name, value }) => (value === undefined ? `$${name}` : `${name}=${value}`)),
    ),
    part("of branch ", condition.branches),
    part("of remote ", condition.remotes),
    part(
      condition.files === undefined ? "on " : `on ${condition.files} `,
      condition.paths.map(({ glob }) => glob),
    ),
    part(
      "writing ",
      condition.content.map(({ label }) => label),
    ),
    part(
      "matching ",
      condition.pattern.map(({ label }) => label),
    ),
  ];
  return parts.filter((text) => text !== "").join(" ");
}

function part(word: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `${word}${items.join(" or ")}`;
}
