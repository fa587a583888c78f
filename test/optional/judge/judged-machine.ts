import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { EventAnswer, Heed } from "../../../src/heed.ts";
import { openHeed } from "../../../src/heed.ts";
import { JudgeServer } from "./judge-server.ts";
import { TemporaryHeed } from "../../app/temporary-heed.ts";

/** In the environment of heed, as JUDGE_KEY. */
export const KEY = "sk-judge-9876543210";

/** The words of RUNS and OWNER are in it: the relevance model tells both, and a judge has something to decide. */
export const PROMPT: string =
  "the staging database refuses connections, where does the staging database run and who owns it?";
export const RUNS = {
  type: "reference",
  name: "staging-database",
  description: "the staging database runs on db-stage-2.example.com",
} as const;
export const OWNER = {
  type: "project",
  name: "staging-owner",
  description: "the staging database is owned by the platform team since May",
} as const;
/** One rare word in common with the prompt: the relevance model points at it. */
const NIGHT = {
  type: "project",
  name: "night-order",
  description:
    "services are restarted at night in a fixed order: proxy, queue, workers, each of which may refuse requests for a minute while caches warm, peers gossip and the ring settles",
  body: "The order is proxy, queue, workers. NIGHT-BODY",
} as const;

/** A home with three memories, a judge's server, and heed as the server of a session has it; gone after the test. */
export class JudgedMachine {
  readonly home: TemporaryHeed = new TemporaryHeed({ JUDGE_KEY: KEY });
  readonly server: JudgeServer;
  readonly #open: Heed[] = [];

  private constructor(server: JudgeServer) {
    this.server = server;
    onTestFinished(async () => {
      await Promise.all(this.#open.map((heed) => heed.close()));
      await this.home.remove();
    });
  }

  static async make(): Promise<JudgedMachine> {
    const machine = new JudgedMachine(await JudgeServer.listen());
    await machine.home.heed.setup.init("user");
    machine.home.remember(RUNS, OWNER, NIGHT);
    return machine;
  }

  /** Sets the judge up in the user's configuration. */
  configure(further: Record<string, unknown> = {}): void {
    const folder = join(this.home.home, "config");
    mkdirSync(folder, { recursive: true });
    const text = this.server.config("openai", { key_from: "JUDGE_KEY", ...further });
    this.home.write(join(folder, "config.yaml"), text);
  }

  /** heed as the server of a session has it. */
  resident(env: Record<string, string> = {}): Heed {
    const heed = openHeed({
      cwd: this.home.project,
      env: { ...this.home.env, ...env },
      now: () => new Date(this.home.now),
      isResident: true,
    });
    this.#open.push(heed);
    return heed;
  }

  say(heed: Heed, prompt: string = PROMPT, session = "s1", agentId?: string): Promise<EventAnswer> {
    const agent = agentId === undefined ? {} : { agentId };
    return heed.session.answer(
      { kind: "prompt", prompt, session, cwd: this.home.project, client: "test", ...agent },
      { deadlineMs: 5000 },
    );
  }

  useTool(heed: Heed, session = "s1", agentId?: string): Promise<EventAnswer> {
    const agent = agentId === undefined ? {} : { agentId };
    const use = { tool: "Read", input: { file_path: "README.md" } };
    return heed.session.answer(
      { kind: "tool-use", ...use, session, cwd: this.home.project, client: "test", ...agent },
      { deadlineMs: 5000 },
    );
  }
}

/** An answer that chooses these memories. */
export function choosing(...names: string[]): { text: string } {
  return { text: JSON.stringify({ choose: names.map((name) => `heed:${name}`) }) };
}

/** The form in which a receipt says that each memory was told. */
export async function formsOf(heed: Heed, receipt: string | undefined): Promise<Record<string, string>> {
  const { receipt: told } = await heed.session.why({ receipt: receipt ?? "" });
  return Object.fromEntries(told.decisions.map(({ name, form }) => [name, form]));
}
