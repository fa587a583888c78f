import { beforeEach, describe, expect, it } from "vitest";
import type { MemoryDraft } from "../../../src/heed.ts";
import { gatesOf, PERSON, writeDesk } from "./write-desk.ts";

const desk = writeDesk();
beforeEach(async () => {
  await desk.heed.memories.write({ ...OLD, tags: ["queue", "redis", "jobs"] }, PERSON);
});

const OLD = { type: "project", name: "queue", description: "the job queue runs on Redis" };
const NEW = { type: "project", description: "the job queue runs on Valkey" };

const write = (relation?: MemoryDraft["relation"], changes: Partial<MemoryDraft> = {}) =>
  desk.heed.memories.write({ ...NEW, ...changes, ...(relation && { relation }) }, PERSON);
const names = async () => (await desk.heed.memories.list()).map(({ name }) => name).toSorted();

describe("a memory that resembles another one", () => {
  it("is refused with its likes, and what each relation does", async () => {
    const refused = await write();
    expect(gatesOf(refused)).toEqual(["duplicate"]);
    expect(refused).toMatchObject({
      refusals: [
        {
          reason: 'it resembles heed:queue ("the job queue runs on Redis")',
          duplicates: [{ name: "queue", description: OLD.description }],
        },
      ],
    });
    expect(await names()).toEqual(["queue"]);
  });

  it.each(["queue", "heed:queue"])(
    "replaces %s: one memory, changed, and an undo brings the old one back",
    async (to) => {
      const result = await write({ kind: "replaces", to });
      expect(result).toMatchObject({
        outcome: "amended",
        metadata: { name: "queue", tags: ["queue", "redis", "jobs"] },
      });
      expect(await names()).toEqual(["queue"]);
      const shown = await desk.heed.memories.show("queue");
      expect([shown.metadata.description, shown.body.trim()]).toEqual([NEW.description, NEW.description]);
      await desk.heed.history.undo({}, PERSON);
      expect((await desk.heed.memories.show("queue")).metadata.description).toBe(OLD.description);
    },
  );

  it("replaces its type and its end too", async () => {
    const result = await write(
      { kind: "replaces", to: "queue" },
      { type: "reference", expires: "2099-01-01" },
    );
    expect(result).toMatchObject({
      outcome: "amended",
      metadata: { type: "reference", expires: expect.stringContaining("2099-01-01") as string },
    });
  });

  it("adds: both are kept, and the new one links to the other", async () => {
    const result = await write({ kind: "adds", to: "queue" });
    expect(result).toMatchObject({
      outcome: "written",
      metadata: { links: [{ rel: "extends", to: "queue" }] },
    });
    expect(await names()).toHaveLength(2);
  });

  it("is distinct: both are kept, and nothing links them", async () => {
    expect(await write({ kind: "distinct", to: "queue" })).toMatchObject({
      outcome: "written",
      metadata: { links: [] },
    });
    expect(await names()).toHaveLength(2);
  });

  it.each(["replaces", "adds"] as const)("%s nothing that is not there", async (kind) => {
    await expect(write({ kind, to: "queues-of-old" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("names another than it resembles: it is shown what it resembles", async () => {
    expect(gatesOf(await write({ kind: "distinct", to: "something-else" }))).toEqual(["duplicate"]);
  });

  it("under its name it is a change, which needs no relation", async () => {
    expect(await write(undefined, { name: "queue" })).toMatchObject({ outcome: "amended" });
  });

  it("is no question where the other one was superseded", async () => {
    await desk.heed.memories.update("queue", { status: "superseded" }, PERSON);
    expect(await write()).toMatchObject({ outcome: "written" });
  });
});
