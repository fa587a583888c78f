import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeIndex } from "../src/search/index/index-writer.ts";
import { TypeTable } from "../src/memory/memory-type.ts";
import type { StoreRef } from "../src/memory/memory.ts";
import { scanStore } from "../src/store/files/scan-store.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";
import { StdioServer } from "./stdio-server.ts";

const SIZE = 20_000;
const ROUNDS = 3;

/** What the build of an index costs beside reading and parsing the same files, and what a resident server holds. */
export async function run(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), "heed-index-"));
  const root = join(home, "memory");
  try {
    const words = writeCorpus(root, SIZE);
    const store: StoreRef = { id: "bench", kind: "user", root, isTrusted: true, isReadOnly: false };
    const types = new TypeTable();
    const ratios: number[] = [];
    let parseMs = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const beforeParse = cpuMs();
      const { memories } = scanStore(store, types);
      const beforeBuild = cpuMs();
      writeIndex(join(home, "index"), memories);
      parseMs = beforeBuild - beforeParse;
      ratios.push((cpuMs() - beforeParse) / parseMs);
    }
    return [
      {
        name: "build_ratio",
        value: median(ratios),
        unit: "x",
        n: ROUNDS,
        baseline: 1,
        note: `reading and parsing alone: ${(parseMs / 1000).toFixed(1)} s CPU`,
      },
      {
        name: "rss_mb_20k",
        value: await serverMemory(home, root, words.join(" ")),
        unit: "MB",
        n: 1,
        note: "MCP server after a search and a prompt",
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Resident megabytes of the MCP server over a store, after a search and a prompt event. Read from /proc, so on Linux
 * only; null elsewhere.
 */
async function serverMemory(home: string, userStore: string, query: string): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const heed = resolve("plugin/dist/heed.cjs");
  const places = {
    HOME: home,
    HEED_DIR: userStore,
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
  };
  const options = { cwd, env: { ...env, ...places } };
  // The index is there when a session starts: building it is another figure.
  execFileSync(process.execPath, [heed, "status", "--reindex"], { ...options, stdio: "ignore" });
  const start = { hook_event_name: "SessionStart", source: "startup", session_id: "bench", cwd };
  execFileSync(process.execPath, [heed, "hook"], { ...options, input: JSON.stringify(start) });
  const server = new StdioServer([heed, "mcp"], options);
  try {
    await server.begin();
    await server.callTool("memory_search", { query });
    const event = { hook_event_name: "UserPromptSubmit", session_id: "bench", cwd, prompt: query };
    await server.callTool("memory_hook", event);
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
  } finally {
    await server.end();
  }
}
