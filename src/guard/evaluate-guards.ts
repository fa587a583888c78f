import { Budget, decisionEnd, MAX_TEXT_STEPS } from "./shell/budget.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { readArguments } from "./shell/read-arguments.ts";
import { afterSteps, isMet, stateBehind, whyUnmet } from "./duties.ts";
import { type Ternary, matchesWildcard } from "./entry-tests.ts";
import { type GuardCall, callUnitOf, shellTextOf, commandUnits } from "./guard-call.ts";
import { commandGiven, isShellTool } from "./tools.ts";
import type {
  CallUnit,
  ConditionPart,
  Guard,
  GuardAction,
  GuardCondition,
  GuardUnit,
  RuleGuard,
} from "./guard.ts";
import { GUARD_ACTIONS, guardsFor } from "./guard.ts";
import { type MatchFrame, matchCondition } from "./match-condition.ts";
import { readShell } from "./shell/read-shell.ts";
import { type ShellCommand, absolutePath, isKnown, shownCommand, showWord } from "./shell/shell-command.ts";

// Loaded with the guards: all read shell text.
export { afterSteps, isMet, stepsOf, whyUnmet } from "./duties.ts";
export { decisionEnd } from "./shell/budget.ts";

export interface FiredGuard<R> {
  rule: R;
  action: GuardAction;
  text: string;
  route: readonly string[];
  because?: string | undefined;
}

export interface GuardDecision<R> {
  action: GuardAction | "allow";
  fired: FiredGuard<R>[];
  /** Guards of an order of which nobody can tell whether it is kept, and why; the call passes. */
  unproven: { rule: R; because: string }[];
  /** Why not all of the call was looked at: its size, or the time. The rest passes. */
  cutShort: string | undefined;
}

export interface GuardStep<R> {
  rule: R;
  text: string;
  answer: "yes" | "no" | "excepted";
  /** The part of the condition that does not hold, or the exception that does. */
  by?: ConditionPart | "scope" | GuardCondition | undefined;
}

const MAX_TEXT_CHARS = 300;
/** The commands of a text before one. */
type Before = () => readonly ShellCommand[];

/** Decides on a tool use by what is literal in it. Pure, bounded in time, never throws. `steps` collects what each guard said. */
export function evaluateGuards<R extends RuleGuard>(
  call: GuardCall,
  rules: readonly R[],
  steps?: GuardStep<R>[],
): GuardDecision<R> {
  const { tool, input, cut } = call;
  const budget = new Budget(MAX_TEXT_STEPS, call.untilMs ?? decisionEnd());
  const frame: MatchFrame = { ...call, budget };
  const fired = new Map<R, FiredGuard<R>>();
  const unproven = new Map<R, string>();
  let cutShort = cut && "the input of the call is larger than is looked at";
  let isLate = false;
  if (isShellTool(tool)) askText(shellTextOf(call) ?? "");
  else {
    const unit = callUnitOf(call);
    askAll(guardsFor(rules, unit.names), unit);
    // A terminal of another server is a shell.
    askText(commandGiven(tool, input));
  }
  const rank = ({ action }: FiredGuard<R>): number => GUARD_ACTIONS.indexOf(action);
  const sorted = [...fired.values()].sort((a, b) => rank(a) - rank(b));
  return {
    action: sorted[0]?.action ?? "allow",
    fired: sorted,
    unproven: [...unproven].map(([rule, because]) => ({ rule, because })),
    cutShort,
  };

  function askText(text: string): void {
    const meant = guardsFor(rules, ["Bash"]);
    if (text === "" || meant.length === 0) return;
    const reading = readShell(text, call);
    cutShort ??= reading.cutShort;
    const branchOf = branchesOf(call);
    for (const [at, command] of reading.commands.entries()) {
      if (isLate) return;
      const program = command.words[0]?.text ?? "";
      const own = meant.filter(({ guard }) => mayConcern(guard.condition, program));
      const branch = program === "git" && own.length > 0 ? branchOf(command) : undefined;
      if (own.length > 0)
        for (const unit of commandUnits(command, call.exists, branch))
          askAll(own, unit, () => reading.commands.slice(0, at));
    }
    const ofPatterns = meant.filter(
      ({ guard: { condition } }) => condition.pattern.length > 0 && mayConcern(condition, ""),
    );
    for (const pipeline of reading.pipelines)
      askAll(ofPatterns, { kind: "pipeline", cwd: undefined, changed: [], ...pipeline });
  }

  function askAll(asked: readonly R[], unit: GuardUnit, before: Before = () => []): void {
    isLate ||= frame.budget.isLate();
    if (isLate) cutShort ??= "the call takes too long to decide on";
    else for (const rule of asked) ask(rule, unit, before);
  }

  function ask(rule: R, unit: GuardUnit, before: Before): void {
    if (fired.has(rule) && !steps) return;
    const { guard } = rule;
    const step: GuardStep<R> = { rule, text: steps ? shownUnit(unit) : "", answer: "no", by: "scope" };
    steps?.push(step);
    if (!isInScope(rule, unit, call)) return;
    const noting = { ...frame, onPart: (part: ConditionPart) => (step.by = part) };
    if (!matchCondition(guard.condition, unit, noting)) return;
    step.by = guard.unless.find((other) => matchCondition(other, unit, frame, guard.condition));
    if (step.by) return void (step.answer = "excepted");
    const duty = unit.kind === "command" ? dutyBefore(guard, before, call) : undefined;
    if (duty?.isMet === "unknown") unproven.set(rule, duty.because);
    if (duty && duty.isMet !== "no") return;
    step.answer = "yes";
    if (fired.has(rule)) return;
    const route = unit.kind === "command" ? unit.route : [];
    const { action } = guard;
    fired.set(rule, { rule, action, text: shownUnit(unit), route, because: duty?.because });
  }
}

/** Whether the duty of a guard is fulfilled behind the commands before it, and what is missing; undefined without a duty. */
function dutyBefore(
  guard: Guard,
  before: Before,
  call: GuardCall,
): { isMet: Ternary; because: string } | undefined {
  const { duty } = guard;
  if (!duty) return undefined;
  const known = call.duties && (call.duties.get(guard) ?? afterSteps([]));
  const state = known ?? { file: undefined, isProven: "unknown" as const };
  const now = stateBehind(before(), { duty, call, state });
  // Without a session nobody knows what was changed.
  return { isMet: !known && now.file === undefined ? "unknown" : isMet(now), because: whyUnmet(duty, now) };
}

function isInScope({ scope }: RuleGuard, unit: GuardUnit, call: GuardCall): boolean {
  if (scope.length === 0) return true;
  if (unit.kind === "pipeline") return false;
  const isCommand = unit.kind === "command";
  const words = isCommand ? [...unit.args.operands, ...unit.writes] : unit.paths;
  const cwd = unit.cwd ?? call.cwd;
  const paths = words.map((word) => absolutePath(showWord(word), cwd));
  if (isCommand) paths.push(unit.cwd);
  return paths.some((path) => path !== undefined && scope.some((test) => test.test(path, call)));
}

/** Whether a condition names a program, or any. */
function mayConcern({ commands }: GuardCondition, program: string): boolean {
  const isMeant = ([name = ""]: readonly string[]): boolean =>
    matchesWildcard(program.toLowerCase(), name.toLowerCase());
  return commands.length === 0 || commands.some(isMeant);
}

function shownUnit(unit: GuardUnit): string {
  if (unit.kind === "call") return shownInput(unit).slice(0, MAX_TEXT_CHARS);
  return (unit.kind === "command" ? shownCommand(unit) : unit.text).slice(0, MAX_TEXT_CHARS);
}

/** The files that a call names: its whole input is long and says less. */
function shownInput({ tool, input, paths }: CallUnit): string {
  if (paths.length > 0) return paths.map(showWord).join(", ");
  const said = Object.entries(input);
  return `${tool}: ${said.map(([key, value]) => (typeof value === "string" ? `${key} ${value}` : key)).join(", ")}`;
}

/** Tells on which branch each git command of a text works: asked in order, as the text itself may switch. */
function branchesOf(call: GuardCall): (command: ShellCommand) => string | undefined {
  const went = new Map<string, string | undefined>();
  let hasMade = false;
  const treeOf = (folder: string): { root: string; branch: string | undefined } | undefined => {
    if (call.treeOf) return call.treeOf(folder);
    const root = call.roots.find((one) => `${folder}/`.startsWith(`${one}/`));
    return root === undefined ? undefined : { root, branch: call.branch };
  };
  return (command) => {
    const args = readArguments(command.words);
    const given =
      optionValues({ args }, /^--git-dir$/).at(-1) ??
      command.environment.findLast(({ name }) => name === "GIT_DIR")?.value;
    const folder = given ? isKnown(given) && absolutePath(`${given.text}/..`, command.cwd) : command.cwd;
    if (!folder) return undefined;
    const tree = treeOf(folder);
    const root = tree?.root ?? folder;
    const isUnknown = hasMade && folder !== call.cwd;
    const found = went.has(root) ? went.get(root) : isUnknown ? undefined : tree?.branch;
    const [{ text: sub } = { text: "" }, first] = args.operands;
    hasMade ||= /^(?:clone|init|worktree)$/.test(sub);
    const isGoing = /^(?:checkout|switch)$/.test(sub) && !hasOption({ args }, /^--(?:patch)?$/);
    const [made] = optionValues({ args }, /^(?:-[bB]|--(?:force-)?create|--orphan)$/);
    // The words of a checkout may be a file, and a name such as `-` only git knows.
    const name = made ?? (sub === "switch" || !/[./]\w+$/.test(first?.text ?? "") ? first : undefined);
    const isLiteral = name !== undefined && isKnown(name) && /^[^-@]/.test(name.text);
    if (isGoing) went.set(root, isLiteral ? name.text : undefined);
    else if (sub === "branch" && hasOption({ args }, /^(?:-M|--move)$/)) went.set(root, undefined);
    return found;
  };
}
