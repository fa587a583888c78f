import { expect, test } from "vitest";
import { TemporaryHeed } from "../home/temporary-heed.ts";

const MODEL = { kind: "model", session: "s1" } as const;
const home = TemporaryHeed.withUserStore();

const episode = (name: string, decayAfter: string, more: readonly string[] = []): unknown =>
  home.remember({
    type: "episode",
    name,
    statement: `a day of ${name}`,
    body: "The supplier Mertens only answers on Mondays.",
    metadata: [`decay_after: ${decayAfter}`, ...more],
  });
let count = 0;
/** The line of a fresh session on expired episodes. */
async function line(): Promise<string> {
  const context = await home.start(`x${(count += 1)}`);
  await new Promise((resolve) => setImmediate(resolve));
  return /^.*expired and will leave.*$/m.exec(context)?.[0] ?? "";
}

test("a fresh session is told of expired episodes once, and again when others expire", async () => {
  episode("may", "2026-08-01");
  episode("june", "2026-11-25");
  // heed's own record of a session: its words are in the history.
  episode("own", "2026-08-01", ["origin: { actor: hook, session: s9 }"]);
  episode("web", "2026-08-01", ["scope: { repo: github.com/acme/web }"]);
  expect(await line()).toMatch(/^An episode expired and will leave: heed:may\. .*they are data/);
  expect(await line()).toBe("");
  home.now = "2026-11-27T12:00:00Z";
  expect(await line()).toMatch(/^An episode expired and will leave: heed:june\. /);
});

test("what the model absorbs by an ordinary write stays when the episode leaves, judged or dropped", async () => {
  episode("may", "2026-08-01");
  episode("june", "2026-08-02");
  expect(await line()).toMatch(/^2 episodes expired and will leave: heed:june, heed:may\. /);
  const fact = {
    type: "project",
    statement: "the supplier Mertens only answers on Mondays",
    body: "Mondays.",
  };
  expect((await home.heed.memories.write(fact, MODEL)).outcome).toBe("written");
  // A rule that only an episode says is in force by nobody's word.
  const rule = { type: "feedback", statement: "always throttle the scraper", body: "The episode says so." };
  expect((await home.heed.memories.write(rule, MODEL)).outcome).not.toBe("written");
  await home.heed.memories.remove("may", "holds nothing worth keeping beside the fact", MODEL);
  expect((await home.heed.maintenance.tidy({ isApplied: true })).steps.map(({ name }) => name)).toEqual([
    "june",
  ]);
  expect((await home.heed.memories.list()).map(({ statement }) => statement)).toEqual([fact.statement]);
  const { conversations } = await home.heed.conversations.search({ text: "Mertens answers on Mondays" });
  expect(conversations).toHaveLength(1);
});
