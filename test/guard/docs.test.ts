import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { GuardSet } from "../../src/guard/guard-set.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/guards.md"), "utf8");
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1] ?? "");
const examples = blocks("yaml").map((yaml) => (parse(yaml) as { guard: unknown }).guard);

describe("docs/guards.md", () => {
  it.each(examples.map((guard) => [guard]))("has a guard that can be read: %j", (guard) => {
    const { guards, problems } = parseGuards(guard);
    expect(problems).toEqual([]);
    expect(guards.length).toBeGreaterThan(0);
  });

  const lines = blocks("sh")
    .flatMap((block) => block.split("\n"))
    .flatMap((line) => {
      const [, command, said] = /^(.*?) +# (denied|allowed|not decided, allowed)$/.exec(line) ?? [];
      return command === undefined || said === undefined ? [] : [[command, said] as const];
    });
  it.each(lines)("says of %s: %s", (command, said) => {
    const set = new GuardSet(parseGuards(examples[0]).guards.map(({ guard }) => ({ guard, scope: [] })));
    const call = { tool: "Bash", input: { command }, cwd: "/repo", roots: ["/repo"], home: "/home/u" };
    const { action, unevaluated } = evaluateGuards(call, set);
    const allowed = unevaluated.length > 0 ? "not decided, allowed" : "allowed";
    expect(action === "allow" ? allowed : "denied").toBe(said);
  });

  it("has examples of each outcome", () => {
    expect(new Set(lines.map(([, said]) => said)).size).toBe(3);
  });
});
