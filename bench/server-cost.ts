import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { clientProcess, startedBy } from "../test/surfaces/as-client.ts";
import { SILENT_SERVER } from "../test/e2e/silent-plugin.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const HEED = resolve("plugin/dist/heed.cjs");
const PROMPTS = 30;
const PAUSE_MS = 150;
/** A server loads itself and tries prompts after its first answer. */
const WARM_UP_MS = 4000;

type Args = Record<string, unknown>;

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
  const servers = [[HEED, "mcp"], [silent]].map((args) => new Server(args, project, env));
  try {
    for (const server of servers) await server.begin();
    await sleep(WARM_UP_MS);
    for (let i = 0; i < PROMPTS; i++) {
      const prompt = `${words.slice(i % 4, (i % 4) + 4).join(" ")} number ${i}`;
      const event = { hook_event_name: "UserPromptSubmit", session_id: "bench", cwd: project, prompt };
      for (const server of servers) {
        await sleep(PAUSE_MS);
        await server.prompt(event);
      }
    }
    const [own = [], baseline = []] = servers.map(({ costsMs }) => costsMs);
    const note = "median processor time of a server that answers with nothing";
    return { ...base, value: median(own), n: own.length, baseline: median(baseline), note };
  } finally {
    for (const server of servers) server.end();
    await sleep(500);
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A server over stdio, to which this plays Claude Code. */
class Server {
  readonly costsMs: number[] = [];
  readonly #child;
  readonly #waiting = new Map<number, () => void>();
  #id = 0;

  constructor(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    // Hooks are answered in a server that a client started.
    const client = clientProcess(["claude"], args);
    const { argv0 } = client;
    this.#child = spawn(process.execPath, client.args, {
      cwd,
      env,
      argv0,
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const { id } = JSON.parse(line) as { id?: number };
      if (id !== undefined) this.#waiting.get(id)?.();
    });
  }

  async begin(): Promise<void> {
    const clientInfo = { name: "claude-code", version: "2.1.330" };
    await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.#send({ method: "notifications/initialized" });
  }

  async prompt(event: Args): Promise<void> {
    const before = this.#processorMs();
    await this.#ask("tools/call", { name: "memory_hook", arguments: event });
    this.costsMs.push(this.#processorMs() - before);
  }

  end(): void {
    this.#child.stdin.end();
  }

  #ask(method: string, params: Args): Promise<void> {
    const id = ++this.#id;
    const answered = new Promise<void>((done) => this.#waiting.set(id, done));
    this.#send({ id, method, params });
    return answered;
  }

  #send(message: Args): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  /** Time that the main thread has run, to the nanosecond. */
  #processorMs(): number {
    const pid = startedBy(this.#child.pid);
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }
}
