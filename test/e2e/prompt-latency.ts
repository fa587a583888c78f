import { setTimeout as sleep } from "node:timers/promises";
import type { SessionRecord } from "./client/session.ts";
import { runSession } from "./client/session.ts";
import { PLUGIN, Sandbox } from "./client/sandbox.ts";

/** Milliseconds from prompt to request, one number for each prompt that was measured. */
interface PromptLatency {
  withPlugin: number[];
  withoutPlugin: number[];
}

/** What is measured. */
interface PromptLatencyPlan {
  /** Path of the client (see client/client-install.ts). */
  client: string;
  /** Prompts of one session. The first two are not counted: they wait for the start of client and server. */
  prompts: readonly string[];
  prepare: (sandbox: Sandbox) => void | Promise<void>;
  /** How long a person takes between two prompts, in milliseconds. */
  pauseMs: number;
  /** Sessions with the plugin, and as many without, taking turns so that a busy machine slows all. */
  rounds: number;
}

const WARM_UP_PROMPTS = 2;

/**
 * Measures what the plugin adds between a prompt and its request in the real client: the prompt is written to the
 * stdin of a running session, and the clock stops when the scripted API has the whole request.
 */
export async function measurePromptLatency(plan: PromptLatencyPlan): Promise<PromptLatency> {
  const latency: PromptLatency = { withPlugin: [], withoutPlugin: [] };
  for (let round = 0; round < plan.rounds; round++) {
    for (const side of ["withoutPlugin", "withPlugin"] as const) {
      const sandbox = new Sandbox(plan.client);
      try {
        await plan.prepare(sandbox);
        const prompts = plan.prompts.map((text) => ({ text, before: () => sleep(plan.pauseMs) }));
        const record = await runSession(sandbox, {
          client: plan.client,
          prompts,
          plugins: side === "withPlugin" ? [PLUGIN] : [],
          // Nobody who types has the client report its hooks.
          isWatched: false,
        });
        latency[side].push(...promptToRequestMs(record).slice(WARM_UP_PROMPTS));
      } finally {
        sandbox.remove();
      }
    }
  }
  return latency;
}

/** For each prompt of a session, the time until its first request. */
function promptToRequestMs(record: SessionRecord): number[] {
  return record.promptsSentAtMs.map((sentAtMs, index) => {
    const nextAtMs = record.promptsSentAtMs[index + 1] ?? Number.POSITIVE_INFINITY;
    const request = record.main.find(({ atMs }) => atMs >= sentAtMs && atMs < nextAtMs);
    if (request === undefined) throw new Error(`prompt ${index + 1} led to no request`);
    return request.atMs - sentAtMs;
  });
}
