import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

const QUESTION = "on which host does the invoice importer run?";
const host = (name: string, value: string, day: string, ...further: string[]) => ({
  type: "project",
  name,
  statement: `the invoice importer runs on the host ${value}`,
  // More than its line in the map holds: what that holds whole is not told again.
  body: `The invoice importer runs on the host ${value}, started by cron.`,
  metadata: [`updated: ${day}`, ...further],
});

async function injectedOn(prompt: string): Promise<string[]> {
  const { receipt } = await place.heed.session.why({ prompt });
  return receipt.decisions.filter(({ form }) => form !== "none").map(({ name, form }) => `${name}:${form}`);
}

test.each<[string, string[], string]>([
  ["linked by name", ["links: [{ rel: supersedes, to: old-host }]"], "new-host:body"],
  ["linked by handle", ['links: [{ rel: supersedes, to: "heed:old-host" }]'], "new-host:body"],
  [
    "the newer superseded",
    ["links: [{ rel: supersedes, to: old-host }]", "status: superseded"],
    "old-host:body",
  ],
])("of two versions of one fact one is told: %s", async (_, metadata, told) => {
  place.remember(
    host("old-host", "kestrel-2", "2026-01-10"),
    host("new-host", "osprey-7", "2026-06-01", ...metadata),
  );
  expect(await injectedOn(QUESTION)).toEqual([told]);
});

test("what no link joins is told side by side, with its dates", async () => {
  place.remember(host("one", "kestrel-2", "2026-01-10"), host("other", "osprey-7", "2026-06-01"));
  expect((await injectedOn(QUESTION)).toSorted()).toEqual(["one:body", "other:body"]);
  expect(await place.start()).not.toContain("older than");
});
