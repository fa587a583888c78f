import { execFileSync } from "node:child_process";
import { array, assert, constantFrom, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../../src/guard/guard.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { guardedPrograms, guardsOfStarts, startFilter } from "../../src/guard/start-filter.ts";
import { shellWord } from "../../src/machine/shell-word.ts";

const GUARDS = [
  { command: "git commit", flags: ["--no-verify", "-c core.hooksPath=*"] },
  { command: "git push", flags: ["--force"], unless: { args: ["feature/*"] } },
  { command: "git push", args: ["+*"] },
  { command: "git branch", flags: ["-D"] },
  { command: "git add", paths: [".env"] },
  { "rewrites-remote": "main" },
  { command: ["npm install", "npm run release"], flags: ["-g"] },
  { command: "terraform apply", flags: ["-auto-approve"] },
  { command: "kubectl * pods", flags: ["--context=prod*", "-n kube-system"] },
  { command: "docker compose down", flags: ["-v", "-rf"] },
  { command: "cargo install", flags: ["--no-track -q"] },
  { publishes: true },
  { command: "./manage.py migrate" },
  { command: "rake db.rb", flags: ["-'"] },
];
const OWN = "add branch commit push status log rebase".split(" ");

const rules: RuleGuard[] = GUARDS.flatMap((raw) => {
  const { guards, problems } = parseGuards(raw);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return guards.map(({ guard }) => ({ guard, scope: [] }));
});
const asked = guardsOfStarts(rules);

/** What the filter says of each list of words, by one shell. */
function filtered(vectors: readonly (readonly string[])[], shell = "sh"): string[] {
  const text = [
    `check() { heed_p=$1; heed_ask=; shift`,
    startFilter(asked, OWN),
    'echo "$heed_ask"; }',
    ...vectors.map((words) => `check ${words.map(shellWord).join(" ")}`),
  ].join("\n");
  return execFileSync(shell, ["-s"], { input: text, encoding: "utf8", maxBuffer: 1 << 26 })
    .split("\n")
    .slice(0, -1);
}

/** Whether the guards stop these words themselves, and not what they run in turn. */
function isStopped(words: readonly string[]): boolean {
  const call = {
    tool: "Bash",
    input: { command: words.map(shellWord).join(" ") },
    cwd: "/p",
    roots: ["/p"],
    home: "/h",
    branch: "main",
  };
  return evaluateGuards(call, asked).fired.some(({ route }) => route.length === 0);
}

const WORDS =
  `commit push branch add status log origin main +main :main --mirror HEAD:main -n -nm -mn -m x "a b" --no-verify
  --no-veri --no-v --no --n --verify=false --verify=0 --verify --force --forc --f -f -vf -fu --force-with-lease=a --delete --del
  -d -D -Dq -qD --no-force -c core.hooksPath=/x -ccore.hookspath= --config-env=core.hooksPath=X user.name=a -C sub
  --git-dir=.git --git-dir .git -- . .env sub/.env -A --all --dry-run install i add run release rum -g --global --globa
  -gD apply -auto-approve -auto-approve=true --auto-approve -chdir=x get delete pods -n kube-system -nkube-system
  --context=prod-1 --context prod-1 --conte=prod-2 compose down -v -rf -fr -r --volumes up build --push cargo --no-track -q
  publish pub publis --tag x hex.publish setup.py upload /a/setup.py migrate manage.py nuget release create ci -x -1 -' --'`
    .match(/"[^"]*"|\S+/g)!
    .map((word) => word.replaceAll('"', ""));
const PROGRAMS = [...guardedPrograms(asked), "git", "git", "git", "npm", "docker", "terraform", "kubectl"];
const vector = tuple(constantFrom(...PROGRAMS), array(constantFrom(...WORDS), { maxLength: 6 }));
const starting = vector.map(([program, words]) => [program, ...words]);

describe("the filter of a guarded program", () => {
  test("passes nothing that the guards stop", () => {
    const stopped = { count: 0 };
    const check = property(array(starting, { minLength: 400, maxLength: 400 }), (vectors) => {
      const said = filtered(vectors);
      expect(said.length).toBe(vectors.length);
      const passed = vectors.filter((words, at) => {
        const isOne = isStopped(words);
        stopped.count += Number(isOne);
        return isOne && said[at] === "";
      });
      expect(passed).toEqual([]);
    });
    assert(check, { numRuns: 15 });
    // What never stops anything tests nothing.
    expect(stopped.count).toBeGreaterThan(100);
  });

  test.each([
    [["git", "commit", "-m", "wip"], ""],
    [["git", "commit", "-nm", "wip"], "words"],
    [["git", "-C", "commit", "status", "-n"], "words"],
    [["git", "-C", "sub", "log", "--oneline"], ""],
    [["git", "ci", "-m", "x"], "alias"],
    [["git", "-c", "alias.x=commit -n", "x"], "alias"],
    [["git"], ""],
    [["git", ""], ""],
    [["npm", "test"], ""],
    [["npm", "publish"], "words"],
    [["terraform", "plan"], ""],
    [["rm", "-rf", "x"], ""],
  ])("says of %j: %s", (words, said) => {
    expect(filtered([words])).toEqual([said]);
    expect(filtered([words], "bash")).toEqual([said]);
  });

  test("is of programs with subcommands and publishing ones, by their plain names; of no order, warning or rm", () => {
    const of = (raw: object): string[] =>
      guardedPrograms(parseGuards(raw).guards.map(({ guard }) => ({ guard, scope: [] })));
    expect(of({ command: "git commit", action: "warn" })).toEqual([]);
    expect(of({ before: "git commit", needs: "npm test" })).toEqual([]);
    expect(of({ command: "rm" })).toEqual([]);
    expect(of({ command: "find * x" })).toEqual([]);
    expect(of({ destroys: "data/**" })).toEqual([]);
    expect(of({ command: "* push" })).toEqual([]);
    expect(of({ command: ["git commit", "npm x"] })).toEqual(["git", "npm"]);
    expect(of({ publishes: true })).toContain("cargo");
  });
});
