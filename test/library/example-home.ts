import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../../src/heed.ts";
import { TemporaryHeed, approveLaid } from "../home/temporary-heed.ts";

export const PERSON: Actor = { kind: "person" };
export const MODEL: Actor = { kind: "model", client: "test", session: "s1" };

/** What the example of a method may use, by the names that it uses. */
export const EXAMPLE_NAMES = {
  heed: "Heed",
  person: "Actor",
  cwd: "string",
  change: "string",
  transcripts: "string",
} as const;

/** A home as after a first day: a rule, a fact, a pointer, a claim that waits, a removed memory and a receipt. */
export class ExampleHome {
  readonly #first = new TemporaryHeed();
  #change = "";

  async fill(): Promise<void> {
    const { heed } = this.#first;
    this.#first.write("src/limits.ts", "export const MAX_RETRIES = 5;\n");
    // A repository is known by its remote, wherever it lies.
    this.#first.addOrigin("https://github.com/acme/api.git");
    await heed.setup.init("user");
    await heed.memories.write(
      {
        type: "feedback",
        name: "no-force-push",
        statement: "never run git push --force",
        body: "Never run `git push --force`.\n**Why:** it lost a day of Ann's work.\n**How to apply:** use --force-with-lease after a fetch.",
      },
      PERSON,
    );
    await heed.memories.write(
      {
        type: "project",
        name: "retries",
        statement: "requests are tried five times since 2026-03-05",
        body: "Requests are tried five times since 2026-03-05.\n**Why:** the gateway drops idle connections.\n**How to apply:** leave the limit as it is.",
      },
      PERSON,
    );
    await heed.memories.write(
      { type: "reference", name: "old-wiki", statement: "old wiki: https://wiki.example.com" },
      PERSON,
    );
    await heed.memories.remove("old-wiki", "it was moved", PERSON);
    await heed.memories.write(
      {
        type: "reference",
        name: "budget-board",
        statement: "error budget board: https://grafana.example.com/d/budget",
        body: "The error budget board of the public API: https://grafana.example.com/d/budget",
      },
      PERSON,
    );
    const claim = {
      type: "user",
      name: "short-answers",
      statement: "prefers short answers",
      source: "inferred",
    } as const;
    await heed.memories.write(claim, MODEL);
    await this.#first.event({ kind: "prompt", prompt: "where is the error budget board?" });
    this.#change = (await heed.history.list({ handle: "budget-board" }))[0]?.id ?? "";
    await heed.close();
  }

  /** The same home again, for one example, with what the example may use. */
  again(): { home: TemporaryHeed; values: Record<keyof typeof EXAMPLE_NAMES, unknown> } {
    const home = new TemporaryHeed();
    cpSync(this.#first.folder, home.folder, { recursive: true });
    // Another machine: on this one the copy would be a second place of that name, and be asked about.
    for (const name of ["repositories.json", "repositories.json.kept"])
      rmSync(join(home.state, name), { force: true });
    approveLaid(home.userStore, join(home.userStore, "feedback/no-force-push.md"), home.state);
    const transcripts = join(home.folder, "transcripts");
    mkdirSync(transcripts);
    const values = {
      heed: home.heed,
      person: PERSON,
      cwd: home.project,
      change: this.#change,
      transcripts,
    };
    return { home, values };
  }

  async remove(): Promise<void> {
    await this.#first.remove();
  }
}
