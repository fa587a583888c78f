import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Heed } from "../../src/heed.ts";
import { FOLDER, openFormer, tell, unpackFormer } from "./former-state.ts";

// A home that an earlier version left, with a repository and an attached folder: what the user decided there still holds.
const USER = { kind: "person" } as const;

let heed: Heed;
let remove: () => void;
beforeAll(async () => {
  remove = await unpackFormer();
  heed = openFormer("2026-11-21T09:00:00Z");
});
afterAll(async () => {
  await heed.close();
  remove();
});

async function started(session: string): Promise<string> {
  return (await tell(heed, { kind: "session-start", source: "startup" }, session)).context ?? "";
}

const stored = (file: string): string =>
  readFileSync(join(FOLDER, "home/.local/share/heed/memory", file), "utf8");

test("its rules are in force, and what was ended or never approved is not", async () => {
  const context = await started("s2");
  for (const inForce of [
    "Never skip the hooks of git",
    "Indent with two spaces",
    "Install packages with pnpm, never with npm",
    "Ask for a review before merging",
    'Squash commits before merging (you: "always squash before merging, reviewers read one diff")',
  ])
    expect(context).toContain(`- ${inForce}`);
  for (const gone of [
    "Say please",
    "packages with npm",
    "with tabs",
    "Delete branches",
    "Write tests",
    "Lisbon",
  ])
    expect(context).not.toContain(gone);
});

test("its facts are told, those of the attached folder too", async () => {
  const context = await started("s3");
  for (const fact of [
    "The user edits in Helix",
    "The vendor allows batches of five",
    "https://board.example/shop",
  ])
    expect(context).toContain(fact);
});

test("its guard stops a call", async () => {
  await started("s4");
  const call = { kind: "tool-use", tool: "Bash", input: { command: "git commit --no-verify -m wip" } };
  const { decision } = await tell(heed, call, "s4");
  expect(decision).toMatchObject({ action: "deny" });
  expect(decision?.reason).toContain("Never skip the hooks of git");
});

test("a replaced memory is found by its old name, and a renamed one by its new", async () => {
  expect((await heed.memories.show("use-npm")).metadata.statement).toContain("with pnpm");
  expect((await heed.memories.show("handbook")).metadata.statement).toContain("https://wiki.example/old");
});

test("a claim is still checked", async () => {
  const standing = async (): Promise<unknown> =>
    (await heed.memories.summaries({ types: ["project"] })).map((one) => one.standing);
  expect(await standing()).toEqual(["fresh"]);
  writeFileSync(join(FOLDER, "project/src/queue.ts"), "export const MAX_BATCH = 9;\n");
  expect(await standing()).toEqual(["check"]);
});

test("what waited waits, in its words, and comes into force by its code", async () => {
  const questions = await heed.consent.questions();
  expect(questions.map(({ text }) => text)).toEqual([
    'Keep "Write tests before code" as a rule in this repository?',
    'Keep "The user works from Lisbon" as a note about you?',
    'Approve 1 rule of this repository on this machine? "Delete branches after merging"',
  ]);
  await heed.consent.answer(questions[0]!.code, "yes", USER);
  expect(await started("s5")).toContain("- Write tests before code");
});

test("its changes are listed and taken back", async () => {
  const changes = await heed.history.list();
  const removal = changes.find(({ summary }) => summary.startsWith("remove feedback/say-please"));
  await heed.history.undo({ change: removal!.id }, USER);
  expect(await started("s6")).toContain("- Say please in commit messages");
  const reworded = changes.find(({ summary }) => summary.startsWith("amend feedback/tabs"));
  await heed.history.undo({ change: reworded!.id }, USER);
  expect(stored("feedback/tabs.md")).toContain("Indent with tabs");
});

test("what was said in its conversations is found", async () => {
  const { conversations } = await heed.conversations.search({ text: "importer drops the last row" });
  expect(conversations).toHaveLength(1);
});
