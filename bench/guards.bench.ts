import { evaluateGuards } from "../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../src/guard/guard.ts";
import { parseGuards } from "../src/guard/parse-guards.ts";
import { type Figure, figure, rateFigure } from "./figure.ts";
import type { GuardCases } from "./guard-cases.ts";
import { GUARD_CASES, readGuardCases } from "./guard-cases.ts";
import type { RealCall } from "./guard-real-calls.ts";
import { labelKey, LABELLED_RIGHT, readRealCalls, SENSIBLE_GUARDS } from "./guard-real-calls.ts";
import { AttemptRunner, hasHappened, whyNotRun } from "./run-attempts.ts";
import { median } from "./statistics.ts";
import { parseArgs } from "node:util";

interface NamedGuard extends RuleGuard {
  name: string;
}

const GUARDS_TIMED = 200;
const MIN_DECISIONS = 2000;
const MIN_ROUNDS = 5;
const HELD_OUT = "bench/operation-cases-held-out.txt";

/**
 * Asks guards about the cases of bench/guard-cases.txt, of a list that nothing is fitted to (`--cases FILE`) and, with
 * `--data DIR` (transcripts), about real tool uses. A stopped real call is wrong unless its firing was labelled right by
 * hand; `--list` prints every firing with its key. The shell texts of that list are also run for real, each in a folder of
 * its own in bubblewrap: an attempt counts where it does what its guard is against.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: "string" },
      list: { type: "boolean" },
      cases: { type: "string", default: HELD_OUT },
    },
  });
  const isListed = values.list === true;
  const calls = values.data === undefined ? [] : readRealCalls(values.data);
  const real = askReal(calls, isListed);
  const fitted = askCases(GUARD_CASES, isListed);
  const heldOut = askCases(readGuardCases(values.cases), isListed);
  const timed = timeDecisions(calls);
  const whyNot = whyNotRun();
  if (whyNot !== undefined) console.error(`attempts are not run for real: ${whyNot}`);
  return [
    ...(whyNot === undefined ? runCases(readGuardCases(values.cases), isListed) : []),
    figure("wrong", fitted.wrong, "cases", fitted.attempts + fitted.harmless),
    rateFigure("list_stopped_by_text", heldOut.stopped, heldOut.attempts),
    rateFigure("list_harmless_stopped_by_text", heldOut.wrong, heldOut.harmless),
    rateFigure("wrong_denials_real", real.wrong, calls.length),
    figure("right_denials_real", real.right, "calls", calls.length),
    figure("ms_per_decision", timed.median, "ms", timed.n, { note: `${GUARDS_TIMED} guards` }),
    figure("ms_per_decision_p99", timed.p99, "ms", timed.n),
    figure("ms_per_decision_max", timed.max, "ms", timed.n),
  ];
}

function guardsOf(raw: Readonly<Record<string, unknown>>): NamedGuard[] {
  return Object.entries(raw).flatMap(([name, guard]) =>
    parseGuards(guard).guards.map((read) => ({ name, guard: read.guard, scope: [] })),
  );
}

interface Outcomes {
  attempts: number;
  stopped: number;
  harmless: number;
  /** Cases that do not come out as their group says, and harmless ones that were stopped. */
  wrong: number;
}

function askCases(groups: readonly GuardCases[], isListed: boolean): Outcomes {
  const sum: Outcomes = { attempts: 0, stopped: 0, harmless: 0, wrong: 0 };
  for (const { name, guard, kind, calls, branch } of groups) {
    const set = guardsOf({ [name]: guard });
    const isAttempt = kind === "attempt" || kind === "stopped";
    for (const call of calls) {
      const isStopped =
        evaluateGuards({ ...callOf({ ...call, cwd: "/repo" }), branch }, set).action !== "allow";
      const isWrong = kind === "stopped" ? !isStopped : !isAttempt && isStopped;
      sum.wrong += Number(isWrong);
      sum.stopped += Number(isAttempt && isStopped);
      sum[isAttempt ? "attempts" : "harmless"] += 1;
      if (isWrong || (isListed && isAttempt && !isStopped))
        console.error(`${isWrong ? "wrong" : "silent"}: ${name}: ${JSON.stringify(call.input)}`);
    }
  }
  return sum;
}

/** What text, starts and files together stop and tell of the attempts that work when they are run. */
function runCases(groups: readonly GuardCases[], isListed: boolean): Figure[] {
  const runner = new AttemptRunner();
  const sum = { attempts: 0, byText: 0, stopped: 0, silent: 0 };
  const ofHarmless = { harmless: 0, harmlessByText: 0, harmlessStopped: 0 };
  try {
    for (const { name, guard, kind, calls, branch = "main" } of groups) {
      const rules = guardsOf({ [name]: guard });
      for (const { tool, input } of calls) {
        const text = input["command"];
        if (tool !== "Bash" || typeof text !== "string") continue;
        const call = { ...callOf({ tool, input, cwd: "/repo" }), branch };
        const byText = evaluateGuards(call, rules).action !== "allow";
        const tell = (what: string): void =>
          isListed ? console.error(`${what}: ${name}: ${text}`) : undefined;
        if (kind === "harmless") {
          const isStopped = byText || runner.run(text, rules, guard, branch).isRefused;
          ofHarmless.harmless += 1;
          ofHarmless.harmlessByText += Number(byText);
          ofHarmless.harmlessStopped += Number(isStopped);
          if (isStopped) tell("harmless stopped");
          continue;
        }
        if (!hasHappened(runner.run(text, rules, undefined, branch), rules, branch)) continue;
        sum.attempts += 1;
        sum.byText += Number(byText);
        const ran = byText ? undefined : runner.run(text, rules, guard, branch);
        const isStopped = ran === undefined || !hasHappened(ran, rules, branch);
        sum.stopped += Number(isStopped);
        const isReported = ran !== undefined && ran.gone + ran.changed > 0;
        sum.silent += Number(!isStopped && !isReported);
        if (!isStopped) tell(isReported ? "told" : "silent");
      }
    }
    const { unguarded, guarded } = runner.msAdded();
    return [
      rateFigure("stopped_by_text", sum.byText, sum.attempts),
      rateFigure("silent_by_text", sum.attempts - sum.byText, sum.attempts),
      rateFigure("harmless_stopped_by_text", ofHarmless.harmlessByText, ofHarmless.harmless),
      rateFigure("stopped", sum.stopped, sum.attempts),
      rateFigure("silent", sum.silent, sum.attempts),
      rateFigure("harmless_stopped", ofHarmless.harmlessStopped, ofHarmless.harmless),
      figure("ms_added_unguarded", unguarded, "ms", 250),
      figure("ms_added_guarded", guarded, "ms", 15),
    ];
  } finally {
    runner.close();
  }
}

function askReal(calls: readonly RealCall[], isListed: boolean): { wrong: number; right: number } {
  const set = guardsOf(SENSIBLE_GUARDS);
  const found = { wrong: 0, right: 0 };
  for (const call of calls) {
    const { fired } = evaluateGuards(callOf(call), set);
    const keys = fired.map(({ rule }) => labelKey(rule.name, call));
    if (keys.length > 0) found[keys.every((key) => LABELLED_RIGHT.has(key)) ? "right" : "wrong"] += 1;
    for (const [i, { rule, text }] of isListed ? fired.entries() : [])
      console.error(`${keys[i]}  ${rule.name}  ${JSON.stringify(text)}`);
  }
  return found;
}

/** Decisions with 200 guards of all kinds, as the server takes them: parsed and arranged once. */
function timeDecisions(calls: readonly RealCall[]): { median: number; p99: number; max: number; n: number } {
  const kinds = guardsOf(SENSIBLE_GUARDS);
  const set = Array.from({ length: GUARDS_TIMED }, (_, i) => ({ ...kinds[i % kinds.length]! }));
  const asked =
    calls.length > 0
      ? calls
      : GUARD_CASES.flatMap((group) => group.calls.map((call) => ({ ...call, cwd: "/repo" })));
  const rounds = Math.max(MIN_ROUNDS, Math.ceil(MIN_DECISIONS / asked.length));
  const taken = asked.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, call] of asked.entries()) {
      const startedAt = performance.now();
      evaluateGuards(callOf(call), set);
      // The first round warms up the JIT, as the first minutes of a session do.
      if (round > 0) taken[i]?.push(performance.now() - startedAt);
    }
  }
  // The median of each call leaves out what other programs of the machine took.
  const times = taken.map(median).sort((a, b) => a - b);
  return {
    median: median(times),
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    max: times.at(-1) ?? Number.NaN,
    n: asked.length * rounds,
  };
}

function callOf({ tool, input, cwd }: RealCall): Parameters<typeof evaluateGuards>[0] {
  return { tool, input, cwd, roots: [cwd], home: "/home/user" };
}
