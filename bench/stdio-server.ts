import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { clientProcess, startedBy } from "../test/surfaces/as-client.ts";

/** An MCP server over stdio, to which this plays Claude Code: hooks are answered in a server that a client started. */
export class StdioServer {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, { resolve: (result: unknown) => void; reject: (why: Error) => void }>();
  #id = 0;

  constructor(args: readonly string[], options: SpawnOptionsWithoutStdio) {
    const client = clientProcess(["claude"], args);
    this.#child = spawn("bash", client.args, { ...options, argv0: client.argv0 });
    this.#child.stderr.pipe(process.stderr);
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const { id, result, error } = JSON.parse(line) as { id?: number; result?: unknown; error?: unknown };
      const waiting = id === undefined ? undefined : this.#waiting.get(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(JSON.stringify(error)));
    });
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.values())
        reject(new Error("the server ended: npm run build first"));
    });
  }

  /** The process of the server itself, below the client's. */
  get pid(): number {
    return startedBy(this.#child.pid);
  }

  /** Says hello; returns what the server says of itself. */
  async begin(): Promise<{ instructions?: string }> {
    const clientInfo = { name: "claude-code", version: "2.1.330" };
    const about = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const hello = await this.ask<{ instructions?: string }>("initialize", about);
    this.#send({ method: "notifications/initialized" });
    return hello;
  }

  /** The result of a request; rejects with the server's error. */
  ask<T>(method: string, params: Record<string, unknown>): Promise<T> {
    const id = ++this.#id;
    const answered = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    return answered as Promise<T>;
  }

  callTool(name: string, args: Record<string, unknown>): Promise<unknown> {
    return this.ask("tools/call", { name, arguments: args });
  }

  /** Ends it as a client does, and waits until it has written what it still has to. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, "exit");
  }

  #send(message: Record<string, unknown>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
