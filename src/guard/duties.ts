import { type PipelineNode, type AndOr, parse } from "unbash";
import type { Ternary } from "./entry-tests.ts";
import { parsePathTest } from "./entry-tests.ts";
import {
  type DutyState,
  type GuardCall,
  type GuardUnit,
  callUnitOf,
  commandUnits,
  SHELL_TOOLS,
  shellTextOf,
} from "./guard-call.ts";
import type { Duty, GuardCondition } from "./guard.ts";
import { asksForHelp, matchProgram, matchSubcommands } from "./match-command.ts";
import { matchPaths, writtenPaths } from "./match-paths.ts";
import { absolutePath, whyNotRead } from "./shell/run-context.ts";
import { readShell } from "./shell/read-shell.ts";
import { type ShellCommand, commandText } from "./shell/shell-command.ts";

/** What a call did about a duty: it changed a file, or ran what is needed; `untold`: nobody says with which result. */
export type DutyStep = { what: "edit"; file: string } | { what: "passed" | "untold" };

const CLEAN: DutyState = { file: undefined, isProven: "no" };

/** A duty after further steps. */
export function afterSteps(steps: readonly DutyStep[], before: DutyState = CLEAN): DutyState {
  let state = before;
  for (const step of steps) {
    if (step.what === "edit") state = { file: step.file, isProven: "no" };
    else if (step.what === "passed") state = CLEAN;
    else if (state.file !== undefined) state = { ...state, isProven: "unknown" };
  }
  return state;
}

/** Whether a duty is fulfilled. */
export function isMet({ file, isProven }: DutyState): Ternary {
  return file === undefined ? "yes" : isProven;
}

/** Why a duty is not fulfilled, for the model. */
export function whyUnmet({ needs }: Duty, { file = "a file", isProven }: DutyState): string {
  const needed = needs.map((words) => words.join(" ")).join(" or ");
  return isProven === "unknown"
    ? `${file} was changed, and whether ${needed} passed since then is not known: run it alone, without a pipe or ||`
    : `${file} was changed, and ${needed} has not passed since then`;
}

/**
 * What a call that is over did about a duty, in order. Files count that its text surely changes; a command counts as
 * passed where its success is sure from the call's: `npm test | tail` and `npm test || true` end well in any case.
 *
 * @param isOk Whether the call succeeded; undefined: the client does not say.
 */
export function stepsOf(call: GuardCall, duty: Duty, isOk: boolean | undefined): DutyStep[] {
  if (!SHELL_TOOLS.has(call.tool)) return editOf(callUnitOf(call), duty, call);
  const text = shellTextOf(call) ?? "";
  const { commands } = readShell(text, call);
  const sure = isOk === true ? surelyPassed(text, call, "all") : new Set<string>();
  return stepsOfCommands(commands, duty, call).flatMap(({ step, command }): DutyStep[] => {
    if (step.what === "edit") return [step];
    if (isOk === false) return [];
    return [{ what: command && isPlain(command) && sure.has(commandText(command)) ? "passed" : "untold" }];
  });
}

/** How a duty stands when a command of a call is about to run: with what the commands before it do. */
export function stateBefore(
  command: ShellCommand,
  commands: readonly ShellCommand[],
  { duty, call, state }: { duty: Duty; call: GuardCall; state: DutyState },
): DutyState {
  const sure = surelyPassed(shellTextOf(call) ?? "", call, "before");
  const before = commands.slice(0, Math.max(0, commands.indexOf(command)));
  const steps = stepsOfCommands(before, duty, call).map(({ step, command: own }): DutyStep => {
    if (step.what === "edit") return step;
    return { what: own && isPlain(own) && sure.has(commandText(own)) ? "passed" : "untold" };
  });
  // What runs in the same text may fail without stopping it: `npm test; git commit`.
  return afterSteps(
    steps.filter(({ what }) => what !== "untold"),
    state,
  );
}

function stepsOfCommands(
  commands: readonly ShellCommand[],
  duty: Duty,
  call: GuardCall,
): { step: DutyStep; command: ShellCommand }[] {
  return commands.flatMap((command) => {
    const [unit] = commandUnits(command);
    if (!unit) return [];
    const isNeeded = duty.needs.some(
      (wanted) =>
        asksForHelp(unit) !== "yes" &&
        matchProgram(unit, wanted) === "yes" &&
        matchSubcommands(unit, wanted) === "yes",
    );
    const steps: DutyStep[] = [
      ...editOf(unit, duty, call),
      ...(isNeeded ? [{ what: "untold" as const }] : []),
    ];
    return steps.map((step) => ({ step, command }));
  });
}

const ANY_FILE = parsePathTest("**/*");

function editOf(unit: GuardUnit, { after }: Duty, call: GuardCall): DutyStep[] {
  const paths = after.length > 0 || !ANY_FILE ? after : [ANY_FILE];
  const condition: GuardCondition = { ...NOTHING, paths, effect: "writes" };
  if (matchPaths({ condition, unit, operands: [], frame: call, guard: undefined }) !== "yes") return [];
  const cwd = unit.kind === "command" ? unit.command.cwd : call.cwd;
  const touched = unit.kind === "command" ? writtenPaths(unit) : unit.kind === "call" ? unit.paths : [];
  const files = touched.flatMap(({ word }) => absolutePath(word.text, cwd) ?? []);
  const file = files.find((path) => paths.some((test) => test.test(path, call))) ?? unit.text;
  const root = call.roots.find((one) => file.startsWith(`${one}/`));
  return [{ what: "edit", file: file.slice(root === undefined ? 0 : root.length + 1).slice(0, 120) }];
}

const NOTHING: GuardCondition = {
  commands: [],
  flags: [],
  args: [],
  branches: [],
  remotes: [],
  paths: [],
  effect: undefined,
  files: undefined,
  env: [],
  content: [],
  pattern: [],
  rewrites: [],
  publishes: [],
};

/** Run by the text itself, or by a program that ends as what it runs does. */
function isPlain({ route }: ShellCommand): boolean {
  return route.every(
    (label) =>
      /^[\w.-]+(?: (?:exec|run|x|dlx))?$/.test(label) && !/^(?:eval|trap|xargs|parallel)$/.test(label),
  );
}

/**
 * The commands, as text, that have passed when a shell text has (`all`), or when the commands behind them in a list of
 * `&&` run (`before`).
 */
function surelyPassed(text: string, call: GuardCall, which: "all" | "before"): ReadonlySet<string> {
  if (whyNotRead(text) !== undefined) return new Set();
  const { commands } = parse(text);
  const isStrict = /^\s*set -\w*e/.test(text);
  const isPipeStrict = /\bpipefail\b/.test(text);
  const pass = (node: PipelineNode | AndOr): (PipelineNode | AndOr)[] => {
    if (node.type === "AndOr")
      return node.operators.every((operator) => operator === "&&") ? node.commands.flatMap(pass) : [];
    if (node.type === "Pipeline") {
      const isNegated = node.prefixes.some(({ type }) => type === "Negation");
      const own = node.commands.length === 1 || isPipeStrict ? node.commands : node.commands.slice(-1);
      return isNegated ? [] : own.flatMap(pass);
    }
    if (node.type === "Subshell" || node.type === "BraceGroup") return statements(node.body.commands);
    return node.type === "Command" || node.type === "Redirected" ? [node] : [];
  };
  const statements = (list: typeof commands): (PipelineNode | AndOr)[] => {
    const ends = which === "before" || isStrict ? list : list.slice(-1);
    return ends.flatMap(({ command, background }) => {
      if (background) return [];
      const isLast = command === list.at(-1)?.command;
      if (which === "before" && !isStrict)
        return command.type === "AndOr" ? pass({ ...command, commands: command.commands.slice(0, -1) }) : [];
      return which === "before" && isLast ? [] : pass(command);
    });
  };
  const slices = statements(commands).map(({ pos, end }) => text.slice(pos, end));
  return new Set(slices.flatMap((slice) => readShell(slice, call).commands.map(commandText)));
}
