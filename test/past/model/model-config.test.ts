import { expect, test } from "vitest";
import { readModelConfig } from "../../../src/past/model/model-config.ts";

test("a provider and a model are enough; the rest has defaults", () => {
  expect(readModelConfig({ provider: "anthropic", model: "claude-haiku-4-5" })).toEqual({
    problems: [],
    config: {
      provider: "anthropic",
      model: "claude-haiku-4-5",
      url: "https://api.anthropic.com",
      keyFrom: "ANTHROPIC_API_KEY",
      command: "claude",
      deadlineMs: 60_000,
      maxCalls: 20,
      maxTokens: 200_000,
      maxAnswerTokens: 2000,
    },
  });
});

test("a client of the command line needs no model", () => {
  expect(readModelConfig({ provider: "claude-code" }).config).toMatchObject({
    model: "haiku",
    keyFrom: undefined,
  });
});

test("an address of one's own takes no key unless one is named", () => {
  const own = { provider: "openai", model: "qwen3:4b", url: "http://localhost:11434/v1/" };
  expect(readModelConfig(own).config).toMatchObject({ url: "http://localhost:11434/v1", keyFrom: undefined });
  expect(readModelConfig({ ...own, key_from: "OWN_KEY" }).config?.keyFrom).toBe("OWN_KEY");
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["no provider", { model: "m" }, /provider is missing/],
  ["an unknown provider", { provider: "skynet", model: "m" }, /use one of anthropic, openai, claude-code/],
  ["no model", { provider: "openai" }, /model is missing/],
  ["a key in the file", { api_key: "sk-1" }, /does not belong into a file/],
  ["a token in the file", { token: "sk-1" }, /does not belong into a file/],
  ["a misspelt setting", { deadline: 5 }, /learn\.deadline is not known/],
  ["no address", { url: "localhost" }, /use an http/],
  ["another protocol", { url: "file:///etc/passwd" }, /use an http/],
  ["a password in the address", { url: "https://u:p@example.com" }, /holds a password/],
  ["a key in the clear", { url: "http://example.com", key_from: "K" }, /in the clear/],
  ["no variable's name", { key_from: "$(env)" }, /no name of an environment variable/],
  ["a deadline of nothing", { deadline_ms: 0 }, /use 1000 to 300000/],
  ["calls without end", { calls: "Infinity" }, /use 1 to 1000/],
  ["half a call", { calls: 0.5 }, /use 1 to 1000/],
  ["a list", { tokens: [1] }, /learn\.tokens/],
])("%s makes the whole configuration unusable, and says why", (_, part, message) => {
  const value = "provider" in part || "model" in part ? part : { provider: "openai", model: "m", ...part };
  const { config, problems } = readModelConfig(value);
  expect(config).toBeUndefined();
  expect(problems.join("; ")).toMatch(message);
  expect(problems.join("; ")).not.toContain("sk-1");
});
