import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { installPackages } from "../client/client-install.ts";
import { startClient, type ClientExit } from "../client/run-client.ts";
import { Sandbox } from "../client/sandbox.ts";
import { type HandWritten, rule } from "../memory-files.ts";
import { AgentApi, type AgentRequest } from "./agent-api.ts";
import type { AgentStep } from "./agent-protocols.ts";
import type { AgentClient } from "./agent-clients.ts";

const RUN_TIMEOUT_MS = 150_000;

/**
 * The `node_modules` with a client, installed on first use without install scripts; undefined, with a word about it, where it
 * cannot be. In CI that is a failure.
 */
export async function installAgentIfPossible(client: AgentClient): Promise<string | undefined> {
  try {
    return await installPackages(client.version, client.packages, client.program, ["--ignore-scripts"]);
  } catch (error) {
    if (process.env["CI"]) throw error;
    console.error(`\nSKIPPED: ${client.version}, which cannot be installed here.\n${String(error)}\n`);
    return undefined;
  }
}

/** A machine on which a client is installed. */
export function sandboxFor(client: AgentClient, modules: string): Sandbox {
  return new Sandbox(join(modules, ...client.program), { CLAUDE_CODE_SESSION_ID: "" });
}

/** Prepares a client for a group of tests; each asks for its machine, or is skipped where it is not to be run or not there. */
export function machineOf(
  client: AgentClient,
  prepare: (sandbox: Sandbox, modules: string) => Promise<void>,
): (skip: (note: string) => void) => Sandbox {
  let sandbox: Sandbox | undefined;
  beforeAll(async () => {
    const modules = await installAgentIfPossible(client);
    if (modules === undefined) return;
    sandbox = sandboxFor(client, modules);
    await prepare(sandbox, modules);
  }, 700_000);
  afterAll(() => sandbox?.remove());
  return (skip) => {
    if (sandbox === undefined) skip(`${client.version} cannot be installed here`);
    return sandbox as Sandbox;
  };
}

/** A rule with a guard, which a client is tried with. */
export const FORBIDDEN: HandWritten = rule("no-forbidden", "Never print the word FORBIDDEN", [
  "guard: { tool: Bash, command: echo, args: [FORBIDDEN], action: deny }",
]);
/** What the model then does. */
export const PRINTS: AgentStep = { shell: "echo FORBIDDEN > printed.txt" };

/** What was seen of one run. */
export interface AgentRun {
  requests: AgentRequest[];
  exit: ClientExit;
}

/** Runs a client once with a prompt, its model being a script that takes these steps and then ends. */
export async function runAgent(
  sandbox: Sandbox,
  client: AgentClient,
  modules: string,
  turn: { prompt: string; steps: readonly AgentStep[] },
): Promise<AgentRun> {
  const apiSocket = join(sandbox.root, "agent.sock");
  const api = await new AgentApi(turn.steps).listen(apiSocket);
  const run = async (args: readonly string[]): Promise<ClientExit> => {
    const running = startClient({
      client: join(modules, ...client.program),
      args,
      cwd: sandbox.project,
      env: { ...sandbox.env, ...client.env?.(sandbox) },
      apiSocket,
      timeoutMs: RUN_TIMEOUT_MS,
    });
    running.stdin.end();
    return running.exit;
  };
  try {
    for (const args of client.prepare?.(sandbox) ?? []) {
      const { exitCode, stdout, stderr } = await run(args);
      if (exitCode !== 0) throw new Error(`${args.join(" ")} ended with ${exitCode}\n${stdout}${stderr}`);
    }
    const exit = await run(client.args(turn.prompt));
    if (api.failures.length > 0)
      throw new Error(`the script could not be followed: ${api.failures.map(String).join("; ")}`);
    return { requests: api.requests, exit };
  } finally {
    await api.close();
  }
}
