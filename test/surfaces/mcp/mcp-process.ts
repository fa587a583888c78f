import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { asClient } from "../as-client.ts";
import type { SandboxHome } from "../sandbox-home.ts";

const SCRIPT = join(import.meta.dirname, "../../../plugin/dist/heed.cjs");

export const MODERN = "2026-07-28";
const CLIENT = { name: "claude-code", version: "2.1.330" };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": CLIENT,
  "io.modelcontextprotocol/clientCapabilities": {},
};

export type Era = "modern" | "legacy";

export interface RpcMessage {
  jsonrpc: "2.0";
  id?: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** The server as a client runs it: a process that is spoken to in lines of JSON. */
export class McpProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** All lines of stdout, as they came. */
  readonly lines: string[] = [];
  stderr = "";
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #era: Era;
  readonly #waiting = new Map<number, (message: RpcMessage) => void>();
  #nextId = 1;
  #unread = "";

  /** @param client - The words that started the client which starts the server; default: this test does, a script. */
  constructor(
    home: SandboxHome,
    era: Era,
    env: Record<string, string> = {},
    args: readonly string[] = [],
    client?: readonly [string, ...string[]],
  ) {
    this.#era = era;
    const options = { cwd: home.work, env: { ...home.env, ...env } };
    const command = [SCRIPT, "mcp", ...args];
    this.child = client ? asClient(client, command, options) : spawn(process.execPath, command, options);
    this.exit = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    this.child.stdin.on("error", () => {});
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk));
    onTestFinished(async () => {
      this.child.stdin.end();
      // What a client started ends with its input, and may write until then.
      if (client) await this.exit;
      this.child.kill("SIGKILL");
    });
  }

  /** The opening of the era: the handshake, or the discovery. */
  async open(): Promise<Record<string, unknown>> {
    if (this.#era === "modern") return this.ask("server/discover");
    const answer = await this.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: CLIENT,
    });
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Asks and gives back the result; throws the error that came instead. */
  async ask(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    return result ?? {};
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<RpcMessage> {
    const id = this.#nextId++;
    const meta = params["_meta"] as object | undefined;
    const full = this.#era === "modern" ? { ...params, _meta: { ...ENVELOPE, ...meta } } : params;
    const answer = new Promise<RpcMessage>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: "2.0", id, method, params: full });
    return answer;
  }

  /** Calls a tool. @param meta - What the client adds to a call, as the id of the tool use. */
  async call(name: string, input: Record<string, unknown>, meta?: object): Promise<ToolAnswer> {
    const params = { name, arguments: input, ...(meta && { _meta: meta }) };
    return (await this.ask("tools/call", params)) as unknown as ToolAnswer;
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  write(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  #read(chunk: string): void {
    const lines = (this.#unread + chunk).split("\n");
    this.#unread = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      const message = JSON.parse(line) as RpcMessage;
      if (message.id === undefined) continue;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}

export interface ToolAnswer {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** What a tool answered: structured, or of an error the text alone. */
export function valueOf({ structuredContent, content }: ToolAnswer): Record<string, unknown> {
  return structuredContent ?? (JSON.parse(content[0]?.text ?? "{}") as Record<string, unknown>);
}

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
