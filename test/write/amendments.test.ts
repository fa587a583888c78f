import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryChanges, WriteResult } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL, PERSON } from "./write-desk.ts";

// What the user types changes without a question what they said before, unless it ends a rule.
const UV = "Use uv, never pip, in this repository";

const place = TemporaryHeed.prepared(async (first) => {
  await first.heed.setup.init("user");
  await first.start("session-1");
});

const say = (prompt: string): Promise<string> => place.say(prompt);

/** Has the user say something, and a model keep it. */
async function keep(type: string, name: string, statement: string, quote: string): Promise<void> {
  await say(quote);
  const written = await place.heed.memories.write({ type, name, statement, quote }, MODEL);
  expect(written).toMatchObject({ outcome: "written", metadata: { origin: { door: "quote" } } });
  await say("go on");
}

const update = (name: string, changes: MemoryChanges): Promise<WriteResult> =>
  place.heed.memories.update(name, changes, MODEL);

describe("of a rule", () => {
  beforeEach(() => keep("feedback", "uv", UV, "use uv, never pip, in this repository"));

  const IN_DOCKER = "oh and pip is fine inside the Dockerfile, only there";

  test("what adds to it in their words is in force, and told with what it said before", async () => {
    await say(IN_DOCKER);
    const statement = `${UV}; pip is fine inside the Dockerfile`;
    expect(await update("uv", { statement, quote: IN_DOCKER })).toMatchObject({ outcome: "amended" });
    expect(await say("go on")).toContain(
      `changed as a rule: ${statement} (you: "${IN_DOCKER}") [heed:uv]; before: "${UV}"; not so? type: heed undo uv`,
    );
    expect(await place.start("later")).toContain(`- ${statement} (you: "${IN_DOCKER}") [heed:uv]`);
  });

  test("heed undo NAME, typed, takes it back", async () => {
    await say(IN_DOCKER);
    await update("uv", { statement: `${UV}; pip is fine inside the Dockerfile`, quote: IN_DOCKER });
    await say("heed undo uv");
    expect((await place.heed.memories.show("uv")).metadata.statement).toBe(UV);
  });

  test("the line by which it came stays, where it says more than the rule did", async () => {
    await keep("feedback", "push", "Never push to main", "never push to main, hotfixes are exempt");
    await say("nor to the release branch");
    const statement = "Never push to main nor to the release branch";
    await update("push", { statement, quote: "nor to the release branch" });
    const line = "never push to main, hotfixes are exempt / nor to the release branch";
    expect(await place.start("later")).toContain(`- ${statement} (you: "${line}") [heed:push]`);
  });

  test("the same rule in their words again is unchanged", async () => {
    await say("I said: use uv, never pip");
    const again = { type: "feedback", statement: `${UV}.`, quote: "use uv, never pip" };
    expect(await place.heed.memories.write(again, MODEL)).toMatchObject({ outcome: "unchanged" });
  });

  const READY = "run the tests and push to main when ready";
  test.each<[string, string, MemoryChanges]>([
    ["an order against it", READY, { statement: "Push to main when ready", quote: READY }],
    ["an order around it", READY, { statement: "Use uv, never pip, when ready", quote: READY }],
    ["words that they did not type", IN_DOCKER, { statement: `${UV}, except in tests`, quote: IN_DOCKER }],
    ["code that they did not type", IN_DOCKER, { statement: `${UV}; pip --user is fine`, quote: IN_DOCKER }],
    [
      "a question",
      "is pip fine inside the Dockerfile?",
      { statement: `${UV}; pip is fine inside the Dockerfile`, quote: "pip fine inside the Dockerfile" },
    ],
    ["no quote", IN_DOCKER, { statement: `${UV}; pip is fine inside the Dockerfile` }],
    ["an end date", IN_DOCKER, { expires: "2026-12-01", quote: IN_DOCKER }],
    ["a narrower scope", IN_DOCKER, { scope: { paths: ["src/**"] }, quote: IN_DOCKER }],
    ["another type", IN_DOCKER, { type: "project", quote: IN_DOCKER }],
    ["a claim that may end it", IN_DOCKER, { claims: ["until:2026-12-01"], quote: IN_DOCKER }],
    ["a text below the statement", IN_DOCKER, { body: `${UV}.\n\n**Why:** so`, quote: IN_DOCKER }],
  ])("%s still asks", async (_, said, changes) => {
    await say(said);
    const before = await place.heed.memories.showFile("uv");
    expect(await update("uv", changes)).toMatchObject({ outcome: "pending" });
    expect((await place.heed.memories.showFile("uv")).text).toBe(before.text);
  });

  test("a replacement still asks", async () => {
    await say(IN_DOCKER);
    const statement = `${UV}; pip is fine inside the Dockerfile`;
    expect(
      await place.heed.memories.write(
        { type: "feedback", statement, quote: IN_DOCKER, replaces: "uv" },
        MODEL,
      ),
    ).toMatchObject({ outcome: "pending" });
  });

  test("its removal asks beside what was typed now", async () => {
    await say("drop the uv rule");
    const removal = place.heed.memories.remove(
      "uv",
      { reason: "unwanted", quote: "drop the uv rule" },
      MODEL,
    );
    await expect(removal).rejects.toMatchObject({ code: "gate-refused", data: { waits: /^[a-z0-9]{5}$/ } });
    const [question] = await place.heed.consent.questions();
    expect(question?.detail).toContain("drop the uv rule");
    expect(question?.detail).not.toContain("never pip");
  });

  test("what a person wrote whole is not cut to its statement", async () => {
    const body = "Run the linter.\n\n**Why:** it found a leak once.";
    await place.heed.memories.write(
      { type: "feedback", name: "lint", statement: "Run the linter", body },
      PERSON,
    );
    await say("and the formatter");
    const changes = { statement: "Run the linter and the formatter", quote: "and the formatter" };
    expect(await update("lint", changes)).toMatchObject({ outcome: "pending" });
  });
});

describe("of what they said of themselves, and of facts", () => {
  const LISBON = "i sit in lisbon btw, so utc";
  const GRAZ = "please forget that I sit in lisbon, I moved to Graz";

  test.each([
    ["user", "changed about you"],
    ["project", "changed"],
  ])("a correction of a %s memory is in force and announced", async (type, verb) => {
    await keep(type, "town", "The user sits in Lisbon", LISBON);
    await say(GRAZ);
    const statement = "The user sits in Graz";
    expect(await update("town", { statement, quote: GRAZ })).toMatchObject({ outcome: "amended" });
    expect((await place.heed.memories.show("town")).metadata.statement).toBe(statement);
    expect(await say("go on")).toContain(
      `${verb}: ${statement} (you: "${GRAZ}") [heed:town]; before: "The user sits in Lisbon"; not so? type: heed undo town`,
    );
  });

  test("a removal too", async () => {
    await keep("user", "town", "The user sits in Lisbon", LISBON);
    await say(GRAZ);
    await place.heed.memories.remove("town", { reason: "they moved", quote: GRAZ }, MODEL);
    expect(await place.heed.memories.list()).toEqual([]);
    expect(await say("go on")).toContain(
      "removed: The user sits in Lisbon [heed:town]; not so? type: heed undo town",
    );
    await say("heed undo town");
    expect(await place.heed.memories.list()).toMatchObject([{ name: "town" }]);
  });

  test("without their words, or of what they approved whole, it asks", async () => {
    await keep("user", "town", "The user sits in Lisbon", LISBON);
    await say(GRAZ);
    await expect(place.heed.memories.remove("town", "they moved", MODEL)).rejects.toMatchObject({
      data: { waits: expect.any(String) as string },
    });
    const vim = { type: "user", name: "vim", statement: "The user prefers vim", body: "Prefers vim." };
    await place.heed.memories.write(vim, PERSON);
    expect(await update("vim", { statement: "The user left Lisbon", quote: GRAZ })).toMatchObject({
      outcome: "pending",
    });
  });
});

test.each<[string, MemoryChanges, string]>([
  ["everywhere", { scope: "everywhere" }, "-  scope:"],
  ["in paths", { scope: { paths: ["src/**"] } }, "src/**"],
  ["without an end", { expires: null }, "-  expires: 2027-01-01"],
  ["with another end", { expires: "2027-02-01" }, "+  expires: 2027-02-01"],
])(
  "a rule that is to hold %s waits, and does as it was shown once it is approved",
  async (_, changes, shown) => {
    const rule = { type: "feedback", name: "tabs", statement: "Indent with tabs", expires: "2027-01-01" };
    await place.heed.memories.write(rule, PERSON);
    const before = (await place.heed.memories.show("tabs")).metadata;
    const asked = await update("tabs", changes);
    expect((await place.heed.inbox.list())[0]?.diff).toContain(shown);
    await place.heed.consent.answer("code" in asked ? asked.code : "", "yes", PERSON);
    const { scope, expires, origin } = (await place.heed.memories.show("tabs")).metadata;
    const scoped = { ...before.scope, paths: ["src/**"] };
    expect(scope).toEqual(
      !changes.scope ? before.scope : changes.scope === "everywhere" ? { paths: [] } : scoped,
    );
    expect(expires).toBe(changes.expires === undefined ? rule.expires : (changes.expires ?? undefined));
    expect(origin.actor).toBe("person");
    expect(await place.heed.inbox.list()).toEqual([]);
  },
);
