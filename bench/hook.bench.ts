import { spawnSync } from "node:child_process";
import { installClient } from "../test/e2e/client/client-install.ts";
import { measurePromptLatency } from "../test/e2e/prompt-latency.ts";
import { writeCorpus } from "./corpus-files.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./statistics.ts";

const MEMORIES = 2_000;
const PROMPTS = 22;
const ROUNDS = 3;

/** What a person takes at the least between an answer and the next prompt. */
const PAUSE_MS = 1200;

/** The suffix of the figures, and the pause. */
const MEASURED = { ms_2k: PAUSE_MS, back_to_back_ms_2k: 0 } as const;

/**
 * What the plugin adds between prompt and request in the real client, with pauses as a person makes them and back to
 * back; null where the client cannot be installed. Processes of their own: `growth`.
 */
export async function run(): Promise<Figure[]> {
  let client: string;
  try {
    client = await installClient();
  } catch (error) {
    const note = `no client: ${String(error)}`;
    return Object.keys(MEASURED).map((suffix) => figure(`resident_added_${suffix}`, null, "ms", 0, { note }));
  }
  const figures: Figure[] = [];
  for (const [suffix, pauseMs] of Object.entries(MEASURED))
    figures.push(await measure(client, suffix, pauseMs));
  return figures;
}

async function measure(client: string, suffix: string, pauseMs: number): Promise<Figure> {
  const prompts = Array.from({ length: PROMPTS }, (_, i) => `please look into part ${i} of the work at hand`);
  const latency = await measurePromptLatency({
    client,
    prompts,
    pauseMs,
    rounds: ROUNDS,
    prepare(sandbox) {
      const words = writeCorpus(sandbox.userStore, MEMORIES);
      prompts.forEach((_, i) => (prompts[i] = `${words.slice(i % 4, (i % 4) + 4).join(" ")} number ${i}`));
      spawnSync(process.execPath, ["plugin/dist/heed.cjs", "doctor", "--reindex"], { env: sandbox.env });
    },
  });
  const baseline = median(latency.withoutPlugin);
  const { withPlugin } = latency;
  const note = "median time from prompt to request without a plugin";
  return figure(`resident_added_${suffix}`, median(withPlugin) - baseline, "ms", withPlugin.length, {
    baseline,
    note,
  });
}
