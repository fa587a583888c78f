import { describe, expect, it } from "vitest";
import { schemaGate } from "../../../src/write/gates/schema-gate.ts";
import { contextOf, draftOf } from "./gate-fixture.ts";

const REFUSED: [what: string, changes: Record<string, unknown>, reason: RegExp, remedy: RegExp][] = [
  ["a mistyped type", { type: "projct" }, /no type "projct"/, /use "project"/],
  ["a type of another tool", { type: "episodic-ish" }, /no type/, /use one of feedback \(.*\), user \(/],
  ["no type", { type: "" }, /no type is given/, /use one of feedback \(/],
  ["an empty statement", { description: "  " }, /statement is empty/, /one line/],
  ["two lines", { description: "one\ntwo" }, /more than one line/, /on one line/],
  ["a line separator", { description: "one\u2028two" }, /more than one line/, /on one line/],
  ["a long description", { description: "a".repeat(301) }, /301 characters, 300/, /short line/],
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
    ["the longest description", { description: "a".repeat(300) }],
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
  ])("tells of a description that does not say what the body says: %s", (description, body, count) => {
    const { warnings } = check({ description, body }, "feedback");
    expect(warnings).toEqual(
      count === 0 ? [] : ["the statement does not say what the body says: say that in it"],
    );
  });

  it("names everything that is wrong at once", () => {
    const { refusals } = check({ type: "projct", description: "", body: "" }, "projct");
    expect(refusals?.map(({ reason }) => reason)).toEqual([
      'there is no type "projct"',
      "the statement is empty",
    ]);
    expect(refusals?.[0]?.proposal).toEqual({ type: "project" });
  });
});
