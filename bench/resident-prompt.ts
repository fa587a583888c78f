import { spawnSync } from "node:child_process";
import { installClient } from "../test/e2e/client/client-install.ts";
import { measurePromptLatency } from "../test/e2e/prompt-latency.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const PROMPTS = 15;

/** What the plugin adds between prompt and request in the real client; null where the client cannot be installed. */
export async function measureResidentPrompt(size: number): Promise<Figure[]> {
  const name = "resident_added_ms_2k";
  let client: string;
  try {
    client = await installClient("current");
  } catch (error) {
    return [{ name, value: null, unit: "ms", n: 0, note: `no client: ${String(error)}` }];
  }
  let words: string[] = [];
  const prompts = Array.from({ length: PROMPTS }, (_, i) => `please look into part ${i} of the work at hand`);
  const latency = await measurePromptLatency({
    client,
    prompts,
    rounds: 2,
    prepare(sandbox) {
      words = writeCorpus(sandbox.userStore, size);
      prompts.forEach((_, i) => (prompts[i] = `${words.slice(i % 4, (i % 4) + 4).join(" ")} number ${i}`));
      spawnSync(process.execPath, ["plugin/dist/heed.cjs", "reindex"], { env: sandbox.env });
    },
  });
  const withPlugin = median(latency.withPlugin);
  const without = median(latency.withoutPlugin);
  return [
    {
      name,
      value: withPlugin - without,
      unit: "ms",
      n: latency.withPlugin.length,
      baseline: without,
      note: "median time from prompt to request without the plugin",
    },
  ];
}
