import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect } from "vitest";
import type { RecordedRequest } from "../api/messages-api.ts";
import { lastUserText } from "../api/messages-body.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { processesOf } from "../client/sandbox-process.ts";
import { contextSince, requestFor } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";
import { ASKS_STAGING, FLAKY, QUEUE, STAGING } from "../sample-facts.ts";
import { test } from "../scenario.ts";

/** Near to the question about staging, and not told whole by words alone. */
const NIGHT = {
  type: "project",
  name: "night-order",
  description:
    "at night everything is restarted in a fixed order: proxy, queue, workers, then each database, with a look at its log and its open connections",
  body: "The order is proxy, queue, workers, each database (FACT-NIGHT).",
};

/** The judge is asked of what a map does not hold: without a map of everything. The scripted API has its own address; the key is the client's. */
function configure(sandbox: Sandbox, judge: Record<string, unknown>): void {
  sandbox.write(join(sandbox.userStore, "config.yaml"), "store: user\nmap: off\n");
  const file = join(sandbox.env["XDG_CONFIG_HOME"] ?? "", "heed", "config.yaml");
  sandbox.write(file, `judge: ${JSON.stringify(judge)}\n`);
}

const choosing =
  (...names: string[]) =>
  () => ({
    text: JSON.stringify({ choose: names.map((name) => `heed:${name}`) }),
  });
const judged = (requests: readonly RecordedRequest[]): RecordedRequest[] =>
  requests.filter(({ kind }) => kind === "judge");

describe("a judge behind the Messages API", () => {
  test("decides what a prompt is told, from handles and descriptions alone", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, STAGING, QUEUE, FLAKY, NIGHT);
    configure(sandbox, {
      provider: "anthropic",
      model: "claude-haiku-4-5",
      url: sandbox.apiAddress,
      key_from: "ANTHROPIC_API_KEY",
      wait_ms: 700,
    });
    const record = await session({ prompts: [ASKS_STAGING], judge: choosing("night-order") });
    const [question, ...more] = judged(record.requests);
    expect(more).toEqual([]);
    expect(question?.body.tools).toBeUndefined();
    const shown = lastUserText(question!.body);
    expect(shown).toContain(STAGING.description);
    expect(shown).not.toContain("FACT-");
    const told = contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record));
    expect(told).toContain("FACT-NIGHT");
    expect(told).not.toContain("FACT-STAGING");
    expect(told).toContain("heed:staging-database");
    expect((await sandbox.heed("status")).stdout).toMatch(
      /judge\s+anthropic claude-haiku-4-5\s+1 call in 1 session \(1 chosen\)/,
    );
    expect((await sandbox.heed("receipts", "--json")).stdout).toContain(
      "chosen by the judge (anthropic claude-haiku-4-5)",
    );
  });

  test("that answers when the turn has begun is heard at its next tool use", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, STAGING, QUEUE, FLAKY, NIGHT);
    configure(sandbox, {
      provider: "anthropic",
      model: "claude-haiku-4-5",
      url: sandbox.apiAddress,
      key_from: "ANTHROPIC_API_KEY",
      wait_ms: 0,
    });
    const read = { name: "Read", input: { file_path: join(sandbox.project, "README.md") } };
    const record = await session({
      prompts: [ASKS_STAGING],
      allowedTools: ["Read"],
      turns: [{ toolUse: [read], delayMs: 1500 }, { text: "done" }],
      judge: choosing("night-order"),
    });
    const first = contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record));
    expect(first).toContain("FACT-STAGING");
    expect(first).not.toContain("FACT-NIGHT");
    expect(contextSince(ASKS_STAGING, record.main.at(-1)!)).toContain("FACT-NIGHT");
  });

  test("that fails changes nothing", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, STAGING, QUEUE, FLAKY, NIGHT);
    configure(sandbox, { provider: "anthropic", model: "m", url: sandbox.apiAddress });
    const error = { status: 529, type: "overloaded_error", message: "overloaded" };
    const record = await session({ prompts: [ASKS_STAGING], judge: () => ({ error }) });
    expect(judged(record.requests)).toHaveLength(1);
    expect(contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record))).toContain("FACT-STAGING");
    expect((await sandbox.heed("status")).stdout).toContain("last: refused, HTTP 529: overloaded");
  });
});

describe("the client itself as a judge", () => {
  test("runs none of heed's hooks, and leaves no session behind", async ({ sandbox, session }) => {
    placeInUserStore(sandbox, STAGING, QUEUE, FLAKY, NIGHT);
    configure(sandbox, { provider: "claude-code" });
    // heed is in the user's settings: a judging client that read them would run its hooks, and ask again.
    await sandbox.heed("init", "--client", "claude-code");
    const read = { name: "Read", input: { file_path: join(sandbox.project, "README.md") } };
    const record = await session({
      plugins: [],
      prompts: [ASKS_STAGING],
      allowedTools: ["Read"],
      turns: [{ toolUse: [read], delayMs: 8000 }, { text: "done" }],
      judge: choosing("night-order"),
    });
    const questions = judged(record.requests);
    // One question, not one for each client that a hook of the judging client started.
    expect(questions).toHaveLength(1);
    expect(questions[0]?.body.tools ?? []).toEqual([]);
    expect(lastUserText(questions[0]!.body)).toContain('"notes":[{"handle":"heed:staging-database"');
    expect(contextSince(ASKS_STAGING, record.main.at(-1)!)).toContain("FACT-NIGHT");
    for (let i = 0; i < 100 && processesOf(sandbox.home).length > 0; i++) await sleep(100);
    expect(processesOf(sandbox.home)).toEqual([]);
    const transcripts = readdirSync(join(sandbox.home, ".claude", "projects"), {
      recursive: true,
      encoding: "utf8",
    }).filter((name) => name.endsWith(".jsonl"));
    expect(transcripts).toHaveLength(1);
    const status = JSON.parse((await sandbox.heed("status", "--json")).stdout) as Record<string, unknown>;
    expect(status).toMatchObject({ sessions: 1, judge: { ledger: { calls: 1, outcomes: { chosen: 1 } } } });
  });
});
