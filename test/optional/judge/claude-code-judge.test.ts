import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Judge } from "../../../src/optional/judge/judge.ts";
import { openJudge } from "../../../src/optional/judge/open-judge.ts";
import type { JudgeConfig } from "../../../src/optional/judge/judge-config.ts";
import { readJudgeConfig } from "../../../src/optional/judge/judge-config.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const SHORTLIST = [{ handle: "heed:staging", description: "staging runs on db-stage-2" }];

/** A program in place of the client. */
function judgeOf(script: string, env: Record<string, string> = {}): { judge: Judge; folder: string } {
  const folder = temporaryFolder();
  const command = join(folder, "client");
  writeFileSync(command, `#!${process.execPath}\n${script}`);
  chmodSync(command, 0o755);
  const { config } = readJudgeConfig({ provider: "claude-code", command });
  const judge = openJudge(config as JudgeConfig, {
    PATH: process.env["PATH"],
    HOME: folder,
    FOLDER: folder,
    ...env,
  }) as Judge;
  return { judge, folder };
}

const REPORT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: '{"choose": ["heed:staging"]}',
  usage: { input_tokens: 3, cache_creation_input_tokens: 400, cache_read_input_tokens: 50, output_tokens: 9 },
};
const answering = (report: object): string =>
  `process.stdout.write(${JSON.stringify(JSON.stringify(report))})`;

describe.skipIf(process.platform === "win32")("the client as a judge", () => {
  test("is asked on stdin, alone in a directory, without a session, tools, settings or hooks", async () => {
    const { judge, folder } = judgeOf(
      `const { writeFileSync, readdirSync, readFileSync } = require("node:fs");
       writeFileSync(process.env.FOLDER + "/seen.json", JSON.stringify({
         args: process.argv.slice(2), env: process.env, cwd: process.cwd(), files: readdirSync("."),
         input: readFileSync(0, "utf8") }));
       ${answering(REPORT)}`,
      {
        CLAUDECODE: "1",
        CLAUDE_CODE_SESSION_ID: "s-1",
        CLAUDE_PLUGIN_ROOT: "/p",
        HEED_MODE: "typed",
        ANTHROPIC_API_KEY: "k",
      },
    );
    expect(await judge.select("where is staging?", SHORTLIST, 20_000)).toEqual({
      kind: "chosen",
      handles: ["heed:staging"],
      usage: { input: 453, output: 9, isEstimated: false },
    });
    const seen = JSON.parse(readFileSync(join(folder, "seen.json"), "utf8")) as {
      args: string[];
      env: Record<string, string>;
      cwd: string;
      files: string[];
      input: string;
    };
    for (const flag of ["-p", "--no-session-persistence", "--strict-mcp-config", "--disable-slash-commands"])
      expect(seen.args).toContain(flag);
    const valueOf = (flag: string): string | undefined => seen.args[seen.args.indexOf(flag) + 1];
    expect(valueOf("--tools")).toBe("");
    expect(valueOf("--setting-sources")).toBe("");
    expect(JSON.parse(valueOf("--settings") ?? "")).toEqual({ disableAllHooks: true });
    expect(valueOf("--model")).toBe("haiku");
    expect(seen.env).toMatchObject({ HEED_MODE: "off", HEED_JUDGE: "off", ANTHROPIC_API_KEY: "k" });
    for (const name of ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PLUGIN_ROOT"])
      expect(seen.env).not.toHaveProperty(name);
    expect(seen.files).toEqual([]);
    expect(existsSync(seen.cwd)).toBe(false);
    expect(JSON.parse(seen.input)).toEqual({ request: "where is staging?", notes: SHORTLIST });
    // The question is not on the command line, where every user of the machine can read it.
    expect(seen.args.join(" ")).not.toContain("staging");
  });

  test.each<[string, string, string]>([
    [
      "an error that it reports",
      `${answering({ ...REPORT, is_error: true })}; process.exitCode = 1`,
      "refused",
    ],
    ["an exit code", "process.exit(3)", "refused"],
    ["a report that is none", 'process.stdout.write("hello")', "nonsense"],
    ["an answer that is none", answering({ ...REPORT, result: "sure" }), "nonsense"],
    [
      "output without end",
      'const b = "x".repeat(65536); for (let i = 0; i < 100; i++) process.stdout.write(b); setTimeout(() => {}, 60000)',
      "oversized",
    ],
  ])("fails, and says how, on %s", async (_, script, failure) => {
    expect(await judgeOf(script).judge.select("x", SHORTLIST, 20_000)).toMatchObject({
      kind: "failed",
      failure,
    });
  });

  test("one that hangs is killed at the deadline, with what it started", async () => {
    const { judge, folder } = judgeOf(
      `const { spawn } = require("node:child_process");
       const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
       require("node:fs").writeFileSync(process.env.FOLDER + "/pids", process.pid + " " + child.pid);
       setInterval(() => {}, 1000);`,
    );
    expect(await judge.select("x", SHORTLIST, 1500)).toMatchObject({ failure: "timeout" });
    const pids = readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter((pid) => isRunning(pid)), { timeout: 5000 }).toEqual([]);
  });

  test("one that is not there", async () => {
    const { config } = readJudgeConfig({ provider: "claude-code", command: "/nowhere/claude" });
    const judge = openJudge(config as JudgeConfig, {}) as Judge;
    expect(await judge.select("x", SHORTLIST, 5000)).toMatchObject({
      failure: "unreachable",
      message: "the command does not start (ENOENT)",
    });
  });
});

/** A killed process whose parent has not looked yet still has a number. */
function isRunning(pid: number): boolean {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "";
    return !state.startsWith("Z");
  } catch {
    return false;
  }
}
