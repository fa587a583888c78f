import { join } from "node:path";
import type { Heed } from "../../../heed.ts";
import { type WhoseSession, whoseSession } from "../../hooks/whose-session.ts";

/** Working directories for which heed is kept open: one session has one, its worktrees and subagents a few more. */
const MAX_OPEN = 8;

/** Variables by which heed finds its way: an environment that has others is another place. */
const DECIDING =
  /^(?:HEED_.*|CLAUDE.*|CODEX_.*|XDG_.*|GIT_.*|.*PATH(?:EXT)?|HOME|USERPROFILE|(?:LOCAL)?APPDATA|TMPDIR|BASH_ENV)$/i;

const REHEARSALS = 6;
const WARM_UP_WORDS = ["the release", "testing", "a review"];

/** What the tools share: heed per working directory and environment, opened when first needed, and whose session this is. */
export class HeedSessions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly #open = new Map<string, Promise<Heed>>();
  readonly #program: string | undefined = process.argv[1];
  /** Which calls of models belong to which session. */
  readonly bindings: CallBindings = new CallBindings();
  #whose: WhoseSession | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.env = env;
  }

  /** Whose session this server serves; it was started once, so it is looked up once. */
  whose(): WhoseSession {
    return (this.#whose ??= whoseSession("server"));
  }

  /** The directory in which the agent works, as far as the client says; hooks say it themselves. */
  get directory(): string {
    const { CLAUDE_PROJECT_DIR, HEED_PROJECT_DIR, PWD } = this.env;
    // Codex starts a plugin's server in the plugin's folder, where nobody works.
    const isInPlugin = this.#program?.startsWith(join(process.cwd(), "dist")) ?? false;
    return CLAUDE_PROJECT_DIR || HEED_PROJECT_DIR || (isInPlugin && PWD) || process.cwd();
  }

  /** Heed for a directory. The core is loaded with the first call, so that the server answers its client at once. */
  heed(directory: string = this.directory, env: HeedSessions["env"] = this.env): Promise<Heed> {
    const deciding = Object.entries(env).filter(([name]) => DECIDING.test(name));
    const key = JSON.stringify([directory, ...deciding.sort(([a], [b]) => (a < b ? -1 : 1))]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened = import("../../../heed.ts").then(({ openHeed }) =>
      openHeed({
        cwd: directory,
        env,
        // The server stays as long as the client.
        isResident: true,
        ...(this.#program !== undefined && { program: this.#program }),
      }),
    );
    this.#open.set(key, opened);
    for (const [oldest, heed] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
      heed.then((open) => open.close()).catch((error: unknown) => this.note("close", error));
    }
    return opened;
  }

  /** Opens the index and rehearses prompts for V8: the first ones would take ten times as long. */
  async warmUp(): Promise<void> {
    const heed = await this.heed();
    for (let i = 0; i < REHEARSALS; i++) {
      await heed.session.why({
        prompt: `How is ${WARM_UP_WORDS[i % WARM_UP_WORDS.length]} done in this project?`,
      });
      // Messages that came in the meantime go first.
      await new Promise((resolve) => setTimeout(resolve, 20).unref());
    }
    // What became of broken claims is asked of git now, so that no prompt has to.
    await heed.maintenance.refreshVerdicts();
  }

  /** Writes trouble to heed's log; stdout belongs to the protocol and nobody reads stderr. */
  note(where: string, trouble: unknown): void {
    import("../../../heed.ts").then(
      ({ logTrouble }) => logTrouble(`mcp ${where}`, trouble, this.env),
      () => {},
    );
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async (heed) => (await heed).close()));
  }
}

/** What a client's tool hook told of a call that its model is about to make; `agent`: the subagent that makes it. */
export interface CallBinding {
  session: string;
  agent: string | undefined;
  cwd: string;
}

const MAX_KEPT = 200;
/** A call waits this long for its hook, in case it comes first. */
const WAIT_MS = 300;
const LOOK_MS = 10;

/** Session of a model's call, by the id that the client's hook told and the call carries: nothing is the model's to say. */
export class CallBindings {
  readonly #kept = new Map<string, CallBinding>();

  bind(id: string, binding: CallBinding): void {
    this.#kept.set(id, binding);
    const [oldest = ""] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
  }

  /** What was told of a call; undefined when nothing is told of it in time. */
  async of(id: string): Promise<CallBinding | undefined> {
    for (const end = Date.now() + (id === "" ? 0 : WAIT_MS); Date.now() < end;) {
      const found = this.#kept.get(id);
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return undefined;
  }
}
