import { spawnSync } from "node:child_process";
import { installClient } from "../test/e2e/client/client-install.ts";
import { measurePromptLatency } from "../test/e2e/prompt-latency.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const PROMPTS = 15;

/** What a person takes at the least between an answer and the next prompt. */
const PAUSE_MS = 1200;

/**
 * What the plugin adds between prompt and request in the real client, with pauses as a person makes them and back to
 * back; null where the client cannot be installed.
 */
export async function measureResidentPrompt(size: number): Promise<Figure[]> {
  const measured = { resident_added_ms_2k: PAUSE_MS, resident_added_back_to_back_ms_2k: 0 };
  let client: string;
  try {
    client = await installClient("current");
  } catch (error) {
    return Object.keys(measured).map((name) => ({
      name,
      value: null,
      unit: "ms",
      n: 0,
      note: `no client: ${String(error)}`,
    }));
  }
  const figures: Figure[] = [];
  for (const [name, pauseMs] of Object.entries(measured))
    figures.push(await measure(client, size, name, pauseMs));
  return figures;
}

async function measure(client: string, size: number, name: string, pauseMs: number): Promise<Figure> {
  const prompts = Array.from({ length: PROMPTS }, (_, i) => `please look into part ${i} of the work at hand`);
  const latency = await measurePromptLatency({
    client,
    prompts,
    pauseMs,
    rounds: 2,
    prepare(sandbox) {
      const words = writeCorpus(sandbox.userStore, size);
      prompts.forEach((_, i) => (prompts[i] = `${words.slice(i % 4, (i % 4) + 4).join(" ")} number ${i}`));
      spawnSync(process.execPath, ["plugin/dist/heed.cjs", "reindex"], { env: sandbox.env });
    },
  });
  const without = median(latency.withoutPlugin);
  return {
    name,
    value: median(latency.withPlugin) - without,
    unit: "ms",
    n: latency.withPlugin.length,
    baseline: without,
    note: "median time from prompt to request without the plugin",
  };
}
