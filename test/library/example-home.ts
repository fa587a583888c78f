import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "../../src/heed.ts";
import type { TemporaryHeed } from "../home/temporary-heed.ts";

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

/** Makes a home as after a first day: a rule, a fact, a pointer, a claim that waits, a removed memory and a receipt. */
export async function fillHome(place: TemporaryHeed): Promise<void> {
  const { memories, setup } = place.heed;
  place.write("src/limits.ts", "export const MAX_RETRIES = 5;\n");
  // A repository is known by its remote, wherever it lies.
  place.addOrigin("https://github.com/acme/api.git");
  mkdirSync(join(place.home, "transcripts"), { recursive: true });
  await setup.init("user");
  const lay = (type: string, name: string, statement: string, body = statement): Promise<unknown> =>
    memories.write({ type, name, statement, body }, PERSON);
  await lay(
    "feedback",
    "no-force-push",
    "never run git push --force",
    "Never run `git push --force`.\n**Why:** it lost a day of Ann's work.\n**How to apply:** use --force-with-lease after a fetch.",
  );
  await lay(
    "project",
    "retries",
    "requests are tried five times since 2026-03-05",
    "Requests are tried five times since 2026-03-05.\n**Why:** the gateway drops idle connections.\n**How to apply:** leave the limit as it is.",
  );
  await lay("reference", "old-wiki", "old wiki: https://wiki.example.com");
  await memories.remove("old-wiki", "it was moved", PERSON);
  await lay(
    "reference",
    "budget-board",
    "error budget board: https://grafana.example.com/d/budget",
    "The error budget board of the public API: https://grafana.example.com/d/budget",
  );
  const claim = { type: "user", name: "short-answers", statement: "prefers short answers" };
  await memories.write({ ...claim, source: "inferred" }, MODEL);
  await place.event({ kind: "prompt", prompt: "where is the error budget board?" });
}

/** What an example may use in such a home. */
export async function exampleValues({
  heed,
  home,
  project,
}: TemporaryHeed): Promise<Record<keyof typeof EXAMPLE_NAMES, unknown>> {
  const [change] = await heed.history.list({ handle: "budget-board" });
  return {
    heed,
    person: PERSON,
    cwd: project,
    change: change?.id,
    transcripts: join(home, "transcripts"),
  };
}
