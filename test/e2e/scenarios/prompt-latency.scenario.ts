import { expect } from "vitest";
import { placeInUserStore, rule } from "../memory-files.ts";
import { measurePromptLatency } from "../prompt-latency.ts";
import { test } from "../scenario.ts";

// No budget is asserted: a shared machine would fail it at random. The benchmark prints the figures.
test("the time from prompt to request is measured with and without the plugin", async ({ client }) => {
  const prompts = ["one", "two", "three", "four", "five"];
  const latency = await measurePromptLatency({
    client,
    prompts,
    rounds: 1,
    prepare: (sandbox) => void placeInUserStore(sandbox, rule("own-rule", "Own rules are in force")),
  });
  for (const times of [latency.withPlugin, latency.withoutPlugin]) {
    expect(times).toHaveLength(prompts.length - 2);
    for (const ms of times) expect(ms).toBeGreaterThan(0);
  }
});
