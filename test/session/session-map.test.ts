import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.withUserStore();

const fact = (name: string, statement: string, metadata: string[] = [], type = "project") => ({
  type,
  name,
  statement,
  metadata,
  body: `${statement}. More of it stands here, in words that a line has no room for.`,
});
const QUEUE = fact("queue-retry", "the email queue retries five times");
const BOARD = fact("error-board", "error dashboard: https://g.example/d/1", [], "reference");
/** The lines of a map, without the words above it. */
const mapOf = (context: string): string => /<heed-map>\n([^]*)\n<\/heed-map>/.exec(context)?.[1] ?? "";

test("a fresh context holds a line for each fact that holds here, and no other", async () => {
  place.remember(
    QUEUE,
    BOARD,
    fact("old", "an old fact", ["status: superseded"]),
    fact("over", "a freeze that is over", ["expires: 2026-11-20"]),
    fact("other", "of another repository", ["scope: { repo: github.com/else/where }"]),
    fact("freeze", "a freeze that holds", ["expires: 2026-12-20", "verified: 2026-11-20"]),
    rule("tabs", "Indent with tabs"),
  );
  expect(mapOf(await place.start())).toBe(`project:
- a freeze that holds (more; until 2026-12-20) [heed:freeze]
- the email queue retries five times (more; of 2026-05-02) [heed:queue-retry]
reference:
- error dashboard: https://g.example/d/1 (more; of 2026-05-02) [heed:error-board]`);
});

test("what is known of the person comes first, though it holds everywhere; without their word it is not in", async () => {
  const person = (name: string, statement: string, metadata: string[] = []) =>
    fact(name, statement, ["verified: 2026-11-01", "source: instructed", ...metadata], "user");
  place.remember(
    ...Array.from({ length: 60 }, (_, i) =>
      fact(`f-${i}`, `${"abcdefghij"[i % 10]?.repeat(5)} ${i * 7919} ${"holds so ".repeat(i % 8)}`, [
        "scope: { branch: main }",
        "salience: high",
      ]),
    ),
    person("go-veteran", "ten years of Go, new to React"),
    person("guess", "prefers tabs", ["source: inferred", "confidence: medium"]),
  );
  const map = mapOf(await place.start());
  expect(map.split("\n").slice(0, 2)).toEqual([
    "user:",
    "- ten years of Go, new to React (more) [heed:go-veteran]",
  ]);
  expect(map).not.toContain("heed:guess");
});

test("its order: a near day, a norm and what was of use, then salience, narrower scope, newer", async () => {
  place.remember(
    fact("a-older", "the first thing", ["verified: 2026-11-01"]),
    fact("b-newer", "another matter", ["verified: 2026-11-10"]),
    fact("c-narrow", "a third subject", ["scope: { branch: main }", "verified: 2026-11-01"]),
    fact("d-used", "what was cited", ["verified: 2026-11-01"]),
    fact("e-high", "what matters", ["salience: high", "verified: 2026-11-01"]),
    fact("f-near", "the freeze begins on 2026-12-01", ["verified: 2026-10-01"]),
    fact("g-far", "the freeze ends on 2027-02-01", ["salience: low", "verified: 2026-11-01"]),
    fact("h-norm", "the batch stays at 5", [
      "claims: ['must:path:src/a.ts::BATCH=5']",
      "verified: 2026-09-01",
    ]),
  );
  await place.event({ kind: "stop", lastMessage: "As [heed:d-used] says." });
  expect([...mapOf(await place.start()).matchAll(/heed:([\w-]+)/g)].map(([, name]) => name)).toEqual([
    "d-used",
    "f-near",
    "h-norm",
    "e-high",
    "c-narrow",
    "b-newer",
    "a-older",
    "g-far",
  ]);
});

test("beside a hundred rules, a hundred facts have their lines with the next answer, by handles that open", async () => {
  const facts = Array.from({ length: 100 }, (_, i) => {
    const words = ["alpha", "bravo", "carol", "delta", "echo", "fox", "golf", "hotel", "india", "julia"];
    const [a, b] = [words[i % 10]!, words[Math.floor(i / 10)]!];
    return fact(
      `${a}-service-team-notes-${b}`,
      `${a} ${"xyzuvw"[i % 6]!.repeat(9)} ${i * 7919} meets ${b} ${"klmn"[i % 4]!.repeat(9)} ${i} before the first release of the year`,
    );
  });
  place.remember(
    ...facts,
    ...Array.from({ length: 100 }, (_, i) => rule(`rule-${i}`, `Rule ${i}, ${"so ".repeat(12)}it is`)),
  );
  await place.heed.setup.trust({ store: "user" });
  const opening = await place.start();
  expect(opening.length).toBeLessThanOrEqual(9500);
  expect(opening).toContain("- Rule 99, so ");
  expect(opening).not.toContain("<heed-map>");
  const context = await place.prompt("ok");
  expect(mapOf(context).length).toBeLessThanOrEqual(8000);
  const lines = mapOf(context)
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(lines).toHaveLength(100);
  for (const line of lines)
    expect(/^- (.*?)(?: \(|…? \[)/.exec(line)?.[1]?.length).toBeGreaterThanOrEqual(59);
  const cut = lines.map((line) => /\[(.*?)\]$/.exec(line)?.[1] ?? "");
  const { memories } = await place.heed.memories.showAll(cut.slice(0, 12));
  expect(memories).toHaveLength(12);
  expect(await place.prompt("ok")).toBe("");
});

test("a subagent is given a shorter one", async () => {
  place.remember(
    ...Array.from({ length: 90 }, (_, i) =>
      fact(`fact-${i}`, `${"abcdefghij"[i % 10]?.repeat(6)} number ${i * 7919} is ${"so ".repeat(i % 9)}`),
    ),
  );
  const main = mapOf(await place.start()).split("\n").length;
  const { context = "" } = await place.event({ kind: "subagent-start", agentType: "x", agentId: "a1" });
  expect(mapOf(context).split("\n").length).toBeLessThan(main * 0.7);
  expect(context).toMatch(/\d+ more/);
});

describe("what changes in mid-session is told at the next prompt, once", () => {
  beforeEach(async () => {
    place.remember(QUEUE, BOARD);
    await place.start();
  });

  test("a fact that was added, changed, or removed", async () => {
    place.now = "2026-11-21T12:05:00Z";
    place.remember(
      fact("new-one", "the audit is done by Ines"),
      fact("queue-retry", "the email queue retries seven times"),
    );
    await place.heed.memories.remove("error-board", "the board is gone", { kind: "person" });
    const context = await place.prompt("ok");
    expect(mapOf(context).split("\n").sort()).toEqual([
      "- the audit is done by Ines (more; of 2026-05-02) [heed:new-one]",
      "- the email queue retries seven times (more; of 2026-05-02) [heed:queue-retry]",
    ]);
    expect(context).toContain(
      'Removed, not to be relied on: "error dashboard: https://g.example/d/1" [heed:',
    );
    expect(await place.prompt("ok")).toBe("");
    expect(await place.start("s1", "resume")).toBe("");
  });

  test("of many, the first ones, and how many there are", async () => {
    place.now = "2026-11-21T12:05:00Z";
    place.remember(
      ...Array.from({ length: 40 }, (_, i) =>
        fact(`bulk-${i}`, `imported ${i}`, ["updated: 2026-11-21T12:04:00Z"]),
      ),
    );
    const context = await place.prompt("ok");
    expect(mapOf(context).split("\n")).toHaveLength(8);
    expect(context).toContain("heed keeps 32 more new facts: memory_search finds them.");
    expect(await place.prompt("ok")).toBe("");
  });
});

describe("the setting", () => {
  const configure = (map: string): void => {
    place.write(join(place.userStore, "config.yaml"), `map: ${map}\n`);
    place.remember(...Array.from({ length: 30 }, (_, i) => fact(`f-${i}`, `subject ${i * 7919} is ${i}`)));
  };

  test.each([
    ["1000", 500, 1000],
    ["auto", 1000, 3000],
    ["12", 1000, 3000],
  ])("map: %s", async (map, least, most) => {
    configure(map);
    const start = await place.start();
    expect(start).toContain("<heed-map>");
    const map_ = mapOf(start).length;
    expect(map_).toBeLessThanOrEqual(most);
    expect(map_).toBeGreaterThan(least);
  });

  test("map: off tells counts instead", async () => {
    configure("off");
    const start = await place.start();
    expect(start).not.toContain("<heed-map>");
    expect(start).toContain("heed holds 30 facts here");
  });
});
