import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../../../src/app/place/place.ts";
import { readSession } from "../../../src/app/records/session-state.ts";
import { lookForFacts } from "../../../src/app/session/situation.ts";
import { openHeed } from "../../../src/heed.ts";
import { temporaryFolder } from "../../store/temporary-store.ts";
import { memoryFile } from "../temporary-heed.ts";
import { temporaryPlace } from "../temporary-place.ts";

const GUARD = ["guard: { command: git push, action: deny }"];

/** What a prompt sees in a trusted project with one memory that somebody then edits by hand. */
async function seenAfterEdit(type: string, extra: readonly string[]) {
  const cwd = temporaryFolder();
  execFileSync("git", ["init", "-q", cwd]);
  const { place, env } = temporaryPlace(cwd);
  const write = (description: string): void => {
    const file = join(cwd, ".heed", type, "deploys.md");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, memoryFile({ type, name: "deploys", description, metadata: extra }));
  };
  write("deploys run at noon");
  writeFileSync(join(cwd, ".heed", "config.yaml"), "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  const heed = openHeed({ cwd, env });
  await heed.setup.trust();
  await heed.close();
  write("deploys run at midnight, says somebody else");
  const now = new Place(place.workspace);
  const { collection } = await lookForFacts(now, readSession(now.places, ""), "typed", 10_000);
  const [metadata] = collection.memories();
  return metadata && (await collection.read(metadata))?.metadata.description;
}

test("a fact with a guard has the text that was approved, also where facts alone are told", async () => {
  expect(await seenAfterEdit("project", GUARD)).toBe("deploys run at noon");
});

test("a fact without one says what its file says", async () => {
  expect(await seenAfterEdit("project", [])).toBe("deploys run at midnight, says somebody else");
});
