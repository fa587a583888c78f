import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { recordSession } from "../../src/here/records/session-state.ts";
import { MAX_CONTEXT_CHARS } from "../../src/session/situation.ts";
import { findPlaces } from "../../src/machine/places.ts";
import { rule, TemporaryHeed } from "../home/temporary-heed.ts";

const place = TemporaryHeed.forEachTest();

const QUEUE = {
  type: "project",
  name: "queue-retry",
  statement: "the email queue retries five times",
  body: "The email queue retries five times, since the provider drops the first ones.",
};
const ASKS = "how often does the email queue retry, five times?";
const RULE = "Indent with tabs";
const HEAD = "Standing rules that the user gave and heed keeps. They hold for the whole session:";

beforeEach(() => void place.remember(rule("tabs", RULE), QUEUE));

const use = async (input: Record<string, unknown> = { file_path: "a" }, more = {}): Promise<string> =>
  (await place.event({ kind: "tool-use", tool: "Read", input, ...more })).context ?? "";

/** A process of heed's that set about opening the context of `s1`. */
const began = (isLate = false, ageMs = 0): void =>
  recordSession(findPlaces(place.env), "s1", [
    {
      kind: "opening",
      time: new Date(Date.parse(place.now) - ageMs).toISOString(),
      by: `${process.pid} 1.5`,
      isLate,
    },
  ]);

describe("where no start was answered", () => {
  test("the first prompt brings the block of a start, before what is relevant to it, once", async () => {
    const block = await place.start("other");
    const context = await place.prompt(ASKS);
    expect(context.startsWith(`${block}\n\n`)).toBe(true);
    expect(context.slice(block.length)).toContain("since the provider drops the first ones");
    expect(await place.prompt("and what is next?")).toBe("");
    expect(await use()).toBe("");
  });

  test("or the first tool use does, beside the rules of its path and what a guard says", async () => {
    place.remember(
      rule("append-only", "Never edit a migration", ['scope: { paths: ["migrations/**"] }']),
      rule("no-force", "Never push by force", ["guard: { tool: Bash, command: git push, flags: [--force] }"]),
    );
    const context = await use({ file_path: join(place.project, "migrations/001.sql") });
    expect(context).toContain(`${RULE} [heed:tabs]`);
    expect(context).toContain("<heed-map>");
    expect(context.indexOf(HEAD)).toBe(0);
    expect(context).toContain("Never edit a migration [heed:append-only]");
    expect(await place.prompt("and what is next?")).toBe("");
    const { decision, context: beside } = await place.shell("git push --force", { session: "s2" });
    expect(decision?.action).toBe("deny");
    expect(beside).toContain(`${RULE} [heed:tabs]`);
  });

  test("since heed was told to be silent: the block comes once it may speak", async () => {
    await place.heed.setup.setMode("off", { session: "s1" });
    expect(await place.start()).toBe("");
    expect(await place.prompt(ASKS)).toBe("");
    expect(await use()).toBe("");
    await place.heed.setup.setMode("rules", { session: "s1" });
    const context = await place.prompt(ASKS);
    expect(context).toContain(RULE);
    expect(context).not.toContain("queue");
  });

  test("after a compaction either", async () => {
    await place.start();
    await place.prompt(ASKS);
    await place.event({ kind: "compaction" });
    const context = await place.prompt("what is next?");
    expect(context).toContain(`${RULE} [heed:tabs]`);
    expect(context).toContain("[heed:queue-retry]");
    expect(await place.prompt("and then?")).toBe("");
  });

  test("to a session whose log is gone, it comes again rather than not at all", async () => {
    await place.start();
    await place.heed.close();
    rmSync(join(place.state, "sessions"), { recursive: true });
    expect(await place.prompt("what is next?")).toContain(RULE);
    expect(await place.start("s1", "resume")).toBe("");
  });
});

/** With what is there, more rules than leave room for the map. */
function rememberMuch() {
  const rules = Array.from({ length: 40 }, (_, i) =>
    rule(`long-${i}`, `Rule number ${i} says ${"what is done and what is not ".repeat(4)}`),
  );
  const fact = (i: number) => ({
    type: "project",
    name: `f-${i}`,
    statement: `part ${i} is kept by team ${i}`,
  });
  place.remember(...rules, ...Array.from({ length: 60 }, (_, i) => fact(i)));
  return rules;
}

test("rules that fill an answer come first and whole, beside what is relevant; the map with the next answer", async () => {
  const rules = rememberMuch();
  const context = await place.prompt(ASKS);
  expect(context.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS);
  for (const { statement } of rules) expect(context).toContain(statement.trim());
  expect(context).toContain("since the provider drops the first ones");
  expect(context).not.toContain("<heed-map>");
  expect(await use()).toContain("<heed-map>");
  expect(await use()).toBe("");
});

describe("between rules that fill an answer and the map after them", () => {
  beforeEach(() => void rememberMuch());
  const forget = (name: string): Promise<unknown> =>
    place.heed.memories.remove(name, "it is over", { kind: "person" });
  const GONE = /Forgotten on the user's word: "Rule number 7 .*" \[heed:long-7\]/;

  test.each<[string, () => Promise<string>]>([
    ["a prompt", () => place.prompt("what is next?")],
    ["a tool use", use],
  ])("a rule that went is told as gone by %s", async (_, ask) => {
    expect(await place.start()).toMatch(/Rule number 7 (?!.*<heed-map>)/s);
    await forget("long-7");
    const context = await ask();
    expect(context).toMatch(GONE);
    expect(context).toContain("<heed-map>");
    expect(await place.prompt("and then?")).toBe("");
  });

  test("a session that is resumed loses neither", async () => {
    await place.start();
    await forget("long-7");
    expect(await place.start("s1", "resume")).toMatch(GONE);
    const context = await place.prompt("what is next?");
    expect(context).toContain("<heed-map>");
    expect(context).not.toMatch(GONE);
  });
});

describe("nothing comes", () => {
  test("where a start was answered, with nothing to say either", async () => {
    await place.start();
    expect(await place.prompt("what is next?")).toBe("");
    expect(await use()).toBe("");
  });

  test("to a session without a name, which would get it each time", async () => {
    expect(await place.prompt("what is next?", "")).toBe("");
  });

  test("to a session that cannot be recorded, which would too", async () => {
    place.write(join(place.state, "sessions"), "not a folder");
    const context = await place.prompt(ASKS);
    expect(context).toContain("queue-retry");
    expect(context).not.toContain(RULE);
  });
});

describe("of several at once", () => {
  test("two tool uses, one brings it", async () => {
    const contexts = await Promise.all([use(), use({ file_path: "b" })]);
    expect(contexts.filter((context) => context.includes(RULE))).toHaveLength(1);
  });

  test("a prompt leaves it to a start that is under way, for as long as a hook may live", async () => {
    began();
    expect(await place.prompt("what is next?")).toBe("");
    place.now = "2026-11-21T12:00:06Z";
    expect(await place.prompt("and then?")).toContain(RULE);
  });

  test.each([
    ["is under way", (): void => began(true), false],
    ["was of long ago", (): void => began(true, 6000), true],
  ])(
    "a start leaves it to a prompt that brings it, and not to one that %s",
    async (_, before, isInjected) => {
      before();
      expect((await place.start()).includes(RULE)).toBe(isInjected);
    },
  );

  test("a start that comes after the prompt has it says nothing", async () => {
    expect(await place.prompt("what is next?")).toContain(RULE);
    expect(await place.start()).toBe("");
    // A session that is begun again later has a context of its own.
    place.now = "2026-11-21T12:00:06Z";
    expect(await place.start()).toContain(RULE);
  });
});
