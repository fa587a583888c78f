import { type TextTest, containsTest, parseFlagTest, parsePathTest, regexTest } from "./entry-tests.ts";
import { asRecord } from "../machine/read-fields.ts";
import { cutText } from "../memory/shown-text.ts";
import { EDIT_TOOLS, toolNameOf } from "./tools.ts";
import { GuardFields, type GuardProblem, type WrongEntry } from "./guard-fields.ts";
import { type Duty, type Guard, type GuardCondition, GUARD_ACTIONS, type RuleGuard } from "./guard.ts";
import type { FiredGuard } from "./evaluate-guards.ts";

const MAX_GUARDS = 10;
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
    const remedy = "write it as { command: git commit, flags: [--no-verify] }";
    fields.complain("bad-guard", "it is not a map", remedy);
    return undefined;
  }
  const named = fields.texts("tool", "tools").map(toolNameOf);
  const action = fields.choice("action", GUARD_ACTIONS) ?? "deny";
  const say = fields.text("say")?.replace(/\s+/g, " ");
  const condition = parseCondition(fields);
  const duty = dutyOf(fields, condition);
  const examples = { stops: fields.list("stops"), allows: fields.list("allows") };
  const exceptions = fields.records("unless");
  const unless = exceptions.map(parseCondition);
  fields.refuseOthers({ [INSTEAD.toLowerCase()]: "say" });
  for (const inner of exceptions) {
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
  if (unless.some((exception) => partsOf(exception).length === 0) && fields.problems.length === 0)
    fields.complain("empty-exception", "an exception has no condition", "give it one, or remove unless");
  if (condition.files !== undefined && condition.paths.length === 0)
    fields.complain("files-without-paths", "files is given without paths", "say which paths are meant");
  const tools = named.length > 0 ? named : defaultTools(parts, condition.effect);
  return { tools, condition, action, say, unless, duty, examples };
}

/** Reads `when`, `before`, `needs` and `after`; the commands of `before` become those of the condition. */
function dutyOf(fields: GuardFields, { commands }: { commands: string[][] }): Duty | undefined {
  const isTurn = fields.choice("when", ["turn-end"]) !== undefined;
  const before = fields.read(["before"], parseCommand, NO_COMMAND);
  const needs = fields.read(["needs"], parseCommand, NO_COMMAND);
  const after = fields.read(["after"], parsePathTest, NO_GLOB);
  const isBefore = before.length > 0;
  commands.push(...before);
  if ((isTurn || isBefore || after.length > 0 || needs.length > 0) && !isWhole())
    fields.complain(
      "half-a-duty",
      "needs goes with before or with when: turn-end, which names no command; after goes with them",
      "write { before: git commit, needs: npm test }, or { when: turn-end, after: src/**, needs: npm test }",
    );
  return isTurn || isBefore ? { moment: isTurn ? "turn-end" : "before", needs, after } : undefined;

  function isWhole(): boolean {
    return needs.length > 0 && (isTurn ? commands.length === 0 : isBefore);
  }
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

const NO_COMMAND: WrongEntry = [
  "flag-in-command",
  "has a flag",
  "name program and subcommands alone; the flag of a command to stop goes under flags",
];
const NO_GLOB: WrongEntry = [
  "bad-glob",
  "is no glob that can be used",
  "use 200 characters, $HOME, $TMPDIR or ${workspace}, three * in a segment and three ** in all at most",
];
const NO_FLAG: WrongEntry = [
  "bad-flag",
  "is no flag",
  "write -n, --name, --name=value, or an option's value: -c key=*",
];
const NO_VARIABLE: WrongEntry = ["bad-env", "is not a variable", "write NAME or NAME=value"];
const NO_CONTENT: WrongEntry = ["bad-content", "is no content", "write a text, or { regex: '…' }"];
const NO_PATTERN: WrongEntry = [
  "bad-pattern",
  "is no expression that can be used",
  "write it in RE2's syntax, without lookaround and backreference, in 300 characters and with few repetitions",
];

function parseCommand(text: string): string[] | undefined {
  const words = text.replace(/^docker-compose\b/, "docker compose").split(/\s+/);
  return words.some((word) => word.startsWith("-")) ? undefined : words;
}

function parseVariable(text: string): GuardCondition["env"][number] | undefined {
  const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
  return name === undefined ? undefined : { name, value };
}

function parseCondition(fields: GuardFields): GuardCondition & { commands: string[][] } {
  const effects = (["writes", "destroys"] as const).filter((key) => fields.has(key));
  if (effects.length + Number(fields.has("paths") || fields.has("path")) > 1)
    fields.complain(
      "two-effects",
      "it has two of paths, writes and destroys",
      "keep one; destroys is a kind of writes, paths are files that are named",
    );
  return {
    commands: fields.read(["command", "commands"], parseCommand, NO_COMMAND),
    effect: effects[0],
    paths: fields.read(["paths", "path", "writes", "destroys"], parsePathTest, NO_GLOB),
    flags: fields.read(["flags", "flag"], parseFlagTest, NO_FLAG),
    args: fields.texts("args", "arg"),
    branches: fields.texts("branches", "branch"),
    remotes: fields.texts("remotes", "remote"),
    files: fields.choice("files", ["existing", "new"]),
    env: fields.read(["env"], parseVariable, NO_VARIABLE),
    content: fields.list("content").flatMap((item): TextTest[] => {
      if (typeof item === "string" && item !== "") return [containsTest(item)];
      const { regex, ...others } = asRecord(item) ?? {};
      const isRegex = typeof regex === "string" && Object.keys(others).length === 0;
      const test = isRegex ? regexTest(regex) : undefined;
      if (!test) fields.complainOf(item, isRegex ? NO_PATTERN : NO_CONTENT);
      return test ? [test] : [];
    }),
    pattern: fields.read(["pattern", "patterns"], regexTest, NO_PATTERN),
    rewrites: fields.texts("rewrites-remote"),
    publishes: fields.list("publishes").flatMap((item) => {
      if (item === true) return ["anything"];
      fields.complainOf(item, ["bad-publishes", "is not true", "write publishes: true"]);
      return [];
    }),
  };
}

/** The examples of a memory's guards that fail (see `examples.ts`); those that have none load nothing. */
export async function failedExamplesOf(raw: unknown): Promise<GuardProblem[]> {
  if (raw === undefined || raw === null || !/"(?:stops|allows)":/.test(JSON.stringify(raw))) return [];
  return (await import("./examples.ts")).failedExamples(parseGuards(raw).guards);
}

const TOOLS_SHOWN: Readonly<Record<string, string>> = {
  Bash: "",
  "*": "",
  [EDIT_TOOLS.join("/")]: "edits",
  [[...EDIT_TOOLS, "Bash"].join("/")]: "edits and commands",
};

/** A guard in one line: `deny git commit with --no-verify or -n, unless with --dry-run`. */
export function describeGuard(guard: Guard): string {
  const named = guard.tools.join("/");
  const tools = guard.duty?.moment === "turn-end" ? "" : (TOOLS_SHOWN[named] ?? named);
  const said = [guard.action, tools, describeCondition(guard.condition), describeDuty(guard.duty)];
  const unless = guard.unless.map(describeCondition).join(", or ");
  return said.filter((text) => text !== "").join(" ") + (unless === "" ? "" : `, unless ${unless}`);
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
