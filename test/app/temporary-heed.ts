import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { EventAnswer, Heed, SessionEvent } from "../../src/heed.ts";
import { openHeed } from "../../src/heed.ts";

/** A memory as a person would write it by hand. */
export interface HandWritten {
  type: string;
  name: string;
  description: string;
  body?: string;
  /** Further lines of `metadata`, as YAML. */
  metadata?: readonly string[];
}

/** Tests run beside others on a busy machine: what they show is not how fast an event is answered. */
const EVENT_DEADLINE_MS = 15_000;

type WithoutBase<T> = T extends unknown ? Omit<T, "session" | "cwd" | "client"> : never;
/** An event without what is the same for all of a test. */
export type EventPart = WithoutBase<SessionEvent> & { session?: string; cwd?: string };

/** A home, a repository and heed over both, in a folder of its own. */
export class TemporaryHeed {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "heed-")));
  readonly home: string = join(this.folder, "home");
  readonly project: string = join(this.folder, "project");
  readonly userStore: string = join(this.home, "memory");
  readonly state: string = join(this.home, "state");
  readonly env: Record<string, string>;
  /** The clock: an ISO time. */
  now = "2026-11-21T12:00:00Z";
  #heed: Heed | undefined;

  constructor(env: Record<string, string> = {}) {
    this.env = {
      HOME: this.home,
      HEED_DIR: this.userStore,
      HEED_STATE_DIR: this.state,
      HEED_CACHE_DIR: join(this.home, "cache"),
      HEED_CONFIG_DIR: join(this.home, "config"),
      ...env,
    };
    mkdirSync(this.project, { recursive: true });
    this.git("init", "-q", "-b", "main");
  }

  get heed(): Heed {
    return (this.#heed ??= this.open());
  }

  /** Another heed over the same folders, as another process has it. */
  open(env: Record<string, string> = {}): Heed {
    return openHeed({ cwd: this.project, env: { ...this.env, ...env }, now: () => new Date(this.now) });
  }

  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.project, encoding: "utf8" });
  }

  /** Writes a file under the project, or at an absolute path; returns its path. */
  write(path: string, text: string): string {
    const file = isAbsolute(path) ? path : join(this.project, path);
    if (file.startsWith(`${this.userStore}/`)) makeStore(this.userStore, this.env["HEED_STATE_DIR"]);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
    return file;
  }

  /** Puts memories into the user store. */
  remember(...memories: readonly HandWritten[]): string[] {
    return memories.map((memory) =>
      this.write(join(this.userStore, memory.type, `${memory.name}.md`), memoryFile(memory)),
    );
  }

  /** Sends an event of session `s1` in the project. */
  event(part: EventPart): Promise<EventAnswer> {
    const event = { session: "s1", cwd: this.project, client: "test", ...part };
    return this.heed.session.answer(event, { deadlineMs: EVENT_DEADLINE_MS });
  }

  /** The context of a fresh session. */
  async start(
    session = "s1",
    source: "startup" | "resume" | "clear" | "compact" | "fork" = "startup",
  ): Promise<string> {
    return (await this.event({ kind: "session-start", source, session })).context ?? "";
  }

  /** The context that a prompt gets. */
  async prompt(prompt: string, session = "s1"): Promise<string> {
    return (await this.event({ kind: "prompt", prompt, session })).context ?? "";
  }

  async remove(): Promise<void> {
    await this.#heed?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What makes a folder of files a store of the user's, as a heed that kept no approvals did: in any other they wait for a look. */
export function makeStore(root: string, state: string = join(dirname(root), "state")): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const [config, registry] = [join(root, "config.yaml"), join(state, "stores.json")];
  if (!existsSync(config)) writeFileSync(config, "# made by a test\n");
  if (existsSync(registry)) return;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const known = { version: 1, trusted: { user: [realpathSync(root)] }, attached: [] };
  writeFileSync(registry, JSON.stringify(known));
}

/** The text of a memory's file. */
export function memoryFile({ type, name, description, body, metadata = [] }: HandWritten): string {
  return [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    "metadata:",
    ...[`type: ${type}`, "created: 2026-05-02T10:23:00Z", ...metadata].map((line) => `  ${line}`),
    "---",
    body ?? `${description}.`,
    "",
  ].join("\n");
}

/** A rule with Why and How to apply. */
export function rule(name: string, description: string, metadata: readonly string[] = []): HandWritten {
  return {
    type: "feedback",
    name,
    description,
    body: `${description}.\n\n**Why:** it went wrong once.\n**How to apply:** every time.`,
    metadata,
  };
}
