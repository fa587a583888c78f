import { type PipelineNode, type AndOr, parse } from "unbash";
import { type Ternary, parsePathTest } from "./entry-tests.ts";
import { type DutyState, type GuardCall, callUnitOf, commandUnits, shellTextOf } from "./guard-call.ts";
import type { Duty, GuardUnit } from "./guard.ts";
import { hasOption, matchCalled } from "./match-command.ts";
import { matchPaths } from "./match-paths.ts";
import { isShellTool } from "./tools.ts";
import { MAX_SHELL_CHARS, readShell } from "./shell/read-shell.ts";
import { type ShellCommand, absolutePath, commandText } from "./shell/shell-command.ts";

/** What a call did about a duty: it changed a file, or ran what is needed; `untold`: nobody says with which result. */
export type DutyStep = { what: "edit"; file: string } | { what: "passed" | "untold" };

const CLEAN: DutyState = { file: undefined, isProven: "no" };

export function afterSteps(steps: readonly DutyStep[], before: DutyState = CLEAN): DutyState {
  let state = before;
  for (const step of steps) {
    if (step.what === "edit") state = { file: step.file, isProven: "no" };
    else if (step.what === "passed") state = CLEAN;
    else if (state.file !== undefined) state = { ...state, isProven: "unknown" };
  }
  return state;
}

export function isMet({ file, isProven }: DutyState): Ternary {
  return file === undefined ? "yes" : isProven;
}

export function whyUnmet({ needs }: Duty, { file = "a file", isProven }: DutyState): string {
  const needed = needs.map((words) => words.join(" ")).join(" or ");
  return isProven === "unknown"
    ? `${file} was changed, and heed cannot tell whether ${needed} passed since: run it alone, without a pipe or ||`
    : `${file} was changed, and ${needed} has not passed since then`;
}

/** What a finished call did about a duty. A command passed only if its success follows from the call's. @param isOk undefined: the client does not say. */
export function stepsOf(call: GuardCall, duty: Duty, isOk: boolean | undefined): DutyStep[] {
  if (!isShellTool(call.tool)) return editOf(callUnitOf(call), duty, call);
  const text = shellTextOf(call) ?? "";
  const sure = isOk === true ? surelyPassed(text, call, "all") : undefined;
  const steps = follow(readShell(text, call).commands, { duty, call, sure });
  return isOk === false ? steps.filter(({ what }) => what === "edit") : steps;
}

/** How a duty stands behind commands of a call that is about to be made. */
export function stateBehind(
  commands: readonly ShellCommand[],
  { duty, call, state }: { duty: Duty; call: GuardCall; state: DutyState },
): DutyState {
  const sure = surelyPassed(shellTextOf(call) ?? "", call, "before");
  const steps = follow(commands, { duty, call, sure });
  // What runs in the same text may fail without stopping it: `npm test; git commit`.
  const counted = steps.filter(({ what }) => what !== "untold");
  return afterSteps(counted, state);
}

function follow(
  commands: readonly ShellCommand[],
  { duty, call, sure }: { duty: Duty; call: GuardCall; sure: ReadonlySet<string> | undefined },
): DutyStep[] {
  return commands.flatMap((command): DutyStep[] => {
    const [unit] = commandUnits(command, call.exists);
    if (!unit) return [];
    const isNeeded = !hasOption(unit, /^--help$/) && duty.needs.some((wanted) => matchCalled(unit, wanted));
    const what = sure?.has(commandText(command)) && command.route.every(isRunner) ? "passed" : "untold";
    return [...editOf(unit, duty, call), ...(isNeeded ? [{ what } as const] : [])];
  });
}

/** Runs the text itself, or ends as what it runs does. */
function isRunner(label: string): boolean {
  return /^(?!(?:eval|trap|xargs|parallel)$)[\w.-]+(?: (?:exec|run|x|dlx))?$/.test(label);
}

const ANY_FILE = [parsePathTest("**/*")].flatMap((test) => test ?? []);

function editOf(unit: GuardUnit, { after }: Duty, call: GuardCall): DutyStep[] {
  const paths = after.length > 0 ? after : ANY_FILE;
  const condition = { commands: [], paths, effect: "writes", files: undefined } as const;
  if (!matchPaths({ condition, unit, operands: [], frame: call, guard: undefined })) return [];
  const files = unit.changed.flatMap(({ text }) => absolutePath(text, unit.cwd) ?? []);
  const file = files.find((path) => paths.some((test) => test.test(path, call))) ?? unit.text;
  const root = call.roots.find((one) => file.startsWith(`${one}/`));
  return [{ what: "edit", file: file.slice(root === undefined ? 0 : root.length + 1).slice(0, 120) }];
}

/** Commands that passed when a shell text has (`all`), or when those behind them in a list of `&&` run (`before`). */
function surelyPassed(text: string, call: GuardCall, which: "all" | "before"): ReadonlySet<string> {
  if (text.length > MAX_SHELL_CHARS) return new Set();
  const isStrict = /^\s*set -\w*e/.test(text);
  const itemsOf = (node: PipelineNode | AndOr): (PipelineNode | AndOr)[] => {
    if (node.type === "AndOr")
      return node.operators.every((operator) => operator === "&&") ? node.commands.flatMap(itemsOf) : [];
    if (node.type !== "Pipeline") return node.type === "Command" || node.type === "Redirected" ? [node] : [];
    const isNegated = node.prefixes.some(({ type }) => type === "Negation");
    return isNegated
      ? []
      : (/\bpipefail\b/.test(text) ? node.commands : node.commands.slice(-1)).flatMap(itemsOf);
  };
  const passed = parse(text).commands.flatMap(({ command, background }, i, all) => {
    const items = background ? [] : itemsOf(command);
    const isLast = i === all.length - 1;
    if (which === "all") return isLast || isStrict ? items : [];
    return isStrict && !isLast ? items : items.slice(0, -1);
  });
  const slices = passed.map(({ pos, end }) => text.slice(pos, end));
  return new Set(slices.flatMap((slice) => readShell(slice, call).commands.map(commandText)));
}
