import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type FuzzTarget, must } from "../fuzz-target.ts";

interface Server {
  child: ChildProcess;
  folder: string;
  lines: string[];
  send(message: object | string): void;
}

let server: Server | undefined;
let serial = 0;
const rpc = (message: object): object => ({ jsonrpc: "2.0", ...message });
const hasEnded = ({ child }: Server): boolean => (child.exitCode ?? child.signalCode) !== null;

function started(): Server {
  if (server && !hasEnded(server)) return server;
  const folder = mkdtempSync(join(tmpdir(), "heed-fuzz-mcp-"));
  const root = process.env["HEED_SOURCES"] ?? process.cwd();
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const child = spawn(process.execPath, [join(root, "plugin/dist/heed.cjs"), "mcp"], { cwd: folder, env });
  const lines: string[] = [];
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  const send = (message: object | string): void =>
    void child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  const clientInfo = { name: "fuzz", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send(rpc({ id: "hello", method: "initialize", params }));
  send(rpc({ method: "notifications/initialized" }));
  return (server = { child, folder, lines, send });
}

const call = (name: string, input: object): string =>
  JSON.stringify(rpc({ id: 1, method: "tools/call", params: { name, arguments: input } }));

/** Lines to the MCP server: it answers in JSON, lives, and answers the next line. */
export const mcpMessages: FuzzTarget = {
  name: "mcp",
  seeds: [
    call("memory_search", { query: "x" }),
    call("memory_write", { type: "reference", statement: "a", body: "https://example.org" }),
    call("memory_show", { handle: "a" }),
    JSON.stringify(rpc({ id: 1, method: "tools/list" })),
    JSON.stringify(rpc({ id: 1, method: "ping" })),
  ],
  words: (
    '"jsonrpc":"2.0"¦"id":¦"method":¦"tools/call"¦"params":¦"arguments":{¦"name":"memory_write"¦null¦' +
    '[]¦{}¦"__proto__":{¦\n'
  ).split("¦"),
  maxMs: 15_000,
  async check(input) {
    const there = started();
    const id = `alive-${(serial += 1)}`;
    there.send(input);
    there.send(rpc({ id, method: "ping" }));
    const startedAt = performance.now();
    while (!there.lines.some((line) => line.includes(id))) {
      must(!hasEnded(there), "the server lives");
      must(performance.now() - startedAt < 12_000, "the next line is answered");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    for (const line of there.lines.splice(0)) JSON.parse(line);
  },
  async close() {
    const there = server;
    server = undefined;
    if (!there) return;
    there.child.stdin?.end();
    if (!hasEnded(there)) await new Promise((resolve) => there.child.once("exit", resolve));
    rmSync(there.folder, { recursive: true, force: true, maxRetries: 10 });
  },
};
