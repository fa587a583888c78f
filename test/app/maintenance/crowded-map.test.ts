import { expect, test } from "vitest";
import type { HealthFinding } from "../../../src/app/api/maintenance-reports.ts";
import { TemporaryHeed } from "../temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

async function crowding(): Promise<HealthFinding[]> {
  const { sections } = await place.heed.maintenance.health();
  const { findings = [] } = sections.find(({ kind }) => kind === "descriptions") ?? {};
  return findings.filter(({ words }) => /^a map of|^its line takes/.test(words));
}

const WORDS =
  "ledger harbour turbine meadow quarry violin lantern saddle orchard glacier compass anvil".split(" ");
const facts = (count: number): { type: string; name: string; description: string }[] =>
  Array.from({ length: count }, (_, i) => {
    const [one, other] = [WORDS[i % WORDS.length], WORDS[(i * 5 + 1) % WORDS.length]];
    return {
      type: "project",
      name: `${one}-${other}-${i}`,
      description: `the ${one} of unit ${i} was moved behind the ${other} when its ${i} supplier left the market`,
    };
  });

test("says how many facts have a line where not all have one, and what takes most room", async () => {
  await place.heed.setup.setMap(1200, "user");
  place.remember(...facts(70), {
    type: "project",
    name: "a-name-that-is-nearly-as-long-as-a-whole-sentence-should-be",
    description:
      "why the importer reads every file twice, and what it would take to stop that for good in one go",
  });
  const [all, first, ...others] = await crowding();
  expect(all?.subject).toBe("71 facts");
  expect(all?.words).toMatch(/^a map of 1200 characters has a line for \d+ of them and counts \d+: /);
  expect(all?.remedies).toEqual([{ command: "map", args: ["8000"] }]);
  expect(first).toMatchObject({
    subject: expect.stringContaining("a-name-that-is"),
    words: expect.any(String),
  });
  expect(others).toHaveLength(4);
});

test("says nothing of it where all have one, or where there is no map", async () => {
  place.remember(...facts(5));
  expect(await crowding()).toEqual([]);
  place.remember(...facts(70));
  await place.heed.setup.setMap("off", "user");
  expect(await crowding()).toEqual([]);
});
