import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SILENT_SERVER } from "../test/e2e/silent-plugin.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";
import { StdioServer } from "./stdio-server.ts";

const HEED = resolve("plugin/dist/heed.cjs");
const PROMPTS = 30;
const PAUSE_MS = 150;
/** A server loads itself and tries prompts after its first answer. */
const WARM_UP_MS = 4000;

/**
 * What the resident server takes of the processor from a prompt's hook to its answer, beside a server that answers with
 * nothing: a busy machine makes an answer later, and this hardly larger. Null where the system does not say (not Linux).
 */
export async function measureServerCost(size: number, name: string): Promise<Figure> {
  const base = { name, unit: "ms" } as const;
  if (process.platform !== "linux") return { ...base, value: null, n: 0, note: "no schedstat here" };
  const home = mkdtempSync(join(tmpdir(), "heed-server-"));
  const project = join(home, "project");
  mkdirSync(project);
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    HEED_DIR: join(home, "memory"),
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
    CLAUDE_PLUGIN_ROOT: resolve("plugin"),
  };
  const silent = join(home, "silent.cjs");
  writeFileSync(silent, SILENT_SERVER);
  const words = writeCorpus(join(home, "memory"), size);
  spawnSync("git", ["init", "--quiet", project], { env });
  spawnSync(process.execPath, [HEED, "status", "--reindex"], { cwd: project, env });
  const start = { hook_event_name: "SessionStart", source: "startup", session_id: "bench", cwd: project };
  spawnSync(process.execPath, [HEED, "hook"], { cwd: project, env, input: JSON.stringify(start) });
  const servers = [[HEED, "mcp"], [silent]].map((args) => new StdioServer(args, { cwd: project, env }));
  const costsMs = servers.map((): number[] => []);
  try {
    for (const server of servers) await server.begin();
    await sleep(WARM_UP_MS);
    for (let i = 0; i < PROMPTS; i++) {
      const prompt = `${words.slice(i % 4, (i % 4) + 4).join(" ")} number ${i}`;
      const event = { hook_event_name: "UserPromptSubmit", session_id: "bench", cwd: project, prompt };
      for (const [at, server] of servers.entries()) {
        await sleep(PAUSE_MS);
        costsMs[at]?.push(await costOf(server, event));
      }
    }
    const [own = [], baseline = []] = costsMs;
    const note = "median processor time of a server that answers with nothing";
    return { ...base, value: median(own), n: own.length, baseline: median(baseline), note };
  } finally {
    for (const server of servers) await server.end();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Milliseconds of processor time, to the nanosecond, that the main thread of a server takes for a prompt. */
async function costOf(server: StdioServer, event: Record<string, unknown>): Promise<number> {
  const { pid } = server;
  const processorMs = (): number =>
    Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  const before = processorMs();
  await server.callTool("memory_hook", event);
  return processorMs() - before;
}
