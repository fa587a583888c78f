import { describe, expect, test } from "vitest";
import { ForeignReading, type ForeignSource } from "../../../src/care/formats/import-format.ts";
import { describeUnknown, formatOf } from "../../../src/care/formats/import-formats.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { file, folder } from "./memory-source.ts";
import { SAMPLES } from "./samples.ts";

async function readingOf(source: ForeignSource): Promise<ForeignReading> {
  const reading = new ForeignReading(source);
  await formatOf(source)!.read(reading, new TypeTable());
  return reading;
}

describe("formats of other tools", () => {
  test.each(SAMPLES)("$format: $source.path", async ({ format, source, memories, leftOut = [] }) => {
    const found = formatOf(source);
    expect(found?.name).toBe(format);
    const reading = await readingOf(source);
    expect(reading.memories.map(({ draft }) => `${draft.type || "open"}: ${draft.statement}`).sort()).toEqual(
      memories,
    );
    expect(reading.leftOut.map(({ reason }) => reason).sort()).toEqual(leftOut);
  });

  test("a statement keeps its author's words, the code below it, and the globs of its file", async () => {
    const source = file(
      "/r/.cursor/rules/a.mdc",
      "---\nglobs: *.sql\n---\n## Migrations\n- Add one with:\n\n  ```sh\n  npm run db:new\n  ```\n",
    );
    const { memories } = await readingOf(source);
    expect(memories.map(({ draft }) => [draft.body, draft.scope])).toEqual([
      ["Migrations: Add one with:\n\n```sh\nnpm run db:new\n```", { paths: ["*.sql"] }],
    ]);
  });

  test("what heed or another program keeps between marks is not taken", async () => {
    const source = file(
      "/r/AGENTS.md",
      "- Use pnpm here\n<!-- heed:start -->\n- Use npm here\n<!-- heed:end -->\n",
    );
    const { memories } = await readingOf(source);
    expect(memories.map(({ draft }) => draft.body)).toEqual(["Use pnpm here"]);
  });

  test.each([
    [
      folder("/x/photos", { "a.png": "", "b.png": "", "c.txt": "" }),
      "a folder of .png, .txt files, none of which looks like a memory",
    ],
    [folder("/x/empty", {}), "an empty folder"],
    [
      {
        ...folder("/x/deep", {}),
        passedOver: [{ place: "1/2", reason: "a folder more than 8 levels down" }],
      },
      "a folder that heed cannot read (1/2: a folder more than 8 levels down)",
    ],
    [file("/x/notes.json", "{}"), "a file named notes.json that has no known form"],
    [file("/x/mem.json", '{"memories": [},'), "a file named mem.json that is no JSON, or damaged"],
    [file("/x/mem.jsonl", '{"type":"ent\n{"type"'), "a file named mem.jsonl that is no JSON, or damaged"],
    // Markdown of any kind is no memory store.
    [
      folder("/x/docs", { "guide.md": "# Guide\n\nText.\n" }),
      "a folder of .md files, none of which looks like a memory",
    ],
  ])("%# is no known format, and is described", (source, statement) => {
    expect(formatOf(source)).toBeUndefined();
    expect(describeUnknown(source)).toBe(statement);
  });
});
