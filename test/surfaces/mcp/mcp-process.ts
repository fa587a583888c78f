import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { asClient } from "../as-client.ts";
import { HEED, type SandboxHome } from "../sandbox-home.ts";

export const MODERN = "2026-07-28";

export type Era = "modern" | "legacy";

export interface RpcMessage {
  jsonrpc: "2.0";
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

/** Who answers the dialogs of a server: the answer, or undefined for none at all. */
export type Asked = (params: Record<string, unknown>) => Promise<Record<string, unknown> | undefined>;

/** The server as a client runs it: a process that is spoken to in lines of JSON. */
export class McpProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  stderr = "";
  /** Set before `open`: the client says that it can show a form, and answers so. */
  asked: Asked | undefined;
  version = "2.1.330";
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  readonly #home: SandboxHome;
  readonly #era: Era;
  readonly #waiting = new Map<number, (message: RpcMessage) => void>();
  #nextId = 1;
  #unread = "";

  /** @param client - The words that started the client which starts the server; default: this test does, a script. */
  constructor(
    home: SandboxHome,
    era: Era,
    client?: readonly [string, ...string[]],
    { env = {}, args = [] }: { env?: Record<string, string>; args?: readonly string[] } = {},
  ) {
    this.#home = home;
    this.#era = era;
    const options = { cwd: home.work, env: { ...home.env, ...env } };
    const command = [HEED, "mcp", ...args];
    this.child = client ? asClient(client, command, options) : spawn(process.execPath, command, options);
    this.exit = new Promise((resolve) => {
      this.child.once("exit", (code, signal) => resolve({ code, signal }));
    });
    this.child.stdin.on("error", () => {});
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.child.stdout.setEncoding("utf8").on("data", (chunk: string) => this.#read(chunk));
    home.atEnd(async () => {
      this.child.stdin.end();
      // What a client started ends with its input, and may write until then.
      if (client) await this.exit;
      this.child.kill("SIGKILL");
    });
  }

  /** A server that is open; the arguments are the constructor's. */
  static async opened(...given: ConstructorParameters<typeof McpProcess>): Promise<McpProcess> {
    const server = new McpProcess(...given);
    await server.open();
    return server;
  }

  /** The opening of the era: the handshake, or the discovery. */
  async open(): Promise<Record<string, unknown>> {
    if (this.#era === "modern") return this.ask("server/discover");
    const answer = await this.ask("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: this.#capabilities,
      clientInfo: this.#client,
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
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": MODERN,
      "io.modelcontextprotocol/clientInfo": this.#client,
      "io.modelcontextprotocol/clientCapabilities": this.#capabilities,
    };
    const meta = params["_meta"] as object | undefined;
    const full = this.#era === "modern" ? { ...params, _meta: { ...envelope, ...meta } } : params;
    const answer = new Promise<RpcMessage>((resolve) => this.#waiting.set(id, resolve));
    this.send({ jsonrpc: "2.0", id, method, params: full });
    return answer;
  }

  /**
   * Calls a tool; in the newer protocol again, with the answers that the server asks for.
   *
   * @param meta - What the client adds to a call, as the id of the tool use.
   */
  async call(name: string, input: Record<string, unknown>, meta?: object): Promise<ToolAnswer> {
    const params = { name, arguments: input, ...(meta && { _meta: meta }) };
    const { inputRequests, requestState, ...answer } = await this.ask("tools/call", params);
    if (inputRequests === undefined) return answer as unknown as ToolAnswer;
    const inputResponses: Record<string, unknown> = {};
    for (const [key, request] of Object.entries(inputRequests as Record<string, RpcMessage>))
      inputResponses[key] = await this.asked?.(request.params ?? {});
    return (await this.ask("tools/call", {
      ...params,
      inputResponses,
      requestState,
    })) as unknown as ToolAnswer;
  }

  /** What the hook tool says to an event of session `s1` in the home's working directory. */
  async hook(name: string, more: object = {}): Promise<string> {
    const event = JSON.parse(this.#home.event(name, more)) as Record<string, unknown>;
    return (await this.call("memory_hook", event)).content[0]?.text ?? "";
  }

  get #client(): { name: string; version: string } {
    return { name: "claude-code", version: this.version };
  }

  get #capabilities(): Record<string, unknown> {
    return this.asked === undefined ? {} : { elicitation: { form: {} } };
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
      if (message.method !== undefined) {
        const { id } = message;
        void this.asked?.(message.params ?? {}).then(
          (result) => result && this.send({ jsonrpc: "2.0", id, result }),
        );
        continue;
      }
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    }
  }
}

export interface ToolAnswer {
  content: { type: string; text: string }[];
  isError?: boolean;
}

export function valueOf({ content }: ToolAnswer): Record<string, unknown> {
  return JSON.parse(content[0]?.text ?? "{}") as Record<string, unknown>;
}

/** Whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
