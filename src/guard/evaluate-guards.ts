import { Budget, decisionEnd, MAX_TEXT_STEPS } from "./shell/budget.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { readArguments } from "./shell/read-arguments.ts";
import { afterSteps, isMet, stateBefore, whyUnmet } from "./duties.ts";
import { type Ternary, matchesWildcard } from "./entry-tests.ts";
import { type GuardCall, callUnitOf, shellTextOf, commandUnits } from "./guard-call.ts";
import { commandGiven, isShellTool } from "./tools.ts";
import type { CallUnit, ConditionPart, GuardAction, GuardCondition, GuardUnit, RuleGuard } from "./guard.ts";
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

/** Decides on a tool use by what is literal in it. Pure, bounded in time, never throws. `steps` collects what each guard said. */
export function evaluateGuards<R extends RuleGuard>(
  call: GuardCall,
  rules: readonly R[],
  steps?: GuardStep<R>[],
): GuardDecision<R> {
  return new Evaluation(call, rules, steps).decide();
}

class Evaluation<R extends RuleGuard> {
  readonly #call: GuardCall;
  readonly #rules: readonly R[];
  readonly #steps: GuardStep<R>[] | undefined;
  readonly #frame: MatchFrame;
  readonly #fired: Map<R, FiredGuard<R>> = new Map();
  #commands: readonly ShellCommand[] = [];
  readonly #unproven: Map<R, string> = new Map();
  #cutShort: string | undefined;
  #isLate = false;

  constructor(call: GuardCall, rules: readonly R[], steps: GuardStep<R>[] | undefined) {
    this.#call = call;
    this.#rules = rules;
    this.#steps = steps;
    this.#frame = { ...call, budget: new Budget(MAX_TEXT_STEPS, call.untilMs ?? decisionEnd()) };
  }

  decide(): GuardDecision<R> {
    const { tool, input, cut } = this.#call;
    if (cut) this.#cutShort = "the input of the call is larger than is looked at";
    if (isShellTool(tool)) this.#askText(shellTextOf(this.#call) ?? "");
    else {
      const unit = callUnitOf(this.#call);
      this.#askAll(guardsFor(this.#rules, unit.names), unit);
      // A terminal of another server is a shell.
      this.#askText(commandGiven(tool, input));
    }
    const rank = ({ action }: FiredGuard<R>): number => GUARD_ACTIONS.indexOf(action);
    const fired = [...this.#fired.values()].sort((a, b) => rank(a) - rank(b));
    const unproven = [...this.#unproven].map(([rule, because]) => ({ rule, because }));
    return { action: fired[0]?.action ?? "allow", fired, unproven, cutShort: this.#cutShort };
  }

  #askText(text: string): void {
    const rules = guardsFor(this.#rules, ["Bash"]);
    if (text === "" || rules.length === 0) return;
    const reading = readShell(text, this.#call);
    this.#commands = reading.commands;
    this.#cutShort ??= reading.cutShort;
    const branchOf = branchesOf(this.#call);
    for (const command of reading.commands) {
      if (this.#isLate) return;
      const program = command.words[0]?.text ?? "";
      const meant = rules.filter(({ guard }) => mayConcern(guard.condition, program));
      const branch = program === "git" && meant.length > 0 ? branchOf(command) : undefined;
      if (meant.length > 0)
        for (const unit of commandUnits(command, this.#call.exists, branch)) this.#askAll(meant, unit);
    }
    const ofPatterns = rules.filter(
      ({ guard: { condition } }) => condition.pattern.length > 0 && mayConcern(condition, ""),
    );
    for (const pipeline of reading.pipelines)
      this.#askAll(ofPatterns, { kind: "pipeline", cwd: undefined, changed: [], ...pipeline });
  }

  #askAll(rules: readonly R[], unit: GuardUnit): void {
    this.#isLate ||= this.#frame.budget.isLate();
    if (this.#isLate) this.#cutShort ??= "the call takes too long to decide on";
    else for (const rule of rules) this.#ask(rule, unit);
  }

  #ask(rule: R, unit: GuardUnit): void {
    if (this.#fired.has(rule) && !this.#steps) return;
    const { guard } = rule;
    const step: GuardStep<R> = { rule, text: this.#steps ? shownUnit(unit) : "", answer: "no", by: "scope" };
    this.#steps?.push(step);
    if (!this.#isInScope(rule, unit)) return;
    const frame = { ...this.#frame, onPart: (part: ConditionPart) => (step.by = part) };
    if (!matchCondition(guard.condition, unit, frame)) return;
    step.by = guard.unless.find((other) => matchCondition(other, unit, this.#frame, guard.condition));
    if (step.by) return void (step.answer = "excepted");
    const duty = this.#dutyBefore(guard, unit);
    if (duty?.isMet === "unknown") this.#unproven.set(rule, duty.because);
    if (duty && duty.isMet !== "no") return;
    step.answer = "yes";
    if (this.#fired.has(rule)) return;
    const route = unit.kind === "command" ? unit.route : [];
    const { action } = guard;
    this.#fired.set(rule, { rule, action, text: shownUnit(unit), route, because: duty?.because });
  }

  /** Whether the duty of a guard is fulfilled before a command, and what is missing; undefined without a duty. */
  #dutyBefore(guard: R["guard"], unit: GuardUnit): { isMet: Ternary; because: string } | undefined {
    const { duty } = guard;
    if (!duty || unit.kind !== "command") return undefined;
    const { duties } = this.#call;
    const known = duties && (duties.get(guard) ?? afterSteps([]));
    const state = known ?? { file: undefined, isProven: "unknown" as const };
    const now = stateBefore(unit, this.#commands, { duty, call: this.#call, state });
    // Without a session nobody knows what was changed.
    return { isMet: !known && now.file === undefined ? "unknown" : isMet(now), because: whyUnmet(duty, now) };
  }

  #isInScope({ scope }: R, unit: GuardUnit): boolean {
    if (scope.length === 0) return true;
    if (unit.kind === "pipeline") return false;
    const isCommand = unit.kind === "command";
    const words = isCommand ? [...unit.args.operands, ...unit.writes] : unit.paths;
    const cwd = unit.cwd ?? this.#call.cwd;
    const paths = words.map((word) => absolutePath(showWord(word), cwd));
    if (isCommand) paths.push(unit.cwd);
    return paths.some((path) => path !== undefined && scope.some((test) => test.test(path, this.#call)));
  }
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
