import { Budget, decisionEnd, MAX_TEXT_STEPS, absolutePath } from "./shell/run-context.ts";
import { Checkouts } from "./checkouts.ts";
import { afterSteps, isMet, stateBefore, whyUnmet } from "./duties.ts";
import type { Ternary } from "./entry-tests.ts";
import type { GuardCall, GuardUnit } from "./guard-call.ts";
import { callUnitOf, shellTextOf, commandUnits } from "./guard-call.ts";
import { codeOf, SHELL_TOOLS } from "./tools.ts";
import { shellWord } from "../platform/shell-word.ts";
import type { ConditionPart, GuardAction, GuardSet, RuleGuard } from "./guard.ts";
import { GUARD_ACTIONS } from "./guard.ts";
import type { MatchFrame } from "./match-condition.ts";
import { asStated, isPartlyLiteral, matchCondition, matchException } from "./match-condition.ts";
import { Mentions } from "./mentions.ts";
import { readShell } from "./shell/read-shell.ts";
import {
  type ShellCommand,
  type ShellReading,
  commandText,
  isKnown,
  shownCommand,
  showWord,
} from "./shell/shell-command.ts";

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

/** Something that could not be decided; `rule` is absent where it concerns every guard. */
export interface Unevaluated<R> {
  rule?: R;
  reason: string;
}

/** What the guards say to a call. */
export interface GuardDecision<R> {
  /** The strongest action of those that fire. */
  action: GuardAction | "allow";
  /** Those that fire, the strongest first; each once. */
  fired: FiredGuard<R>[];
  /** What is allowed because it is unknown whether a guard fires. */
  unevaluated: Unevaluated<R>[];
}

/** One guard asked of one unit, step by step. */
export interface GuardStep<R> {
  rule: R;
  text: string;
  route: readonly string[];
  parts: { part: ConditionPart | "scope"; answer: Ternary }[];
  answer: Ternary;
  /** The exception that holds, by its index in `unless`. */
  exception?: number;
}

/** What a person sees of a decision. */
export interface GuardTrace<R> {
  steps: GuardStep<R>[];
  reading?: ShellReading;
}

const MAX_TEXT_CHARS = 300;

/**
 * Decides on a tool use by the guards in force. Pure, bounded in time for any input, and never throws. What is unknown is
 * allowed and named. `trace` collects each step.
 */
export function evaluateGuards<R extends RuleGuard>(
  call: GuardCall,
  guards: GuardSet<R>,
  trace?: GuardTrace<R>,
): GuardDecision<R> {
  const round = new Round(call, guards, trace);
  if (SHELL_TOOLS.has(call.tool)) round.askShell();
  else round.askCall();
  round.noteCut();
  return round.decision();
}

class Round<R extends RuleGuard> {
  readonly #call: GuardCall;
  readonly #guards: GuardSet<R>;
  readonly #trace: GuardTrace<R> | undefined;
  readonly #frame: MatchFrame;
  readonly #asked: readonly R[];
  readonly #fired: Map<R, FiredGuard<R>> = new Map();
  /** Of the text that is asked about. */
  #commands: readonly ShellCommand[] = [];
  readonly #unknown: Map<R | undefined, string> = new Map();

  /** @param outer The round of the call whose text this one reads, which hears what is found. */
  constructor(call: GuardCall, guards: GuardSet<R>, trace: GuardTrace<R> | undefined, outer?: Round<R>) {
    if (outer) [this.#fired, this.#unknown] = [outer.#fired, outer.#unknown];
    this.#call = call;
    this.#guards = guards;
    this.#trace = trace;
    this.#asked = SHELL_TOOLS.has(call.tool) || outer ? guards.forShell : guards.forTool(call.tool);
    const { cwd, roots, home, temp, exists, filesBelow } = call;
    this.#frame = {
      cwd,
      roots,
      home,
      temp,
      exists,
      filesBelow,
      budget: new Budget(MAX_TEXT_STEPS, call.untilMs ?? decisionEnd()),
    };
  }

  decision(): GuardDecision<R> {
    for (const [rule, reason] of this.#unknown) {
      if (rule?.guard.unsure !== "ask" || this.#fired.has(rule)) continue;
      this.#fired.set(rule, {
        rule,
        action: "ask",
        text: `heed cannot tell whether the rule is broken: ${reason}`,
        route: [],
      });
    }
    const rank = ({ action }: FiredGuard<R>): number => GUARD_ACTIONS.indexOf(action);
    const fired = [...this.#fired.values()].sort((a, b) => rank(a) - rank(b));
    const unevaluated = [...this.#unknown]
      .filter(([rule]) => rule === undefined || !this.#fired.has(rule))
      .map(([rule, reason]) => ({ ...(rule && { rule }), reason }));
    return { action: fired[0]?.action ?? "allow", fired, unevaluated };
  }

  /** Notes that a guard may stop what was cut off from the input; the end of a text is not a path. */
  noteCut(): void {
    const { cut } = this.#call;
    const sees = ({ guard: { condition } }: R): boolean =>
      cut === "entries" || condition.content.length > 0 || condition.pattern.length > 0;
    if (cut) this.#leave("the input of the call is larger than is looked at", this.#asked.filter(sees));
  }

  askShell(): void {
    const text = shellTextOf(this.#call);
    if (text !== undefined && this.#asked.length > 0) this.#askText(text);
  }

  #askText(text: string): void {
    const reading = readShell(text, this.#call);
    this.#commands = reading.commands;
    if (this.#trace) this.#trace.reading = reading;
    const units = reading.commands.map((command) => ({ command, text: commandText(command) }));
    const checkouts = new Checkouts(this.#call);
    for (const { command } of units) {
      const [name] = command.words;
      const branch = name?.text === "git" ? checkouts.pass(command) : undefined;
      const rules = this.#guards.forProgram(
        name === undefined || isKnown(name) ? (name?.text ?? "") : undefined,
      );
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
      for (const rule of this.#asked)
        if (!this.#fired.has(rule) && !this.#unknown.has(rule) && said.mayBreak(rule, this.#frame))
          this.#unknown.set(
            rule,
            `${foreign.program || "a program that only the shell knows"} may run or write it: ${foreign.text.slice(0, 120)}`,
          );
    }
    for (const reason of reading.blindSpots)
      this.#leave(
        reason,
        this.#asked.filter((rule) => isOfInterest(rule, reason, text)),
      );
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

  askCall(): void {
    const unit = callUnitOf(this.#call);
    for (const rule of this.#asked) {
      if (this.#isLate()) return;
      this.#ask(rule, unit);
    }
    // A terminal or a notebook of another server is a shell.
    if (this.#guards.forShell.length === 0) return;
    const { command, code } = codeOf(this.#call);
    for (const text of [command, ...code.flatMap((one) => [one, `python3 -c ${shellWord(one)}`])])
      if (text !== "") new Round(this.#call, this.#guards, this.#trace, this).#askText(text);
  }

  #ask(rule: R, unit: GuardUnit): void {
    if (this.#fired.has(rule) && !this.#trace) return;
    const { guard } = rule;
    const { route } = unit.kind === "command" ? unit.command : { route: [] };
    const inScope = this.#isInScope(rule, unit);
    const parts: GuardStep<R>["parts"] = [];
    if (rule.scope.length > 0) parts.push({ part: "scope", answer: inScope ? "yes" : "no" });
    const frame = this.#trace
      ? { ...this.#frame, onPart: (part: ConditionPart, answer: Ternary) => parts.push({ part, answer }) }
      : this.#frame;
    const answer = inScope ? matchCondition(guard.condition, unit, frame) : "no";
    if (answer === "no" && !this.#trace) return;
    const step: GuardStep<R> = { rule, text: this.#trace ? shownUnit(unit) : "", route, parts, answer };
    this.#trace?.steps.push(step);
    if (answer === "no") return;
    const answersOf = (asked: GuardUnit): Ternary[] =>
      guard.unless.map((other) => matchException(other, asked, this.#frame, guard.condition));
    const exception = answersOf(asStated(unit)).indexOf("yes");
    if (exception >= 0) return void (step.exception = exception);
    const answers = answersOf(unit);
    if (answers.includes("yes") || (answers.includes("unknown") && isPartlyLiteral(unit)))
      step.answer = "unknown";
    const because = this.#tooEarly(guard, unit, step);
    if (step.answer === "yes") {
      if (!this.#fired.has(rule))
        this.#fired.set(rule, {
          rule,
          action: guard.action,
          text: shownUnit(unit),
          route,
          ...(because && { because }),
        });
    } else if (step.answer === "no") return;
    else if (because && !this.#unknown.has(rule)) this.#unknown.set(rule, because);
    else if (!this.#unknown.has(rule)) {
      this.#unknown.set(rule, `it depends on what only the shell knows in: ${shownUnit(unit).slice(0, 120)}`);
    }
  }

  /** Lets a step of a guard with a duty pass where that is met; returns what is missing otherwise. */
  #tooEarly({ duty }: R["guard"], unit: GuardUnit, step: GuardStep<R>): string | undefined {
    if (!duty || unit.kind !== "command") return undefined;
    const { duties } = this.#call;
    const known = duties && (duties.get(step.rule.guard) ?? afterSteps([]));
    const state = known ?? { file: undefined, isProven: "unknown" as const };
    const now = stateBefore(unit.command, this.#commands, { duty, call: this.#call, state });
    const met = known || now.file !== undefined ? isMet(now) : "unknown";
    if (met === "yes") step.answer = "no";
    else if (met === "unknown") step.answer = "unknown";
    return met === "yes"
      ? undefined
      : known
        ? whyUnmet(duty, now)
        : "what was changed in this session is not known";
  }

  #isInScope({ scope }: R, unit: GuardUnit): boolean {
    if (scope.length === 0) return true;
    if (unit.kind === "pipeline") return false;
    const cwd = unit.kind === "command" ? unit.command.cwd : undefined;
    const words =
      unit.kind === "command"
        ? [...unit.args.operands, ...unit.command.writes]
        : unit.paths.map(({ word }) => word);
    const paths = words.map((word) => absolutePath(showWord(word), cwd ?? this.#call.cwd));
    return [cwd, ...paths].some(
      (path) => path !== undefined && scope.some((test) => test.test(path, this.#call)),
    );
  }
}

/** A syntax error concerns only guards whose program the text names. */
function isOfInterest({ guard }: RuleGuard, reason: string, text: string): boolean {
  const { commands } = guard.condition;
  if (!reason.startsWith("the text") || commands.length === 0) return true;
  return commands.some(([name = ""]) => text.includes(name));
}

function shownUnit(unit: GuardUnit): string {
  const text = unit.kind === "command" ? shownCommand(unit.command) : shownInput(unit);
  return text.slice(0, MAX_TEXT_CHARS);
}

/** The files that a call names: its whole input is long and says less. */
function shownInput(unit: Exclude<GuardUnit, { kind: "command" }>): string {
  const named = unit.kind === "call" ? unit.paths.filter(({ isUnsure }) => isUnsure !== true) : [];
  if (named.length > 0 || unit.kind !== "call")
    return named.length === 0 ? unit.text : named.map(({ word }) => showWord(word)).join(", ");
  const said = Object.entries(unit.input).map(([key, value]) =>
    typeof value === "string" ? `${key} ${value}` : key,
  );
  return `${unit.tool}: ${said.join(", ")}`;
}
