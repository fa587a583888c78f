import { asRecord } from "../memory/codec/read-fields.ts";
import { type TextTest, containsTest, parseFlagTest, parsePathTest, regexTest } from "./entry-tests.ts";
import { EDIT_TOOLS } from "./guard-call.ts";
import { type Guard, type GuardAction, type GuardCondition, GUARD_ACTIONS, type RuleGuard } from "./guard.ts";
import type { FiredGuard } from "./evaluate-guards.ts";

/** Limit of guards in a rule; more are a sign of several rules. */
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
 * Reads the guards of a memory strictly: leaves out a guard with a key or value that is not valid, since a condition
 * without one of its parts would fire on other calls. Never throws.
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

function defaultTools(parts: readonly string[]): readonly string[] {
  if (
    parts.some((part) =>
      ["commands", "flags", "args", "branches", "remotes", "env", "pattern"].includes(part),
    )
  )
    return ["Bash"];
  return parts.includes("content") ? EDIT_TOOLS : [...EDIT_TOOLS, "Bash"];
}

function parseCondition(fields: GuardFields): GuardCondition {
  return {
    commands: fields.texts("command", "commands").flatMap((text) => {
      const words = text.replace(/^docker-compose\b/, "docker compose").split(/\s+/);
      const flag = words.find((word) => word.startsWith("-"));
      if (flag === undefined) return [words];
      fields.complain("flag-in-command", `command has the flag ${flag}`, `put it into flags: [${flag}]`);
      return [];
    }),
    flags: fields.texts("flags", "flag").flatMap((text) => {
      const test = parseFlagTest(text);
      if (test) return [test];
      fields.complain(
        "bad-flag",
        `${JSON.stringify(text)} is no flag`,
        "write -n, --name, --name=value, or an option and its value: -c key=*",
      );
      return [];
    }),
    args: fields.texts("args", "arg"),
    branches: fields.texts("branches", "branch"),
    remotes: fields.texts("remotes", "remote"),
    files: filesOf(fields),
    paths: fields.texts("paths", "path").flatMap((glob) => {
      const test = parsePathTest(glob);
      if (test) return [test];
      fields.complain(
        "bad-glob",
        `${JSON.stringify(glob)} has too many wildcards`,
        "use at most three * in a segment and three ** in all",
      );
      return [];
    }),
    env: fields.texts("env").flatMap((text) => {
      const [, name, value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(text) ?? [];
      if (name !== undefined) return [{ name, value }];
      fields.complain("bad-env", `${JSON.stringify(text)} is no variable`, "write NAME or NAME=value");
      return [];
    }),
    content: textTests(fields, "content"),
    pattern: fields.texts("pattern", "patterns").flatMap((text) => regex(fields, "pattern", text)),
  };
}

function filesOf(fields: GuardFields): GuardCondition["files"] {
  const text = fields.optionalText("files", 20);
  if (text === undefined || text === "existing" || text === "new") return text;
  fields.complain("bad-files", `files is ${JSON.stringify(text)}`, "write existing or new");
  return undefined;
}

/** Texts that must be contained, or `{ regex: … }`. */
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
    `${key} ${JSON.stringify(pattern.slice(0, 80))} is no expression: ${test.error}`,
    "write it in RE2's syntax, which has no lookaround and no backreference",
  );
  return [];
}

interface GuardProblem {
  code: string;
  message: string;
  remedy: string;
}

const MAX_ENTRIES = 30;
const MAX_TEXT_CHARS = 300;

/** Reads the keys of one guard or exception, and records which were read, so that the others can be refused. */
class GuardFields {
  readonly problems: GuardProblem[] = [];
  readonly #record: Record<string, unknown> | undefined;
  readonly #label: string;
  readonly #known = new Set<string>();

  constructor(raw: unknown, label: string) {
    this.#record = asRecord(raw);
    this.#label = label;
  }

  get isRecord(): boolean {
    return this.#record !== undefined;
  }

  complain(code: string, message: string, remedy: string): void {
    this.problems.push({ code, message: `${this.#label}: ${message}`, remedy });
  }

  /** The entries under the first of these keys that is there; a single value is a list of one. */
  list(...keys: string[]): unknown[] {
    for (const key of keys) this.#known.add(key);
    const present = keys.filter((key) => this.#get(key) !== undefined);
    const [key] = present;
    if (key === undefined) return [];
    if (present.length > 1)
      this.complain("guard-key-twice", `${present.join(" and ")} say the same`, `keep ${key} alone`);
    const value = this.#get(key);
    const items = Array.isArray(value) ? (value as unknown[]) : [value];
    if (items.length === 0) this.complain("empty-guard-list", `${key} is empty`, "fill it or remove it");
    if (items.length > MAX_ENTRIES)
      this.complain(
        "long-guard-list",
        `${key} has ${items.length} entries`,
        `${MAX_ENTRIES} at most are taken`,
      );
    return items.slice(0, MAX_ENTRIES);
  }

  texts(...keys: string[]): string[] {
    return this.list(...keys).flatMap((item) => {
      const text = typeof item === "number" ? String(item) : typeof item === "string" ? item.trim() : "";
      if (text !== "" && text.length <= MAX_TEXT_CHARS) return [text];
      const shown = (JSON.stringify(item) ?? "nothing").slice(0, 80);
      this.complain(
        "bad-guard-value",
        `${keys[0]} has ${shown}`,
        `write a text of 1 to ${MAX_TEXT_CHARS} characters`,
      );
      return [];
    });
  }

  text(key: string, fallback: string): string {
    return this.optionalText(key, MAX_TEXT_CHARS) ?? fallback;
  }

  optionalText(key: string, maxChars: number): string | undefined {
    this.#known.add(key);
    const value = this.#get(key);
    if (value === undefined) return undefined;
    if (typeof value === "string" && value.trim() !== "" && value.length <= maxChars)
      return value.replace(/\s+/g, " ").trim();
    this.complain(
      "bad-guard-value",
      `${key} is no text of 1 to ${maxChars} characters`,
      "write one line of text",
    );
    return undefined;
  }

  records(key: string, maxCount: number): GuardFields[] {
    const items = this.list(key);
    if (items.length > maxCount)
      this.complain("long-guard-list", `${key} has ${items.length} entries`, `${maxCount} at most are taken`);
    return items.slice(0, maxCount).flatMap((item) => {
      const fields = new GuardFields(item, `${this.#label}, ${key}`);
      if (fields.isRecord) return [fields];
      this.complain("bad-guard-value", `${key} is no map`, "write it as { flags: [--dry-run] }");
      return [];
    });
  }

  refuseOthers(): void {
    for (const key of Object.keys(this.#record ?? {})) {
      if (this.#known.has(key)) continue;
      this.complain(
        "unknown-guard-key",
        `it has the key ${JSON.stringify(key.slice(0, 40))}`,
        `the keys are ${[...this.#known].join(", ")}`,
      );
    }
  }

  #get(key: string): unknown {
    const record = this.#record;
    const value = record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
    return value === null ? undefined : value;
  }
}

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
