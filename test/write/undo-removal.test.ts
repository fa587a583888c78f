import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL } from "./write-desk.ts";

const place = TemporaryHeed.forEachTest();
const PERSON = { kind: "person" } as const;
const STATEMENT = "Never push to main without a review";

/** Says a rule that a model keeps by its quote; its handle. */
async function keep(): Promise<string> {
  await place.event({ kind: "session-start", source: "startup" });
  await place.prompt(`please: ${STATEMENT.toLowerCase()}`);
  const draft = { type: "feedback", statement: STATEMENT, quote: STATEMENT };
  const { outcome } = await place.heed.memories.write(draft, { ...MODEL, session: "s1" });
  expect(outcome).toBe("written");
  const [, handle = ""] = /\[heed:([^\]]+)\]/.exec(await place.start("told")) ?? [];
  return handle;
}

const REMOVALS: Record<string, (handle: string) => Promise<unknown>> = {
  "in a terminal": (handle) => place.heed.memories.remove(handle, "no longer so", PERSON),
  "by the user's line": (handle) => place.prompt(`heed forget ${handle}`),
  "by a yes to a model that asked": async (handle) => {
    await expect(
      place.heed.memories.remove(handle, "not wanted", { ...MODEL, session: "s1" }),
    ).rejects.toThrow("approval");
    const [item] = await place.heed.inbox.list({ reader: PERSON });
    await place.heed.inbox.confirm(item?.name ?? "", {}, PERSON);
  },
};

test.each(Object.keys(REMOVALS))("a removal %s is undone without another question", async (how) => {
  const handle = await keep();
  await REMOVALS[how]?.(handle);
  expect(await place.start("gone")).not.toContain(STATEMENT);
  await place.prompt(`heed undo ${handle}`);
  const { context = "", notice = "" } = await place.event({
    kind: "session-start",
    source: "startup",
    session: "back",
  });
  expect(context).toContain(`- ${STATEMENT}`);
  expect(notice).not.toMatch(/approv|Forget/);
  expect(await place.heed.consent.questions()).toEqual([]);
  expect(await place.heed.inbox.list({ reader: PERSON })).toEqual([]);
});

test("a removal with a reason of a hundred pages can be undone: the reason is cut", async () => {
  const note = { type: "project", name: "board", statement: "the board is green" };
  await place.heed.memories.write(note, PERSON);
  await place.heed.memories.remove("board", "long ago ".repeat(30_000), PERSON);
  await place.heed.memories.restore("board", PERSON);
  expect((await place.heed.memories.show("board")).metadata.statement).toBe(note.statement);
});

test("a removal that was undone before it was announced is not announced", async () => {
  await place.prompt("the staging database lives in Frankfurt");
  const said = "The staging database lives in Frankfurt";
  const model = { ...MODEL, session: "s1" };
  await place.heed.memories.write({ type: "project", statement: said, quote: said }, model);
  await place.prompt("and now?");
  await place.heed.memories.remove("the-staging-database-lives-in", "it moved", model);
  await place.heed.history.undo({}, PERSON);
  const { notice = "" } = await place.event({ kind: "prompt", prompt: "go on" });
  expect(notice).not.toContain("removed:");
  await place.heed.memories.remove("the-staging-database-lives-in", "it moved", model);
  expect((await place.event({ kind: "prompt", prompt: "go on" })).notice).toContain(`removed: ${said}`);
});
