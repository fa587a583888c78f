import { describe, expect, it } from "vitest";
import type { GuardCases } from "../../bench/guard-cases.ts";
import { GUARD_CASES, OPERATION_CASES, TABLE_GUARDS } from "../../bench/guard-cases.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

const STOPPED = ["deny", "ask", "warn"];
/** The outcomes that each kind of case may have. */
const EXPECTED: Readonly<Record<GuardCases["kind"], readonly string[]>> = {
  attempt: [...STOPPED, "undecided"],
  harmless: ["undecided", "silent"],
  documented: ["silent"],
  stopped: STOPPED,
  undecided: ["undecided"],
  silent: ["silent"],
};
// These lists were written without a look at the reader and measure it: no test is fitted to them.
const MEASURED = ["third", "fifth", "operations-held-out"];
const TESTED = [...GUARD_CASES, ...OPERATION_CASES].filter(
  ({ list, kind }) => !MEASURED.includes(list) && (kind !== "documented" || list === "made"),
);

describe("ways around a guard, and what only looks like a breach", () => {
  it.each(TESTED)("$list, $kind: $name", ({ guard, kind, calls, branch }) => {
    const set = guardSet(guard);
    const frame = { cwd: "/repo", roots: ["/repo"], home: "/home/u", branch };
    const wrong = calls.flatMap((call) => {
      const outcome = outcomeOf(evaluateGuards({ ...call, ...frame }, set));
      return EXPECTED[kind].includes(outcome) ? [] : [[outcome, call.input]];
    });
    expect(wrong).toEqual([]);
  });

  it("has many cases of each kind", () => {
    const count = (kind: GuardCases["kind"]): number =>
      TESTED.filter((one) => one.kind === kind).reduce((sum, { calls }) => sum + calls.length, 0);
    expect(count("attempt")).toBeGreaterThanOrEqual(1700);
    expect(count("harmless")).toBeGreaterThanOrEqual(1000);
    for (const kind of ["stopped", "undecided", "silent"] as const) expect(count(kind)).toBeGreaterThan(10);
    expect(Object.keys(TABLE_GUARDS)).toHaveLength(16);
  });

  it("unsure: ask asks where nobody can tell", () => {
    const ask = (unsure: string, command: string): string => {
      const set = guardSet({ command: "git commit", flags: ["--no-verify"], unsure });
      return evaluateGuards({ tool: "Bash", input: { command }, cwd: "/r", roots: ["/r"], home: "/h" }, set)
        .action;
    };
    for (const text of [
      "git commit $FLAGS",
      "ssh host 'git commit -n'",
      'bash -c "$CMD"',
      "git commit -m 'open",
    ]) {
      expect(ask("ask", text)).toBe("ask");
      expect(ask("allow", text)).toBe("allow");
    }
    expect(ask("ask", "git commit -m x")).toBe("allow");
  });
});
