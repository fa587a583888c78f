import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Actor } from "../../src/heed.ts";
import { CLAIM, gatesOf, MODEL, PERSON, textOf, writeDesk } from "./write-desk.ts";

const desk = writeDesk();

describe("a statement about the user", () => {
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
    expect(statSync(join(desk.state, "inbox", "prefers-vim.md")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["a model", MODEL],
    ["a hook", { kind: "hook" }],
  ] as [string, Actor][])(
    "is neither approved nor dropped by %s, whatever the user said",
    async (_who, actor) => {
      await desk.heed.memories.write(CLAIM, MODEL);
      await desk.prompt("yes, save prefers-vim: the user prefers vim over VS Code", "session-1");
      const refused = {
        code: "gate-refused",
        message: expect.stringMatching(/heed yes [a-z0-9]{5}/) as string,
      };
      await expect(desk.heed.inbox.confirm("prefers-vim", {}, actor)).rejects.toMatchObject(refused);
      await expect(desk.heed.inbox.reject("prefers-vim", "not so", actor)).rejects.toMatchObject(refused);
      expect(await desk.heed.inbox.list()).toHaveLength(1);
    },
  );

  it("says by which door it was approved", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    const result = await desk.heed.inbox.confirm("heed:prefers-vim", {}, { ...PERSON, door: "formula" });
    expect(result).toMatchObject({
      outcome: "written",
      metadata: { status: "confirmed", origin: { door: "formula" } },
    });
    expect("announcement" in result && result.announcement).toMatch(/^confirmed about you \(user\)/);
    expect(textOf(result)).toContain("session: session-1");
    expect(await desk.heed.inbox.list()).toEqual([]);
  });

  // Whose word it was is in the inbox's file alone, and decides what a later writer is told.
  it("that the user rejected is refused in their name", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    await desk.heed.inbox.reject("prefers-vim", "not said", PERSON);
    const [file = ""] = readdirSync(join(desk.state, "inbox", ".rejected"));
    expect(readFileSync(join(desk.state, "inbox", ".rejected", file), "utf8")).toContain(
      "by: person, reason: not said",
    );
    const again = await desk.heed.memories.write(CLAIM, MODEL);
    const reason = expect.stringMatching(/was rejected by a person on 2026-03-02: not said/s) as string;
    expect(again).toMatchObject({ outcome: "refused", refusals: [{ gate: "user-word", reason }] });
    // Said again, quoted, it is in force; and a person writes what they like.
    await desk.prompt("I prefer vim over VS Code, by the way", "session-1");
    const quoted = { ...CLAIM, quote: "I prefer vim over VS Code, by the way" };
    expect(gatesOf(await desk.heed.memories.write(quoted, MODEL))).toEqual(["written"]);
    await desk.heed.memories.remove("prefers-vim", "not so", PERSON);
    expect(gatesOf(await desk.heed.memories.write(CLAIM, PERSON))).toEqual(["written"]);
  });

  it("that nobody answered is dropped in nobody's name", async () => {
    await desk.heed.memories.write(CLAIM, { kind: "hook" });
    desk.now = new Date(Date.parse(desk.now) + 400 * 86_400_000).toISOString();
    await desk.heed.learning.capture();
    expect(await desk.heed.inbox.list()).toEqual([]);
    const again = await desk.heed.memories.write(CLAIM, MODEL);
    expect(again).toMatchObject({
      outcome: "pending",
      near: [
        {
          name: "prefers-vim",
          removed: expect.stringMatching(
            /^dropped, as nobody confirmed it on 2027-04-06: no answer in/,
          ) as string,
        },
      ],
    });
  });

  it("that a model concluded lapses two weeks after the user was shown it", async () => {
    const wait = async (days: number): Promise<number> => {
      desk.now = new Date(Date.parse(desk.now) + days * 86_400_000).toISOString();
      await desk.heed.learning.capture();
      return (await desk.heed.inbox.list()).length;
    };
    await desk.heed.memories.write(CLAIM, MODEL);
    expect(await wait(30)).toBe(1);
    await desk.heed.inbox.list({ reader: PERSON });
    expect(await wait(13)).toBe(1);
    await desk.heed.inbox.list({ reader: PERSON });
    expect(await wait(2)).toBe(0);
  });

  it("changed by a model waits beside the one that stands", async () => {
    await desk.heed.memories.write(CLAIM, PERSON);
    const changed = await desk.heed.memories.update(
      "prefers-vim",
      { statement: "the user prefers Helix over vim" },
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
      metadata: { statement: "the user prefers Helix over vim" },
    });
  });

  it("is not confirmed over a memory that has changed since", async () => {
    await desk.heed.memories.write(CLAIM, PERSON);
    await desk.heed.memories.update("prefers-vim", { statement: "the user prefers Helix over vim" }, MODEL);
    await desk.heed.memories.update("prefers-vim", { statement: "the user prefers Emacs over vim" }, PERSON);
    await expect(desk.heed.inbox.confirm("prefers-vim", {}, PERSON)).rejects.toMatchObject({
      code: "changed-outside",
    });
  });

  it("that was confirmed waits again when that is taken back, alone or with all of its writer's changes", async () => {
    const { inbox, history, memories } = desk.heed;
    await memories.write(CLAIM, MODEL);
    const before = await inbox.list();
    const { id } = ((await inbox.confirm("prefers-vim", {}, PERSON)) as { metadata: { id: string } })
      .metadata;
    await memories.update(id, { tags: ["style"] }, PERSON);
    const [tagged, confirmed] = await history.list({ handle: id });
    await history.undo({ change: tagged?.id }, PERSON);
    // What came after the confirmation is another matter.
    expect(await inbox.list()).toEqual([]);
    await history.undo({ change: confirmed?.id }, PERSON);
    expect(await inbox.list()).toEqual(before);
    await inbox.confirm("prefers-vim", {}, PERSON);
    await history.rollBack({ actor: "person", isApplied: true }, PERSON);
    expect(await memories.list()).toEqual([]);
    expect(await inbox.list()).toEqual(before);
  });

  it("that was dropped comes back by a person's word alone", async () => {
    await desk.heed.memories.write(CLAIM, MODEL);
    const before = await desk.heed.inbox.list();
    await desk.heed.inbox.reject("prefers-vim", "not so", PERSON);
    const restore = (by: Actor): Promise<unknown> => desk.heed.inbox.restore("prefers-vim", by);
    await expect(restore(MODEL)).rejects.toMatchObject({ code: "gate-refused" });
    await restore(PERSON);
    expect(await desk.heed.inbox.list()).toEqual(before);
    await expect(restore(PERSON)).rejects.toMatchObject({ code: "not-found" });
  });
});
