import { evaluateGuards } from "../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../src/guard/guard.ts";
import { GuardSet } from "../src/guard/guard.ts";
import { parseGuards } from "../src/guard/parse-guards.ts";
import type { Figure } from "./figure.ts";
import { rateFigure } from "./figure.ts";
import type { CaseList, GuardCases } from "./guard-cases.ts";
import { GUARD_CASES, OPERATION_CASES, TABLE_GUARDS } from "./guard-cases.ts";
import type { RealCall } from "./guard-real-calls.ts";
import {
  EFFECT_GUARDS,
  labelKey,
  LABELLED_RIGHT,
  readRealCalls,
  SENSIBLE_GUARDS,
} from "./guard-real-calls.ts";
import { median } from "./statistics.ts";
import { parseArgs } from "node:util";

interface NamedGuard extends RuleGuard {
  name: string;
}

const GUARDS_TIMED = 200;
const MIN_DECISIONS = 2000;
const MIN_ROUNDS = 5;

/**
 * Asks guards about the cases of bench/guard-cases.txt and, with `--data DIR` (transcripts), about real tool uses. A
 * stopped real call is wrong unless its firing was labelled right by hand; `--list` prints every firing with its key.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, list: { type: "boolean" } } });
  const isListed = values.list === true;
  const calls = values.data === undefined ? [] : readRealCalls(values.data);
  const real = askReal(calls, isListed, SENSIBLE_GUARDS);
  const commands = calls.filter(({ tool }) => tool === "Bash");
  const effects = askReal(commands, isListed, EFFECT_GUARDS, "feature");
  const ask = (...lists: CaseList[]): Outcomes =>
    askCases(
      GUARD_CASES.filter(({ list }) => lists.includes(list)),
      isListed,
    );
  const table = ask("table");
  const made = ask("made", "first", "second", "fourth", "sixth");
  const heldOut = ask("third", "fifth");
  const timed = timeDecisions(calls);
  const operations = (["operations", "operations-held-out"] as const).flatMap((list) =>
    operationFigures(list, isListed),
  );
  return [
    ...operations,
    {
      name: "wrong_denials",
      value: table.wrong + real.wrong + made.wrong,
      unit: "calls",
      n: table.harmless + calls.length + made.harmless,
    },
    rateFigure("wrong_denials_real", real.wrong, calls.length),
    {
      name: "missed",
      value: table.missed + made.missed,
      unit: "cases",
      n: table.attempts + made.attempts,
    },
    rateFigure("stopped", made.stopped, made.attempts),
    rateFigure("told", made.undecided, made.attempts),
    { name: "documented_missed", value: made.documented, unit: "cases", n: made.documentedCount },
    rateFigure("told_harmless", made.undecidedHarmless, made.harmless),
    rateFigure("held_out_stopped", heldOut.stopped, heldOut.attempts),
    rateFigure("held_out_told", heldOut.undecided, heldOut.attempts),
    rateFigure("held_out_missed", heldOut.missed, heldOut.attempts),
    rateFigure("held_out_wrong_denials", heldOut.wrong, heldOut.harmless),
    { name: "right_denials_real", value: real.right, unit: "calls", n: calls.length },
    rateFigure("unevaluated_real", real.unevaluated, calls.length),
    rateFigure("unevaluated_real_effects", effects.unevaluated, commands.length),
    { name: "ms_per_decision", value: timed.median, unit: "ms", n: timed.n, note: `${GUARDS_TIMED} guards` },
    { name: "ms_per_decision_p99", value: timed.p99, unit: "ms", n: timed.n },
    { name: "ms_per_decision_max", value: timed.max, unit: "ms", n: timed.n },
  ];
}

/** The effects of guards, by operation: what was stopped or told, and what was stopped wrongly. */
function operationFigures(list: CaseList, isListed: boolean): Figure[] {
  const groups = OPERATION_CASES.filter((group) => group.list === list);
  const prefix = list.replaceAll("-", "_");
  const operationOf = ({ name }: GuardCases): string => name.split(/[ :]/)[0] ?? name;
  const parts = [...new Set(groups.map(operationOf))].map((operation) => ({
    operation,
    ...askCases(
      groups.filter((group) => operationOf(group) === operation),
      isListed,
    ),
  }));
  const sum = (key: keyof Outcomes): number => parts.reduce((total, part) => total + part[key], 0);
  for (const { operation, attempts, stopped, undecided, harmless, wrong, undecidedHarmless } of parts)
    console.error(
      `${list} ${operation.padEnd(16)} ${stopped} stopped and ${undecided} told of ${attempts}; of ${harmless} harmless ${wrong} stopped, ${undecidedHarmless} told`,
    );
  return [
    rateFigure(`${prefix}_stopped_or_told`, sum("stopped") + sum("undecided"), sum("attempts")),
    rateFigure(`${prefix}_stopped`, sum("stopped"), sum("attempts")),
    rateFigure(`${prefix}_wrong_denials`, sum("wrong"), sum("harmless")),
    rateFigure(`${prefix}_told_harmless`, sum("undecidedHarmless"), sum("harmless")),
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
  undecided: number;
  missed: number;
  documented: number;
  documentedCount: number;
  harmless: number;
  /** Harmless cases that were stopped. */
  wrong: number;
  undecidedHarmless: number;
}

/** Asks each group of cases its guard: each call is stopped, undecided, or passes in silence. */
function askCases(groups: readonly GuardCases[], isListed: boolean): Outcomes {
  const sum: Outcomes = {
    attempts: 0,
    stopped: 0,
    undecided: 0,
    missed: 0,
    documented: 0,
    documentedCount: 0,
    harmless: 0,
    wrong: 0,
    undecidedHarmless: 0,
  };
  for (const { name, guard, kind, calls, branch } of groups) {
    const set = new GuardSet(guardsOf({ [name]: guard }));
    const row = { stopped: 0, undecided: 0, silent: 0 };
    const isAttempt = kind === "attempt" || kind === "stopped" || kind === "undecided";
    for (const call of calls) {
      const { action, unevaluated } = evaluateGuards({ ...callOf({ ...call, cwd: "/repo" }), branch }, set);
      const outcome = action !== "allow" ? "stopped" : unevaluated.length > 0 ? "undecided" : "silent";
      row[outcome] += 1;
      const isMissed = kind === "stopped" ? outcome !== "stopped" : isAttempt && outcome === "silent";
      const isWrong = !isAttempt && kind !== "documented" && outcome === "stopped";
      sum.missed += Number(isMissed);
      sum.wrong += Number(isWrong);
      const mark = isMissed
        ? "missed"
        : isWrong
          ? "wrong"
          : isListed && outcome === "undecided"
            ? "undecided"
            : undefined;
      if (mark !== undefined) console.error(`${mark}: ${kind}: ${name}: ${JSON.stringify(call.input)}`);
    }
    console.error(
      `${kind.padEnd(10)} ${name.padEnd(50)} ${row.stopped} stopped, ${row.undecided} undecided, ${row.silent} silent`,
    );
    if (isAttempt) {
      sum.attempts += calls.length;
      sum.stopped += row.stopped;
      sum.undecided += row.undecided;
    } else if (kind === "documented") {
      sum.documentedCount += calls.length;
      sum.documented += row.silent;
    } else {
      sum.harmless += calls.length;
      sum.undecidedHarmless += row.undecided;
    }
  }
  return sum;
}

function askReal(
  calls: readonly RealCall[],
  isListed: boolean,
  guards: Readonly<Record<string, unknown>>,
  branch?: string,
): { wrong: number; right: number; unevaluated: number } {
  const set = new GuardSet(guardsOf(guards));
  const found = { wrong: 0, right: 0, unevaluated: 0 };
  for (const call of calls) {
    const { fired, unevaluated } = evaluateGuards({ ...callOf(call), branch }, set);
    if (unevaluated.length > 0) found.unevaluated += 1;
    const keys = fired.map(({ rule }) => labelKey(rule.name, call));
    if (keys.length > 0) found[keys.every((key) => LABELLED_RIGHT.has(key)) ? "right" : "wrong"] += 1;
    if (!isListed) continue;
    for (const [i, { rule, text }] of fired.entries())
      console.error(`${keys[i]}  ${rule.name}  ${JSON.stringify(text)}`);
    for (const { rule, reason } of unevaluated)
      console.error(`unevaluated  ${rule?.name ?? "all"}  ${JSON.stringify(reason)}`);
  }
  return found;
}

/** Decisions with 200 guards of all kinds, as the server takes them: parsed and arranged once. */
function timeDecisions(calls: readonly RealCall[]): { median: number; p99: number; max: number; n: number } {
  const kinds = [...guardsOf(TABLE_GUARDS), ...guardsOf(SENSIBLE_GUARDS)];
  const set = new GuardSet(Array.from({ length: GUARDS_TIMED }, (_, i) => ({ ...kinds[i % kinds.length]! })));
  const asked =
    calls.length > 0
      ? calls
      : GUARD_CASES.filter(({ list }) => list === "table").flatMap((group) =>
          group.calls.map((call) => ({ ...call, cwd: "/repo" })),
        );
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
