import { Budget, decisionEnd, MAX_TEXT_STEPS, absolutePath } from "./shell/run-context.ts";
import { Checkouts } from "./checkouts.ts";
import { afterSteps, isMet, stateBefore, whyUnmet } from "./duties.ts";
import type { Ternary } from "./entry-tests.ts";
import type { CallUnit, GuardCall, GuardUnit } from "./guard-call.ts";
import { callUnitOf, shellTextOf, commandUnits } from "./guard-call.ts";
import { codeOf, saidTo, SHELL_TOOLS } from "./tools.ts";
import { shellWord } from "../platform/shell-word.ts";
import type { ConditionPart, GuardAction, GuardCondition, GuardSet, RuleGuard } from "./guard.ts";
import { GUARD_ACTIONS } from "./guard.ts";
import type { MatchFrame } from "./match-condition.ts";
import { asStated, isPartlyLiteral, matchCondition } from "./match-condition.ts";
import { Mentions } from "./mentions.ts";
import { readShell } from "./shell/read-shell.ts";
import { type ShellCommand, isKnown, shownCommand, showWord } from "./shell/shell-command.ts";

// Loaded with the guards: all read shell text.
export { afterSteps, isMet, stepsOf, whyUnmet } from "./duties.ts";
export { decideOwnCall } from "./own-records.ts";
export { decisionEnd } from "./shell/run-context.ts";

/** A guard that fires. */
export interface FiredGuard<R> {
  rule: R;
  action: GuardAction;
  /** The command, pipeline or input that it fires on. */
  text: string;
  /** The commands around it, outermost first. */
  route: readonly string[];
  /** Why it is too early. */
  because?: string;
}

/** What the guards say to a call. */
export interface GuardDecision<R> {
  /** The strongest action of those that fire. */
  action: GuardAction | "allow";
  /** Those that fire, the strongest first; each once. */
  fired: FiredGuard<R>[];
  /** What is allowed because it is unknown whether a guard fires; without a rule where that concerns every guard. */
  unevaluated: { rule?: R; reason: string }[];
}

/** One guard asked of one unit. */
export interface GuardStep<R> {
  rule: R;
  /** The command, pipeline or input. */
  text: string;
  answer: Ternary | "excepted";
  /** The part of the condition that does not hold, or the exception that does. */
  by?: ConditionPart | "scope" | GuardCondition | undefined;
}

const MAX_TEXT_CHARS = 300;

/**
 * Decides on a tool use by the guards in force. Pure, bounded in time for any input, and never throws. What is unknown is
 * allowed and named. `steps` collects what each guard said.
 */
export function evaluateGuards<R extends RuleGuard>(
  call: GuardCall,
  guards: GuardSet<R>,
  steps?: GuardStep<R>[],
): GuardDecision<R> {
  return new Round(call, guards, steps).decide();
}

class Round<R extends RuleGuard> {
  readonly #call: GuardCall;
  readonly #guards: GuardSet<R>;
  readonly #steps: GuardStep<R>[] | undefined;
  readonly #frame: MatchFrame;
  readonly #asked: readonly R[];
  readonly #fired: Map<R, FiredGuard<R>> = new Map();
  /** Of the text that is asked about. */
  #commands: readonly ShellCommand[] = [];
  readonly #unknown: Map<R | undefined, string> = new Map();

  /** @param outer The round of the call whose text this one reads, which hears what is found. */
  constructor(call: GuardCall, guards: GuardSet<R>, steps: GuardStep<R>[] | undefined, outer?: Round<R>) {
    if (outer) [this.#fired, this.#unknown] = [outer.#fired, outer.#unknown];
    this.#call = call;
    this.#guards = guards;
    this.#steps = steps;
    this.#asked = SHELL_TOOLS.has(call.tool) || outer ? guards.forShell : guards.forTool(call.tool);
    this.#frame = { ...call, budget: new Budget(MAX_TEXT_STEPS, call.untilMs ?? decisionEnd()) };
  }

  decide(): GuardDecision<R> {
    const text = shellTextOf(this.#call);
    if (this.#asked.length > 0 && text !== undefined) this.#askText(text);
    else if (!SHELL_TOOLS.has(this.#call.tool)) this.#askCall();
    this.#noteCut();
    for (const [rule, reason] of this.#unknown) {
      if (rule?.guard.unsure !== "ask" || this.#fired.has(rule)) continue;
      const text = `heed cannot tell whether the rule is broken: ${reason}`;
      this.#fired.set(rule, { rule, action: "ask", text, route: [] });
    }
    const rank = ({ action }: FiredGuard<R>): number => GUARD_ACTIONS.indexOf(action);
    const fired = [...this.#fired.values()].sort((a, b) => rank(a) - rank(b));
    const unevaluated = [...this.#unknown]
      .filter(([rule]) => rule === undefined || !this.#fired.has(rule))
      .map(([rule, reason]) => ({ ...(rule && { rule }), reason }));
    return { action: fired[0]?.action ?? "allow", fired, unevaluated };
  }

  /** Notes that a guard may stop what was cut off from the input; the end of a text is not a path. */
  #noteCut(): void {
    const { cut } = this.#call;
    const sees = ({ guard: { condition } }: R): boolean =>
      cut === "entries" || condition.content.length > 0 || condition.pattern.length > 0;
    if (cut) this.#leave("the input of the call is larger than is looked at", this.#asked.filter(sees));
  }

  #askText(text: string): void {
    const reading = readShell(text, this.#call);
    this.#commands = reading.commands;
    const checkouts = new Checkouts(this.#call);
    for (const command of reading.commands) {
      const [name] = command.words;
      const branch = name?.text === "git" ? checkouts.pass(command) : undefined;
      const rules = this.#guards.forProgram(name && !isKnown(name) ? undefined : (name?.text ?? ""));
      if (rules.length === 0) continue;
      for (const unit of commandUnits(command, branch)) {
        if (this.#isLate()) return;
        for (const rule of rules) this.#ask(rule, unit);
      }
    }
    const ofPatterns = this.#guards.forProgram("").filter((rule) => rule.guard.condition.pattern.length > 0);
    for (const pipeline of reading.pipelines)
      for (const rule of ofPatterns) {
        if (this.#isLate()) return;
        this.#ask(rule, { kind: "pipeline", ...pipeline });
      }
    for (const foreign of reading.foreign) {
      if (this.#isLate()) return;
      const said = new Mentions(foreign);
      const by = foreign.program || "a program that only the shell knows";
      for (const rule of this.#asked)
        if (!this.#fired.has(rule) && !this.#unknown.has(rule) && said.mayBreak(rule, this.#frame))
          this.#unknown.set(rule, `${by} may run or write it: ${foreign.text.slice(0, 120)}`);
    }
    for (const reason of reading.blindSpots) {
      const rules = this.#asked.filter((rule) => isOfInterest(rule, reason, text));
      this.#leave(reason, rules);
    }
  }

  #isLate(): boolean {
    if (!this.#frame.budget.isLate()) return false;
    this.#leave("the text takes too long to decide on", this.#asked);
    return true;
  }

  #leave(reason: string, rules: readonly R[]): void {
    if (rules.length > 0) this.#unknown.set(undefined, reason);
    for (const rule of rules) if (rule.guard.unsure === "ask") this.#unknown.set(rule, reason);
  }

  #askCall(): void {
    const unit = callUnitOf(this.#call);
    for (const rule of this.#asked) {
      if (this.#isLate()) return;
      this.#ask(rule, unit);
    }
    // A terminal or a notebook of another server is a shell.
    if (this.#guards.forShell.length === 0) return;
    const { command, code } = codeOf(this.#call);
    const said = saidTo(this.#call);
    const texts = [
      ...code.flatMap((one) => [one, `python3 -c ${shellWord(one)}`]),
      ...(said === "" ? [] : [`${this.#call.tool} ${shellWord(said)}`]),
    ];
    for (const text of [command, ...texts])
      if (text !== "") new Round(this.#call, this.#guards, this.#steps, this).#askText(text);
  }

  #ask(rule: R, unit: GuardUnit): void {
    if (this.#fired.has(rule) && !this.#steps) return;
    const { guard } = rule;
    const step: GuardStep<R> = { rule, text: this.#steps ? shownUnit(unit) : "", answer: "no", by: "scope" };
    this.#steps?.push(step);
    if (!this.#isInScope(rule, unit)) return;
    const frame = { ...this.#frame, onPart: (part: ConditionPart) => (step.by = part) };
    step.answer = matchCondition(guard.condition, unit, frame);
    if (step.answer === "no") return;
    const answersOf = (asked: GuardUnit): Ternary[] =>
      guard.unless.map((other) => matchCondition(other, asked, this.#frame, guard.condition));
    step.by = guard.unless[answersOf(asStated(unit)).indexOf("yes")];
    if (step.by) return void (step.answer = "excepted");
    const answers = answersOf(unit);
    if (answers.includes("yes") || (answers.includes("unknown") && isPartlyLiteral(unit)))
      step.answer = "unknown";
    const early = this.#early(guard, unit);
    if (early?.isMet === "yes") return void (step.answer = "no");
    if (early?.isMet === "unknown") step.answer = "unknown";
    const text = shownUnit(unit);
    const open = `heed does not know all that this does: ${text.slice(0, 120)}`;
    if (step.answer === "unknown") {
      if (!this.#unknown.has(rule)) this.#unknown.set(rule, early?.because ?? open);
    } else if (!this.#fired.has(rule)) {
      const route = unit.kind === "command" ? unit.command.route : [];
      this.#fired.set(rule, { rule, action: guard.action, text, route, ...early });
    }
  }

  /** Whether the duty of a guard is fulfilled before a command, and what is missing; undefined without a duty. */
  #early(guard: R["guard"], unit: GuardUnit): { isMet: Ternary; because: string } | undefined {
    const { duty } = guard;
    if (!duty || unit.kind !== "command") return undefined;
    const { duties } = this.#call;
    const known = duties && (duties.get(guard) ?? afterSteps([]));
    const state = known ?? { file: undefined, isProven: "unknown" as const };
    const now = stateBefore(unit.command, this.#commands, { duty, call: this.#call, state });
    if (known) return { isMet: isMet(now), because: whyUnmet(duty, now) };
    const because = "what was changed in this session is not known";
    return { isMet: now.file === undefined ? "unknown" : isMet(now), because };
  }

  #isInScope({ scope }: R, unit: GuardUnit): boolean {
    if (scope.length === 0) return true;
    if (unit.kind === "pipeline") return false;
    const [words, cwd] =
      unit.kind === "command"
        ? [[...unit.args.operands, ...unit.command.writes], unit.command.cwd]
        : [unit.paths.map(({ word }) => word), undefined];
    const paths = [cwd, ...words.map((word) => absolutePath(showWord(word), cwd ?? this.#call.cwd))];
    return paths.some((path) => path !== undefined && scope.some((test) => test.test(path, this.#call)));
  }
}

/** A syntax error concerns only guards whose program the text names. */
function isOfInterest({ guard }: RuleGuard, reason: string, text: string): boolean {
  const { commands } = guard.condition;
  if (!reason.startsWith("the text") || commands.length === 0) return true;
  return commands.some(([name = ""]) => text.includes(name));
}

function shownUnit(unit: GuardUnit): string {
  if (unit.kind === "call") return shownInput(unit).slice(0, MAX_TEXT_CHARS);
  return (unit.kind === "command" ? shownCommand(unit.command) : unit.text).slice(0, MAX_TEXT_CHARS);
}

/** The files that a call names: its whole input is long and says less. */
function shownInput({ tool, input, paths }: CallUnit): string {
  const named = paths.filter(({ isUnsure }) => isUnsure !== true);
  if (named.length > 0) return named.map(({ word }) => showWord(word)).join(", ");
  const said = Object.entries(input);
  return `${tool}: ${said.map(([key, value]) => (typeof value === "string" ? `${key} ${value}` : key)).join(", ")}`;
}
