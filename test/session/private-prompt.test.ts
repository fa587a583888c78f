import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withoutPrivate } from "../../src/memory/typed-text.ts";
import { readOrEmpty } from "../../src/machine/regular-file.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const SESSION = "5f1d7a3e-0000-4000-8000-00000000abcd";
const PROMPT =
  "the invoice table of the client loses its header when it scrolls, <private>our client is Initech</private> please mend that";

const home = TemporaryHeed.forEachTest();

/** The files of heed's own in which a word stands, the client's transcripts left out. */
function filesWith(word: string): string[] {
  return readdirSync(home.home, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".claude"))
    .filter((name) =>
      readOrEmpty(join(home.home, name), { maxBytes: 10_000_000 }).toLowerCase().includes(word),
    );
}

describe("what stands between the marks", () => {
  test.each([
    ["a <private>b</private> c", "a   c"],
    ['a <PRIVATE why="x">b\nb</Private > c', "a   c"],
    ["a <private>b", "a  "],
    ["a <private>b <private>c</private> d</private> e", "a   e"],
    ["b</private> c", " c"],
    ["private, <b>c</b> and <privateer>", "private, <b>c</b> and <privateer>"],
  ])("%j is left out", (prompt, kept) => {
    expect(withoutPrivate(prompt)).toBe(kept);
  });
});

test("is in nothing that heed keeps or derives: logs, receipts, episode, history, index", async () => {
  home.remember({
    type: "project",
    name: "table",
    statement: "The invoice table scrolls with a sticky header",
  });
  await home.start(SESSION);
  await home.prompt(PROMPT, SESSION);
  await home.prompt("<private>and Initech pays late", SESSION);
  const transcript = home
    .conversation(SESSION, "2026-11-21")
    .user(PROMPT)
    .tool("Write", { file_path: join(home.project, "table.ts"), content: "…" }, "ok")
    .says("The header of the invoice table stays now.")
    .user("<private>and Initech pays late");
  await home.endsWith(transcript, "compaction");
  await home.endsWith(transcript);
  const { conversations } = await home.heed.conversations.search({ text: "invoice table header" });
  expect(conversations.map(({ session }) => session)).toEqual([SESSION]);
  // The rest of the prompt is there.
  expect(filesWith("please mend that").length).toBeGreaterThan(1);
  expect(filesWith("initech")).toEqual([]);
  expect((await home.heed.session.receipts({ limit: 5 })).length).toBeGreaterThan(0);
});

test("is no ground for a write, neither by quote nor by formula", async () => {
  await home.start(SESSION);
  await home.prompt("<private>always bill Initech by the hour</private> thanks", SESSION);
  const written = await home.heed.memories.write(
    { type: "feedback", statement: "Bill by the hour", quote: "always bill Initech by the hour" },
    { kind: "model", client: "test", session: SESSION },
  );
  expect(written.outcome).toBe("refused");
  const { notice } = await home.event({
    kind: "prompt",
    prompt: "heed keep: <private>bill Initech</private>",
  });
  expect(notice).toContain("heed kept and changed nothing");
  expect(notice).not.toMatch(/initech/i);
  expect(filesWith("initech")).toEqual([]);
});
