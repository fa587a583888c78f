import { describe, expect, it } from "vitest";
import { ATTEMPTS } from "../../bench/guard-attempts.ts";
import { STRANGERS } from "../../bench/guard-strangers.ts";
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

describe("attempts made by class", () => {
  const all = [...ATTEMPTS, ...STRANGERS];
  it.each(all.filter(({ kind }) => kind !== "documented"))(
    "$kind: $name",
    ({ guard, kind, calls, branch }) => {
      const { guards, problems } = parseGuards(guard);
      expect(problems).toEqual([]);
      const set = new GuardSet(guards.map((read) => ({ guard: read.guard, scope: [] })));
      const wrong = calls.filter((call) => {
        const { action, unevaluated } = evaluateGuards(
          { ...call, cwd: "/repo", roots: ["/repo"], home: "/home/u", branch },
          set,
        );
        return kind === "attempt" ? action === "allow" && unevaluated.length === 0 : action !== "allow";
      });
      expect(wrong.map(({ input }) => input)).toEqual([]);
    },
  );

  it.each(ATTEMPTS.filter(({ kind }) => kind === "documented"))(
    "documented as not seen, and so it is: $name",
    ({ guard, calls }) => {
      const set = new GuardSet(parseGuards(guard).guards.map((read) => ({ guard: read.guard, scope: [] })));
      const seen = calls.filter((call) => {
        const { action, unevaluated } = evaluateGuards(
          { ...call, cwd: "/repo", roots: ["/repo"], home: "/home/u" },
          set,
        );
        return action !== "allow" || unevaluated.length > 0;
      });
      expect(seen.map(({ input }) => input)).toEqual([]);
    },
  );

  it("are many enough", () => {
    const count = (kind: string): number =>
      all.filter((one) => one.kind === kind).reduce((sum, { calls }) => sum + calls.length, 0);
    expect(count("attempt")).toBeGreaterThanOrEqual(600);
    expect(count("harmless")).toBeGreaterThanOrEqual(300);
  });

  it("unsure: ask asks where nobody can tell", () => {
    const ask = (unsure: string, command: string): string => {
      const { guards } = parseGuards({ command: "git commit", flags: ["--no-verify"], unsure });
      const set = new GuardSet(guards.map(({ guard }) => ({ guard, scope: [] })));
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
