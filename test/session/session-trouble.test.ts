import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EventPart } from "../home/temporary-heed.ts";
import { readOrEmpty } from "../../src/machine/regular-file.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

const FACT = { type: "project", name: "queue-retry", statement: "the email queue retries five times" };
const ASKS = "how often does the email queue retry, five times?";

const EVENTS: EventPart[] = [
  { kind: "session-start", source: "startup" },
  { kind: "session-start", source: "resume" },
  { kind: "subagent-start", agentType: "Explore" },
  { kind: "prompt", prompt: ASKS },
  { kind: "tool-use", tool: "Read", input: { file_path: "a" } },
  { kind: "tool-failure", tool: "Bash", input: {}, error: ASKS },
  { kind: "stop", lastMessage: "done" },
  { kind: "compaction" },
  { kind: "session-end", reason: "other" },
];

describe("without any store", () => {
  test.each(EVENTS)("$kind is answered with nothing", async (event) => {
    expect(await place.event(event)).toEqual({});
    expect(existsSync(join(place.state, "heed.log"))).toBe(false);
  });
});

test("with broken files, what is sound is told", async () => {
  place.remember(rule("tabs", "Indent with tabs"), FACT);
  // The settings of now are those that were last good.
  await place.start("earlier");
  place.write(join(place.userStore, "feedback/broken.md"), "---\nname: [unclosed\n---\nBROKEN\n");
  place.write(join(place.userStore, "feedback/binary.md"), "\u0000\u0001".repeat(1000));
  place.write(join(place.userStore, "feedback/empty.md"), "");
  place.write(join(place.userStore, "config.yaml"), "mode: [\n");
  execFileSync("mkfifo", [join(place.userStore, "feedback/pipe.md")]);
  expect(await place.start()).toMatch(/^- Indent with tabs \[heed:tabs\]$/m);
  expect(await place.prompt(ASKS, "s2")).toContain("heed:queue-retry");
});

// Files where folders should be: the same for root, who may write anywhere.
test.each<[string, string[], RegExp]>([
  ["in part", ["sessions", "receipts"], /afterwards: /],
  ["at all", [""], /^$/],
])("state that cannot be written %s costs no context", async (_, names, logged) => {
  place.remember(rule("tabs", "Indent with tabs"), FACT);
  if (names[0] === "") rmSync(place.state, { recursive: true });
  for (const name of names) place.write(join(place.state, name), "not a folder");
  expect(await place.start()).toContain("Indent with tabs");
  expect(await place.prompt(ASKS)).toContain("heed:queue-retry");
  await place.heed.close();
  expect(readOrEmpty(join(place.state, "heed.log"), { maxBytes: 100_000 })).toMatch(logged);
});

test("a damaged session log counts for what can be read of it", async () => {
  place.remember(FACT);
  await place.prompt(ASKS);
  await place.heed.close();
  const file = join(place.state, "sessions", "s1.jsonl");
  writeFileSync(file, `garbage\n${readFileSync(file, "utf8")}{"torn`);
  expect(await place.prompt(ASKS)).toBe("");
  writeFileSync(file, "\u0000".repeat(100));
  expect(await place.prompt(ASKS)).toContain("heed:queue-retry");
});

test("without any time an event says no more than that the rest follows, and with time as ever", async () => {
  place.remember(FACT);
  const event = { kind: "prompt" as const, prompt: ASKS, session: "s1", cwd: place.project, client: "test" };
  const { context = "follows" } = await place.heed.session.answer(event, { deadlineMs: 0 });
  expect(context).toMatch(/^[^\n]*follows\.?$/);
  expect((await place.heed.session.answer(event)).context).toContain("heed:queue-retry");
});

test.skipIf(process.getuid?.() === 0)("a store that must not be read", async () => {
  place.remember(rule("tabs", "Indent with tabs"));
  chmodSync(place.userStore, 0o000);
  try {
    expect(await place.start()).toBe("");
  } finally {
    chmodSync(place.userStore, 0o700);
  }
});

test("a client that names no session is served, and nothing is remembered", async () => {
  place.remember(FACT);
  expect(await place.prompt(ASKS, "")).toContain("heed:queue-retry");
  expect(await place.prompt(ASKS, "")).toContain("heed:queue-retry");
  expect(existsSync(join(place.state, "sessions"))).toBe(false);
});
