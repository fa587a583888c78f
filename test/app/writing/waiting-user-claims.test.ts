import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import { CLAIM, gatesOf, MODEL, PERSON, RULE, textOf, WriteDesk } from "./write-desk.ts";

let desk: WriteDesk;
/** The writer has seen what was rejected. */
const ANOTHER = { kind: "distinct", to: "prefers-vim" } as const;

beforeEach(() => {
  desk = new WriteDesk();
});

afterEach(() => desk.remove());

describe("a statement about the user", () => {
  it("is a person's word at once", async () => {
    expect(await desk.heed.memories.write(CLAIM, PERSON)).toMatchObject({
      outcome: "written",
      card: { status: "confirmed" },
    });
  });

  it.each([
    ["a model", MODEL],
    ["a hook", { kind: "hook" }],
    ["an import", { kind: "import" }],
  ] as [string, Actor][])("waits when %s writes it, whatever it says of its source", async (_who, actor) => {
    const result = await desk.heed.memories.write(
      { ...CLAIM, source: "instructed", status: "confirmed" },
      actor,
    );
    expect(result).toMatchObject({ outcome: "pending", name: "prefers-vim" });
    expect(readdirSync(desk.userStore)).toEqual([]);
    expect(await desk.heed.inbox.list()).toMatchObject([
      { name: "prefers-vim", type: "user", proposedAt: "2026-03-02T10:00:00.000Z" },
    ]);
    expect(statSync(join(desk.inbox, "prefers-vim.md")).mode & 0o777).toBe(0o600);
  });

  it("waits under another type when nobody said it", async () => {
    const draft = {
      ...RULE,
      name: "terse",
      description: "the user prefers terse answers",
      source: "inferred" as const,
    };
    expect(gatesOf(await desk.heed.memories.write(draft, MODEL))).toEqual(["pending"]);
    expect(gatesOf(await desk.heed.memories.write({ ...draft, source: "instructed" }, MODEL))).toEqual([
      "written",
    ]);
  });

  it("waits when it is a rule that an import brings", async () => {
    expect(gatesOf(await desk.heed.memories.write(RULE, { kind: "import" }))).toEqual(["pending"]);
  });

  it("counts when the user has said so after it was proposed", async () => {
    desk.userSays("I like vim, remember it");
    await desk.heed.memories.write(CLAIM, MODEL);
    expect(gatesOf(await desk.heed.inbox.confirm("prefers-vim", { quote: "I like vim" }, MODEL))).toEqual([
      "user-word",
    ]);
    desk.userSays("yes, save that");
    const result = await desk.heed.inbox.confirm("heed:prefers-vim", { quote: "Yes, save that." }, MODEL);
    expect(result).toMatchObject({ outcome: "written", card: { status: "confirmed", source: "observed" } });
    expect("announcement" in result && result.announcement).toMatch(
      /^confirmed about you \(user\): the user prefers vim/,
    );
    expect(textOf(result)).toContain("created: 2026-03-02T10:02:00Z");
    expect(await desk.heed.inbox.list()).toEqual([]);
  });

  it.each([
    ["no quote", undefined, "yes"],
    ["an empty quote", "  ", "yes"],
    ["words that nobody said", "yes please", "fix the tests"],
    ["a part of a word", "ok", "show me the token"],
    ["a no", "save", "no, don't save that"],
    ["a no after a yes", "ok", "ok, but do not remember it"],
    ["a turn about something else", "fix the tests", "fix the tests in the parser"],
    ["a slash command", "yes", "/commit yes"],
    ["a task notification", "yes", "<task-notification>yes</task-notification>"],
  ])("does not count with %s", async (_what, quote, turn) => {
    await desk.heed.memories.write(CLAIM, MODEL);
    desk.userSays(turn);
    const result = await desk.heed.inbox.confirm("prefers-vim", quote === undefined ? {} : { quote }, MODEL);
    expect(gatesOf(result)).toEqual(["user-word"]);
    expect(result).toMatchObject({
      refusals: [{ remedy: expect.stringContaining("heed confirm prefers-vim") as string }],
    });
    expect(await desk.heed.inbox.list()).toHaveLength(1);
  });

  it("does not count by a turn of another session, and never by a hook", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    desk.userSays("yes", "session-2");
    expect(gatesOf(await desk.heed.inbox.confirm("prefers-vim", { quote: "yes" }, MODEL))).toEqual([
      "user-word",
    ]);
    expect(gatesOf(await desk.heed.inbox.confirm("prefers-vim", { quote: "yes" }, { kind: "hook" }))).toEqual(
      ["user-word"],
    );
  });

  it("is confirmed by a person without a quote", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    expect(gatesOf(await desk.heed.inbox.confirm("prefers-vim", {}, PERSON))).toEqual(["written"]);
  });

  it("that was rejected is not proposed again", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    await desk.heed.inbox.reject("prefers-vim", "I use Helix now", PERSON);
    expect(await desk.heed.inbox.list()).toEqual([]);
    const again = await desk.heed.memories.write({ ...CLAIM, relation: ANOTHER }, MODEL);
    expect(again).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "duplicate", reason: expect.stringContaining("I use Helix now") as string }],
    });
    expect(gatesOf(await desk.heed.memories.write({ ...CLAIM, relation: ANOTHER }, PERSON))).toEqual([
      "written",
    ]);
  });

  // Whose word it was is in the inbox's file alone, and decides what a later writer is told.
  it.each([
    ["the user", PERSON, "the user rejected it on 2026-03-02", ["duplicate"]],
    ["a model", MODEL, "a model rejected it on 2026-03-02", ["pending"]],
  ] as const)("that %s rejected is refused in the name of who did", async (_who, actor, reason, insisted) => {
    await desk.heed.memories.write(CLAIM, MODEL);
    await desk.heed.inbox.reject("prefers-vim", "not said", actor);
    const [file = ""] = readdirSync(join(desk.inbox, ".rejected"));
    expect(readFileSync(join(desk.inbox, ".rejected", file), "utf8")).toContain(
      `by: ${actor.kind}, reason: not said`,
    );
    const again = await desk.heed.memories.write(CLAIM, MODEL);
    expect(again).toMatchObject({
      outcome: "refused",
      refusals: [{ gate: "duplicate", reason: expect.stringContaining(reason) as string }],
    });
    // What a model dropped, a model may bring again.
    expect(gatesOf(await desk.heed.memories.write({ ...CLAIM, relation: ANOTHER }, MODEL))).toEqual(insisted);
  });

  it("that nobody answered is dropped in nobody's name", async () => {
    await desk.heed.memories.write(CLAIM, { kind: "hook" });
    desk.now = new Date(desk.now.getTime() + 400 * 86_400_000);
    await desk.heed.learning.capture();
    expect(await desk.heed.inbox.list()).toEqual([]);
    const again = await desk.heed.memories.write(CLAIM, MODEL);
    expect(again).toMatchObject({
      outcome: "refused",
      refusals: [
        {
          gate: "duplicate",
          reason: expect.stringMatching(
            /nobody confirmed it, and it was dropped on 2027-04-06.*no answer in/s,
          ) as string,
        },
      ],
    });
  });

  it("changed by a model waits beside the one that stands", async () => {
    await desk.heed.memories.write(CLAIM, PERSON);
    const changed = await desk.heed.memories.update(
      "prefers-vim",
      { description: "the user prefers Helix over vim" },
      MODEL,
    );
    expect(changed).toMatchObject({
      outcome: "pending",
      diff: expect.stringContaining("+description") as string,
    });
    expect(await desk.heed.inbox.list()).toMatchObject([{ target: "prefers-vim" }]);
    const result = await desk.heed.inbox.confirm("prefers-vim", {}, PERSON);
    expect(result).toMatchObject({
      outcome: "amended",
      card: { description: "the user prefers Helix over vim" },
    });
  });

  it("is not confirmed over a memory that has changed since", async () => {
    await desk.heed.memories.write(CLAIM, PERSON);
    await desk.heed.memories.update("prefers-vim", { description: "the user prefers Helix over vim" }, MODEL);
    await desk.heed.memories.update(
      "prefers-vim",
      { description: "the user prefers Emacs over vim" },
      PERSON,
    );
    await expect(desk.heed.inbox.confirm("prefers-vim", {}, PERSON)).rejects.toMatchObject({
      code: "changed-outside",
    });
  });
});
