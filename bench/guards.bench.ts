import { parseArgs } from "node:util";
import { evaluateGuards } from "../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../src/guard/guard-set.ts";
import { GuardSet } from "../src/guard/guard-set.ts";
import { parseGuards } from "../src/guard/parse-guards.ts";
import type { Figure } from "./figure.ts";
import type { RealCall } from "./guard-data.ts";
import { labelKey, readRealCalls } from "./guard-data.ts";
import type { AttemptClass } from "./guard-attempt-class.ts";
import { ATTEMPTS } from "./guard-attempts.ts";
import { HELD_OUT, STRANGERS } from "./guard-strangers.ts";
import { EVASIONS, TABLE_GUARDS } from "./guard-evasions.ts";
import { LABELLED_RIGHT, SENSIBLE_GUARDS } from "./guard-labels.ts";
import { exactInterval, median } from "./statistics.ts";

interface NamedGuard extends RuleGuard {
  name: string;
}

const GUARDS_TIMED = 200;
const MIN_DECISIONS = 2000;
const MIN_ROUNDS = 5;

/**
 * Asks guards about a table of evasions and, with `--data DIR` (transcripts), about real tool uses. A real call that is
 * stopped counts as wrong unless its firing was labelled right by hand; `--list` prints every firing with its key.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, list: { type: "boolean" } } });
  const table = askTable();
  const calls = values.data === undefined ? [] : readRealCalls(values.data);
  const real = askReal(calls, values.list === true);
  const made = askAttempts([...ATTEMPTS, ...STRANGERS], values.list === true);
  const heldOut = askAttempts(HELD_OUT, values.list === true);
  const silent = EVASIONS.filter(([, , expected]) => expected !== "fires").length;
  const timed = timeDecisions(calls);
  return [
    {
      name: "wrong_denials",
      value: table.wrong + real.wrong + made.wrong,
      unit: "calls",
      n: silent + calls.length + made.harmless,
    },
    rate("wrong_denials_real", real.wrong, calls.length),
    {
      name: "missed",
      value: table.missed + made.missed,
      unit: "cases",
      n: EVASIONS.length - silent + made.attempts,
    },
    rate("stopped", made.stopped, made.attempts),
    rate("told", made.told, made.attempts),
    { name: "documented_missed", value: made.documented, unit: "cases", n: made.documentedCount },
    rate("told_harmless", made.toldHarmless, made.harmless),
    rate("held_out_stopped", heldOut.stopped, heldOut.attempts),
    rate("held_out_told", heldOut.told, heldOut.attempts),
    rate("held_out_missed", heldOut.missed, heldOut.attempts),
    rate("held_out_wrong_denials", heldOut.wrong, heldOut.harmless),
    { name: "right_denials_real", value: real.right, unit: "calls", n: calls.length },
    rate("unevaluated_real", real.unevaluated, calls.length),
    { name: "ms_per_decision", value: timed.median, unit: "ms", n: timed.n, note: `${GUARDS_TIMED} guards` },
    { name: "ms_per_decision_p99", value: timed.p99, unit: "ms", n: timed.n },
    { name: "ms_per_decision_max", value: timed.max, unit: "ms", n: timed.n },
  ];
}

function guardsOf(raw: Readonly<Record<string, unknown>>): NamedGuard[] {
  return Object.entries(raw).flatMap(([name, guard]) =>
    parseGuards(guard).guards.map((read) => ({ name, guard: read.guard, scope: [] })),
  );
}

function askTable(): { wrong: number; missed: number } {
  const guards = guardsOf(TABLE_GUARDS);
  let wrong = 0;
  let missed = 0;
  for (const [name, command, expected] of EVASIONS) {
    const set = new GuardSet(guards.filter((guard) => guard.name === name));
    const { action } = evaluateGuards(callOf({ tool: "Bash", input: { command }, cwd: "/repo" }), set);
    if (expected === "fires" ? action === "allow" : action !== "allow") {
      console.error(`${expected === "fires" ? "missed" : "wrong"}: ${name}: ${command}`);
      if (expected === "fires") missed += 1;
      else wrong += 1;
    }
  }
  return { wrong, missed };
}

/** The attempts made by class: stopped, told as what nobody can tell, or passed in silence. */
function askAttempts(
  classes: readonly AttemptClass[],
  isListed: boolean,
): {
  attempts: number;
  stopped: number;
  told: number;
  missed: number;
  documented: number;
  documentedCount: number;
  harmless: number;
  wrong: number;
  toldHarmless: number;
} {
  const sum = {
    attempts: 0,
    stopped: 0,
    told: 0,
    missed: 0,
    documented: 0,
    documentedCount: 0,
    harmless: 0,
    wrong: 0,
    toldHarmless: 0,
  };
  for (const { name, guard, kind, calls, branch } of classes) {
    const set = new GuardSet(guardsOf({ [name]: guard }));
    const row = { stopped: 0, told: 0, silent: 0 };
    for (const call of calls) {
      const { action, unevaluated } = evaluateGuards({ ...callOf({ ...call, cwd: "/repo" }), branch }, set);
      const outcome = action !== "allow" ? "stopped" : unevaluated.length > 0 ? "told" : "silent";
      row[outcome] += 1;
      const isBad = kind === "attempt" ? outcome === "silent" : kind === "harmless" && outcome === "stopped";
      if (isBad)
        console.error(`${kind === "attempt" ? "missed" : "wrong"}: ${name}: ${JSON.stringify(call.input)}`);
      else if (isListed && outcome === "told")
        console.error(`told: ${kind}: ${name}: ${JSON.stringify(call.input)}`);
    }
    console.error(
      `${kind.padEnd(10)} ${name.padEnd(50)} ${row.stopped} stopped, ${row.told} told, ${row.silent} silent`,
    );
    if (kind === "attempt") {
      sum.attempts += calls.length;
      sum.stopped += row.stopped;
      sum.told += row.told;
      sum.missed += row.silent;
    } else if (kind === "harmless") {
      sum.harmless += calls.length;
      sum.wrong += row.stopped;
      sum.toldHarmless += row.told;
    } else {
      sum.documentedCount += calls.length;
      sum.documented += row.silent;
    }
  }
  return sum;
}

function askReal(
  calls: readonly RealCall[],
  isListed: boolean,
): { wrong: number; right: number; unevaluated: number } {
  const set = new GuardSet(guardsOf(SENSIBLE_GUARDS));
  const found = { wrong: 0, right: 0, unevaluated: 0 };
  for (const call of calls) {
    const { fired, unevaluated } = evaluateGuards(callOf(call), set);
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
      : EVASIONS.map(([, command]) => ({ tool: "Bash", input: { command }, cwd: "/repo" }));
  const rounds = Math.max(MIN_ROUNDS, Math.ceil(MIN_DECISIONS / asked.length));
  const taken = asked.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, call] of asked.entries()) {
      const startedAt = performance.now();
      evaluateGuards(callOf(call), set);
      // The first round warms up the machine that runs it, as a session's first minutes do.
      if (round > 0) taken[i]?.push(performance.now() - startedAt);
    }
  }
  // Each call by its median: what other programs of the machine take is no part of a decision.
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

function rate(name: string, successes: number, n: number): Figure {
  return { name, value: n === 0 ? null : successes / n, unit: "rate", n, ci95: exactInterval(successes, n) };
}
