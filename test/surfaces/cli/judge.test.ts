import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { JudgeServer } from "../../optional/judge/judge-server.ts";
import { Machine } from "./run-heed.ts";

const NEEDED = '{"choose": ["heed:staging-certificates"]}';

function machine(config?: string): Machine {
  const made = new Machine();
  onTestFinished(() => made.remove());
  const folder = join(made.home, "config");
  mkdirSync(folder);
  made.variables["HEED_CONFIG_DIR"] = folder;
  if (config !== undefined) writeFileSync(join(folder, "config.yaml"), config);
  return made;
}

describe("heed judge", () => {
  test("says that there is none, and where to read on", async () => {
    const { exitCode, stdout } = await machine().run(["judge"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("off (not set up (docs/judge.md))");
  });

  test("tries the judge once: time, tokens, what it chose; status tells what that cost", async () => {
    const server = await JudgeServer.listen();
    server.answer = { text: NEEDED };
    const own = machine(server.config());
    const { exitCode, stdout } = await own.run(["judge", "test"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^openai m-1, \d+ ms, 311 \+ 12 tokens$/m);
    expect(stdout).toMatch(/● heed:staging-certificates/);
    expect(stdout).toMatch(/○ heed:bread-recipe/);
    expect(stdout).toContain("it chose what a person would");
    expect(server.asked).toHaveLength(1);
    const status = (await own.run(["status"])).stdout;
    expect(status).toMatch(/judge\s+openai m-1/);
    expect(status).toMatch(/1 call in 1 session \(1 chosen\), 311 \+ 12 tokens, median \d+ ms/);
    const { value } = await own.json(["status"]);
    expect(value).toMatchObject({
      judge: { state: "on", ledger: { calls: 1, inputTokens: 311, outputTokens: 12 } },
    });
    expect(server.asked).toHaveLength(1);
  });

  test("says so when it answers something else than a person would", async () => {
    const server = await JudgeServer.listen();
    const { exitCode, stdout } = await machine(server.config()).run(["judge", "test"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("did not choose what a person would");
  });

  test("exits with 5 when the provider fails, and names the failure", async () => {
    const server = await JudgeServer.listen();
    server.answer = { status: 401 };
    const { exitCode, stdout } = await machine(server.config()).run(["judge", "test"]);
    expect(exitCode).toBe(5);
    expect(stdout).toContain("no judgement (refused): HTTP 401: the key is missing or wrong");
    expect(stdout).not.toContain("sk-secret");
  });

  test("a day's trials have a budget: a model with a shell may run it too", async () => {
    const server = await JudgeServer.listen();
    server.answer = { text: NEEDED };
    const own = machine(server.config("openai", { calls: 1 }));
    expect((await own.run(["judge", "test"])).exitCode).toBe(0);
    const { exitCode, stderr } = await own.run(["judge", "test"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("was tried 1 times today");
    expect(server.asked).toHaveLength(1);
  });

  test("exits with 1 for a configuration that is not understood, and shows no key of it", async () => {
    const { exitCode, stdout } = await machine(
      "judge: { provider: openai, model: m, api_key: sk-1234 }\n",
    ).run(["judge"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("a key does not belong into a file");
    expect(stdout).not.toContain("sk-1234");
  });

  test("there is nothing to try without one", async () => {
    const { exitCode, stderr } = await machine().run(["judge", "test"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no judge to try: not set up (docs/judge.md)");
  });
});
