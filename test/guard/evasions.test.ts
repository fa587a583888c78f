import { describe, expect, it } from "vitest";
import { GUARD_CASES } from "../../bench/guard-cases.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

describe("ways around a guard, and what only looks like a breach", () => {
  it.each(GUARD_CASES)("$kind: $name: $guard", ({ guard, kind, calls, branch }) => {
    const set = guardSet(guard);
    const frame = { cwd: "/repo", roots: ["/repo"], home: "/home/u", branch };
    const wrong = calls.flatMap((call) => {
      const isStopped = outcomeOf(evaluateGuards({ ...call, ...frame }, set)) !== "silent";
      return isStopped === (kind === "stopped") ? [] : [call.input];
    });
    expect(wrong).toEqual([]);
  });

  it("has many cases of each kind", () => {
    const count = (kind: string): number =>
      GUARD_CASES.filter((one) => one.kind === kind).reduce((sum, { calls }) => sum + calls.length, 0);
    expect(count("stopped")).toBeGreaterThanOrEqual(250);
    expect(count("silent")).toBeGreaterThanOrEqual(200);
    expect(count("unseen")).toBeGreaterThanOrEqual(20);
  });
});
