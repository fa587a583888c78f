import { beforeEach, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const person = { kind: "person" } as const;
const model = { kind: "model", client: "test", session: "s1" } as const;
const memory = TemporaryHeed.withUserStore();
let name: string;
beforeEach(async () => {
  const written = await memory.heed.memories.write(
    { type: "user", statement: "The user prefers short answers" },
    model,
  );
  if (written.outcome !== "pending") throw new Error(written.outcome);
  name = written.name;
});

test("a person puts a proposal right before it counts: its type too", async () => {
  const edited = {
    type: "feedback",
    statement: "answer in at most three sentences",
    body: "Answer in at most three sentences.\n**Why:** the user reads on a phone.\n**How to apply:** in every answer.",
  };
  const result = await memory.heed.inbox.confirm(name, { edited }, person);
  expect(result.outcome).toBe("written");
  const [metadata] = await memory.heed.memories.list();
  expect([metadata?.type, metadata?.statement]).toEqual(["feedback", "answer in at most three sentences"]);
  expect(await memory.heed.inbox.list()).toEqual([]);
});

test("the gates look at what was put right; what they refuse goes on waiting", async () => {
  const edited = { type: "solution", statement: "it is somewhere", body: "it is somewhere" };
  const result = await memory.heed.inbox.confirm(name, { edited }, person);
  expect(result.outcome).toBe("refused");
  expect(await memory.heed.inbox.list()).toHaveLength(1);
});

test("an unknown field is refused", async () => {
  const unknown = { status: "confirmed" } as object;
  await expect(memory.heed.inbox.confirm(name, { edited: unknown }, person)).rejects.toMatchObject({
    code: "invalid-input",
  });
});

test("a confirmation that is taken back waits again, as it was proposed", async () => {
  const { inbox, history, memories } = memory.heed;
  const before = await inbox.list();
  const edited = { statement: "The user prefers answers of three sentences" };
  const kept = await inbox.confirm(name, { edited }, person);
  if (kept.outcome !== "written") throw new Error(kept.outcome);
  await memories.update(kept.metadata.id, { tags: ["style"] }, person);
  const [tagged, confirmed] = await history.list({ handle: kept.metadata.id });
  await history.undo({ change: tagged?.id }, person);
  // What came after the confirmation is another matter.
  expect(await inbox.list()).toEqual([]);
  await history.undo({ change: confirmed?.id }, person);
  expect(await memories.list()).toEqual([]);
  expect(await inbox.list()).toEqual(before);
  expect((await inbox.confirm(name, {}, person)).outcome).toBe("written");
});

test("what was dropped comes back by a person's word alone", async () => {
  const [before] = await memory.heed.inbox.list();
  await memory.heed.inbox.reject(name, "not so", person);
  expect(await memory.heed.inbox.list()).toEqual([]);
  await expect(memory.heed.inbox.restore(name, model)).rejects.toMatchObject({ code: "gate-refused" });
  await memory.heed.inbox.restore(name, person);
  expect(await memory.heed.inbox.list()).toEqual([before]);
  await expect(memory.heed.inbox.restore(name, person)).rejects.toMatchObject({ code: "not-found" });
});
