import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { GUARD_CASES } from "../../bench/guard-cases.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/guards.md"), "utf8");
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map((match) => match[1] ?? "");
const examples = blocks("yaml").map((yaml) => (parse(yaml) as { guard: unknown }).guard);

/** The table of outcomes: each row, and the groups of the list `made` in bench/guard-cases.txt that it sums up. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  "spelling, quoting, variables, functions, loops, aliases, nested shells, text fed to shells": [
    "spelling",
    "quoting",
    "variables",
    "functions and loops",
    "nested shells",
    "fed to shells",
    "targets among others, and scripts by their path",
    "the folder at hand otherwise spelled",
    "substituted scripts and what a substitution is fed",
    "programs not told",
    "scripts that a shell starts with",
  ],
  "programs that run others, and their options": [
    "wrappers",
    "unknown wrappers",
    "wrappers before others",
    "other folders of yarn",
    "addresses by an option",
    "lists that a program runs words on",
    "programs under a version or by a manager",
  ],
  "git's settings, branches, remotes, refspecs, aliases that the text sets": [
    "git settings",
    "git aliases",
    "branches",
    "branches, by refspec",
    "branches of other working trees, and ones that the text goes to",
    "remotes otherwise than by the name that is guarded",
    "remotes by their address",
  ],
  "exceptions that are switched off, shortened options and subcommands, npm's other names of its subcommands":
    [
      "switched off exceptions",
      "exceptions of kubectl",
      "all branches, though some are an exception",
      "exceptions that only the shell knows",
      "exceptions of which a part is told",
      "lists of files beyond an exception",
      "defaults beyond an exception",
      "a push that begins in an exception",
      "folders that the text asks for",
      "abbreviations",
      "abbreviated flags",
      "other spellings of options that heed does not know",
      "capital letters of git",
      "values apart, attached and by the other name",
      "switched off otherwise",
      "signals",
      "options before an image",
      "options before the subcommand that heed does not know",
    ],
  "text fed to programs": ["text fed to programs"],
  "patterns of commands and pipelines": [
    "pipelines of groups",
    "values in the option's own word",
    "lines in the text of a tool",
    "patterns that begin before what people read",
  ],
  "other languages, other machines, sessions, task runners that are given the command": [
    "other languages",
    "text in parts and in code",
    "scripts of editors that run or write",
  ],
  "written, then run": ["made in the text, then run", "scripts of a package that are written in a pipeline"],
  "redirections, copies, folders above, archives, programs that write, fields of file tools": [
    "redirections",
    "copies and moves",
    "folders above",
    "globs",
    "programs that write",
    "elsewhere",
    "fields of file tools",
    "fields of code hosts, lists as text, folders and names",
    "names behind a host",
    "members of archives, and files that go into them",
    "files that a search reads",
    "paths beside those of an exception",
    "more changed than an exception has",
  ],
};

const notSeen = (/^Not seen at all, and not told:\n\n((?:- .*\n)+)/m.exec(text)?.[1] ?? "")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => line.slice(2));

const COMMIT = { command: "git commit", flags: ["--no-verify"] };
const PUSH = { command: "git push", flags: ["--force"] };
const FILES = { paths: ["migrations/**"] };
const cases = (point: string, guard: unknown, ...commands: string[]): [string, unknown, string][] =>
  commands.map((command) => [point, guard, command]);

/** Of what nobody sees, each point by its beginning: what is told or stopped by now is to be taken out of the list. */
const NOT_SEEN = [
  ...cases("effects of which no word speaks", { destroys: "data/**" }, "head -c 0 x > data/a.csv"),
  ...cases(
    "effects of which no word speaks",
    { writes: "config/**" },
    "augtool set /files/repo/config/a.ini/a 1",
  ),
  ...cases("effects of which no word speaks", { publishes: true }, "kaggle datasets version -p . -m x"),
  ...cases(
    "scripts that lie there already",
    COMMIT,
    "bash build.sh -n",
    "npm run x",
    "make commit X=1",
    "./commit.sh --no-verify",
    "tar xf a.tgz; sh a.sh",
    "git clone x.example/y && sh y/a.sh",
  ),
  ...cases("aliases of the shell", COMMIT, "gc -n", "git yolo -m x"),
  ...cases(
    "aliases of the shell",
    { command: "git commit", flags: ["-c core.hooksPath=*"] },
    "git commit -m x",
  ),
  ...cases(
    "other names of a subcommand",
    PUSH,
    "git send-pack --force x main",
    "python3 -c 'import git; git.Repo().remote().push(force=True)'",
  ),
  ...cases("aliases of other programs", { command: "gh pr merge" }, "gh mm"),
  ...cases("aliases of other programs", { command: "terraform apply" }, "docker run img apply"),
  ...cases(
    "aliases of other programs",
    { command: "git commit", env: ["HUSKY=0"] },
    ". ./.env; git commit -m x",
    "direnv exec . git commit -m x",
  ),
  ...cases("what a program writes unasked", { paths: ["package-lock.json"] }, "npm install"),
  ...cases("what a program writes unasked", { paths: [".env"] }, "dotenv set A 1"),
  ...cases("text that is decoded outside", COMMIT, "powershell -EncodedCommand ZwBpAHQA"),
  ...cases(
    "for a name in any folder",
    { paths: [".env"] },
    "rm -rf config",
    "mv config old",
    "tar xzf a.tgz",
    "unzip a.zip",
  ),
  ...cases("for a name in any folder", FILES, "echo x > link/1.sql"),
  ...cases(
    "what git brings",
    FILES,
    "git pull",
    "git merge x",
    "git checkout main",
    "git reset --hard",
    "git stash",
    "git stash pop",
  ),
];

describe("docs/guards.md", () => {
  it.each(examples.map((guard) => [guard]))("has a guard that can be read: %j", (guard) => {
    const { guards, problems } = parseGuards(guard);
    expect(problems).toEqual([]);
    expect(guards.length).toBeGreaterThan(0);
  });

  const saidOf = (guard: unknown, command: string): string => {
    const call = { tool: "Bash", input: { command }, cwd: "/repo", roots: ["/repo"], home: "/home/u" };
    const said = { deny: "denied", undecided: "not decided, allowed", silent: "allowed" };
    return said[outcomeOf(evaluateGuards(call, guardSet(guard))) as keyof typeof said];
  };

  const lines = blocks("sh")
    .flatMap((block) => block.split("\n"))
    .flatMap((line) => {
      const [, command, said] = /^(.*?) +# (denied|allowed|not decided, allowed)$/.exec(line) ?? [];
      return command === undefined || said === undefined ? [] : [[command, said] as const];
    });
  it.each(lines)("says of %s: %s", (command, said) => {
    expect(saidOf(examples[0], command)).toBe(said);
  });

  it("has examples of each outcome", () => {
    expect(new Set(lines.map(([, said]) => said)).size).toBe(3);
  });

  it("has a row for each class that the bench asks", () => {
    const rows = [...text.matchAll(/^\| ([a-z][^|`]+) \| ((?:denied|told)[^|]*) \|$/gm)];
    expect(rows.map(([, row]) => row)).toEqual(Object.keys(CLASSES));
    const made = GUARD_CASES.filter(({ list, kind }) => list === "made" && kind === "attempt");
    const asked = [...new Set(made.map(({ name }) => name))];
    expect(Object.values(CLASSES).flat().toSorted()).toEqual(asked.toSorted());
  });

  it.each(NOT_SEEN)("says that it is not seen: %s: %j: %s", (point, guard, command) => {
    expect(notSeen.filter((said) => said.startsWith(point))).toHaveLength(1);
    expect(saidOf(guard, command)).toBe("allowed");
  });

  it("has a case for each point that is not seen", () => {
    expect(notSeen.length).toBeGreaterThan(5);
    for (const said of notSeen)
      expect([said, NOT_SEEN.some(([point]) => said.startsWith(point))]).toEqual([said, true]);
  });
});
