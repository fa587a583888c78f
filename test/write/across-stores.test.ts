import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Actor, Heed } from "../../src/heed.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const PERSON = { kind: "person" } as const;
const IMPORT: Actor = { kind: "person", client: "other-tool", session: "import-1" };

const home = TemporaryHeed.withUserStore();
let heed: Heed;
beforeEach(async () => {
  heed = home.heed;
  mkdirSync(join(home.project, "src"));
  await heed.setup.init("project");
});

/** No two of them alike: what resembles another asks how it relates. */
const TOPICS = [
  "ports are counted from seven thousand",
  "the board hangs in Berlin",
  "invoices close on Mondays",
  "staging restarts every night",
  "tokens rotate each quarter",
];
let ms = 0;
/** A write in a store, some milliseconds after the one before: all within one second. */
async function write(name: string, store: "user" | "project", actor: Actor = PERSON): Promise<void> {
  home.now = `2026-11-21T12:00:00.${String((ms += 50)).padStart(3, "0")}Z`;
  const outcome = await heed.memories.write(
    {
      type: "project",
      name,
      statement: `${name}: ${TOPICS[(ms / 50) % TOPICS.length]}`,
      store,
    },
    actor,
  );
  expect(outcome.outcome).toBe("written");
}

describe("changes of two stores within one second", () => {
  test.each([
    [["user", "project", "user"]],
    [["project", "user", "project"]],
    [["user", "user", "project", "project", "user"]],
  ] as const)("are told, and taken back, in the order in which they were made: %j", async (stores) => {
    ms = 0;
    const names = stores.map((_, i) => `alpha-${["one", "two", "three", "four", "five"][i]}`);
    for (const [i, store] of stores.entries()) await write(names[i] ?? "", store);
    const changes = await heed.history.list({ limit: names.length });
    expect(changes.map(({ summary }) => names.find((name) => summary.includes(name)))).toEqual(
      names.toReversed(),
    );
    const last = names.at(-1) ?? "";
    expect((await heed.history.undo({}, PERSON)).summary).toContain(last);
    expect((await heed.history.undo({}, PERSON)).summary).toBe(`redo: ${changes[0]?.summary}`);
    for (const { id } of changes) {
      home.now = new Date(Date.parse(home.now) + 10).toISOString();
      await heed.history.undo({ change: id }, PERSON);
    }
    expect((await heed.memories.list({})).filter(({ name }) => names.includes(name))).toEqual([]);
  });
});

describe("all that one session changed", () => {
  beforeEach(async () => {
    ms = 0;
    await write("before", "user");
    await write("brought-one", "user", IMPORT);
    await write("brought-two", "project", IMPORT);
    await write("brought-three", "user", IMPORT);
    await write("after", "user");
  });
  const names = async (): Promise<string[]> => (await heed.memories.list({})).map(({ name }) => name).sort();

  test("is told first, then taken back in one change a store, which can be taken back too", async () => {
    const injected = await heed.history.rollBack({ session: "import-1" }, PERSON);
    expect(injected).toMatchObject({ isApplied: false, changes: [], kept: [] });
    expect(injected.takenBack.map(({ summary }) => /brought-\w+/.exec(summary)?.[0])).toEqual([
      "brought-three",
      "brought-two",
      "brought-one",
    ]);
    expect(await names()).toHaveLength(5);
    const done = await heed.history.rollBack({ session: "import-1", isApplied: true }, PERSON);
    expect(done.changes).toHaveLength(2);
    expect(await names()).toEqual(["after", "before"]);
    await expect(heed.history.rollBack({ session: "import-1" }, PERSON)).rejects.toMatchObject({
      code: "not-found",
    });
    await heed.history.undo({ change: done.changes[0]?.id }, PERSON);
    expect((await names()).length).toBeGreaterThan(2);
  });

  test("what somebody changed since is kept and named; what the session changed twice goes as a whole", async () => {
    const tagged = await heed.memories.update("brought-two", { tags: ["ports"] }, IMPORT);
    const changed = await heed.memories.update("brought-one", { tags: ["ports"] }, PERSON);
    expect([tagged.outcome, changed.outcome]).toEqual(["amended", "amended"]);
    const { kept, takenBack } = await heed.history.rollBack({ session: "import-1", isApplied: true }, PERSON);
    expect(kept.map(({ summary }) => summary).join()).toContain("brought-one");
    expect(takenBack).toHaveLength(3);
    expect(await names()).toEqual(["after", "before", "brought-one"]);
  });

  test("by the actor's name, and since a time", async () => {
    const { takenBack } = await heed.history.rollBack({ actor: "other-tool" }, PERSON);
    expect(takenBack).toHaveLength(3);
    await expect(
      heed.history.rollBack({ actor: "other-tool", since: "2027-01-01T00:00:00Z" }, PERSON),
    ).rejects.toMatchObject({ code: "not-found" });
    await expect(heed.history.rollBack({}, PERSON)).rejects.toMatchObject({ code: "invalid-input" });
  });
});
