import { beforeEach, expect, test } from "vitest";
import { join } from "node:path";
import { memoryFile, TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL, PERSON } from "./write-desk.ts";

const place = TemporaryHeed.forEachTest();
const RULE = { type: "feedback", statement: "Never push on Fridays", quote: "never push on fridays" };
const FACT = { type: "project", name: "board", statement: "The board is green" };

beforeEach(async () => {
  await place.heed.setup.init("user");
  await place.heed.setup.init("project");
  await place.start("session-1");
  await place.prompt("never push on fridays", "session-1");
});

test.each([
  ["a quoted rule", RULE],
  ["a fact", FACT],
])(
  "%s of a model waits where others read it, and is in force at once in the user's own store",
  async (_, draft) => {
    const shared = await place.heed.memories.write({ ...draft, store: "project" }, MODEL);
    expect(shared).toMatchObject({
      outcome: "pending",
      reason: expect.stringContaining("others read the repository's store too") as string,
      announcement: expect.stringContaining("for the repository's store") as string,
    });
    const [question] = await place.heed.consent.questions();
    expect(question?.text).toMatch(
      /^Keep "[^"]+" as a [^?]+ in the repository's store, which others read\?$/,
    );
    expect(await place.start("s2")).not.toMatch(/heed:(never-push|board)/);
    const by = { ...PERSON, door: "dialog", session: "session-1" } as const;
    const written = await place.heed.inbox.confirm(shared.outcome === "pending" ? shared.name : "", {}, by);
    expect(written).toMatchObject({
      outcome: "written",
      announcement: expect.stringContaining("in the repository's store") as string,
    });
    expect(await place.start("s3")).toContain(draft.statement);
    const own = await place.heed.memories.write({ ...draft, name: "own", store: "user" }, MODEL);
    expect(own.outcome).toBe("written");
  },
);

test("a model changes, removes, renames, undoes and imports nothing there by itself; what it checks is noted", async () => {
  const announced = await place.heed.memories.write({ ...FACT, store: "project" }, PERSON);
  expect(announced).toMatchObject({
    announcement: expect.stringMatching(/^remembered in the repository's store/) as string,
  });
  for (const change of [{ statement: "The board is red" }, { tags: ["board"] }])
    expect(await place.heed.memories.update("board", change, MODEL)).toMatchObject({ outcome: "pending" });
  for (const move of [
    () => place.heed.memories.remove("board", "gone", MODEL),
    () => place.heed.memories.rename("board", "other", MODEL),
    () => place.heed.history.undo({}, MODEL),
    () => place.heed.history.rollBack({ actor: "person", isApplied: true }, MODEL),
  ])
    await expect(move()).rejects.toMatchObject({ code: "gate-refused" });
  expect((await place.heed.inbox.list()).map(({ reason }) => reason)).toContain(
    "a model asks to remove it from the repository's store: gone",
  );
  await place.heed.maintenance.verify("board", { note: "looked at the board itself" }, MODEL);
  const notes = place.write(
    join(place.folder, "notes/project/release.md"),
    memoryFile({ ...FACT, name: "release", statement: "Releases are cut on Mondays" }),
  );
  const { memories } = await place.heed.exchange.importFrom(
    { from: join(notes, ".."), project: "api", isApplied: true },
    MODEL,
  );
  // It goes into the user's own store.
  expect(memories).toMatchObject([{ name: "release", outcome: "new" }]);
  expect(
    (await place.heed.memories.list({ stores: ["project"] })).map(({ name, tags }) => [name, tags]),
  ).toEqual([["board", []]]);
});
