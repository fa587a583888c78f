import type { ProgramStart } from "../session/judge-start.ts";
import type { TriedCall } from "../session/guards/look-at-guards.ts";
import {
  MEMORY_FIELDS,
  anyText,
  count,
  data,
  flag,
  list,
  milliseconds,
  object,
  optional,
  shape,
} from "../here/schema.ts";
import { optionalText, handle, actor } from "./arguments.ts";
import { method, onPage } from "../here/call.ts";

const bounds = { days: optional(count(1, 3650, " of days")), withinMs: optional(milliseconds) };
const call = shape<TriedCall>({ tool: optionalText, input: data });
const start = shape<ProgramStart>({
  session: anyText,
  words: list(anyText),
  cwd: anyText,
  env: data,
  isAlias: flag,
});
const options = object({ guard: MEMORY_FIELDS.guard });
const which = object({ number: optional(count(1, undefined, " in the rule")) });

const lookAtGuards = () => import("../session/guards/look-at-guards.ts");
const changeGuards = () => import("../session/guards/change-guards.ts");

export const GUARDS = {
  /** Lists the guards of the stores that hold here: in force or not, and why. */
  list: onPage({}, lookAtGuards, "listGuards"),
  /**
   * Tells what the guards in force would say to a tool use, step by step; nothing is run and no trace is left.
   *
   * @throws HeedError `invalid-input` for an invalid call.
   */
  try: method({ call }, lookAtGuards, "tryGuards"),
  /**
   * Tells why a program may not start in a session, as the files that heed puts before others in PATH ask it; undefined
   * where it may. Leaves no trace.
   *
   * @throws HeedError `invalid-input`.
   */
  judgeStart: method({ start }, () => import("../session/judge-start.ts"), "judgeStart"),
  /**
   * Tries a guard on the tool calls of past sessions, as far as clients kept transcripts: what it would have stopped, and
   * how those calls had ended; nothing is run and no trace is left.
   *
   * @param handle - A rule, or a proposal in the inbox.
   * @throws HeedError `not-found` and `ambiguous`; `gate-refused` for a guard that cannot be read; `invalid-input` also where
   *   there is no guard to try.
   */
  replay: onPage(
    { handle, request: optional(object({ guard: optional(MEMORY_FIELDS.guard), ...bounds })) },
    () => import("../session/guards/replay-guard.ts"),
    "replayGuard",
  ),
  /**
   * Counts how often each rule here was followed or broken, from heed's own logs: in which sessions it was told or cited, which calls
   * its guard stopped, and which passed as the user allowed. Those that stopped most come first.
   *
   * @throws HeedError `invalid-input`.
   */
  records: method({ options: optional(object({ days: bounds.days })) }, lookAtGuards, "readRuleRecords"),
  /**
   * Gives guards to start from for a rule: what a model proposed for it, then recipes.
   *
   * @throws HeedError `gate-refused` for what is no rule; `invalid-input`; `not-found` and `ambiguous`.
   */
  recipes: method({ handle }, () => import("../session/guards/guard-recipes.ts"), "guardRecipes"),
  /**
   * Puts a guard into a rule; further guards of the rule stay. From anybody but a person it waits in the inbox.
   *
   * @param options - `guard`: as under `guard` in a file, or that as YAML or JSON text.
   * @throws HeedError `gate-refused` for anybody but a person, for what is no rule, and for a guard that cannot be read;
   *   `invalid-input`; `not-found` and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   */
  add: method({ handle, options, actor }, changeGuards, "addGuard"),
  /**
   * Takes a guard out of a rule; the rule and its other guards stay.
   *
   * @param options - `number`: its place in the rule, from 1; may be left out where the rule has one guard.
   * @throws HeedError `gate-refused` for anybody but a person; `invalid-input` for a guard that is not there; `not-found`
   *   and `ambiguous`; `read-only`; `changed-outside`; `broken-file`.
   */
  remove: method({ handle, options: which, actor }, changeGuards, "removeGuard"),
};
