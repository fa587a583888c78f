import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ImportReport } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";
import { type Source, SAMPLES, file, folder } from "./samples.ts";

const place = TemporaryHeed.forEachTest();

async function take({ path, files }: Source, type?: string): Promise<ImportReport> {
  const from = path
    .replace("-home-u-api", place.project.replace(/[^A-Za-z0-9]/g, "-"))
    .replace("/home/u/api", place.project)
    .replace("/home/u", place.home);
  if (!("" in files)) mkdirSync(from, { recursive: true });
  for (const [name, text] of Object.entries(files)) place.write(join(from, name), text);
  const request = { from, project: "api", ...(type !== undefined && { type, isApplied: true }) };
  return place.heed.exchange.importFrom(request, { kind: "person" });
}

describe("formats of other tools", () => {
  test.each(SAMPLES)("$format: $source.path", async ({ format, source, memories, leftOut = [] }) => {
    const report = await take(source);
    expect(report.format).toBe(format);
    expect(report.memories.map(({ type, statement }) => `${type || "open"}: ${statement}`).sort()).toEqual(
      memories,
    );
    expect(report.leftOut.map(({ reason }) => reason).sort()).toEqual(leftOut);
  });

  test("a statement keeps its author's words, the code below it, and the globs of its file", async () => {
    const text =
      "---\nglobs: *.sql\n---\n## Migrations\n- Add one with:\n\n  ```sh\n  npm run db:new\n  ```\n";
    const { memories } = await take(file("/home/u/api/.cursor/rules/a.mdc", text), "feedback");
    const { body, metadata } = await place.heed.memories.show(memories[0]!.name);
    expect([body, metadata.scope.paths]).toEqual([
      "Migrations: Add one with:\n\n```sh\nnpm run db:new\n```",
      ["*.sql"],
    ]);
  });

  test.each([
    [
      folder("/home/u/photos", { "a.png": "", "b.png": "", "c.txt": "" }),
      "a folder without a file that looks like a memory: ask your agent to read it and to write what matters",
    ],
    [folder("/home/u/empty", {}), "an empty folder"],
    [
      folder("/home/u/deep", { "1/2/3/4/5/6/7/8/9/a.md": "x" }),
      "a folder that heed cannot read (1/2/3/4/5/6/7/8/9: a folder more than 8 levels down)",
    ],
    [file("/home/u/notes.json", "{}"), "a file named notes.json that has no known form"],
    [file("/home/u/mem.json", '{"memories": [},'), "a file named mem.json that is no JSON, or damaged"],
    [file("/home/u/m.jsonl", '{"type":"ent\n{"type"'), "a file named m.jsonl that is no JSON, or damaged"],
    // Markdown of any kind is no memory store.
    [
      folder("/home/u/docs", { "guide.md": "# Guide\n\nText.\n" }),
      "a folder without a file that looks like a memory",
    ],
  ])("%# is no known format, and is described", async (source, message) => {
    await expect(take(source)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(message),
    });
  });
});
