import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8");
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1] ?? "");
const examples = blocks("yaml").map((yaml) => (parse(yaml) as { guard: unknown }).guard);

/** What docs/rules.md says is not seen in a text: points between commas that are outside of brackets. */
const notSeen = (/^Not seen in a text: (.*)\.$/m.exec(text)?.[1] ?? "").split(/, (?:and )?(?![^(]*\))/);

const COMMIT = { command: "git commit", flags: ["--no-verify"] };
const DATA = { destroys: "data/**" };
/** Of what no text shows, each point by its beginning: what is stopped by now is to be taken out of the list. */
const NOT_SEEN: readonly [string, unknown, string][] = [
  ["words that are not literal", COMMIT, 'A=(-n); git commit "${A[@]}"'],
  ["words that are not literal", COMMIT, 'f() { git commit "$@"; }; f -n'],
  ["words that are not literal", COMMIT, "git commit $(cat flags)"],
  ["other languages", COMMIT, "python3 -c \"import os; os.system('git commit -n')\""],
  ["machines and containers", COMMIT, "ssh host 'git commit -n'"],
  ["machines and containers", COMMIT, "docker exec web git commit -n"],
  ["what lies elsewhere", COMMIT, "bash build.sh -n"],
  ["what lies elsewhere", COMMIT, "make commit"],
  ["what lies elsewhere", COMMIT, "npm run commit"],
  ["what lies elsewhere", COMMIT, "git yolo"],
  ["what lies elsewhere", COMMIT, "alias gc='git commit -n'; gc"],
  ["what other programs do", DATA, "mytool wipe data"],
  ["what other programs do", DATA, "git reset --hard"],
  ["what other programs do", DATA, "git stash"],
];

describe("docs/rules.md", () => {
  it.each(examples.map((guard) => [guard]))("has a guard that can be read: %j", (guard) => {
    const { guards, problems } = parseGuards(guard);
    expect(problems).toEqual([]);
    expect(guards.length).toBeGreaterThan(0);
  });

  const saidOf = (guard: unknown, command: string): string => {
    const call = { tool: "Bash", input: { command }, cwd: "/repo", roots: ["/repo"], home: "/home/u" };
    return outcomeOf(evaluateGuards(call, guardSet(guard))) === "deny" ? "denied" : "allowed";
  };

  const lines = blocks("sh")
    .flatMap((block) => block.split("\n"))
    .flatMap((line) => {
      const [, command, said] = /^(.*?) +# (denied|allowed)$/.exec(line) ?? [];
      return command === undefined || said === undefined ? [] : [[command, said] as const];
    });
  it.each(lines)("says of %s: %s", (command, said) => {
    expect(saidOf(examples[0], command)).toBe(said);
  });

  it.each(NOT_SEEN)("says that it is not seen: %s: %j: %s", (point, guard, command) => {
    expect(notSeen.filter((said) => said.startsWith(point))).toHaveLength(1);
    expect(saidOf(guard, command)).toBe("allowed");
  });

  it("has a case for each point that is not seen", () => {
    expect(notSeen.length).toBeGreaterThanOrEqual(4);
    for (const said of notSeen)
      expect([said, NOT_SEEN.some(([point]) => said.startsWith(point))]).toEqual([said, true]);
  });
});
