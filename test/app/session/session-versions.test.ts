import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TemporaryHeed } from "../temporary-heed.ts";

let place: TemporaryHeed;
beforeEach(async () => {
  place = new TemporaryHeed();
  await place.heed.setup.init("user");
});
afterEach(() => place.remove());

const QUESTION = "on which host does the invoice importer run?";
const host = (name: string, value: string, day: string, ...further: string[]) => ({
  type: "project",
  name,
  description: `the invoice importer runs on the host ${value}`,
  // More than its line in the map holds: what that holds whole is not told again.
  body: `The invoice importer runs on the host ${value}, started by cron.`,
  metadata: [`updated: ${day}`, ...further],
});

async function toldOn(prompt: string): Promise<string[]> {
  const { receipt } = await place.heed.session.why({ prompt });
  return receipt.decisions.filter(({ form }) => form !== "none").map(({ name, form }) => `${name}:${form}`);
}

describe("two versions of one fact", () => {
  it.each(["a", "z"])("known by their dates: the newer goes first, whatever its name (%s)", async (name) => {
    place.remember(host("m-host", "kestrel-2", "2026-01-10"), host(name, "osprey-7", "2026-06-01"));
    expect(await toldOn(QUESTION)).toEqual([`${name}:body`]);
    const start = await place.start();
    expect(start).toMatch(new RegExp(`kestrel-2 \\(.*older than heed:${name}.*\\) \\[heed:m-host\\]`));
    expect(start).not.toMatch(/osprey-7 \(.*older than/);
    // Where a context was given no map, a line marks it.
    expect(await place.prompt(QUESTION, "another")).toContain(
      `never verified · older than heed:${name}, which says something alike`,
    );
  });

  it.each(["old-host", "heed:old-host"])("linked by %s: the old one is not told", async (to) => {
    place.remember(
      host("old-host", "kestrel-2", "2026-01-10"),
      host("new-host", "osprey-7", "2026-01-10", `links: [{ rel: supersedes, to: "${to}" }]`),
    );
    expect(await toldOn(QUESTION)).toEqual(["new-host:body"]);
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
    expect(await toldOn(QUESTION)).toEqual(["old-host:body"]);
  });
});

describe("what only looks like versions", () => {
  it("two sides of a system are two facts", async () => {
    place.remember(
      {
        ...host("staging-host", "a", "2026-01-10"),
        description: "the staging importer runs on the host kestrel-2",
        body: "The staging importer runs on the host kestrel-2, started by cron.",
      },
      {
        ...host("production-host", "b", "2026-06-01"),
        description: "the production importer runs on the host osprey-7",
        body: "The production importer runs on the host osprey-7, started by cron.",
      },
    );
    const { context } = await place.heed.session.why({ prompt: "which host does the importer run on?" });
    expect(context).toContain("kestrel-2");
    expect(context).not.toContain("older than");
  });

  it("nothing is said of memories of the same day", async () => {
    place.remember(host("one-host", "kestrel-2", "2026-01-10"), host("other-host", "osprey-7", "2026-01-10"));
    const { context } = await place.heed.session.why({ prompt: QUESTION });
    expect(context).toContain("osprey-7");
    expect(context).not.toContain("older than");
  });
});
