import { beforeEach, describe, expect, it } from "vitest";
import type { MemoryDraft } from "../../src/heed.ts";
import { MODEL, PERSON, writeDesk } from "./write-desk.ts";

const desk = writeDesk();
beforeEach(async () => {
  await desk.heed.memories.write({ ...OLD, tags: ["queue", "redis", "jobs"] }, PERSON);
});

const OLD = { type: "project", name: "queue", statement: "the job queue runs on Redis" };
const NEW = { type: "project", statement: "the job queue runs on Valkey" };

const write = (changes: Partial<MemoryDraft> = {}) =>
  desk.heed.memories.write({ ...NEW, ...changes }, PERSON);
const names = async () => (await desk.heed.memories.list()).map(({ name }) => name).toSorted();

describe("a memory that resembles another one", () => {
  it("is written, and the answer has the text of the other one", async () => {
    expect(await write()).toMatchObject({
      outcome: "written",
      near: [{ name: "queue", statement: OLD.statement }],
    });
    expect(await names()).toHaveLength(2);
  });

  it("that waits names it as well, and so do a change of a statement and an approval", async () => {
    const claim = (statement: string) => ({ type: "user", statement });
    await desk.heed.memories.write(claim("the user knows emacs at work"), PERSON);
    const waits = await desk.heed.memories.write(claim("the user knows emacs at home"), MODEL);
    const near = [{ statement: "the user knows emacs at work" }];
    expect(waits).toMatchObject({ outcome: "pending", near });
    const name = "name" in waits ? waits.name : "";
    expect(await desk.heed.inbox.confirm(name, {}, PERSON)).toMatchObject({ outcome: "written", near });
    await desk.heed.memories.write(
      { type: "project", name: "board", statement: "the board is blue" },
      PERSON,
    );
    expect(await desk.heed.memories.update("board", { statement: NEW.statement }, PERSON)).toMatchObject({
      outcome: "amended",
      near: [{ name: "queue" }],
    });
  });

  it("is the same one only in the same statement: again it changes nothing, whoever says it", async () => {
    const again = { type: "project", statement: "The job queue runs on Redis." };
    for (const actor of [MODEL, PERSON, { kind: "hook" } as const])
      expect(await desk.heed.memories.write(again, actor)).toMatchObject({
        outcome: "unchanged",
        metadata: { name: "queue" },
      });
    expect(await desk.heed.memories.write({ ...again, reason: "it was there" }, PERSON)).toMatchObject({
      outcome: "amended",
      metadata: { name: "queue", statement: OLD.statement },
    });
    expect((await desk.heed.memories.show("queue")).body).toContain("**Why:** it was there");
    expect(await names()).toEqual(["queue"]);
  });

  it("is another one where the same words are over, or stand under the name of another statement", async () => {
    await desk.heed.memories.update("queue", { expires: "2026-03-01" }, PERSON);
    expect(
      await desk.heed.memories.write({ type: "project", statement: OLD.statement }, PERSON),
    ).toMatchObject({
      outcome: "written",
    });
    await desk.heed.memories.write({ type: "project", statement: "the cache is blue" }, PERSON);
    await desk.heed.memories.update("the-cache-is-blue", { statement: "the cache is green" }, PERSON);
    expect(
      await desk.heed.memories.write({ type: "project", statement: "the cache is blue" }, PERSON),
    ).toMatchObject({
      outcome: "written",
      metadata: { name: "the-cache-is-blue-2" },
    });
  });

  it.each(["queue", "heed:queue"])(
    "replaces %s: one memory, changed, and an undo brings the old one back",
    async (to) => {
      const result = await write({ replaces: to });
      expect(result).toMatchObject({
        outcome: "amended",
        metadata: { name: "queue", tags: ["queue", "redis", "jobs"] },
      });
      expect(await names()).toEqual(["queue"]);
      const shown = await desk.heed.memories.show("queue");
      expect([shown.metadata.statement, shown.body.trim()]).toEqual([NEW.statement, NEW.statement]);
      await desk.heed.history.undo({}, PERSON);
      expect((await desk.heed.memories.show("queue")).metadata.statement).toBe(OLD.statement);
    },
  );

  it("that says less is refused to a model with the way that works", async () => {
    const body = "The queue runs on Redis.\n\n## Hosts\nqueue-1, queue-2\n";
    await desk.heed.memories.update("queue", { body }, PERSON);
    const less = { body: "It runs on Redis, on two hosts." };
    expect(await desk.heed.memories.update("queue", less, MODEL)).toMatchObject({
      outcome: "refused",
      refusals: [
        {
          reason: expect.stringContaining('lacks "Hosts"') as string,
          remedy: expect.stringContaining("replaces: queue") as string,
        },
      ],
    });
    const { type, statement } = OLD;
    expect(
      await desk.heed.memories.write({ type, statement, ...less, replaces: "queue" }, MODEL),
    ).toMatchObject({ outcome: "amended" });
  });

  it("replaces its type and its end too", async () => {
    const result = await write({ replaces: "queue", type: "reference", expires: "2099-01-01" });
    expect(result).toMatchObject({
      outcome: "amended",
      metadata: { type: "reference", expires: expect.stringContaining("2099-01-01") as string },
    });
  });

  it("replaces nothing that is not there", async () => {
    await expect(write({ replaces: "queues-of-old" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("is near to none that was superseded", async () => {
    await desk.heed.memories.update("queue", { status: "superseded" }, PERSON);
    const written = await write();
    expect([written.outcome, "near" in written]).toEqual(["written", false]);
  });
});
