import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";
import { SessionWriter } from "./session-writer.ts";

let home: TemporaryHeed;
let count = 0;

beforeEach(() => {
  home = new TemporaryHeed();
  home.remember({ type: "project", name: "deploy-host", description: "deploys run from the host atlas" });
});
afterEach(() => home.remove());

/** A session in which the user says this, and its end. */
async function sessionWith(said: string): Promise<void> {
  const session = `5f1d7a3e-0000-4000-8000-${String((count += 1)).padStart(12, "0")}`;
  const writer = new SessionWriter(join(home.home, "projects", `${session}.jsonl`), {
    session,
    cwd: home.project,
    now: home.now,
  });
  writer.user("Hello there friend").says("By [heed:deploy-host] I use atlas.").user(said);
  await home.event({ kind: "session-end", reason: "other", session, transcriptPath: writer.file });
  await new Promise((resolve) => setImmediate(resolve));
  await home.heed.learning.capture();
}

describe("in passing", () => {
  test("a memory that the user confirms waits with the day and their words, and the episode says so", async () => {
    home.remember({
      type: "solution",
      name: "build-cache",
      description: "the build needs the cache folder",
      body: "**Symptom:** the build stops.\n\n**Solution:** make the cache folder.",
      metadata: ["status: provisional"],
    });
    await sessionWith("Yes, heed:build-cache is still right, go on.");
    const [item] = await home.heed.inbox.list();
    expect(item?.diff).toContain('+Confirmed on 2026-11-21: "Yes, heed:build-cache is still right, go on."');
    expect(item?.reason).toContain("you confirmed heed:build-cache");
    const episode = (await home.heed.session.resume())?.body;
    expect(episode).toContain("confirms heed:build-cache");
    await home.heed.inbox.confirm(item?.name ?? "", {}, { kind: "person" });
    const [solution] = await home.heed.memories.list({ types: ["solution"] });
    expect(solution?.status).toBe("confirmed");
    // Once a month is enough.
    home.now = "2026-11-23T12:00:00Z";
    await sessionWith("heed:build-cache is still right.");
    expect(await home.heed.inbox.list()).toEqual([]);
  });

  test.each([
    "Is heed:deploy-host still right?",
    "I don't think heed:deploy-host is right",
    "If heed:deploy-host is right then use it",
  ])("%s confirms nothing", async (said) => {
    await sessionWith(said);
    expect((await home.heed.inbox.list()).filter(({ reason }) => reason.includes("you confirmed"))).toEqual(
      [],
    );
  });

  test("a correction says in the episode which memory it corrects, and counts in its use", async () => {
    await sessionWith("heed:deploy-host is outdated: deploys now run from the host borealis.");
    expect((await home.heed.session.resume())?.body).toContain("corrects heed:deploy-host");
    const use = await home.heed.memories.recordUse("deploy-host", { outcome: "ignored" }, { kind: "person" });
    expect(use).toMatchObject({ corrected: 1, ignored: 1 });
  });
});

test("two corrections of one memory wait as one change that holds both", async () => {
  await sessionWith("heed:deploy-host is outdated: deploys now run from the host borealis.");
  await sessionWith("heed:deploy-host is wrong: backups now go to the bucket draco.");
  const items = await home.heed.inbox.list();
  expect(items).toHaveLength(1);
  expect(items[0]?.body).toContain("deploys now run from the host borealis.");
  expect(items[0]?.body).toContain("Corrected on 2026-11-21: backups now go to the bucket draco.");
  expect(items[0]?.reason).toContain("borealis");
  await home.heed.inbox.confirm(items[0]?.name ?? "", {}, { kind: "person" });
  expect((await home.heed.memories.show("deploy-host")).body).toContain("bucket draco");
});

test("what the user says twice is asked about once, in their words", async () => {
  await sessionWith("Never use a fixed delay between retries, because it hammered the server.");
  await sessionWith("Again: never use a fixed delay between retries.");
  expect((await home.heed.inbox.list()).map(({ description }) => description)).toEqual([
    "Never use a fixed delay between retries, because it hammered the server.",
  ]);
});

describe("a change that was rejected", () => {
  test("is not proposed again by a later session, another change is", async () => {
    await sessionWith("heed:deploy-host is outdated: deploys now run from the host borealis.");
    const [item] = await home.heed.inbox.list();
    expect(item).toMatchObject({ target: "deploy-host" });
    await home.heed.inbox.reject(item?.name ?? "", "still atlas", { kind: "person" });
    home.now = "2026-11-24T12:00:00Z";
    await sessionWith("No, heed:deploy-host is wrong: deploys now run from the host borealis!");
    expect(await home.heed.inbox.list()).toEqual([]);
    await sessionWith("heed:deploy-host is outdated: deploys now run from the host cygnus.");
    expect((await home.heed.inbox.list()).map(({ diff }) => diff)).toEqual([
      expect.stringContaining("cygnus"),
    ]);
  });

  test("is refused to a model too, with the reason; the user's own word counts", async () => {
    home.remember({ type: "user", name: "editor", description: "the user edits in vim" });
    const change = { description: "the user edits in helix" };
    const model = { kind: "model", client: "test", session: "s1" } as const;
    const first = await home.heed.memories.update("editor", change, model);
    expect(first).toMatchObject({ outcome: "pending" });
    await home.heed.inbox.reject("editor", "only tried it once", { kind: "person" });
    expect(await home.heed.memories.update("editor", change, model)).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "duplicate", reason: expect.stringContaining("only tried it once") as string }],
    });
    expect(await home.heed.memories.update("editor", change, { kind: "person" })).toMatchObject({
      outcome: "amended",
    });
  });
});

test("“forget that” never means the record of a session that quotes it", async () => {
  const fact = "the staging database is reset every Monday night";
  for (const day of [11, 12, 13])
    home.remember({ type: "episode", name: `2026-11-${day}-early`, description: fact, body: fact });
  await sessionWith(`Forget that ${fact}.`);
  expect(await home.heed.inbox.list()).toEqual([]);
  home.remember({
    type: "project",
    name: "staging-database",
    description: "when the staging database is emptied, and by whom",
    body: `By the operators: ${fact}, at two o'clock.`,
  });
  // Said again on another day: the turns of one session count once.
  home.now = "2026-11-22T12:00:00Z";
  await sessionWith(`Please forget that ${fact}.`);
  expect(await home.heed.inbox.list()).toMatchObject([{ target: "staging-database" }]);
});
