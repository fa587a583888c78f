import { join } from "node:path";
import type { Actor, CaptureReport } from "../../../src/heed.ts";
import { TemporaryHeed } from "../temporary-heed.ts";
import { SessionWriter } from "./session-writer.ts";

export const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";
export const MODEL: Actor & { session: string } = { kind: "model", client: "test", session: SESSION };

/** A session in which a user says things to an agent that has heed's hooks; the clock goes on by a minute a turn. */
export class SpokenSession {
  readonly home: TemporaryHeed = new TemporaryHeed();
  /** Its transcript, which says nothing by itself. */
  readonly transcript: SessionWriter = new SessionWriter(
    join(this.home.home, "projects", `${SESSION}.jsonl`),
    { session: SESSION, cwd: this.home.project, now: "2026-11-21T11:00:00Z" },
  );

  static async begin(): Promise<SpokenSession> {
    const session = new SpokenSession();
    await session.home.heed.setup.init("user");
    return session;
  }

  /** A turn: what the user says, and the agent's closing message. */
  async turn(prompt: string, lastMessage = "Done."): Promise<void> {
    await this.say(prompt);
    await this.stopTurn(lastMessage);
  }

  /** Returns what the user and the model are told with it. */
  async say(prompt: string): Promise<string> {
    const { context = "", notice = "" } = await this.home.event({ kind: "prompt", prompt, session: SESSION });
    await new Promise((resolve) => setImmediate(resolve));
    return `${notice}\n${context}`;
  }

  async stopTurn(lastMessage: string): Promise<void> {
    this.passSeconds(30);
    await this.home.event({ kind: "stop", lastMessage, session: SESSION });
    this.passSeconds(30);
  }

  passSeconds(seconds: number): void {
    this.home.now = new Date(Date.parse(this.home.now) + seconds * 1000).toISOString();
  }

  /** Ends it, and has its transcript read. */
  async capture(): Promise<CaptureReport> {
    const transcriptPath = this.transcript.file;
    await this.home.event({ kind: "session-end", reason: "other", session: SESSION, transcriptPath });
    await new Promise((resolve) => setImmediate(resolve));
    return this.home.heed.learning.capture();
  }

  /** What the rules say. */
  async rules(): Promise<string[]> {
    const rules = await this.home.heed.memories.list({ types: ["feedback"] });
    return rules.map(({ description }) => description);
  }

  /** What waits says. */
  async waiting(): Promise<string[]> {
    return (await this.home.heed.inbox.list()).map(({ description }) => description);
  }
}
