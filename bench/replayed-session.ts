import type { Actor, WriteResult } from "../src/heed.ts";
import { type EventPart, TemporaryHeed } from "../test/home/temporary-heed.ts";

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
export class ReplayedSession extends TemporaryHeed {
  static async open(): Promise<ReplayedSession> {
    const replayed = new ReplayedSession({ PATH: process.env["PATH"] ?? "" });
    await replayed.heed.setup.init("user", PERSON);
    return replayed;
  }

  /** What the user types, a minute later. Returns what the model is told with it. */
  override async prompt(prompt: string, session = "s1"): Promise<string> {
    this.now = new Date(Date.parse(this.now) + 60_000).toISOString();
    return this.#tell({ kind: "prompt", prompt, isTyped: true }, session);
  }

  async stop(session = "s1"): Promise<void> {
    await this.#tell({ kind: "stop", lastMessage: "Done." }, session);
  }

  async byModel({ type, statement, quote, reason }: Written, session = "s1"): Promise<WriteResult> {
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

  async #tell(event: EventPart, session: string): Promise<string> {
    const { context = "" } = await this.event({ ...event, session, client: "claude-code" });
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
