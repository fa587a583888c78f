import { expect, test } from "vitest";
import { readJudgeConfig } from "../../../src/optional/judge/judge-config.ts";

test("a provider and a model are enough; the rest has defaults", () => {
  expect(readJudgeConfig({ provider: "anthropic", model: "claude-haiku-4-5" })).toEqual({
    problems: [],
    config: {
      provider: "anthropic",
      model: "claude-haiku-4-5",
      url: "https://api.anthropic.com",
      keyFrom: "ANTHROPIC_API_KEY",
      command: "claude",
      deadlineMs: 8000,
      waitMs: 600,
      maxCalls: 30,
      maxTokens: 60_000,
      maxAnswerTokens: 300,
    },
  });
});

test("a client of the command line needs no model, and no prompt waits for it", () => {
  expect(readJudgeConfig({ provider: "claude-code" }).config).toMatchObject({
    model: "haiku",
    keyFrom: undefined,
    deadlineMs: 30_000,
    waitMs: 0,
  });
});

test("an address of one's own takes no key unless one is named", () => {
  const own = { provider: "openai", model: "qwen3:4b", url: "http://localhost:11434/v1/" };
  expect(readJudgeConfig(own).config).toMatchObject({ url: "http://localhost:11434/v1", keyFrom: undefined });
  expect(readJudgeConfig({ ...own, key_from: "OWN_KEY" }).config?.keyFrom).toBe("OWN_KEY");
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["no provider", { model: "m" }, /provider is missing/],
  ["an unknown provider", { provider: "skynet", model: "m" }, /use one of anthropic, openai, claude-code/],
  ["no model", { provider: "openai" }, /model is missing/],
  ["a key in the file", { api_key: "sk-1" }, /does not belong into a file/],
  ["a token in the file", { token: "sk-1" }, /does not belong into a file/],
  ["a misspelt setting", { deadline: 5 }, /judge\.deadline is not known/],
  ["no address", { url: "localhost" }, /use an http/],
  ["another protocol", { url: "file:///etc/passwd" }, /use an http/],
  ["a password in the address", { url: "https://u:p@example.com" }, /holds a password/],
  ["a key in the clear", { url: "http://example.com", key_from: "K" }, /in the clear/],
  ["no variable's name", { key_from: "$(env)" }, /no name of an environment variable/],
  ["a deadline of nothing", { deadline_ms: 0 }, /use 100 to 120000/],
  ["a wait beyond the hook's second", { wait_ms: 5000 }, /use 0 to 700/],
  ["calls without end", { calls: "Infinity" }, /use 1 to 10000/],
  ["half a call", { calls: 0.5 }, /use 1 to 10000/],
  ["a list", { tokens: [1] }, /judge\.tokens/],
])("%s makes the whole configuration unusable, and says why", (_, part, message) => {
  const value = "provider" in part || "model" in part ? part : { provider: "openai", model: "m", ...part };
  const { config, problems } = readJudgeConfig(value);
  expect(config).toBeUndefined();
  expect(problems.join("; ")).toMatch(message);
  expect(problems.join("; ")).not.toContain("sk-1");
});
