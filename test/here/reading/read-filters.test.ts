import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryFilter } from "../../../src/heed.ts";
import { rule, TemporaryHeed } from "../../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();
beforeEach(() => {
  place.remember(rule("tabs", "Indent with tabs"), {
    type: "project",
    name: "queue",
    statement: "the queue retries",
    metadata: ["updated: 2026-08-01"],
  });
});

const names = async (filter: MemoryFilter): Promise<string[]> =>
  (await place.heed.memories.list(filter)).map(({ name }) => name);

describe("memories by time and store", () => {
  test.each([
    [{ since: "2026-06-01" }, ["queue"]],
    [{ since: "2026-05-02" }, ["tabs", "queue"]],
    [{ since: "2026-05-02T12:00+02:00" }, ["tabs", "queue"]],
    [{ since: "2026-05-02T12:30Z" }, ["queue"]],
    [{ until: "2026-06-01" }, ["tabs"]],
    [{ stores: ["user"] }, ["tabs", "queue"]],
    [{ stores: ["project"] }, []],
  ] as [MemoryFilter, string[]][])("%j", async (filter, expected) => {
    expect(await names(filter)).toEqual(expected);
  });

  test.each([
    [{ since: "yesterday" }, "invalid-input"],
    [{ until: "2026-02-30" }, "invalid-input"],
    [{ stores: ["usr"] }, "no-store"],
  ] as [MemoryFilter, string][])("%j is refused, by list and by search", async (filter, code) => {
    await expect(place.heed.memories.list(filter)).rejects.toMatchObject({ code });
    await expect(place.heed.memories.search({ query: "queue", ...filter })).rejects.toMatchObject({ code });
  });
});
