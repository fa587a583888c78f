import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { readModelConfig } from "../../../src/past/model/model-config.ts";
import type { ModelConfig } from "../../../src/past/model/model-config.ts";
import type { Model, ModelAnswer } from "../../../src/past/model/model.ts";
import { openModel } from "../../../src/past/model/open-model.ts";
import type { Answer, Protocol } from "./model-server.ts";
import { ModelServer } from "./model-server.ts";

const KEY = "sk-test-0123456789";
const QUESTION = { system: "Answer in one word.", user: "where is staging?" };

function modelAt(protocol: Protocol, url: string): Model {
  const { config, problems } = readModelConfig({
    provider: protocol,
    model: "m-1",
    url,
    key_from: "MODEL_KEY",
  });
  expect(problems).toEqual([]);
  const model = openModel(config as ModelConfig, { MODEL_KEY: KEY });
  if ("missing" in model) throw new Error(model.missing);
  return model;
}

/** Asks the model at an address, within a deadline. */
const ask = (
  protocol: Protocol,
  url: string,
  deadlineMs = 5000,
  signal?: AbortSignal,
): Promise<ModelAnswer> => modelAt(protocol, url).ask(QUESTION, { deadlineMs, maxAnswerTokens: 300, signal });

describe.each<Protocol>(["anthropic", "openai"])("a model that speaks as %s", (protocol) => {
  test("asks with system and user text, and takes the answer", async () => {
    const server = await ModelServer.listen();
    server.answer = { text: "db-stage-2" };
    expect(await ask(protocol, server.url(protocol))).toEqual({
      kind: "answered",
      text: "db-stage-2",
      usage: { input: 311, output: 12 },
    });
    const [asked] = server.asked;
    expect(asked?.body).toMatchObject({ model: "m-1", max_tokens: 300 });
    expect(asked?.body.messages.at(-1)).toEqual({ role: "user", content: QUESTION.user });
    expect(JSON.stringify(asked?.body)).toContain(QUESTION.system);
    expect(asked?.path).toBe(protocol === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
    expect(asked?.headers).toMatchObject(
      protocol === "anthropic"
        ? { "x-api-key": KEY, "anthropic-version": "2023-06-01" }
        : { authorization: `Bearer ${KEY}` },
    );
  });

  test("sends no key where none is named", async () => {
    const server = await ModelServer.listen();
    const own = { provider: protocol, model: "m-1", url: server.url(protocol) };
    const { config } = readModelConfig(own);
    const model = openModel(config as ModelConfig, { ANTHROPIC_API_KEY: KEY, OPENAI_API_KEY: KEY }) as Model;
    await model.ask(QUESTION, { deadlineMs: 5000, maxAnswerTokens: 300 });
    expect(JSON.stringify(server.asked[0]?.headers)).not.toContain(KEY);
  });

  test.each<[string, Answer, string, RegExp]>([
    ["401", { status: 401 }, "refused", /HTTP 401/],
    ["429", { status: 429 }, "refused", /HTTP 429/],
    ["500", { status: 500 }, "refused", /HTTP 500/],
    ["a body that is no JSON", { body: "<html>" }, "nonsense", /no JSON/],
    ["an envelope of another kind", { body: "[]" }, "nonsense", /no JSON object/],
    ["a body without end", { failure: "huge" }, "oversized", /more than/],
    ["a body that unpacks without end", { failure: "bomb" }, "oversized", /more than/],
    ["a body that drips", { failure: "drip" }, "timeout", /400 ms/],
    ["silence", { failure: "silence" }, "timeout", /400 ms/],
    ["a connection that breaks", { failure: "hang-up" }, "unreachable", /no connection/],
  ])("fails, and says how, on %s", async (_, answer, failure, message) => {
    const server = await ModelServer.listen();
    server.answer = answer;
    const startedAt = performance.now();
    const answered = await ask(protocol, server.url(protocol), failure === "timeout" ? 400 : 10_000);
    expect(answered).toMatchObject({
      kind: "failed",
      failure,
      message: expect.stringMatching(message) as string,
    });
    // Nothing that the server said, nor the key, is in a message that goes to the ledger.
    expect(JSON.stringify(answered)).not.toMatch(/sk-/);
    expect(performance.now() - startedAt).toBeLessThan(9000);
  });

  test("follows no redirect: the key would travel along", async () => {
    const elsewhere = await ModelServer.listen();
    const server = await ModelServer.listen();
    for (const status of [301, 302, 307, 308]) {
      server.answer = { status, location: elsewhere.address };
      expect(await ask(protocol, server.url(protocol))).toMatchObject({ failure: "refused" });
    }
    expect(elsewhere.asked).toEqual([]);
  });

  test("says that nobody is there", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const { port } = gone.address() as AddressInfo;
    await new Promise((resolve) => gone.close(resolve));
    expect(await ask(protocol, `http://127.0.0.1:${port}`)).toMatchObject({
      failure: "unreachable",
      message: "no connection (ECONNREFUSED)",
    });
  });

  test("ends when it is told to", async () => {
    const server = await ModelServer.listen();
    server.answer = { failure: "silence" };
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await ask(protocol, server.url(protocol), 60_000, controller.signal)).toMatchObject({
      kind: "failed",
      failure: "timeout",
    });
  });

  test("estimates what a server does not count", async () => {
    const server = await ModelServer.listen();
    server.answer = { text: "db-stage-2 is it", withoutUsage: true };
    expect(await ask(protocol, server.url(protocol))).toMatchObject({
      kind: "answered",
      usage: { output: 4 },
    });
  });
});

test("a key that no header takes is not sent, and not shown", () => {
  const { config } = readModelConfig({ provider: "openai", model: "m" });
  const opened = openModel(config as ModelConfig, { OPENAI_API_KEY: "sk-a\r\nx-evil: 1" });
  expect(opened).toEqual({ missing: "OPENAI_API_KEY holds characters that no key has" });
});
