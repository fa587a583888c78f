import type { Guard, GuardAction } from "./guard.ts";
import { GUARD_ACTIONS } from "./guard.ts";
import { parseCondition } from "./parse-condition.ts";
import type { GuardProblem } from "./parse-fields.ts";
import { GuardFields } from "./parse-fields.ts";
import { EDIT_TOOLS } from "./tool-names.ts";

/** One rule has this many guards at most: more are a sign of several rules. */
const MAX_GUARDS = 10;
const MAX_EXCEPTIONS = 5;
const MAX_SAY_CHARS = 500;

/** What the `guard` (or `guards`) of a memory says. */
export interface GuardsReading {
  /** The guards that can be read, with their place in the list. */
  guards: { guard: Guard; index: number }[];
  problems: GuardProblem[];
}

/**
 * Reads the guards of a memory strictly: one with a key or value that is not understood is left out whole, since a
 * condition that lost a part would fire on calls that nobody meant. Never throws.
 */
export function parseGuards(raw: unknown): GuardsReading {
  const reading: GuardsReading = { guards: [], problems: [] };
  if (raw === undefined || raw === null) return reading;
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw];
  if (list.length > MAX_GUARDS) {
    reading.problems.push({
      code: "too-many-guards",
      message: `${list.length} guards, the first ${MAX_GUARDS} are read`,
      remedy: "keep one guard for each way in which the rule is broken, or split the rule",
    });
  }
  for (const [index, item] of list.slice(0, MAX_GUARDS).entries()) {
    const fields = new GuardFields(item, list.length > 1 ? `guard ${index + 1}` : "guard");
    const guard = parseGuard(fields);
    reading.problems.push(...fields.problems);
    if (guard && fields.problems.length === 0) reading.guards.push({ guard, index });
  }
  return reading;
}

function parseGuard(fields: GuardFields): Guard | undefined {
  if (!fields.isRecord) {
    fields.complain(
      "bad-guard",
      "it is no map",
      "write it as { tool: Bash, command: git commit, flags: [--no-verify], action: deny }",
    );
    return undefined;
  }
  const named = fields.texts("tool", "tools");
  const action = fields.text("action", "deny");
  const unsure = fields.text("unsure", "allow");
  const say = fields.optionalText("say", MAX_SAY_CHARS);
  const condition = parseCondition(fields);
  const unless = fields
    .records("unless", MAX_EXCEPTIONS)
    .map((inner) => ({ inner, condition: parseCondition(inner) }));
  fields.refuseOthers();
  for (const { inner } of unless) {
    inner.refuseOthers();
    fields.problems.push(...inner.problems);
  }
  const parts = partsOf(condition);
  if (parts.length === 0 && fields.problems.length === 0) {
    fields.complain(
      "guard-without-condition",
      "it names no command, flags, args, branches, remotes, paths, env, content or pattern",
      "say what a call must be like, for example command: git push",
    );
  }
  if (unless.some((exception) => partsOf(exception.condition).length === 0) && fields.problems.length === 0)
    fields.complain(
      "empty-exception",
      "an exception has no condition",
      "say what it lets through, or remove unless",
    );
  if (!GUARD_ACTIONS.includes(action as GuardAction))
    fields.complain(
      "bad-action",
      `action is ${JSON.stringify(action)}`,
      `use one of ${GUARD_ACTIONS.join(", ")}`,
    );
  if (unsure !== "allow" && unsure !== "ask")
    fields.complain("bad-unsure", `unsure is ${JSON.stringify(unsure)}`, "use allow or ask");
  if (condition.files !== undefined && condition.paths.length === 0)
    fields.complain("files-without-paths", "files stands without paths", "say which paths are meant");
  return {
    tools: named.length > 0 ? named : defaultTools(parts),
    condition,
    action: action as GuardAction,
    say,
    unsure: unsure === "ask" ? "ask" : "allow",
    unless: unless.map((exception) => exception.condition),
  };
}

type Condition = ReturnType<typeof parseCondition>;

function partsOf(condition: Condition): string[] {
  return Object.entries(condition)
    .filter(([part, value]) => part !== "files" && value !== undefined && value.length > 0)
    .map(([part]) => part);
}

/** Without a tool: shell calls for what only they have, edits for content, both for paths alone. */
function defaultTools(parts: readonly string[]): readonly string[] {
  if (
    parts.some((part) =>
      ["commands", "flags", "args", "branches", "remotes", "env", "pattern"].includes(part),
    )
  )
    return ["Bash"];
  return parts.includes("content") ? EDIT_TOOLS : [...EDIT_TOOLS, "Bash"];
}
