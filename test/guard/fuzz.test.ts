import { describe, expect, it, vi } from "vitest";
import { GUARD_CASES } from "../../bench/guard-cases.ts";
import { evaluateGuards } from "../../src/guard/evaluate-guards.ts";
import { readShell } from "../../src/guard/shell/read-shell.ts";
import { cpuMsOf } from "../cpu-time.ts";
import { guardSet } from "./guard-set.ts";

const set = guardSet(...GUARD_CASES.slice(0, 20).map(({ guard }) => guard));
const FRAME = { cwd: "/repo", roots: ["/repo"], home: "/home/u" };
/** Of CPU. Generous: what is not bounded takes minutes. */
const MAX_MS = 3000;

describe("hostile shell text", () => {
  const N = 16_000;
  it.each([
    ["nested substitutions", "$(".repeat(N)],
    ["nested subshells", "(".repeat(N)],
    ["nested expansions", '"${a:-'.repeat(N / 3)],
    ["here-documents", "<<A ".repeat(N)],
    ["backticks", "`".repeat(N)],
    ["braces", "{a,b}".repeat(N / 5)],
    ["nested braces", `${"{a,".repeat(N / 4)}b${"}".repeat(N / 4)}`],
    ["many commands", "git commit -m x;".repeat(N / 4)],
    ["many assignments and subshells", "a=1;(b=2);".repeat(N / 4)],
    ["a word that doubles", `x=aaaaaaaa;${"x=$x$x;".repeat(60)}git commit $x`],
    ["a function that calls itself", "f() { f; f; }; f"],
    ["eval of eval", 'x=\'eval "$x"\'; eval "$x"'],
    ["wrappers of wrappers", `${"env ".repeat(N / 4)}git commit -n`],
    ["nested loops", `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(12)}git commit -n; ${"done; ".repeat(12)}`],
    ["many words", `git commit ${"-m x ".repeat(N / 2)}`],
    ["many flags", `rm -${"r".repeat(N)}`],
    ["printf that repeats", `printf '%s' ${"a ".repeat(N / 2)} | sh`],
    ["one long quote", `'${"a".repeat(60_000)}`],
    ["words of many characters", `foo '${"a.".repeat(20_000)}' ${"=".repeat(20_000)}`],
  ])("%s: bounded", (_, command) => {
    const tookMs = cpuMsOf(() => {
      evaluateGuards({ tool: "Bash", input: { command }, ...FRAME }, set);
      expect(readShell(command, FRAME).commands.length).toBeLessThan(40_000);
    });
    expect(tookMs).toBeLessThan(MAX_MS);
  });
});

describe("hostile guards", () => {
  it("expressions that other engines choke on", () => {
    const patterns = ["(a+)+$", "(a|a)*b", "(.*)*x", "(?i)(a|ab|b)*c$"];
    const hostile = guardSet(patterns.map((pattern) => ({ pattern })));
    const command = `echo ${"a".repeat(50_000)}!`;
    const tookMs = cpuMsOf(() => evaluateGuards({ tool: "Bash", input: { command }, ...FRAME }, hostile));
    expect(tookMs).toBeLessThan(MAX_MS);
  });

  it.each([
    ["commands that go deeper and deeper", "cd src;rm x;"],
    ["programs that nobody knows", "frob src/a git push -f rm;"],
    ["loops", "for i in a b c; do git $i; done;"],
  ])("%s, thousands of them, asked of five thousand guards: bounded", (_, piece) => {
    const rule = [{ paths: ["src/**", "**/*.pem"] }, { command: "git push", flags: ["--force"] }];
    const many = guardSet(...Array.from({ length: 2500 }, () => rule));
    const input = { command: piece.repeat(Math.floor(65_000 / piece.length)) };
    const tookMs = cpuMsOf(() => evaluateGuards({ tool: "Bash", input, ...FRAME }, many));
    expect(tookMs).toBeLessThan(MAX_MS);
  });

  it("what is missing of an input is said", () => {
    const set = guardSet({ tools: ["mcp__*"], paths: ["config/**"] });
    const call = { tool: "mcp__fs__write", input: { files: ["a.ts"] }, ...FRAME };
    expect(evaluateGuards({ ...call, cut: "entries" }, set)).toMatchObject({
      action: "allow",
      cutShort: "the input of the call is larger than is looked at",
    });
    expect(evaluateGuards(call, set).cutShort).toBeUndefined();
  });

  it("a call of a tool that comes late is said", () => {
    const set = guardSet({ tools: ["mcp__*"], paths: ["config/**"] });
    const call = { tool: "mcp__fs__write", input: { path: "config/x" }, ...FRAME, untilMs: 0 };
    expect(evaluateGuards(call, set)).toMatchObject({
      action: "allow",
      cutShort: expect.stringContaining("too long"),
    });
  });

  it("on a machine that stands still the call passes, which is said", () => {
    const set = guardSet({ command: "git push" });
    let clock = 0;
    const now = vi.spyOn(performance, "now").mockImplementation(() => (clock += 1_000));
    const call = { tool: "Bash", input: { command: "git push" }, ...FRAME };
    const decision = evaluateGuards(call, set);
    now.mockRestore();
    expect(decision).toMatchObject({ action: "allow", cutShort: "the call takes too long to decide on" });
  });
});
