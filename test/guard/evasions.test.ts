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
});
