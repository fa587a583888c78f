import { describe, expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { MODEL } from "./write-desk.ts";

const there = TemporaryHeed.forEachTest();

const FACT = {
  type: "project",
  statement: "Token refreshes share one promise, since two at once revoke each other",
  body: "Token refreshes share one promise, since two at once revoke each other.",
};
const ALIASES = ["logged out randomly", "401 storm", "ログイン切れ"];

const found = async (query: string): Promise<string[]> =>
  (await there.heed.memories.search({ query })).hits.map(({ metadata }) => metadata.name);

test("a memory is found by other words, in another language too, and says no more for them", async () => {
  const result = await there.heed.memories.write({ ...FACT, aliases: ALIASES }, MODEL);
  if (result.outcome !== "written") throw new Error(result.outcome);
  const { name, aliases } = result.metadata;
  expect(aliases).toEqual(ALIASES);
  for (const query of ["users get logged out randomly", "ログイン切れ"])
    expect(await found(query)).toEqual([name]);
  const { body, metadata } = await there.heed.memories.show(name);
  expect(`${metadata.statement} ${body}`).not.toMatch(/logged out|401/);
  expect(metadata.claims).toEqual([]);
});

test("what is no alias is left out with a word, and the memory is kept", async () => {
  const aliases = ["a b c d e", "x".repeat(61), "  one ", "one", "", "two", "three", "four", "five", "six"];
  const result = await there.heed.memories.write({ ...FACT, aliases }, MODEL);
  expect(result).toMatchObject({
    outcome: "written",
    metadata: { aliases: ["one", "two", "three", "four", "five"] },
    warnings: [expect.stringMatching(/left out of aliases: "a b c d e", "x+…?", "six" \(at most 5/)],
  });
});

describe("facts that have none", () => {
  const bare = (count: number): void =>
    void there.remember(
      ...Array.from({ length: count }, (_, i) => ({
        type: "project",
        name: `fact-${i}`,
        statement: `Service number ${i} belongs to the team of floor ${i}`,
      })),
    );
  const ASKS = "give each of these `aliases` with memory_update";

  test("are named to the session's model once a week, at most twenty", async () => {
    bare(25);
    const first = await there.start("s1");
    expect(first).toContain(ASKS);
    const named = /in other words\. (.*)/.exec(first)?.[1]?.split(", ") ?? [];
    expect(named).toHaveLength(20);
    const { metadata } = await there.heed.memories.show(named[0] ?? "");
    expect(metadata.name).toMatch(/^fact-/);
    expect(await there.start("s2")).not.toContain(ASKS);
    there.now = new Date(Date.parse(there.now) + 8 * 86_400_000).toISOString();
    expect(await there.start("s3")).toContain(ASKS);
  });

  test("are not where they are few, or all have some; health has one line for all", async () => {
    bare(4);
    expect(await there.start("s1")).not.toContain(ASKS);
    bare(6);
    const { sections } = await there.heed.maintenance.health();
    const lines = sections
      .flatMap(({ findings }) => findings)
      .filter(({ words }) => /other words/.test(words));
    expect(lines).toMatchObject([{ subject: "6 facts", remedies: [{ options: { also: "PHRASE" } }] }]);
    for (let i = 0; i < 6; i++)
      await there.heed.memories.update(`fact-${i}`, { aliases: [`floor plan ${i}`] }, MODEL);
    expect(await there.start("s2")).not.toContain(ASKS);
  });
});
