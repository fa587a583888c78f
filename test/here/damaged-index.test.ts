import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const there = TemporaryHeed.forEachTest();

beforeEach(async () => {
  there.remember(
    rule("no-force-push", "never push with force to a shared branch"),
    rule("run-the-linter", "run the linter before every commit"),
  );
  await there.heed.memories.list();
  await there.heed.close();
});

/** A wrong byte, with the times of the file as they were: what a failing disk does. */
function rot(at: number): string[] {
  const index = join(there.home, "cache", "index");
  const files = readdirSync(index, { recursive: true }).map((file) => join(index, String(file)));
  const segments = files.filter((file) => file.endsWith(".segment"));
  for (const file of segments) {
    const { atime, mtime } = statSync(file);
    const bytes = readFileSync(file);
    const place = Math.floor(bytes.length * at);
    bytes[place] = (bytes[place] ?? 0) ^ 0x55;
    writeFileSync(file, bytes);
    utimesSync(file, atime, mtime);
  }
  return segments;
}

describe("an index with a wrong byte", () => {
  const places = Array.from({ length: 16 }, (_, i) => (i + 0.5) / 16);

  test.each(places)("at %d of its length hides no memory from a list or a search", async (at) => {
    expect(rot(at)).toHaveLength(1);
    const heed = there.open();
    expect((await heed.memories.list()).map(({ name }) => name)).toEqual(["no-force-push", "run-the-linter"]);
    const { hits } = await heed.memories.search({ query: "linter before commit" });
    expect(hits[0]?.metadata.name).toBe("run-the-linter");
    await heed.close();
  });

  test.each(places)("at %d of its length hides no rule from a session", async (at) => {
    rot(at);
    // Another process: this one has read part of the index before, and does not check it again.
    const { context } = await there.begin("s1", {}, there.open());
    expect(context).toContain("never push with force to a shared branch");
  });
});
