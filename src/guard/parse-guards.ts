import { type TextTest, containsTest, parseFlagTest, parsePathTest, regexTest } from "./entry-tests.ts";
import { cutText } from "../memory/delimit.ts";
import { EDIT_TOOLS } from "./tools.ts";
import { GuardFields, type GuardProblem } from "./guard-fields.ts";
import { type Duty, type Guard, type GuardCondition, GUARD_ACTIONS, type RuleGuard } from "./guard.ts";
import type { FiredGuard } from "./evaluate-guards.ts";

const MAX_GUARDS = 10;
const MAX_SAY_CHARS = 500;
/** What `say` is shown under. */
const INSTEAD = "Instead";

export interface GuardsReading {
  guards: { guard: Guard; index: number }[];
  problems: GuardProblem[];
}

/** Reads guards strictly: one with an invalid key or value is left out, since it would fire on other calls. Never throws. */
export function parseGuards(raw: unknown): GuardsReading {
  const reading: GuardsReading = { guards: [], problems: [] };
  if (raw === undefined || raw === null) return reading;
  const list = Array.isArray(raw) ? (raw as unknown[]) : [raw];
  if (list.length > MAX_GUARDS) {
    reading.problems.push({
      code: "too-many-guards",
      message: `${list.length} guards, the first ${MAX_GUARDS} are read`,
      remedy: "keep one guard for each way to break the rule, or split the rule",
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
      "it is not a map",
      "write it as { command: git commit, flags: [--no-verify] }",
    );
    return undefined;
  }
  const named = fields.texts("tool", "tools");
  const action = fields.choice("action", GUARD_ACTIONS) ?? "deny";
  const say = fields.optionalText("say", MAX_SAY_CHARS);
  const condition = parseCondition(fields);
  const duty = dutyOf(fields, condition);
  const examples = { stops: fields.list("stops"), allows: fields.list("allows") };
  const unless = fields.records("unless").map((inner) => ({ inner, condition: parseCondition(inner) }));
  fields.refuseOthers({ [INSTEAD.toLowerCase()]: "say" });
  for (const { inner } of unless) {
    inner.refuseOthers();
    fields.problems.push(...inner.problems);
  }
  const parts = partsOf(condition);
  if (parts.length === 0 && duty?.moment !== "turn-end" && fields.problems.length === 0) {
    fields.complain(
      "guard-without-condition",
      "it names no command, effect, flags, args, branches, remotes, paths, env, content or pattern",
      "say what a call must be like, for example command: git push",
    );
  }
  if (unless.some((exception) => partsOf(exception.condition).length === 0) && fields.problems.length === 0)
    fields.complain("empty-exception", "an exception has no condition", "give it one, or remove unless");
  if (condition.files !== undefined && condition.paths.length === 0)
    fields.complain("files-without-paths", "files is given without paths", "say which paths are meant");
  return {
    tools: named.length > 0 ? named : defaultTools(parts, condition.effect),
    condition,
    action,
    say,
    unless: unless.map((exception) => exception.condition),
    duty,
    examples,
  };
}

/** Reads `when`, `before`, `needs` and `after`; the commands of `before` become those of the condition. */
function dutyOf(fields: GuardFields, condition: { commands: string[][] }): Duty | undefined {
  const when = fields.choice("when", ["turn-end"]);
  const before = commandsOf(fields, "before");
  const needs = commandsOf(fields, "needs");
  const after = fields.read(["after"], parsePathTest, NO_GLOB);
  condition.commands.push(...before);
  if (when !== undefined && (condition.commands.length > 0 || before.length > 0))
    fields.complain("two-moments", "when: turn-end cannot go with a command", "use before without when");
  const isMoment = fields.has("when") || before.length > 0;
  if (isMoment !== needs.length > 0 || (after.length > 0 && !isMoment))
    fields.complain(
      "half-a-duty",
      isMoment
        ? "it says when, but not what must have passed"
        : "it does not say when needs and after are asked",
      "write { before: git commit, needs: npm test }, or { when: turn-end, after: src/**, needs: npm test }",
    );
  return isMoment ? { moment: when === undefined ? "before" : "turn-end", needs, after } : undefined;
}

function partsOf({ files: _files, effect: _effect, ...parts }: GuardCondition): string[] {
  return Object.entries(parts).flatMap(([part, { length }]) => (length > 0 ? part : []));
}

function defaultTools(parts: readonly string[], effect: GuardCondition["effect"]): readonly string[] {
  const ofShell = /^(?:commands|flags|args|branches|remotes|env|pattern)$/;
  if (parts.some((part) => ofShell.test(part))) return ["Bash"];
  if (effect !== undefined || parts.includes("rewrites") || parts.includes("publishes")) return ["*"];
  return parts.includes("content") ? EDIT_TOOLS : [...EDIT_TOOLS, "Bash"];
}

function commandsOf(fields: GuardFields, ...keys: string[]): string[][] {
  return fields.texts(...keys).flatMap((text) => {
    const words = text.replace(/^docker-compose\b/, "docker compose").split(/\s+/);
    const flag = words.find((word) => word.startsWith("-"));
    if (flag === undefined) return [words];
    const remedy = keys.includes("command")
      ? `put it into flags: [${flag}]`
      : "name program and subcommands alone";
    fields.complain("flag-in-command", `${keys[0]} has the flag ${flag}`, remedy);
    return [];
  });
}

const NO_GLOB = [
  "bad-glob",
  "has too many wildcards",
  "use three * in a segment at most, three ** in all",
] as const;
const NO_FLAG = [
  "bad-flag",
  "is no flag",
  "write -n, --name, --name=value, or an option's value: -c key=*",
] as const;
const NO_VARIABLE = ["bad-env", "is not a variable", "write NAME or NAME=value"] as const;

function parseVariable(text: string): GuardCondition["env"][number] | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
  return name === undefined ? undefined : { name, value };
}

function parseCondition(fields: GuardFields): GuardCondition & { commands: string[][] } {
  const commands = commandsOf(fields, "command", "commands");
  const effects = (["writes", "destroys"] as const).filter((key) => fields.has(key));
  if (effects.length > 1 || (effects.length > 0 && (fields.has("paths") || fields.has("path"))))
    fields.complain(
      "two-effects",
      "it has two of paths, writes and destroys",
      "keep one; destroys is a kind of writes, paths are files that are named",
    );
  const [effect] = effects;
  const paths = [["paths", "path"], ...effects.map((key) => [key])].flatMap((keys) =>
    fields.read(keys, parsePathTest, NO_GLOB),
  );
  return {
    commands,
    effect,
    paths,
    flags: fields.read(["flags", "flag"], parseFlagTest, NO_FLAG),
    args: fields.texts("args", "arg"),
    branches: fields.texts("branches", "branch"),
    remotes: fields.texts("remotes", "remote"),
    files: fields.choice("files", ["existing", "new"]),
    env: fields.read(["env"], parseVariable, NO_VARIABLE),
    content: textTests(fields, "content"),
    pattern: fields.texts("pattern", "patterns").flatMap((text) => regex(fields, "pattern", text)),
    rewrites: fields.texts("rewrites-remote"),
    publishes: fields.list("publishes").flatMap((item) => {
      if (item === true) return ["anything"];
      fields.complain("bad-publishes", `publishes is ${JSON.stringify(item)}`, "write publishes: true");
      return [];
    }),
  };
}

function textTests(fields: GuardFields, key: string): TextTest[] {
  return fields.list(key).flatMap((item): TextTest[] => {
    if (typeof item === "string" && item !== "") return [containsTest(item)];
    const entries = typeof item === "object" && item !== null ? Object.entries(item) : [];
    const [only] = entries;
    if (entries.length === 1 && only?.[0] === "regex" && typeof only[1] === "string")
      return regex(fields, key, only[1]);
    fields.complain("bad-content", `${key} has ${JSON.stringify(item)}`, "write a text, or { regex: '…' }");
    return [];
  });
}

function regex(fields: GuardFields, key: string, pattern: string): TextTest[] {
  const test = regexTest(pattern);
  if (!("error" in test)) return [test];
  fields.complain(
    "bad-pattern",
    `${key} ${JSON.stringify(pattern.slice(0, 80))} is not a valid expression: ${test.error}`,
    "write it in RE2's syntax, which has no lookaround and no backreference",
  );
  return [];
}

/** The examples of a memory's guards that fail (see `examples.ts`); those that have none load nothing. */
export async function failedExamplesOf(raw: unknown): Promise<GuardProblem[]> {
  if (raw === undefined || raw === null || !/"(?:stops|allows)":/.test(JSON.stringify(raw))) return [];
  return (await import("./examples.ts")).failedExamples(parseGuards(raw).guards);
}

/** A guard in one line: `deny git commit with --no-verify or -n, unless with --dry-run`. */
export function describeGuard(guard: Guard): string {
  const unless = guard.unless.map(describeCondition);
  const isShell = guard.tools.length === 1 && guard.tools[0] === "Bash";
  const isAny = isShell || guard.tools[0] === "*" || guard.duty?.moment === "turn-end";
  const isEdit = EDIT_TOOLS.every((tool) => guard.tools.includes(tool));
  const others = guard.tools.filter((tool) => !isEdit || !EDIT_TOOLS.includes(tool));
  const named = others.map((tool) => (isEdit && tool === "Bash" ? "commands" : tool)).join("/");
  const tools = isAny
    ? ""
    : ` ${[...(isEdit ? ["edits"] : []), ...(named === "" ? [] : [named])].join(" and ")}`;
  const said = [describeCondition(guard.condition), describeDuty(guard.duty)].filter((text) => text !== "");
  return `${guard.action}${tools} ${said.join(" ")}${unless.length > 0 ? `, unless ${unless.join(", or ")}` : ""}`;
}

/** A guard as shown to the person who decides about it: with what it tells the model to do instead. */
export function describeWholeGuard(guard: Guard): string {
  return `${describeGuard(guard)}${guard.say === undefined ? "" : `, saying "${guard.say}"`}`;
}

function describeDuty(duty: Duty | undefined): string {
  if (!duty) return "";
  const needs = duty.needs.map((words) => words.join(" ")).join(" or ");
  const files = duty.after.length === 0 ? "a file" : duty.after.map(({ glob }) => glob).join(" or ");
  return `${duty.moment === "turn-end" ? "the end of a turn " : ""}until ${needs} passed after a change of ${files}`;
}

const ON = { paths: "on ", writes: "changing ", destroys: "destroying " };

export function describeCondition(condition: GuardCondition): string {
  const { commands, flags, args, env, branches, remotes, files, paths, content, pattern } = condition;
  const { effect, rewrites, publishes } = condition;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["", commands.map((words) => words.join(" "))],
    ["with ", flags.map(({ text }) => text)],
    ["given ", args],
    ["with ", env.map(({ name, value }) => (value === undefined ? `$${name}` : `${name}=${value}`))],
    ["of branch ", branches],
    ["of remote ", remotes],
    [ON[effect ?? "paths"] + (files === undefined ? "" : `${files} `), paths.map(({ glob }) => glob)],
    ["rewriting the remote branch ", rewrites],
    ["publishing ", publishes],
    ["writing ", content.map(({ label }) => label)],
    ["matching ", pattern.map(({ label }) => label)],
  ];
  return parts.flatMap(([word, items]) => (items.length > 0 ? word + items.join(" or ") : [])).join(" ");
}

interface RuleWords {
  handle: string;
  statement: string;
  why: string;
}

/** Longer texts are cut: the client shows the reason to model and user. */
const MAX_REASON_CHARS = 1500;
const MAX_WHY_CHARS = 400;

const DOES = { paths: "", writes: " changes", destroys: " destroys" };

/** The question to the user where their client asks them: their rule, and what the call does. */
export function guardQuestion(
  { rule, text, because, route }: FiredGuard<RuleGuard>,
  words: RuleWords,
): string {
  const { publishes, rewrites, effect = "paths" } = rule.guard.condition;
  const does =
    publishes.length > 0 ? " publishes" : rewrites.length > 0 ? " rewrites a remote branch" : DOES[effect];
  return [
    `Your rule: ${end(cutText(words.statement, 300))} This call${does}: ${firedOn(text, route)}`,
    ...(words.why === "" ? [] : [`Why: ${end(cutText(words.why, MAX_WHY_CHARS))}`]),
    ...(because === undefined ? [] : [`It is too early: ${end(cutText(because, 300))}`]),
  ].join("\n");
}

/** The message to the model when a guard fires: the rule, its why, what to do instead, the exceptions, the handle. */
export function guardReason(fired: FiredGuard<RuleGuard>, words: RuleWords): string {
  const { guard } = fired.rule;
  const isTurn = guard.duty?.moment === "turn-end";
  const verb = isTurn
    ? "This turn is not over"
    : { deny: "Refused", ask: "Needs the user's consent", warn: "Careful" }[fired.action];
  const exceptions = guard.unless.map(describeCondition).filter((text) => text !== "");
  return [
    `${verb} by a rule of the user that heed keeps: ${end(cutText(words.statement, 300))}`,
    ...(words.why === "" ? [] : [`Why: ${end(cutText(words.why, MAX_WHY_CHARS))}`]),
    ...(guard.say === undefined ? [] : [`${INSTEAD}: ${end(guard.say)}`]),
    ...(exceptions.length === 0 ? [] : [`Allowed: ${exceptions.join("; or ")}.`]),
    ...(fired.because === undefined ? [] : [`It is too early: ${end(cutText(fired.because, 300))}`]),
    ...(isTurn ? [] : [`It fired on: ${firedOn(fired.text, fired.route)}.`]),
    isTurn
      ? `Do it now, or say in a sentence why not; nobody sends you back a second time. [${words.handle}]`
      : `Follow the rule; do not look for a way around it. [${words.handle}]`,
  ]
    .join("\n")
    .slice(0, MAX_REASON_CHARS);
}

function firedOn(text: string, route: readonly string[]): string {
  return cutText(text.replace(/\s+/g, " "), 200) + (route.length > 0 ? ` (inside ${route.join(" > ")})` : "");
}

function end(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
