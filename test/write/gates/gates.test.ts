import { describe, expect, it } from "vitest";
import type { MemoryDraft } from "../../../src/memory/memory.ts";
import type { GateContext } from "../../../src/write/gates/gate.ts";
import { relativeDatesGate } from "../../../src/write/gates/text-gates.ts";
import { schemaGate, tagsGate } from "../../../src/write/gates/schema-gate.ts";
import { contextOf, draftOf, siblingOf } from "./gate-fixture.ts";

describe("what a type needs", () => {
  it.each([
    ["feedback", "Never do it.", "needs the user's words or a Why"],
    ["solution", "It hangs.", "needs a Symptom, a Solution"],
  ])("%s: %s", (type, body, reason) => {
    const draft = draftOf({ type, body, statement: "never do it by hand" });
    const { refusals } = schemaGate.check(draft, contextOf(type));
    expect(refusals?.map((refusal) => refusal.reason)).toEqual([expect.stringContaining(reason)]);
  });

  it("a solution needs no more than a symptom and what worked", () => {
    const body = "**Symptom:** it hangs.\n**Solution:** restart it.";
    const draft = draftOf({ type: "solution", body, statement: "the queue hangs: restart it" });
    expect(schemaGate.check(draft, contextOf("solution")).refusals).toEqual([]);
  });
});

describe("a day that only today explains", () => {
  const check = (text: string, changes: Partial<MemoryDraft> = {}, context: Partial<GateContext> = {}) => {
    const type = changes.type ?? "project";
    return relativeDatesGate.check(
      draftOf({ statement: text, body: text, ...changes }),
      contextOf(type, context),
    );
  };

  it.each([
    ["the demo is tomorrow", "tomorrow"],
    ["the freeze begins next Friday", "next Friday"],
    ["we switched to pnpm last week, and told the team yesterday", "last week", "yesterday"],
    ["the audit starts in two weeks", "in two weeks"],
    ["Mara decided 3 days ago to drop Redis", "3 days ago"],
    ["der Release ist nächste Woche", "nächste Woche"],
    ["ab heute gilt das neue Schema", "heute"],
    ["la démo a lieu demain", "demain"],
    ["el despliegue es hoy", "hoy"],
  ])("is refused, with today's date: %s", (text, ...words) => {
    expect(check(text)).toEqual({
      warnings: [],
      refusals: [
        {
          gate: "relative-dates",
          reason: `it says ${words.map((word) => `"${word}"`).join(", ")}, and nobody will know later which day that was`,
          remedy:
            "write the day as a date (today is 2026-03-02, a Monday); a name or somebody's own words go in quotation marks",
        },
      ],
    });
  });

  it.each([
    "the demo is on 2026-03-05",
    "the freeze begins next Friday (2026-03-06)",
    "put today's date into the changelog",
    'the column "next week" holds the plan, `yesterday()` is deprecated',
    "see https://example.org/today and src/next-week.ts",
    "the Today widget reads the Next Week view",
    "the widget `today` caches for five minutes",
  ])("is not found in: %s", (text) => {
    expect(check(text)).toEqual({ warnings: [] });
  });

  it.each([
    "Today shows the sum of the day",
    "the freeze begins tomorrow: Tomorrow is the name of the board",
  ])("is refused where it begins a statement, or stands beside a title: %s", (text) => {
    expect(check(text).refusals).toHaveLength(1);
  });

  it("is asked about in the statement alone", () => {
    const body =
      'The demo moved yesterday.\n\n> "move it to tomorrow" (the user, 2026-03-02)\n\n**Why:** it broke last week.';
    expect(check("the demo moved", { body })).toEqual({ warnings: [] });
  });

  it.each([
    ["the merge freeze begins after Thursday", "Thursday"],
    ["the report is due on the last Friday of each month", "Friday"],
    ["deploys go out on a friday", "friday"],
    ["der Release ist am Donnerstag", "Donnerstag"],
    ["la revue a lieu jeudi", "jeudi"],
  ])("may be a weekday, of which the answer tells today's date: %s", (text, weekday) => {
    expect(check(text)).toEqual({
      warnings: [
        `today is 2026-03-02, a Monday: if "${weekday}" is one day and not every one, write its date`,
      ],
    });
  });

  it.each([
    ["the merge freeze begins on Thursday, 2026-03-05", {}],
    ["the merge freeze ends on Thursday", { expires: "2026-03-05" }],
    ["the `Thursday` constant is the first of the enum", {}],
    ["the team moved", { body: "On Thursday." }],
    ["deploys go out on Fridays", {}],
  ])("is no weekday with a date, in code, or in the plural: %s", (text, changes) => {
    expect(check(text, changes)).toEqual({ warnings: [] });
  });

  it.each(["feedback", "user", "reference", "solution"])("is refused in type %s", (type) => {
    expect(check("no pushes until next Monday", { type }).refusals).toHaveLength(1);
  });

  it("may stay in the record of a session, in what the user confirmed, and where it stood before", () => {
    const text = "the certificate expires tomorrow";
    expect(check(text, { type: "episode" })).toEqual({ warnings: [] });
    expect(check(text, {}, { isConfirmed: true })).toEqual({ warnings: [] });
    const current = siblingOf({ statement: text, body: text });
    expect(check(text, { body: `${text}, says Ines` }, { current })).toEqual({ warnings: [] });
    expect(check(`${text}, not today`, {}, { current }).refusals).toHaveLength(1);
  });

  it("may stay where a person says so, and is told to those whom nobody can ask", () => {
    const keeps = { keepsRelativeDates: true };
    expect(check("due tomorrow", keeps, { actor: { kind: "person" } })).toEqual({ warnings: [] });
    expect(check("due tomorrow", keeps).refusals).toHaveLength(1);
    for (const kind of ["hook", "import"] as const)
      expect(check("due tomorrow", {}, { actor: { kind } })).toEqual({
        warnings: [expect.stringContaining('"tomorrow"') as string],
      });
  });

  it.each([
    ["2026-02-01", ["2026-02-01 is over: this is only shown as expired, on request"]],
    ["2026-05-01", []],
  ])("as the end, %s", (expires, warnings) => {
    const draft = draftOf({ expires });
    expect(relativeDatesGate.check(draft, contextOf("project"))).toEqual({ warnings });
  });
});

describe("tags", () => {
  it.each([
    [
      ["scraping", "Mertens", "retry"],
      ["scraper", "merten"],
      ["scraping", "Mertens", "retry"],
    ],
    [
      ["HTTP", "db", "migrations"],
      ["http", "migration"],
      ["http", "db", "migrations"],
    ],
    [
      ["precommit", "git", "Code Style"],
      ["pre-commit", "hooks", "code-style"],
      ["pre-commit", "git", "code-style"],
    ],
    [["coding-style", "code-style", "CodeStyle"], [], ["coding-style", "code-style"]],
    [["#Auth", "auth", "C++", "node.js"], [], ["Auth", "C++", "node.js"]],
  ])("%j where %j are in use become %j", (tags, knownTags, expected) => {
    const { draft } = tagsGate.check(draftOf({ tags }), contextOf("project", { knownTags }));
    expect(draft?.tags).toEqual(expected);
  });

  it.each([
    [["one", "two"], /2 tags: 3 to 6/],
    [["a1", "b2", "c3", "d4", "e5", "f6", "g7"], /7 tags: 3 to 6/],
  ])("%j are questioned", (tags, warning) => {
    const { warnings, refusals } = tagsGate.check(draftOf({ tags }), contextOf("project"));
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(refusals).toBeUndefined();
  });
});

const REFUSED: [what: string, changes: Record<string, unknown>, reason: RegExp, remedy: RegExp][] = [
  ["a mistyped type", { type: "projct" }, /no type "projct"/, /use "project"/],
  ["a type of another tool", { type: "episodic-ish" }, /no type/, /use one of feedback \(.*\), user \(/],
  ["no type", { type: "" }, /no type is given/, /use one of feedback \(/],
  ["an empty statement", { statement: "  " }, /statement is empty/, /one line/],
  ["two lines", { statement: "one\ntwo" }, /more than one line/, /on one line/],
  ["a line separator", { statement: "one\u2028two" }, /more than one line/, /on one line/],
  ["a long description", { statement: "a".repeat(301) }, /301 characters, 300/, /short line/],
  ["an empty body", { body: "\n \n" }, /body is empty/, /write the memory/],
  ["a long body", { body: "a".repeat(20_001) }, /20001 characters, 20000/, /split/],
  ["a name without letters", { name: "!!" }, /no name/, /letters and digits/],
  ["a long name", { name: "a".repeat(81) }, /81 characters, 80/, /few words/],
  [
    "too many tags",
    { tags: Array.from({ length: 13 }, (_, index) => `tag${index}`) },
    /13 tags/,
    /keep the tags/,
  ],
  ["a long tag", { tags: ["x".repeat(61)] }, /61 characters/, /short words/],
  ["an empty tag", { tags: ["billing", ""] }, /tags has an empty entry/, /leave it out/],
  [
    "an empty trigger, which recognises nothing",
    {
      type: "solution",
      body: "**Symptom:** a\n**Failed:** b\n**Solution:** c\n**Why:** d\n**How to apply:** e",
      trigger: [""],
    },
    /trigger has an empty entry/,
    /give trigger/,
  ],
  ["a link to nothing", { links: [{ rel: "supersedes", to: " " }] }, /is none/, /and to/],
  ["an unknown confidence", { confidence: "sure" }, /confidence is "sure"/, /low, medium, high/],
  ["an unknown status", { status: "done" }, /status is "done"/, /provisional/],
  ["a link without relation", { links: [{ rel: "like", to: "x" }] }, /is none/, /supersedes/],
  ["an expiry that is no date", { expires: "soon" }, /expires is "soon"/, /YYYY-MM-DD \(today is 2026-03-02/],
  ["a guard by a model", { guard: { tool: "Bash" } }, /guard cannot be written/, /leave guard out/],
];

function check(changes: Record<string, unknown>, type: string): ReturnType<typeof schemaGate.check> {
  return schemaGate.check({ ...draftOf(), ...changes }, contextOf(type));
}

describe("the schema gate", () => {
  it.each(REFUSED)("refuses %s", (_what, changes, reason, remedy) => {
    const { refusals } = check(changes, typeof changes["type"] === "string" ? changes["type"] : "project");
    expect(refusals).toHaveLength(1);
    expect(refusals?.[0]?.gate).toBe("schema");
    expect(refusals?.[0]?.reason).toMatch(reason);
    expect(refusals?.[0]?.remedy).toMatch(remedy);
  });

  it.each([
    ["a plain draft", {}],
    ["the longest description", { statement: "a".repeat(300) }],
    ["the longest body", { body: "a".repeat(20_000) }],
    ["twelve tags", { tags: Array.from({ length: 12 }, (_, index) => `tag${index}`) }],
    ["a name in another script", { name: "опыт" }],
    ["an expiry", { expires: "2026-03-05" }],
    ["a link", { links: [{ rel: "supersedes", to: "old-decision" }] }],
  ])("passes %s", (_what, changes) => {
    expect(check(changes, "project")).toMatchObject({ refusals: [] });
  });

  it.each([
    ["how commits are done here", "Never mention AI in a message.\n\n**Why:** commits are read.", 1],
    ["Never mention AI in commit messages", "No mention of AI in messages. Squash too.\n\n**Why:** w", 0],
    ["npm test fails: EADDRINUSE", "**Symptom:** x\n\n**Solution:** y", 0],
  ])("tells of a description that does not say what the body says: %s", (statement, body, count) => {
    const { warnings } = check({ statement, body }, "feedback");
    expect(warnings).toEqual(
      count === 0 ? [] : ["the statement does not say what the body says: say that in it"],
    );
  });
});
