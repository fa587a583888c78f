import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SAMPLES, SAMPLE_RULE, type SampleEvent } from "./sample-events.ts";
import type { Client, Launch } from "../entry/client.ts";
import { openHeed } from "../../../heed.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";

const REMEDY = "Run it by hand with HEED_DEBUG=1 (CONTRIBUTING.md), and report what it says.";

/** Runs heed's hook as a client does, in that client's own shape, in a home that is thrown away. */
export async function tryHook(
  { name, title }: Client,
  { command, args }: Launch,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  const adapter = ADAPTERS.find(({ client }) => client === name);
  const samples = SAMPLES[name];
  if (adapter === undefined || samples === undefined) return [];
  const home = new ThrowawayHome(env);
  await home.layRule();
  const ask = async ({ raw, event }: SampleEvent): Promise<{ said: string; exitCode: number | null }> => {
    const words = ["hook", "--client", name, ...(event === undefined ? [] : ["--event", event])];
    const { stdout, stderr, exitCode } = await home.run(command, [...args, ...words], JSON.stringify(raw));
    return { said: stdout + stderr, exitCode };
  };
  const found = (what: string, isRight: boolean, detail: string, said: string): Finding =>
    isRight
      ? finding(name, what, "ok", detail)
      : finding(name, what, "wrong", `it answered ${shown(said)}`, REMEDY);
  try {
    const findings: Finding[] = [];
    if (samples.opening) {
      const { said } = await ask(samples.opening(home.work));
      const detail = `a fresh context in ${title}'s shape holds the rules`;
      findings.push(found("hook", said.includes(SAMPLE_RULE), detail, said));
    }
    const { said, exitCode } = await ask(samples.tool(home.work));
    const isStopped = exitCode === 2 || /"(?:deny|block)"/.test(said) || /"deny":/.test(said);
    const isRight = adapter.decides === "none" ? said.includes("heed:sesame") : isStopped;
    const detail =
      adapter.decides === "none" ? "told, as a refusal ends the run there" : "a forbidden call is refused";
    const lacks = [
      ...(adapter.sendsBack ? [] : ["; no turn is sent back: a guard with `when: turn-end` tells you"]),
      ...(adapter.tellsResult ? [] : ["; whether a command passed is not known to a guard with `needs`"]),
    ];
    return [...findings, found("guard", isRight, detail + lacks.join(""), said)];
  } finally {
    home.remove();
  }
}

const MESSAGES = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "heed-doctor", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} },
];

/** Starts heed's server, shakes hands and asks for its tools. */
export async function tryServer(
  { command, args }: Launch,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const home = new ThrowawayHome(env);
  try {
    const input = MESSAGES.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { stdout, stderr } = await home.run(command, [...args, "mcp"], input);
    const tools = [...stdout.matchAll(/"name":"(memory_\w+)"/g)].map(([, name]) => name);
    return tools.includes("memory_search")
      ? finding("machine", "server", "ok", `it lists ${new Set(tools).size} tools`)
      : finding(
          "machine",
          "server",
          "wrong",
          `it lists no tools: ${shown(stdout + stderr)}`,
          "Try heed mcp in a terminal; heed.log says more.",
        );
  } finally {
    home.remove();
  }
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line === "" ? "nothing" : `“${line.slice(0, 200)}”`;
}

/** One thing that the doctor looked at. */
export interface Finding {
  /** What it is about: a client's name, or `machine`. */
  about: string;
  what: string;
  state: "ok" | "wrong" | "mended" | "note";
  detail: string;
  /** What to do, where something is wrong. */
  remedy?: string;
}

/** A finding by its parts. */
export function finding(
  about: string,
  what: string,
  state: Finding["state"],
  detail: string,
  remedy?: string,
): Finding {
  return { about, what, state, detail, ...(remedy !== undefined && { remedy }) };
}

/** A hook that needs longer is one that clients give up on. */
const TIMEOUT_MS = 10_000;

/** What a process gave back. */
export interface Outcome {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A home with one rule in it, in which heed is run as a client runs it; nothing of the user's own is seen or written. */
class ThrowawayHome {
  readonly root: string = mkdtempSync(join(tmpdir(), "heed-doctor-"));
  readonly work: string = join(this.root, "work");
  readonly #env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const { PATH = "", SystemRoot } = env;
    this.#env = {
      PATH,
      ...(SystemRoot !== undefined && { SystemRoot }),
      HOME: this.root,
      USERPROFILE: this.root,
      HEED_DIR: join(this.root, "store"),
      HEED_STATE_DIR: join(this.root, "state"),
      HEED_CACHE_DIR: join(this.root, "cache"),
      HEED_CONFIG_DIR: join(this.root, "config"),
    };
    mkdirSync(this.work);
  }

  /** Puts a rule with a guard into force. */
  async layRule(): Promise<void> {
    const heed = openHeed({ cwd: this.work, env: this.#env });
    const rule = {
      type: "feedback",
      name: "sesame",
      description: SAMPLE_RULE,
      reason: "the doctor asks for it",
      scope: "everywhere" as const,
      guard: { tool: "Bash", command: "echo", args: ["sesame"], action: "deny" },
    };
    await heed.memories.write(rule, { kind: "person" });
    await heed.close();
  }

  run(command: string, args: readonly string[], input: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const options = { cwd: this.work, env: this.#env, timeout: TIMEOUT_MS, windowsHide: true };
      const child = execFile(command, [...args], options, (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        resolve({
          exitCode: typeof code === "number" ? code : null,
          stdout,
          stderr: stderr || (error?.message ?? ""),
        });
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }
}
