import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What heed's server tells a client, which shows it to the model. */
export interface ServedTexts {
  instructions: string;
  /** Definitions of tools, as `tools/list` gives them. */
  tools: { name: string; description: string; inputSchema: unknown }[];
}

/** Asks the built server, in a home of its own, for the very texts that a model gets. */
export async function servedTexts(): Promise<ServedTexts> {
  const home = mkdtempSync(join(tmpdir(), "heed-bench-"));
  const env = { PATH: process.env["PATH"], HOME: home, HEED_DIR: join(home, "memories") };
  const server = spawn(process.execPath, ["plugin/dist/heed.cjs", "mcp"], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const ask = async <T>(id: number, method: string, params: object): Promise<T> => {
      server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error("the server ended: npm run build first");
        const answer = JSON.parse(value) as { id?: number; result?: T };
        if (answer.id === id && answer.result !== undefined) return answer.result;
      }
    };
    const clientInfo = { name: "bench", version: "1" };
    const about = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const { instructions } = await ask<{ instructions: string }>(1, "initialize", about);
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
    const { tools } = await ask<{ tools: ServedTexts["tools"] }>(2, "tools/list", {});
    return { instructions, tools };
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}
