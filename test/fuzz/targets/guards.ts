import { GUARD_CASES } from "../../../bench/guard-cases.ts";
import { describeGuard, parseGuards } from "../../../src/guard/parse-guards.ts";
import { evaluateGuards } from "../../../src/guard/evaluate-guards.ts";
import { readShell } from "../../../src/guard/shell/read-shell.ts";
import { parseYaml } from "../../../src/memory/codec/front-matter.ts";
import { guardSet } from "../../guard/guard-set.ts";
import { type FuzzTarget, must } from "../fuzz-target.ts";

const FRAME = { cwd: "/repo", roots: ["/repo"], home: "/home/u" };
const set = guardSet(...GUARD_CASES.slice(0, 20).map(({ guard }) => guard));

/** Shell text: a decision, and one that a comment or an innocent command before it does not take away. */
export const shell: FuzzTarget = {
  name: "shell",
  seeds: GUARD_CASES.slice(0, 20).flatMap(({ calls }) => calls.map(({ input }) => String(input["command"]))),
  words: (
    "git¦commit¦--no-verify¦-n¦rm -rf¦sh -c¦eval¦xargs¦env¦$(¦${A¦<<EOF\n¦EOF\n¦;¦&&¦|¦alias¦f() {¦" +
    "done¦{a,b}¦#"
  ).split("¦"),
  maxMs: 3_000,
  cases: 300,
  check(input) {
    const { action, cutShort } = evaluateGuards({ tool: "Bash", input: { command: input }, ...FRAME }, set);
    must(action === "allow" || action === "deny", `a decision: ${action}`);
    must(readShell(input, FRAME).commands.length < 40_000, "bounded");
    if (action !== "deny" || cutShort !== undefined || input.length > 20_000) return;
    const after = evaluateGuards({ tool: "Bash", input: { command: `true\n${input}` }, ...FRAME }, set);
    must(after.action === "deny" || after.cutShort !== undefined, "a command before it does not hide it");
  },
};

/** Guards as YAML: read or complained about, told in words, and evaluated in bounded time. */
export const guards: FuzzTarget = {
  name: "guards",
  seeds: [
    "{ tool: Bash, command: git commit, flags: [--no-verify, -n], action: deny, say: no }",
    "- { tool: Edit, paths: ['src/**', '!src/gen/**'], action: ask }\n- { content: { regex: 'eval\\(' }, action: warn, unless: [{ paths: [test/**] }] }",
    "{ pattern: '(a+)+$', env: [CI=1], args: [origin, main] }",
  ],
  words: (
    "tool: ¦command: git push¦flags: [¦args: ¦paths: ['**']¦env: ¦content: ¦pattern: '¦action: deny¦" +
    "unless: [{¦(a|a)*¦{1,999}¦[^¦\\p{L}"
  ).split("¦"),
  cases: 100,
  check(input) {
    let raw: unknown;
    try {
      raw = parseYaml(input);
    } catch {
      return;
    }
    const { guards: read, problems } = parseGuards(raw);
    for (const { message, remedy } of problems)
      must(message !== "" && remedy !== "", "a problem says what and what to do");
    const isNone = raw === null || raw === undefined || (Array.isArray(raw) && raw.length === 0);
    must(isNone || read.length + problems.length > 0, "what is no guard is complained about");
    for (const { guard } of read) must(describeGuard(guard) !== "", "a guard is told in words");
    const own = read.map(({ guard }) => ({ guard, scope: [] }));
    for (const tool of ["Bash", "Edit", "Write"]) {
      const use = {
        command: `echo ${"a".repeat(2_000)}!`,
        file_path: "/repo/src/a.ts",
        content: "a".repeat(2_000),
        new_string: "x",
      };
      evaluateGuards({ tool, input: use, ...FRAME }, own);
    }
  },
};

const ofFiles = guardSet({ tool: "mcp__*", paths: ["src/**"] });

/** Inputs of tools of other servers, as JSON: the files that they name are found in bounded time, whatever holds them. */
export const toolInput: FuzzTarget = {
  name: "tool input",
  seeds: [
    '{"path":"src/a.ts","content":"x"}',
    '{"files":[{"path":"a"},{"path":"src/a.ts"}],"cwd":"/repo"}',
    '{"changes":{"file:///repo/src/a.ts":[{"text":"x"}]}}',
    '{"patch":"*** Begin Patch\\n*** Update File: src/a.ts\\n@@\\n-a\\n+b"}',
    '{"root":"src","glob":"**/*.ts","args":["--out","src/a.ts"]}',
  ],
  words: [
    '"path":',
    '"uri":"file:///',
    "src/",
    "..",
    '"cwd":',
    "*** Add File: ",
    "+++ b/",
    "%2e",
    "[",
    "{",
    "\\\\",
  ],
  check(input) {
    let raw: unknown;
    try {
      raw = JSON.parse(input);
    } catch {
      return;
    }
    if (typeof raw !== "object" || raw === null) return;
    const use = { ...FRAME, tool: "mcp__files__apply", input: raw as Record<string, unknown> };
    const { action } = evaluateGuards(use, ofFiles);
    must(action === "allow" || action === "deny", `a decision: ${action}`);
    const named = evaluateGuards({ ...use, input: { ...raw, path: "/repo/src/a.ts" } }, ofFiles);
    must(named.action === "deny", "other fields do not hide a file");
  },
};
