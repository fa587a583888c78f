import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ExportFormat, Heed } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;

/** The texts of all memories of the user store, wherever they apply. */
function said({ userStore }: TemporaryHeed): string[] {
  const files = readdirSync(userStore, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /^[a-z]+[/\\].*\.md$/.test(file))
    .map((file) => readFileSync(join(userStore, file), "utf8"))
    .sort();
}

async function carry(from: TemporaryHeed, to: TemporaryHeed, format: ExportFormat): Promise<string[]> {
  const { files } = await from.heed.exchange.exportAs({ format });
  const root = join(to.folder, "export");
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const [only] = files;
  const at = format === "files" ? root : join(root, only?.path ?? "");
  const report = await to.heed.exchange.importFrom({ from: at, isApplied: true }, PERSON);
  return report.memories.map(({ outcome }) => outcome);
}

/** One that is gone when the test is over. */
function empty(): TemporaryHeed {
  const place = new TemporaryHeed();
  onTestFinished(() => place.remove());
  return place;
}

async function filled(): Promise<TemporaryHeed> {
  const place = empty();
  const { heed } = place;
  for (const draft of [
    {
      type: "feedback",
      name: "no-verify",
      statement: "never use --no-verify",
      body: "never use --no-verify\n\n**Why:** a bypassed hook shipped a broken migration.\n\n**How to apply:** fix what it complains about.",
      tags: ["git"],
    },
    {
      type: "project",
      name: "limit",
      statement: "uploads are cut at 5 MB",
      body: "uploads are cut at 5 MB: the gateway does it",
      expires: "2031-01-01",
      scope: "everywhere",
    },
    {
      type: "reference",
      name: "board",
      statement: "the latency board is https://grafana.example.com/d/lat",
      links: [{ rel: "related", to: "limit" }],
    },
    { type: "user", name: "pg", statement: "the user is new to Postgres" },
  ] satisfies Parameters<Heed["memories"]["write"]>[0][])
    await heed.memories.write(draft, PERSON);
  const { metadata } = await heed.memories.show("limit");
  const file = await heed.memories.showFile("limit");
  const text = file.text.replace("metadata:", "metadata:\n  # kept by hand\n  owner: ines");
  await heed.memories.edit("limit", { text, ifHash: metadata.contentHash }, PERSON);
  return place;
}

describe("export", () => {
  test("JSON comes back without loss: ids, names, dates, comments, unknown keys", async () => {
    const [from, to] = [await filled(), empty()];
    expect(await carry(from, to, "json")).toEqual(["new", "new", "new", "waits"]);
    await to.heed.inbox.confirm("pg", {}, PERSON);
    expect(said(to)).toEqual(said(from));
  });

  test("texts of any kind come back as they were", async () => {
    const [from, to] = [empty(), empty()];
    const kinds = 'ledger¦écluse¦«Straße»¦`a: b`¦#x¦--flag¦"q"¦名前¦key: value¦- item¦|'.split("¦");
    const words = fc.array(fc.constantFrom(...kinds), { minLength: 3, maxLength: 9 });
    const texts = fc.sample(words, { numRuns: 25, seed: 11 });
    for (const [i, text] of texts.entries())
      await from.heed.memories.write(
        {
          type: "project",
          name: `fact-${i}`,
          statement: `fact ${i} of ${text.join(" ")}`,
          body: `fact ${i} of ${text.join(" ")}\n\n${text.join("\n")}`,
          tags: [`t${i}`],
        },
        { kind: "import" },
      );
    const before = said(from);
    expect(before.length).toBeGreaterThan(20);
    await carry(from, to, "json");
    expect(said(to)).toEqual(before);
  });

  test("comes in pieces to whoever takes them: one file is never held whole", async () => {
    const place = await filled();
    const { heed } = place;
    const body = "a line of a long note\n".repeat(20_000);
    for (const name of ["north", "south"])
      place.remember({ type: "project", name, statement: `notes of ${name}`, body });
    for (const format of ["json", "files"] as const) {
      const whole = await heed.exchange.exportAs({ format });
      const taken: { path: string | undefined; text: string }[] = [];
      const report = await heed.exchange.exportAs({ format }, (text: string, path?: string) => {
        taken.push({ path, text });
      });
      expect(report).toEqual({ ...whole, files: [] });
      expect(Math.max(...taken.map(({ text }) => text.length))).toBeLessThan(2_000_000);
      expect(taken.length).toBeGreaterThan(3);
      const paths = taken.flatMap(({ path }) => path ?? []);
      expect(paths).toEqual(whole.files.map(({ path }) => path));
      expect(paths).toEqual(paths.toSorted());
      const textOf = (pieces: { text: string }[]): string =>
        pieces.map(({ text }) => text.replace(/"exported":"[^"]*"/, "")).join("");
      expect(textOf(taken)).toBe(textOf(whole.files));
    }
  });

  test("files are those of the stores", async () => {
    const from = await filled();
    const { files, memories, lost } = await from.heed.exchange.exportAs();
    const texts = said(from);
    expect([files.map(({ text }) => text).sort(), memories, lost]).toEqual([texts, 4, []]);
    expect(files.map(({ path }) => path)).toContain("user/user/pg.md");
  });
});
