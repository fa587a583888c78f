import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readModelConfig } from "../../../src/past/model/model-config.ts";
import type { ModelConfig } from "../../../src/past/model/model-config.ts";
import type { Model } from "../../../src/past/model/model.ts";
import { openModel } from "../../../src/past/model/open-model.ts";
import { isRunning } from "../../surfaces/mcp/mcp-process.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";

const QUESTION = { system: "Answer in one word.", user: "where is staging?" };
const within = (deadlineMs: number): Parameters<Model["ask"]>[1] => ({ deadlineMs, maxAnswerTokens: 300 });

/** A program in place of the client. */
function modelOf(script: string, env: Record<string, string> = {}): { model: Model; folder: string } {
  const folder = temporaryFolder();
  const command = join(folder, "client");
  writeFileSync(command, `#!${process.execPath}\n${script}`);
  chmodSync(command, 0o755);
  const { config } = readModelConfig({ provider: "claude-code", command });
  const model = openModel(config as ModelConfig, {
    PATH: process.env["PATH"],
    HOME: folder,
    FOLDER: folder,
    ...env,
  }) as Model;
  return { model, folder };
}

const REPORT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "db-stage-2",
  usage: { input_tokens: 3, cache_creation_input_tokens: 400, cache_read_input_tokens: 50, output_tokens: 9 },
};
const answering = (report: object): string =>
  `process.stdout.write(${JSON.stringify(JSON.stringify(report))})`;

describe.skipIf(process.platform === "win32")("the client as a model", () => {
  test("is asked on stdin, alone in a directory, without a session, tools, settings or hooks", async () => {
    const { model, folder } = modelOf(
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
    expect(await model.ask(QUESTION, within(20_000))).toEqual({
      kind: "answered",
      text: "db-stage-2",
      usage: { input: 453, output: 9 },
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
    expect(seen.env).toMatchObject({ HEED_MODE: "off", ANTHROPIC_API_KEY: "k" });
    for (const name of ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PLUGIN_ROOT"])
      expect(seen.env).not.toHaveProperty(name);
    expect(seen.files).toEqual([]);
    expect(existsSync(seen.cwd)).toBe(false);
    expect(seen.input).toBe(QUESTION.user);
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
    [
      "output without end",
      'const b = "x".repeat(65536); for (let i = 0; i < 100; i++) process.stdout.write(b); setTimeout(() => {}, 60000)',
      "oversized",
    ],
  ])("fails, and says how, on %s", async (_, script, failure) => {
    expect(await modelOf(script).model.ask(QUESTION, within(20_000))).toMatchObject({
      kind: "failed",
      failure,
    });
  });

  test("one that hangs is killed at the deadline, with what it started", async () => {
    const { model, folder } = modelOf(
      `const { spawn } = require("node:child_process");
       const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
       require("node:fs").writeFileSync(process.env.FOLDER + "/pids", process.pid + " " + child.pid);
       setInterval(() => {}, 1000);`,
    );
    expect(await model.ask(QUESTION, within(1500))).toMatchObject({ failure: "timeout" });
    const pids = readFileSync(join(folder, "pids"), "utf8").split(" ").map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter((pid) => isRunning(pid)), { timeout: 5000 }).toEqual([]);
  });

  test("one that is not there", async () => {
    const { config } = readModelConfig({ provider: "claude-code", command: "/nowhere/claude" });
    const model = openModel(config as ModelConfig, {}) as Model;
    expect(await model.ask(QUESTION, within(5000))).toMatchObject({
      failure: "unreachable",
      message: "the command does not start (ENOENT)",
    });
  });
});
