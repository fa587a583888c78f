import { describe, expect, it, test } from "vitest";
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

describe("two versions of one fact", () => {
  it.each(["old-host", "heed:old-host"])("linked by %s: the old one is not told", async (to) => {
    place.remember(
      host("old-host", "kestrel-2", "2026-01-10"),
      host("new-host", "osprey-7", "2026-01-10", `links: [{ rel: supersedes, to: "${to}" }]`),
    );
    expect(await injectedOn(QUESTION)).toEqual(["new-host:body"]);
    const { receipt } = await place.heed.session.why({ prompt: QUESTION });
    expect(receipt.decisions.find(({ name }) => name === "old-host")?.reason).toBe(
      "superseded by heed:new-host",
    );
  });

  it("a superseded memory supersedes nothing", async () => {
    place.remember(
      host("old-host", "kestrel-2", "2026-01-10"),
      host(
        "new-host",
        "osprey-7",
        "2026-06-01",
        "links: [{ rel: supersedes, to: old-host }]",
        "status: superseded",
      ),
    );
    expect(await injectedOn(QUESTION)).toEqual(["old-host:body"]);
  });
});

test("what no link joins is told side by side, with its dates", async () => {
  place.remember(host("one", "kestrel-2", "2026-01-10"), host("other", "osprey-7", "2026-06-01"));
  expect((await injectedOn(QUESTION)).toSorted()).toEqual(["one:body", "other:body"]);
  expect(await place.start()).not.toContain("older than");
});
