import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FuzzTarget } from "../fuzz-target.ts";
import { must } from "../fuzz-target.ts";

interface Server {
  child: ChildProcessWithoutNullStreams;
  folder: string;
  lines: string[];
  hasEnded: boolean;
}

let server: Server | undefined;
let serial = 0;

function started(): Server {
  if (server && !server.hasEnded) return server;
  const folder = mkdtempSync(join(tmpdir(), "heed-fuzz-mcp-"));
  const root = process.env["HEED_SOURCES"] ?? process.cwd();
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    HEED_DIR: join(folder, "store"),
    HEED_STATE_DIR: join(folder, "state"),
    HEED_CACHE_DIR: join(folder, "cache"),
  };
  const child = spawn(process.execPath, [join(root, "plugin/dist/heed.cjs"), "mcp"], { cwd: folder, env });
  const made: Server = { child, folder, lines: [], hasEnded: false };
  let unread = "";
  child.stdin.on("error", () => undefined);
  child.once("exit", () => (made.hasEnded = true));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (unread + chunk).split("\n");
    unread = lines.pop() ?? "";
    made.lines.push(...lines);
  });
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fuzz", version: "1" },
  };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: "hello", method: "initialize", params: hello })}\n`,
  );
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  server = made;
  return made;
}

const call = (name: string, input: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } });

/** Lines to the MCP server: it answers in JSON, lives, and answers the next line. */
export const mcpMessages: FuzzTarget = {
  name: "mcp",
  seeds: [
    call("memory_search", { query: "x" }),
    call("memory_write", { type: "reference", statement: "a", body: "https://example.org" }),
    call("memory_show", { handle: "a" }),
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  ],
  words: (
    '"jsonrpc":"2.0"¦"id":¦"method":¦"tools/call"¦"params":¦"arguments":{¦"name":"memory_write"¦null¦' +
    '[]¦{}¦"__proto__":{¦\n'
  ).split("¦"),
  maxMs: 15_000,
  async check(input) {
    const there = started();
    const id = `alive-${(serial += 1)}`;
    there.child.stdin.write(`${input}\n`);
    there.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`);
    const startedAt = performance.now();
    while (!there.lines.some((line) => line.includes(id))) {
      must(!there.hasEnded, "the server lives");
      must(performance.now() - startedAt < 12_000, "the next line is answered");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    for (const line of there.lines.splice(0)) JSON.parse(line);
  },
  async close() {
    const there = server;
    server = undefined;
    if (!there) return;
    there.child.stdin.end();
    await new Promise((resolve) => (there.hasEnded ? resolve(0) : there.child.once("exit", resolve)));
    rmSync(there.folder, { recursive: true, force: true, maxRetries: 10 });
  },
};
