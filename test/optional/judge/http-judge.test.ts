import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { JudgeConfig } from "../../../src/optional/judge/judge-config.ts";
import { readJudgeConfig } from "../../../src/optional/judge/judge-config.ts";
import type { Judge } from "../../../src/optional/judge/judge.ts";
import { openJudge } from "../../../src/optional/judge/open-judge.ts";
import type { Answer, Protocol } from "./judge-server.ts";
import { JudgeServer } from "./judge-server.ts";

const KEY = "sk-test-0123456789";
const SHORTLIST = [
  { handle: "heed:queue", description: "jobs are retried five times" },
  { handle: "heed:staging", description: "staging runs on db-stage-2" },
];

function judgeAt(protocol: Protocol, url: string, further: Record<string, unknown> = {}): Judge {
  const { config, problems } = readJudgeConfig({
    provider: protocol,
    model: "m-1",
    url,
    key_from: "JUDGE_KEY",
    ...further,
  });
  expect(problems).toEqual([]);
  const judge = openJudge(config as JudgeConfig, { JUDGE_KEY: KEY });
  if ("missing" in judge) throw new Error(judge.missing);
  return judge;
}

describe.each<Protocol>(["anthropic", "openai"])("a judge that speaks as %s", (protocol) => {
  test("asks with the prompt, handles and descriptions, and takes what is chosen", async () => {
    const server = await JudgeServer.listen();
    server.answer = { text: '{"choose": ["heed:staging"]}' };
    const judgement = await judgeAt(protocol, server.url(protocol)).select(
      "where is staging?",
      SHORTLIST,
      5000,
    );
    expect(judgement).toEqual({
      kind: "chosen",
      handles: ["heed:staging"],
      usage: { input: 311, output: 12, isEstimated: false },
    });
    const [asked] = server.asked;
    expect(asked).toMatchObject({
      request: "where is staging?",
      notes: SHORTLIST,
      body: { model: "m-1", max_tokens: 300 },
    });
    expect(asked?.path).toBe(protocol === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
    expect(asked?.headers).toMatchObject(
      protocol === "anthropic"
        ? { "x-api-key": KEY, "anthropic-version": "2023-06-01" }
        : { authorization: `Bearer ${KEY}` },
    );
  });

  test("sends no key where none is named", async () => {
    const server = await JudgeServer.listen();
    const { config } = readJudgeConfig({ provider: protocol, model: "m-1", url: server.url(protocol) });
    const judge = openJudge(config as JudgeConfig, { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY }) as Judge;
    await judge.select("x", SHORTLIST, 5000);
    expect(JSON.stringify(server.asked[0]?.headers)).not.toContain(KEY);
  });

  test.each<[string, Answer, string, RegExp]>([
    ["401", { status: 401 }, "refused", /HTTP 401/],
    ["429", { status: 429 }, "refused", /HTTP 429/],
    ["500", { status: 500 }, "refused", /HTTP 500/],
    ["a body that is no JSON", { body: "<html>" }, "nonsense", /no JSON/],
    ["an envelope of another kind", { body: "[]" }, "nonsense", /no JSON object/],
    ["an empty envelope", { body: "{}" }, "nonsense", /chooses nothing/],
    [
      "content of another kind",
      { body: '{"choices":[{"message":null}],"content":[null,7]}' },
      "nonsense",
      /chooses/,
    ],
    ["prose", { text: "I would choose heed:staging." }, "nonsense", /chooses nothing/],
    ["a handle that is not in the list", { text: '{"choose": ["heed:other"]}' }, "nonsense", /chooses/],
    ["a body without end", { failure: "huge" }, "oversized", /more than/],
    ["a body that unpacks without end", { failure: "bomb" }, "oversized", /more than/],
    ["a body that drips", { failure: "drip" }, "timeout", /400 ms/],
    ["silence", { failure: "silence" }, "timeout", /400 ms/],
    ["a connection that breaks", { failure: "hang-up" }, "unreachable", /no connection/],
  ])("fails, and says how, on %s", async (_, answer, failure, message) => {
    const server = await JudgeServer.listen();
    server.answer = answer;
    const startedAt = performance.now();
    const judgement = await judgeAt(protocol, server.url(protocol)).select(
      "x",
      SHORTLIST,
      failure === "timeout" ? 400 : 10_000,
    );
    expect(judgement).toMatchObject({
      kind: "failed",
      failure,
      message: expect.stringMatching(message) as string,
    });
    // Nothing that the server said, nor the key, is in a message that goes to the ledger.
    expect(JSON.stringify(judgement)).not.toMatch(/sk-/);
    expect(performance.now() - startedAt).toBeLessThan(9000);
  });

  test("follows no redirect: the key would travel along", async () => {
    const elsewhere = await JudgeServer.listen();
    const server = await JudgeServer.listen();
    for (const status of [301, 302, 307, 308]) {
      server.answer = { status, location: elsewhere.address };
      const judgement = await judgeAt(protocol, server.url(protocol)).select("x", SHORTLIST, 5000);
      expect(judgement).toMatchObject({ failure: "refused" });
    }
    expect(elsewhere.asked).toEqual([]);
  });

  test("says that nobody is there", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await judgeAt(protocol, `http://127.0.0.1:${port}`).select("x", SHORTLIST, 5000)).toMatchObject({
      failure: "unreachable",
      message: "no connection (ECONNREFUSED)",
    });
  });

  test("ends when it is told to", async () => {
    const server = await JudgeServer.listen();
    server.answer = { failure: "silence" };
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const judgement = await judgeAt(protocol, server.url(protocol)).select(
      "x",
      SHORTLIST,
      60_000,
      controller.signal,
    );
    expect(judgement).toMatchObject({ kind: "failed", failure: "timeout" });
  });

  test("estimates what a server does not count", async () => {
    const server = await JudgeServer.listen();
    server.answer = { text: '{"choose": []}', withoutUsage: true };
    const judgement = await judgeAt(protocol, server.url(protocol)).select("x", SHORTLIST, 5000);
    expect(judgement).toMatchObject({ kind: "chosen", handles: [], usage: { isEstimated: true, output: 4 } });
  });
});

test("a key that no header takes is not sent, and not shown", () => {
  const { config } = readJudgeConfig({ provider: "openai", model: "m" });
  const opened = openJudge(config as JudgeConfig, { OPENAI_API_KEY: "sk-a\r\nx-evil: 1" });
  expect(opened).toEqual({ missing: "OPENAI_API_KEY holds characters that no key has" });
});
