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

test("a confirmation that is taken back waits again, as it was proposed", async () => {
  const { inbox, history, memories } = memory.heed;
  const before = await inbox.list();
  const kept = await inbox.confirm(name, {}, person);
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
