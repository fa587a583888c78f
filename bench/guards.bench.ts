import { parseArgs } from "node:util";
import { evaluateGuards } from "../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../src/guard/guard-set.ts";
import { GuardSet } from "../src/guard/guard-set.ts";
import { parseGuards } from "../src/guard/parse-guards.ts";
import type { Figure } from "./figure.ts";
import type { RealCall } from "./guard-data.ts";
import { labelKey, readRealCalls } from "./guard-data.ts";
import { EVASIONS, TABLE_GUARDS } from "./guard-evasions.ts";
import { LABELLED_RIGHT, SENSIBLE_GUARDS } from "./guard-labels.ts";
import { exactInterval, median } from "./statistics.ts";

interface NamedGuard extends RuleGuard {
  name: string;
}

const GUARDS_TIMED = 200;
const MIN_DECISIONS = 2000;

/**
 * Asks guards about a table of evasions and, with `--data DIR` (transcripts), about real tool uses. A real call that is
 * stopped counts as wrong unless its firing was labelled right by hand; `--list` prints every firing with its key.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { data: { type: "string" }, list: { type: "boolean" } } });
  const table = askTable();
  const calls = values.data === undefined ? [] : readRealCalls(values.data);
  const real = askReal(calls, values.list === true);
  const wrong = table.wrong + real.wrong;
  const silent = EVASIONS.filter(([, , expected]) => expected !== "fires").length;
  const timed = timeDecisions(calls);
  return [
    { name: "wrong_denials", value: wrong, unit: "calls", n: silent + calls.length },
    rate("wrong_denials_real", real.wrong, calls.length),
    { name: "missed", value: table.missed, unit: "cases", n: EVASIONS.length - silent },
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
  const times: number[] = [];
  for (let round = 0; times.length < MIN_DECISIONS || round < 3; round++) {
    for (const call of asked) {
      const startedAt = performance.now();
      evaluateGuards(callOf(call), set);
      // The first round warms up the machine that runs it, as a session's first minutes do.
      if (round > 0) times.push(performance.now() - startedAt);
    }
  }
  times.sort((a, b) => a - b);
  return {
    median: median(times),
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    max: times.at(-1) ?? Number.NaN,
    n: times.length,
  };
}

function callOf({ tool, input, cwd }: RealCall): Parameters<typeof evaluateGuards>[0] {
  return { tool, input, cwd, roots: [cwd], home: "/home/user" };
}

function rate(name: string, successes: number, n: number): Figure {
  return { name, value: n === 0 ? null : successes / n, unit: "rate", n, ci95: exactInterval(successes, n) };
}
