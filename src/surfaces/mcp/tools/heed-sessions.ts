import type { Heed } from "../../../heed.ts";
import { describeReport } from "../../hooks/describe-report.ts";
import type { WhoseSession } from "../../hooks/whose-session.ts";
import { whoseSession } from "../../hooks/whose-session.ts";
import { CallBindings } from "./call-bindings.ts";

/** Working directories for which heed is kept open: one session has one, its worktrees and subagents a few more. */
const MAX_OPEN = 8;

const REHEARSALS = 6;
const WARM_UP_WORDS = ["the release", "testing", "a review"];

/** What the tools share: heed per working directory, opened when first needed, and whose session this is. */
export class HeedSessions {
  /** The environment of the server. */
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
    return this.env["CLAUDE_PROJECT_DIR"] || this.env["HEED_PROJECT_DIR"] || process.cwd();
  }

  /** Heed for a directory. The core is loaded with the first call, so that the server answers its client at once. */
  heed(directory: string = this.directory): Promise<Heed> {
    const known = this.#open.get(directory);
    if (known !== undefined) return known;
    const opened = import("../../../heed.ts").then(({ openHeed, redactValue }) =>
      openHeed({
        cwd: directory,
        env: this.env,
        // The server stays as long as the client: a sentence model can take part.
        isResident: true,
        ...(this.#program !== undefined && { program: this.#program }),
        ...(this.env["HEED_DEBUG"] === "1" && {
          onAnswered: (report) => console.error(describeReport(redactValue(report))),
        }),
      }),
    );
    this.#open.set(directory, opened);
    for (const [oldest, heed] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      this.#open.delete(oldest);
      heed.then((open) => open.close()).catch((error: unknown) => this.note("close", error));
    }
    return opened;
  }

  /**
   * Rehearses prompts while nobody waits: opens the index and lets V8 compile what a prompt runs through. The first
   * prompts of a session would otherwise take ten times as long as the later ones.
   */
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
    await heed.upkeep.refreshVerdicts();
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
