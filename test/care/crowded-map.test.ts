import { expect, test } from "vitest";
import type { HealthFinding } from "../../src/care/health-findings.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

async function crowding(): Promise<HealthFinding[]> {
  const { sections } = await place.heed.maintenance.health();
  const { findings = [] } = sections.find(({ kind }) => kind === "statements") ?? {};
  return findings.filter(({ words }) => words.startsWith("a map of"));
}

const WORDS =
  "ledger harbour turbine meadow quarry violin lantern saddle orchard glacier compass anvil".split(" ");
const facts = (count: number): { type: string; name: string; statement: string }[] =>
  Array.from({ length: count }, (_, i) => {
    const [one, other] = [WORDS[i % WORDS.length], WORDS[(i * 5 + 1) % WORDS.length]];
    return {
      type: "project",
      name: `${one}-${other}-${i}`,
      statement: `the ${one} of unit ${i} was moved behind the ${other} when its ${i} supplier left the market`,
    };
  });

test("says how many facts have a line, as the map does, while a larger map would help", async () => {
  await place.heed.setup.setMap(1200, "user");
  place.remember(...facts(70));
  const [found, ...others] = await crowding();
  const { lines, leftCount } = await place.heed.session.map();
  const inLines = lines.reduce((sum, { handles }) => sum + handles.length, 0);
  expect(inLines + leftCount).toBe(70);
  expect(found?.subject).toBe("70 facts");
  expect(found?.words).toBe(
    `a map of 1200 characters has a line for ${inLines} of them, and ${leftCount} have none`,
  );
  expect(found?.remedies).toEqual([{ command: "config map", args: ["8000"] }]);
  expect(others).toEqual([]);
  // The remedy mends it; of the largest map there is nothing to say.
  await place.heed.setup.setMap(8000, "user");
  place.remember(...facts(300));
  expect(await crowding()).toEqual([]);
});

test("says nothing of it where all have one, or where there is no map", async () => {
  place.remember(...facts(5));
  expect(await crowding()).toEqual([]);
  place.remember(...facts(70));
  await place.heed.setup.setMap("off", "user");
  expect(await crowding()).toEqual([]);
});
