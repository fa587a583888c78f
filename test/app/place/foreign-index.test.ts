import { cpSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rule, TemporaryHeed } from "../temporary-heed.ts";

let there: TemporaryHeed;
beforeEach(async () => {
  there = new TemporaryHeed();
  there.remember(
    rule("no-force-push", "never push with force", ["guard: { command: git push, flags: [--force] }"]),
    {
      type: "project",
      name: "port",
      description: "the gateway listens on port 4711",
    },
  );
  await there.heed.memories.list();
});
afterEach(() => there.remove());

const cache = (): string => join(there.home, "cache", "index");

/** An index of the same store as its files never were, of the same sizes and times, under the name of heed's own. */
async function lay(change: (text: string) => string, name: string): Promise<void> {
  await there.heed.close();
  const file = join(there.userStore, name);
  const text = readFileSync(file, "utf8");
  const { atime, mtime } = statSync(file);
  const changed = change(text);
  expect(changed).not.toBe(text);
  expect(changed.length).toBe(text.length);
  writeFileSync(file, changed);
  utimesSync(file, atime, mtime);
  const elsewhere = join(there.home, "elsewhere");
  const other = there.open({
    HEED_CACHE_DIR: join(elsewhere, "cache"),
    HEED_STATE_DIR: join(elsewhere, "state"),
  });
  await other.memories.list();
  await other.close();
  writeFileSync(file, text);
  utimesSync(file, atime, mtime);
  expect(existsSync(cache())).toBe(true);
  rmSync(cache(), { recursive: true });
  cpSync(join(elsewhere, "cache", "index"), cache(), { recursive: true, preserveTimestamps: true });
}

test("an index that was laid beside heed's records tells no false fact", async () => {
  await lay((text) => text.replace("4711", "6666"), "project/port.md");
  const heed = there.open();
  const said = JSON.stringify([
    await heed.memories.list(),
    await heed.memories.search({ query: "gateway port" }),
  ]);
  expect(said).toContain("4711");
  expect(said).not.toContain("6666");
  await heed.close();
});

test("nor hides a rule and its guard", async () => {
  await lay(
    (text) => text.replace("type: feedback", "type: episode_").replace("guard:", "other:"),
    "feedback/no-force-push.md",
  );
  const heed = there.open();
  const rules = await heed.memories.list({ types: ["feedback"] });
  expect(rules.map(({ name }) => name)).toEqual(["no-force-push"]);
  const tried = await heed.guards.try({ input: { command: "git push --force" } });
  expect(tried.action).toBe("deny");
  await heed.close();
});
