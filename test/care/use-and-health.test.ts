import { describe, expect, test } from "vitest";
import type { HealthReport } from "../../src/heed.ts";
import { citedHandles } from "../../src/session/outcome-of-event.ts";
import { loadCommand } from "../../src/surfaces/cli/command-table.ts";
import { remedyLine } from "../../src/surfaces/remedy-line.ts";
import { readUse } from "../../src/here/records/use-log.ts";
import { findPlaces } from "../../src/machine/places.ts";
import { TemporaryHeed } from "../home/temporary-heed.ts";
import { cpuMsOf } from "../cpu-time.ts";

describe("what an answer cites", () => {
  test.each<[what: string, message: string, cited: string[]]>([
    ["in brackets", "Using your stored preference for vim [heed:prefers-vim].", ["prefers-vim"]],
    ["bare", "As heed:prefers-vim says, and heed:queue-retry.", ["prefers-vim", "queue-retry"]],
    ["once", "[heed:a] and again [heed:a]", ["a"]],
    [
      "not what heed injected, repeated",
      "<heed-memories>\n[heed:a] user · written 2026-01-01\n</heed-memories>\nDone.",
      [],
    ],
    ["not a fence that is never closed", "<heed-memories>\n[heed:a] user", []],
    ["not a line of heed's own", "[heed:a] project · written 2026-05-02, never verified\n  text", []],
    ["not a rule as it was given", "- never push [heed:no-push]\nok", []],
    ["not code", "```\nheed show heed:a\n```\nsee [heed:b]", ["b"]],
    ["not a quotation", "> [heed:a] says so\n\nRight.", []],
    ["not a longer word or a URL", "xheed:a https://heed:a/ heed:", []],
  ])("%s", (_, message, cited) => {
    expect(citedHandles(message)).toEqual(cited);
  });

  test("a hostile message costs no time", () => {
    for (const piece of ["<heed-a>", "```\n", "[heed:", "heed:a ", "> ", "- [heed:a"])
      expect([piece, cpuMsOf(() => citedHandles(piece.repeat(50_000))) < 2_000]).toEqual([piece, true]);
  });
});

const there = TemporaryHeed.forEachTest();
const QUEUE = { type: "project", name: "queue-retry", statement: "the payment queue retries five times" };

const places = (): ReturnType<typeof findPlaces> => findPlaces(there.env);

const said = (lastMessage: string, session = "s1"): Promise<unknown> =>
  there.event({ kind: "stop", lastMessage, session });

async function citedOf(name: string): Promise<number | undefined> {
  const { metadata } = await there.heed.memories.show(name);
  // What an event leaves to do is done by the next one.
  await there.event({ kind: "compaction" });
  return readUse(places()).get(`${metadata.storeId}:${metadata.id}`);
}

describe("use", () => {
  test("a citation counts once a message, and only of memories that exist", async () => {
    there.remember(QUEUE);
    await said("As [heed:queue-retry] says; not [heed:no-such].");
    await said("As [heed:queue-retry] says; not [heed:no-such].");
    expect(await citedOf("queue-retry")).toBe(1);
    await said("Again, by [heed:queue-retry].");
    expect(await citedOf("queue-retry")).toBe(2);
    expect(readUse(places()).size).toBe(1);
  });

  test("what heed injected is no use when it stands in an answer", async () => {
    there.remember(QUEUE);
    const context = await there.prompt("How often does the payment queue retry?");
    expect(context).toContain("[heed:queue-retry]");
    await said(`You gave me this:\n${context}`);
    expect(await citedOf("queue-retry")).toBeUndefined();
  });
});

const findingsOf = (report: HealthReport, kind: string): string[] =>
  report.sections.find((section) => section.kind === kind)?.findings.map(({ subject }) => subject) ?? [];

describe("health", () => {
  test("finds what is wrong, each with the command that mends it", async () => {
    there.write("a.ts", "export const A = 1;\n");
    there.remember(
      { type: "project", name: "over", statement: "the freeze ends", metadata: ["expires: 2026-10-01"] },
      { type: "project", name: "old", statement: "an old decision" },
      {
        type: "project",
        name: "broken",
        statement: "about a file",
        metadata: ['claims: ["path:gone.ts"]', "updated: 2026-11-20T00:00:00Z"],
      },
      { type: "project", name: "odd", statement: "an odd claim", metadata: ["claims: [nonsense]"] },
      { type: "reference", name: "t1", statement: "one", metadata: ["tags: [database]"] },
      { type: "reference", name: "t2", statement: "two", metadata: ["tags: [database]"] },
      { type: "reference", name: "t3", statement: "three", metadata: ["tags: [billing, databse]"] },
      {
        type: "feedback",
        name: "long",
        statement: "a long rule",
        body: `Rule.\n**Why:** ${"x".repeat(8000)}\n**How to apply:** y`,
      },
    );
    await there.heed.memories.remove("t1", "a test", { kind: "person" });
    there.remember({ type: "reference", name: "t4", statement: "four", metadata: ["tags: [database]"] });
    const report = await there.heed.maintenance.health();
    expect(findingsOf(report, "stale")).toEqual(["broken"]);
    // Nor is age.
    expect(report.sections.flatMap(({ kind }) => findingsOf(report, kind))).not.toContain("old");
    expect(findingsOf(report, "warnings")).toContain("project/odd.md");
    expect(findingsOf(report, "expired")).toEqual(["over"]);
    expect(findingsOf(report, "aliases")).toEqual(["7 facts"]);
    expect(findingsOf(report, "rule-budget")).toEqual(["1 rules"]);
    const remedies = report.sections.flatMap(({ findings }) => findings.flatMap((one) => one.remedies));
    expect(remedies.map(({ command }) => command)).toContain("edit");
    for (const remedy of remedies) {
      const { command, args, options = {} } = remedy;
      const [, name = "", ...words] = remedyLine(remedy).split(" ");
      const known = (await loadCommand(name))?.options ?? {};
      // Each can be typed as it stands: the command is there, and takes these options.
      expect([command, Object.keys(options).filter((option) => !(option in known))]).toEqual([command, []]);
      expect(words.length > 0 || args.length > 0 || ["list", "status"].includes(command)).toBe(true);
    }
    const { health, ...files } = await there.heed.maintenance.check({ withHealth: true });
    expect([health, files]).toEqual([report, await there.heed.maintenance.check()]);
    expect(report).toMatchObject({
      total: 8,
      byType: { project: 4, reference: 3, feedback: 1 },
    });
  });
});
