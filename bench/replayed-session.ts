import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor, Heed, WriteResult } from "../src/heed.ts";
import { openHeed } from "../src/heed.ts";

const PERSON: Actor = { kind: "person" };

/** A memory that a model wrote of a turn, in the fields of the tool. */
export interface Written {
  type: string;
  statement: string;
  quote?: string | undefined;
  reason?: string | undefined;
  aliases?: readonly string[] | undefined;
}

/** A throwaway home and repository in which sessions are replayed through the same calls that the hooks and tools make. */
export class ReplayedSession {
  readonly heed: Heed;
  readonly #home: string;
  readonly #cwd: string;

  private constructor(home: string) {
    this.#home = home;
    this.#cwd = join(home, "project");
    const [state, cache, config] = ["state", "cache", "config"].map((name) => join(home, name));
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      HEED_DIR: join(home, "memory"),
      HEED_STATE_DIR: state,
      HEED_CACHE_DIR: cache,
      HEED_CONFIG_DIR: config,
    };
    this.heed = openHeed({ cwd: this.#cwd, env });
  }

  static async open(): Promise<ReplayedSession> {
    const home = mkdtempSync(join(tmpdir(), "heed-turns-"));
    mkdirSync(join(home, "project"));
    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: join(home, "project") });
    const replayed = new ReplayedSession(home);
    await replayed.heed.setup.init("user", PERSON);
    return replayed;
  }

  /** What the user types. Returns what the model is told with it. */
  async prompt(prompt: string, session = "s1"): Promise<string> {
    return this.#tell({ kind: "prompt", prompt, isTyped: true }, session);
  }

  /** The agent's turn ends by itself. */
  async stop(session = "s1"): Promise<void> {
    await this.#tell({ kind: "stop", lastMessage: "Done." }, session);
  }

  /** What the session's model writes by its tool. */
  async write({ type, statement, quote, reason }: Written, session = "s1"): Promise<WriteResult> {
    const draft = {
      type,
      statement,
      ...(quote !== undefined && { quote }),
      ...(reason !== undefined && { reason }),
    };
    return this.heed.memories.write(draft, { kind: "model", client: "claude-code", session });
  }

  /** A rule that a person wrote in a terminal; its handle. */
  async rule(statement: string): Promise<string> {
    const draft = { type: "feedback", statement, reason: "we agreed on it" };
    const result = await this.heed.memories.write(draft, PERSON);
    if (!("metadata" in result))
      throw new Error(`a person's rule was not written: ${JSON.stringify(result)}`);
    return result.metadata.name;
  }

  /** What a new session is told as the user's rules: the text at its start without what is fenced as data, or marked as a reading. */
  async rulesInjected(): Promise<string> {
    const text = await this.#tell({ kind: "session-start", source: "startup" }, `start-${Date.now()}`);
    return plain(
      text
        .replace(/<heed-[\w-]+[^>]*>[^]*?<\/heed-[\w-]+>/g, " ")
        .replace(/\(read as: .*\)(?= \[heed:)/g, " "),
    );
  }

  async close(): Promise<void> {
    await this.heed.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 10 });
  }

  async #tell(
    event:
      | { kind: "prompt"; prompt: string; isTyped: boolean }
      | { kind: "stop"; lastMessage: string }
      | { kind: "session-start"; source: "startup" },
    session: string,
  ): Promise<string> {
    const base = { session, cwd: this.#cwd, client: "claude-code" };
    const { context = "" } = await this.heed.session.answer({ ...event, ...base }, { deadlineMs: 15_000 });
    // What is noted of it is written when the answer is out.
    await new Promise((resolve) => setImmediate(resolve));
    return context;
  }
}

/** A text as it is compared: white space, case and typographic signs do not count. */
export function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}
