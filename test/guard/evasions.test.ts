import { describe, expect, it } from "vitest";
import { EVASIONS, TABLE_GUARDS } from "../../bench/guard-evasions.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { GuardSet } from "../../src/guard/guard-set.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";

const sets = new Map(
  Object.entries(TABLE_GUARDS).map(([name, raw]) => {
    const { guards } = parseGuards(raw);
    return [name, new GuardSet(guards.map(({ guard }) => ({ guard, scope: [] })))];
  }),
);

function outcomeOf(name: string, command: string): string {
  const set = sets.get(name);
  if (!set) throw new Error(`no guard ${name}`);
  const call = { tool: "Bash", input: { command }, cwd: "/repo", roots: ["/repo"], home: "/home/u" };
  const { action, unevaluated } = evaluateGuards(call, set);
  if (action !== "allow") return "fires";
  return unevaluated.length > 0 ? "unknown" : "silent";
}

describe("ways around a guard, and what only looks like a breach", () => {
  it.each(EVASIONS)("%s: %s: %s", (name, text, expected) => {
    expect(outcomeOf(name, text)).toBe(expected);
  });

  it.each(Object.entries(TABLE_GUARDS))("the guard %s can be read", (_, raw) => {
    expect(parseGuards(raw).problems).toEqual([]);
  });

  it("has cases of each kind", () => {
    expect(EVASIONS.length).toBeGreaterThanOrEqual(200);
    for (const kind of ["fires", "silent", "unknown"])
      expect(EVASIONS.filter(([, , expected]) => expected === kind).length).toBeGreaterThan(10);
  });
});
