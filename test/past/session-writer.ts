import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a transcript as Claude Code does, record by record. */
export class SessionWriter {
  readonly file: string;
  readonly session: string;
  readonly cwd: string;
  #count = 0;
  /** The clock of the records; each takes a second. */
  now: Date;

  constructor(file: string, options: { session: string; cwd: string; now: string }) {
    this.file = file;
    this.session = options.session;
    this.cwd = options.cwd;
    this.now = new Date(options.now);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
  }

  /** A record with the fields that all have. */
  record(fields: Record<string, unknown>): Record<string, unknown> {
    this.now = new Date(this.now.getTime() + 1000);
    return {
      parentUuid: null,
      isSidechain: false,
      userType: "external",
      cwd: this.cwd,
      sessionId: this.session,
      version: "2.1.330",
      gitBranch: "main",
      uuid: `u-${this.session}-${(this.#count += 1)}`,
      timestamp: this.now.toISOString(),
      ...fields,
    };
  }

  raw(line: string): this {
    appendFileSync(this.file, line);
    return this;
  }

  write(fields: Record<string, unknown>): this {
    return this.raw(`${JSON.stringify(this.record(fields))}\n`);
  }

  user(text: string, more: Record<string, unknown> = {}): this {
    return this.write({ type: "user", message: { role: "user", content: text }, ...more });
  }

  says(text: string): this {
    return this.write({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text }] },
    });
  }

  /** A tool call and its result. */
  tool(name: string, input: Record<string, unknown>, output: string, isError = false): this {
    const id = `toolu_${this.#count}`;
    this.write({
      type: "assistant",
      message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    });
    return this.write({
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content: output, ...(isError && { is_error: true }) },
        ],
      },
    });
  }
}
