import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { clientProcess, startedBy } from "../test/surfaces/as-client.ts";

/**
 * Resident megabytes of the MCP server over a store, after a search and a prompt event. Read from /proc, so on
 * Linux only; null elsewhere.
 */
export async function measureServerMemory(
  home: string,
  userStore: string,
  query: string,
): Promise<number | null> {
  if (process.platform !== "linux") return null;
  const project = join(home, "project");
  mkdirSync(project, { recursive: true });
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const heed = resolve("plugin/dist/heed.cjs");
  const places = {
    HOME: home,
    HEED_DIR: userStore,
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
  };
  const options = { cwd: project, env: { ...env, ...places } };
  // The index is there when a session starts: building it is another figure.
  execFileSync(process.execPath, [heed, "status", "--reindex"], { ...options, stdio: "ignore" });
  // Hooks are answered in a server that a client started.
  const { argv0, args } = clientProcess(["claude"], [heed, "mcp"]);
  const client = spawn(process.execPath, args, { ...options, argv0, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const request = async (method: string, params: unknown): Promise<void> => {
    id += 1;
    client.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error("the server ended");
      const message = JSON.parse(value) as { id?: number; error?: unknown };
      if (message.id === id && message.error !== undefined) throw new Error(JSON.stringify(message.error));
      if (message.id === id) return;
    }
  };
  try {
    const clientInfo = { name: "claude-code", version: "2.1.330" };
    await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    client.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    await request("tools/call", { name: "memory_search", arguments: { query } });
    await request("tools/call", {
      name: "memory_hook",
      arguments: { hook_event_name: "UserPromptSubmit", session_id: "bench", cwd: project, prompt: query },
    });
    const status = readFileSync(`/proc/${startedBy(client.pid)}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  } finally {
    // It may still write what the prompt led to: the caller removes the folder next.
    const ended = new Promise((resolve) => client.once("exit", resolve));
    client.stdin.end();
    await ended;
  }
}
