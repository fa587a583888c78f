import { join } from "node:path";
import { Terminal } from "../client/terminal.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { AgentApi } from "./agent-api.ts";
import type { AgentClient } from "./agent-clients.ts";
import type { AgentStep } from "./agent-protocols.ts";

const TIMEOUT_MS = 240_000;
/** A client that works moves something on its screen; one that waits for its user does not. */
const STILL_MS = 2500;

/** A client beside Claude Code in a terminal, with a user who types. */
export class AgentTerminal {
  readonly #api: AgentApi;
  readonly #terminal: Terminal;

  private constructor(api: AgentApi, terminal: Terminal) {
    this.#api = api;
    this.#terminal = terminal;
  }

  /** Starts a client that has `interactive`, and waits until it takes prompts. */
  static async start(sandbox: Sandbox, client: AgentClient, modules: string): Promise<AgentTerminal> {
    const { args = [], asksFirst, ready = /^/ } = client.interactive ?? {};
    const apiSocket = join(sandbox.root, "agent.sock");
    const api = await new AgentApi([]).listen(apiSocket);
    const terminal = new Terminal({
      client: join(modules, ...client.program),
      args,
      cwd: sandbox.project,
      env: { ...sandbox.env, ...client.env?.(sandbox) },
      apiSocket,
      timeoutMs: TIMEOUT_MS,
    });
    if (asksFirst) {
      await terminal.until(asksFirst);
      await terminal.insist("enter", "that it goes on", () => !asksFirst.test(terminal.screen));
    }
    await terminal.until(ready);
    return new AgentTerminal(api, terminal);
  }

  /** Types a prompt and waits until all is done; returns what the model read last. */
  async say(prompt: string, ...steps: readonly AgentStep[]): Promise<string> {
    const [api, terminal] = [this.#api, this.#terminal];
    api.steps.push(...steps);
    const asked = api.requests.length;
    await terminal.press(prompt);
    await terminal.waitFor(`that "${prompt}" stands there`, () =>
      terminal.screen.includes(prompt.slice(-20)),
    );
    await terminal.insist("enter", `that "${prompt}" is sent`, () => api.requests.length > asked);
    let [screen, since] = ["", 0];
    await terminal.waitFor("that it is done", () => {
      if (terminal.screen !== screen) [screen, since] = [terminal.screen, performance.now()];
      return performance.now() - since > STILL_MS;
    });
    // Requests for a title and the like have no tools.
    return api.requests.findLast(({ text }) => /"tools":\[\{/.test(text))?.text ?? "";
  }

  async end(): Promise<void> {
    this.#terminal.kill();
    await this.#api.close();
  }
}
