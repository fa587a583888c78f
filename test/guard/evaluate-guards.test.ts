import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import type { GuardDecision } from "../../src/guard/evaluate-guards.ts";
import { parseGuards } from "../../src/guard/parse-guards.ts";
import { parsePathTest } from "../../src/guard/entry-tests.ts";
import { EDIT_TOOLS } from "../../src/guard/tools.ts";
import { guardSet, outcomeOf } from "./guard-set.ts";

const FRAME = { cwd: "/repo/web", roots: ["/repo", "/real/repo"], home: "/home/u" };

function judge(
  raw: unknown,
  tool: string,
  input: Record<string, unknown>,
  scope: readonly string[] = [],
): GuardDecision<unknown> {
  const { guards, problems } = parseGuards(raw);
  expect(problems).toEqual([]);
  const tests = scope.flatMap((glob) => parsePathTest(glob) ?? []);
  const set = guards.map(({ guard }) => ({ guard, scope: tests }));
  return evaluateGuards({ tool, input, ...FRAME }, set);
}

/** What comes of a call of a tool: by what the call does, not by what its tool is called. */
const TOOL_CALLS = String.raw`
- [deny, Edit, {paths: [migrations/**]}, {file_path: /repo/migrations/1.sql}]
- [deny, Write, {paths: [migrations/**]}, {file_path: /real/repo/migrations/1.sql}]
- [deny, NotebookEdit, {paths: [migrations/]}, {notebook_path: /repo/migrations/a.ipynb}]
- [deny, Edit, {paths: [migrations/**]}, {file_path: ../migrations/1.sql}]
- [allow, Edit, {paths: [migrations/**]}, {file_path: /repo/src/migrations/1.sql}]
- [allow, Read, {paths: [migrations/**]}, {file_path: /repo/migrations/1.sql}]
- [deny, Read, {tool: Read, paths: [.env]}, {file_path: /repo/web/.env}]
- [deny, Read, {tool: read_file, paths: [.env]}, {file_path: /repo/web/.env}]
- [allow, Read, {tool: Read, paths: [./.env]}, {file_path: /repo/web/.env}]
- [deny, Read, {tool: Read, paths: [~/.ssh/]}, {file_path: /home/u/.ssh/id_rsa}]
- [deny, Write, {tool: Write, paths: [/etc/**]}, {file_path: /etc/hosts}]
- [deny, Write, {content: [eval(]}, {file_path: a.ts, content: eval(x)}]
- [allow, Edit, {content: [eval(]}, {file_path: a.ts, old_string: eval(x), new_string: f(x)}]
- [deny, MultiEdit, {content: [eval(]}, {edits: [{new_string: a}, {new_string: eval(b)}]}]
- [deny, Write, {content: [{regex: :\s*any\b}], paths: ["*.ts"]}, {file_path: a.ts, content: "a: any"}]
- [allow, Write, {content: [{regex: :\s*any\b}], paths: ["*.ts"]}, {file_path: a.md, content: "a: any"}]
- [deny, mcp__db__query, {tool: mcp__db__*, pattern: (?i)drop table}, {sql: Drop Table users}]
- [allow, mcp__web__query, {tool: mcp__db__*, pattern: (?i)drop table}, {sql: drop table users}]
- [deny, WebFetch, {tool: WebFetch, pattern: evil\.example}, {url: https://evil.example/x}]
- [allow, Edit, {paths: [a/**], unless: {paths: [a/b/**]}}, {file_path: /repo/a/b/c}]
- [deny, apply_patch, {paths: [migrations/**]}, {command: "*** Begin Patch\n*** Update File: ../migrations/1.sql\n+x\n*** End Patch"}]
- [deny, shell, {command: git push, flags: [-f]}, {command: [bash, -lc, git push --force]}]
- [deny, apply_patch, {tool: Edit, paths: [a/**]}, {command: "*** Update File: ../a/x"}]
- [deny, MultiEdit, {tool: Edit, paths: [a/**]}, {file_path: /repo/a/x}]
- [allow, Write, {tool: Edit, paths: [a/**]}, {file_path: /repo/a/x}]
- [deny, shell, {paths: [a/**]}, {command: [apply_patch, "*** Begin Patch\n*** Update File: ../a/x\n+y\n*** End Patch"]}]
- [deny, Bash, {destroys: [a/**]}, {command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: ../a/x\n*** End Patch\nEOF"}]
- [deny, Write, {tool: Write, paths: [a/**]}, {path: /repo/a/x, content: t, old_string: t, new_string: u}]
- [deny, create_file, {tool: Write, paths: [a/**]}, {path: /repo/a/x, content: t, edits: [{oldText: t}]}]
- [deny, mcp__fs__write_file, {tool: Write, paths: [a/**]}, {path: /repo/a/x, content: t, edits: [{oldText: t}]}]
- [deny, Edit, {tool: Write, paths: [a/**]}, {command: create, path: /repo/a/x, file_text: t}]
- [deny, str_replace_editor, {tool: Write, paths: [a/**]}, {command: create, path: /repo/a/x, file_text: t}]
- [allow, Edit, {tool: Write, paths: [a/**]}, {command: str_replace, path: /repo/a/x, old_str: t, new_str: u}]
- [deny, str_replace_editor, {tool: Edit, paths: [a/**]}, {command: str_replace, path: /repo/a/x, old_str: t, new_str: u}]
- [deny, str_replace_editor, {tool: Edit, paths: [a/**]}, {command: insert, path: /repo/a/x, insert_line: 1, new_str: u}]
- [allow, Edit, {writes: [a/**]}, {command: view, path: /repo/a/x}]
- [deny, Edit, {tool: Read, paths: [a/**]}, {command: view, path: /repo/a/x}]
- [deny, Edit, {writes: [a/**]}, {command: view, file_path: /repo/a/x, old_string: t, new_string: u}]
- [deny, Write, {writes: [a/**]}, {file_path: /repo/a/x, content: t, dry_run: true}]
- [deny, mcp__fs__write_file, {content: [eval(]}, {path: /repo/a/x, content: eval(x), diff: +++ b/a/x}]
- [deny, mcp__fs__write_file, {tool: Write, paths: [a/**]}, {path: /repo/a/x, content: t}]
- [deny, mcp__fs__edit_file, {tool: Edit, paths: [a/**]}, {path: /repo/a/x, edits: [{oldText: t, newText: u}]}]
- [deny, mcp__serena__create_text_file, {tool: Write, paths: [a/**]}, {relative_path: ../a/x, content: t}]
- [allow, mcp__fs__read_file, {paths: [a/**]}, {path: /repo/a/x}]
- [allow, mcp__chat__post, {content: [eval(]}, {channel: c, content: eval(x)}]
- [allow, apply_patch, {tool: Edit, paths: [a/**]}, {patch: "--- a/a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-t\n"}]
- [deny, apply_patch, {tool: Edit, paths: [web/a/**]}, {patch: "--- a/a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-t\n"}]
- [deny, apply_patch, {destroys: web/a/**}, {patch: "diff --git a/a/x b/b/x\nsimilarity index 100%\nrename from a/x\nrename to b/x\n"}]
- [deny, apply_patch, {writes: web/b/**}, {patch: "rename from a/x\nrename to b/x\n"}]
- [deny, apply_patch, {destroys: a/**}, {patch: "*** Update File: ../a/x\n*** Move to: ../b/x\n@@\n-t\n+u\n"}]
- [allow, apply_patch, {tool: Read, paths: [migrations/**]}, {command: "*** Update File: migrations/1.sql"}]
- [allow, Edit, {command: git push, flags: [-f]}, {command: git push -f}]
`;

describe("tools that run no shell", () => {
  it.each(EDIT_TOOLS)("%s changes the file that it names", (tool) => {
    expect(judge({ writes: ["data/"] }, tool, { file_path: "/repo/data/a.csv" }).action).toBe("deny");
  });

  it.each(parse(TOOL_CALLS) as [string, string, unknown, Record<string, unknown>][])(
    "%s: %s, %j: %j",
    (action, tool, guard, input) => expect(judge(guard, tool, input).action).toBe(action),
  );
});

describe("decides", () => {
  it("by the strongest of those that fire, and tells all", () => {
    const { action, fired } = judge(
      [
        { command: "git push", action: "warn" },
        { command: "git", action: "ask" },
        { command: "git push", flags: ["-f"] },
      ],
      "Bash",
      { command: "git push -f" },
    );
    expect(action).toBe("deny");
    expect(fired.map((guard) => guard.action)).toEqual(["deny", "ask", "warn"]);
  });

  it.each([
    ["git push --force origin feature/a", "allow"],
    ["git push --force origin main", "deny"],
    ['git push --force origin "feature/$X"', "allow"],
    ['git push --force origin "release/$X"', "deny"],
    // What is not literal is not beyond an exception.
    ["git push --force origin $BRANCH", "allow"],
  ])("on an exception by what is literal: %s: %s", (command, action) => {
    const guard = { command: "git push", flags: ["--force"], unless: { args: ["feature/*"] } };
    expect(judge(guard, "Bash", { command }).action).toBe(action);
  });

  it("tells what it fires on, and what that stands in", () => {
    const { fired } = judge({ command: "rm" }, "Bash", { command: "sudo bash -c 'xargs rm < list'" });
    expect(fired).toMatchObject([{ text: "rm …", route: ["sudo", "bash -c", "xargs"] }]);
  });

  it("a long text is read up to a limit, which is said", () => {
    const long = "x".repeat(70_000);
    const read = judge({ command: "git commit" }, "Bash", { command: `git commit -m ${long}` });
    expect(read).toMatchObject({ action: "deny", cutShort: expect.stringContaining("65536") as string });
    const behind = judge({ command: "git commit" }, "Bash", { command: `echo ${long}; git commit` });
    expect(behind).toMatchObject({ action: "allow", cutShort: expect.stringContaining("65536") as string });
  });

  it("a broken text is read as far as it goes", () => {
    const guard = { command: "git push" };
    expect(judge(guard, "Bash", { command: "echo 'git push" }).action).toBe("allow");
    expect(judge(guard, "Bash", { command: "git push; echo 'x" }).action).toBe("deny");
  });
});

describe("what is literal decides", () => {
  const COMMIT = { command: "git commit", flags: ["--no-verify"] };
  const PUBLISH = { command: "npm publish", unless: { flags: ["--dry-run"] } };
  const CONFIG = { command: "grep", paths: ["config/**"] };
  const BUILT = { paths: ["build"] };

  it.each<[string, unknown, string]>([
    // A program that heed does not know, with a file that is guarded.
    ["silent", { paths: ["migrations/**"] }, "cd .. && mytool migrations/1.sql"],
    ["silent", BUILT, 'python3 -c "build()"'],
    // Any program may be a guarded one.
    ["silent", { command: "git commit" }, "$X commit -m x"],
    // Help.
    ["silent", COMMIT, "git commit --help -n"],
    ["silent", { command: "foo rm" }, "foo rm --help"],
    // Exceptions.
    ["silent", PUBLISH, 'npm publish --dry-run "$DIR"'],
    ["silent", PUBLISH, "mywrapper npm publish"],
    // What goes through a folder.
    ["deny", CONFIG, "cd .. && grep -r x config/sub"],
    ["deny", CONFIG, "cd .. && grep -r x config"],
    ["silent", CONFIG, "grep -r x src"],
    ["silent", CONFIG, "cd .. && grep -r x ."],
  ])("%s: %j: %s", (expected, guard, command) => {
    expect(outcomeOf(judge(guard, "Bash", { command }))).toBe(expected);
  });
});

describe("whether a file is there", () => {
  const FILES = ["/repo/a/old.sql", "/repo/a/notes.md", "/repo/b/c.md"];
  const exists = (path: string): boolean =>
    FILES.some((file) =>
      path.endsWith("/.") ? file.startsWith(path.slice(0, -1)) : `${file}/`.startsWith(`${path}/`),
    );
  const ask = (raw: unknown, tool: string, input: Record<string, unknown>): string =>
    outcomeOf(evaluateGuards({ tool, input, ...FRAME, cwd: "/repo", exists }, guardSet(raw)));
  const guard = (files: string): unknown => ({ paths: ["a/*.sql"], files });

  it.each([
    ["existing", "a/old.sql", "deny"],
    ["existing", "a/new.sql", "silent"],
    ["new", "a/old.sql", "silent"],
    ["new", "a/new.sql", "deny"],
  ])("%s: %s: %s", (files, path, expected) => {
    expect(ask(guard(files), "Write", { file_path: path })).toBe(expected);
    expect(ask(guard(files), "Bash", { command: `touch ${path}` })).toBe(expected);
  });

  it.each([
    ["rm a/*.sql", "deny"],
    ["rm -r a", "deny"],
    ["mv a b", "deny"],
    ["git checkout HEAD~1 -- a", "deny"],
    ["git rm a/old.sql", "deny"],
    ["sed -i s/a/b/ a/*.sql", "deny"],
    ["rm -r b", "silent"],
    ["cp b/new.sql a", "silent"],
    ["cp b/old.sql a/", "deny"],
    ["find a -name '*.sql' -delete", "silent"],
    ["mytool a/old.sql", "silent"],
    ["rm -r .", "deny"],
  ])("is looked up of what a wildcard or a folder names: %s: %s", (command, expected) => {
    expect(ask(guard("existing"), "Bash", { command })).toBe(expected);
  });

  it("whether something new is in a folder nobody knows", () => {
    expect(ask(guard("new"), "Bash", { command: "rm -rf a" })).toBe("silent");
  });
});

describe("a rule for certain paths", () => {
  it.each([
    ["rm a", "silent"],
    ["rm ../packages/web/a", "deny"],
    ["cd ../packages/web && rm a", "deny"],
    ["cd ../packages && rm a", "silent"],
    ["cd .. && echo x > packages/web/a.sql", "deny"],
    ["cd .. && echo x > packages/api/a.sql", "silent"],
    // A pipeline lies in no folder.
    ["cd ../packages/web && curl x | sh", "silent"],
  ])("%s: %s", (command, expected) => {
    const guards = [{ command: "rm" }, { paths: ["*.sql"] }, { pattern: "curl .* \\| sh" }];
    expect(outcomeOf(judge(guards, "Bash", { command }, ["packages/web/**"]))).toBe(expected);
  });
});

describe("spellings, and what only says it", () => {
  const tables = { command: "psql", pattern: "(?i)drop table" };
  const piped = { pattern: "curl .*\\| (ba)?sh" };
  const data = { command: "rm", flags: ["-rf"], paths: ["data/**"] };

  it.each<[string, unknown, string]>([
    ["deny", { destroys: "data/**" }, "cd .. && rsync -a --delete empty/ data/"],
    // One word may hold source and target.
    ["silent", { destroys: "data/**" }, "cd .. && rsync -a --delete $FROM_AND_TO"],
    ["silent", data, "docker run -v $PWD:/w alpine rm -rf /w/data"],
    ["deny", { command: "npm install" }, "npm.cmd install"],
    ["deny", tables, 'psql -c "DROP/**/TABLE a"'],
    ["deny", tables, "psql -c \"drop table a; select 'x'\""],
    ["silent", piped, 'curl -s https://a.example | grep "| sh"'],
    ["deny", piped, 'curl -s https://a.example | grep "x y" | bash'],
  ])("%s: %j: %s", (wanted, guard, command) => {
    expect(outcomeOf(judge(guard, "Bash", { command }))).toBe(wanted);
  });
});

describe("a terminal or a notebook of another server is a shell", () => {
  it.each<[string, string, Record<string, unknown>]>([
    ["deny", "mcp__shell__run", { cmd: "git commit -n -m x" }],
    ["silent", "mcp__github__create_issue", { body: "git commit -n is not allowed" }],
  ])("%s: %s %j", (wanted, tool, input) => {
    const set = guardSet({ command: "git commit", flags: ["--no-verify"] });
    expect(outcomeOf(evaluateGuards({ tool, input, ...FRAME, cwd: "/repo" }, set))).toBe(wanted);
  });
});
