import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "../../../src/heed.ts";
import { TemporaryHeed } from "../../home/temporary-heed.ts";

const PERSON: Actor = { kind: "person" };
const RETRIES = {
  type: "project",
  name: "retries",
  statement: "RETRY_LIMIT must stay 3: the bank blocks us at four",
  body: "RETRY_LIMIT must stay 3: the bank blocks us at four (`RETRY_LIMIT = 3` in `src/limits.ts`).",
  claims: ["must:path:src/limits.ts::RETRY_LIMIT=3"],
};
const PROMPT = "why does the bank block us at RETRY_LIMIT four?";

describe("an invariant that is broken in the code", () => {
  const there = TemporaryHeed.forEachTest();
  const setLimit = (text: string): string => there.commit({ "src/limits.ts": text }).slice(0, 8);

  beforeEach(async () => {
    setLimit("export const RETRY_LIMIT = 3;\nexport const ZONE_FACTOR = 1.1;\n");
    await there.heed.memories.write(RETRIES, PERSON);
  });

  test("is told first, whole, with the commit that broke it, on a prompt and when a context begins", async () => {
    expect((await there.heed.memories.show("retries")).metadata.claims).toEqual([
      "must:path:src/limits.ts::RETRY_LIMIT=3",
    ]);
    const commit = setLimit("export const RETRY_LIMIT = 6;\n");
    const start = await there.start();
    expect(start.startsWith("What must be so by a stored memory is broken in the code.")).toBe(true);
    expect(start).toContain(commit);
    const context = await there.prompt(PROMPT);
    expect(context).toMatch(/\[heed:retries\] ALARM: /);
    expect(context).toContain(commit);
    expect(context).toContain("the bank blocks us at four");
    const { sections } = await there.heed.maintenance.health();
    expect(sections.find(({ kind }) => kind === "violated")?.findings.map(({ subject }) => subject)).toEqual([
      "retries",
    ]);
  });

  test("is never repaired away, and verifying names the code", async () => {
    setLimit("export const RETRY_LIMIT = 6;\n");
    const { body } = await there.heed.memories.show("retries");
    const repair = await there.heed.maintenance.repair("retries", { isApplied: true }, PERSON);
    expect(repair).toMatchObject({
      outcome: "nothing",
      open: [expect.stringContaining("must be so by this memory")],
    });
    expect((await there.heed.memories.show("retries")).body).toBe(body);
    expect(await there.heed.maintenance.verify("retries", {}, PERSON)).toMatchObject({
      outcome: "refused",
      refusals: [{ remedy: expect.stringContaining("put that back in the code") as string }],
    });
  });

  test("a value that is no norm is taken from the code by a person alone, who says so", async () => {
    const text = "the vendor bills extra beyond `SEATS = 40` in `src/limits.ts`";
    setLimit("export const RETRY_LIMIT = 3;\nexport const SEATS = 40;\n");
    await there.heed.memories.write({ type: "project", name: "seats", statement: text }, PERSON);
    setLimit("export const RETRY_LIMIT = 3;\nexport const SEATS = 60;\n");
    const repair = (request: object, actor: Parameters<typeof there.heed.maintenance.repair>[2] = PERSON) =>
      there.heed.maintenance.repair("seats", { isApplied: true, ...request }, actor);
    const held = {
      outcome: "nothing",
      open: [expect.stringContaining("which of the two is right") as string],
    };
    expect(await repair({})).toMatchObject(held);
    expect(await repair({ takesValues: true }, { kind: "model" })).toMatchObject(held);
    expect((await there.heed.memories.show("seats")).body).toContain("SEATS = 40");
    const { hash, outcome } = await there.heed.maintenance.repair("seats", {}, PERSON);
    expect(outcome).toBe("proposed");
    expect(await repair({ ifHash: hash }, { kind: "model" })).toMatchObject(held);
    expect(await repair({ ifHash: hash })).toMatchObject({ outcome: "repaired" });
    expect((await there.heed.memories.show("seats")).body).toContain("SEATS = 60");
  });

  test("follows its file, and is silent again when the value is put back", async () => {
    there.git("mv", "src/limits.ts", "src/bounds.ts");
    there.commit();
    const moved = await there.heed.maintenance.repair("retries", { isApplied: true }, PERSON);
    expect(moved).toMatchObject({ outcome: "repaired" });
    const { metadata, verdict } = await there.heed.memories.show("retries");
    expect(metadata.claims).toEqual(["must:path:src/bounds.ts::RETRY_LIMIT=3"]);
    expect(verdict).toMatchObject({ isAlarm: false, standing: "fresh" });
  });

  test("is said by the writer, never by words: a plain claim on the same value is no alarm", async () => {
    const statement = "RETRY_LIMIT must always stay `RETRY_LIMIT = 3` in `src/limits.ts`";
    const draft = { type: "project", name: "plain", statement } as const;
    expect(await there.heed.memories.write(draft, PERSON)).toMatchObject({
      metadata: { claims: ["path:src/limits.ts::RETRY_LIMIT=3"] },
    });
    setLimit("export const RETRY_LIMIT = 6;\n");
    expect((await there.heed.memories.show("plain")).verdict).toMatchObject({
      isAlarm: false,
      standing: "stale",
    });
  });
});
