import { describe, expect, it } from "vitest";
import type { GateContext } from "../../src/curate/gate.ts";
import { derivableGate } from "../../src/curate/derivable-gate.ts";
import { relativeDatesGate } from "../../src/curate/relative-dates-gate.ts";
import { schemaGate } from "../../src/curate/schema-gate.ts";
import { tagsGate } from "../../src/curate/tags-gate.ts";
import { GATES, runGates } from "../../src/curate/run-gates.ts";
import { contextOf, draftOf, siblingOf } from "./gate-fixture.ts";

describe("the gates", () => {
  it("are asked in this order", () => {
    expect(GATES.map(({ name }) => name).join(" ")).toBe(
      "schema secret hostile relative-dates derivable amendment duplicate tags",
    );
  });

  it("let a plain draft pass as it is", async () => {
    expect(await runGates(draftOf(), contextOf("project"))).toEqual({
      draft: draftOf(),
      refusals: [],
      warnings: [],
      pending: undefined,
    });
  });
});

describe("what a type needs", () => {
  it.each([
    ["feedback", "Never do it.", "needs the user's words or a Why"],
    ["solution", "**Symptom:** it hangs.", "needs Failed, Solution, Why, How to apply, a trigger"],
    ["reference", "It is somewhere.", "needs a pointer"],
  ])("%s: %s", async (type, body, reason) => {
    const draft = draftOf({ type, body, description: "never do it by hand" });
    const { refusals } = await schemaGate.check(draft, contextOf(type));
    expect(refusals?.map((refusal) => refusal.reason)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["feedback", "Never do it.\nWhy: it broke.\n### How to apply\nAlways.", []],
    ["feedback", 'Never do it.\n\n> "never do that" (the user, 2026-03-02)', []],
    ["feedback", "Never do it.\n**Why:** it broke.", []],
    ["reference", "Bugs are in the Linear project INGEST.", []],
    ["project", "The freeze is for mobile.", []],
    ["solution", "**Symptom:** a\n**Failed:** b\n**Solution:** c\n**Why:** d\n**How to apply:** e", ["hang"]],
  ])("%s with all of it", async (type, body, trigger) => {
    expect(await schemaGate.check(draftOf({ type, body, trigger }), contextOf(type))).toEqual({});
  });
});

describe("relative dates in a memory", () => {
  it("asks nothing of the record of a session, which is of its day and quotes what was logged then", async () => {
    const draft = draftOf({ type: "episode", body: 'Errors met:\n- "the certificate expires tomorrow"' });
    expect(await relativeDatesGate.check(draft, contextOf("episode"))).toEqual({});
  });

  it("are put where they are certainly one day, with a warning that says so", async () => {
    const draft = draftOf({ description: "the demo is tomorrow", body: "The demo is tomorrow." });
    const {
      draft: resolved,
      refusals,
      warnings,
    } = await relativeDatesGate.check(draft, contextOf("project"));
    expect(resolved).toMatchObject({
      description: "the demo is on 2026-03-03",
      body: "The demo is on 2026-03-03.",
    });
    expect(refusals).toBeUndefined();
    expect(warnings?.[0]).toBe('"tomorrow" is written as "on 2026-03-03" (today is 2026-03-02)');
  });

  it.each(["project", "user", "reference"])("are refused where they are open, in type %s", async (type) => {
    const draft = draftOf({ type, body: "It goes live next sprint." });
    const { refusals } = await relativeDatesGate.check(draft, contextOf(type));
    expect(refusals).toMatchObject([
      { gate: "relative-dates", remedy: expect.stringContaining("YYYY-MM-DD") as string },
    ]);
  });

  it("are asked about with the date, by whoever can answer", async () => {
    const draft = draftOf({ body: "The freeze begins Thursday." });
    const ask = (changes: Partial<GateContext>) =>
      relativeDatesGate.check(draft, contextOf("project", changes));
    expect((await ask({})).refusals).toMatchObject([
      {
        gate: "relative-dates",
        remedy: expect.stringContaining('for "Thursday", is "2026-03-05" meant?') as string,
      },
    ]);
    for (const nobody of [
      { actor: { kind: "hook" } },
      { actor: { kind: "import" } },
      { isConfirmed: true },
    ] as const) {
      const { refusals, warnings, draft: passed } = await ask(nobody);
      expect({ refusals, body: passed?.body }).toEqual({ refusals: undefined, body: draft.body });
      expect(warnings).toEqual([expect.stringContaining('"Thursday"')]);
    }
  });

  it("are only questioned in a rule", async () => {
    const draft = draftOf({
      type: "feedback",
      body: "Deploy on Friday.\n**Why:** it broke yesterday.\n**How to apply:** a",
    });
    const {
      draft: resolved,
      refusals,
      warnings,
    } = await relativeDatesGate.check(draft, contextOf("feedback"));
    expect(refusals).toBeUndefined();
    expect(resolved?.body).toBe(draft.body);
    expect(warnings).toContainEqual(expect.stringContaining('"Friday"'));
  });

  it("that stood there before keep their day", async () => {
    const current = siblingOf({ body: "The demo was held yesterday." });
    const draft = draftOf({ body: "The demo was held yesterday.\nThe next one is tomorrow." });
    const { draft: resolved } = await relativeDatesGate.check(draft, contextOf("project", { current }));
    expect(resolved?.body).toBe("The demo was held yesterday.\nThe next one is on 2026-03-03.");
  });

  it.each([
    ["project", "Merge freeze until tomorrow.", "2026-03-03"],
    ["project", "Merge freeze until 2026-02-01.", "2026-02-01"],
    ["project", "The branch was frozen until 2026-02-01.", undefined],
    ["project", "The freeze begins Friday.", undefined],
    ["reference", "Valid until 2026-03-06: see https://example.org.", undefined],
  ])("end a memory of type %s: %s", async (type, body, expires) => {
    const { draft } = await relativeDatesGate.check(draftOf({ type, body }), contextOf(type));
    expect(draft?.expires).toBe(expires);
  });

  it("let the end follow the text, where it came from it", async () => {
    const current = siblingOf({ body: "Freeze until 2026-03-06." });
    const draft = draftOf({ body: "Freeze until 2026-05-01.", expires: "2026-03-06" });
    expect((await relativeDatesGate.check(draft, contextOf("project", { current }))).draft?.expires).toBe(
      "2026-05-01",
    );
  });

  it("do not change an expiry that was given", async () => {
    const draft = draftOf({ body: "Freeze until 2026-03-06.", expires: "2026-04-01" });
    expect((await relativeDatesGate.check(draft, contextOf("project"))).draft?.expires).toBe("2026-04-01");
  });
});

describe("what the instruction files say", () => {
  const instructions = [
    { file: "AGENTS.md", line: 7, text: "- Always run `npm test` before you commit anything to main." },
  ];
  const context = contextOf("feedback", { instructions });

  it.each([
    ["word for word", "Always run npm test before you commit anything to main", "Run it.", true],
    ["word for word, insisted", "always run npm test before you commit anything to main", "Run it.", false],
    ["in other words", "run npm test before commit to main", "Run it.", true],
  ])("is not said again: %s", async (_how, description, body, isFirst) => {
    const draft = draftOf({ type: "feedback", description, body, isNotDerivable: !isFirst });
    const { refusals } = await derivableGate.check(draft, context);
    expect(refusals).toMatchObject([
      { gate: "derivable", reason: expect.stringContaining("AGENTS.md:7") as string },
    ]);
  });

  it("may be said with its reason, or in another matter", async () => {
    const reason =
      "Run it.\n**Why:** three broken builds reached customers in May because the pipeline skips unit tests on docs branches.";
    const draft = draftOf({
      type: "feedback",
      description: "run npm test before commit to main",
      body: reason,
    });
    expect(await derivableGate.check(draft, context)).toEqual({});
    const other = draftOf({
      type: "feedback",
      description: "never commit generated files to main",
      body: "Not.",
    });
    expect(await derivableGate.check(other, context)).toEqual({});
  });
});

describe("tags", () => {
  it.each([
    [["Scraper", "HTTP", "retry"], ["scraping"], ["scraping", "http", "retry"]],
    [["migrations", "db", "sql"], ["migration"], ["migration", "db", "sql"]],
    [
      ["precommit", "git", "hook"],
      ["pre-commit", "hooks"],
      ["pre-commit", "git", "hooks"],
    ],
    [["#Auth", "auth", "API keys"], [], ["auth", "api-keys"]],
    [["scraper", "css", "redis"], [], ["scraper", "css", "redis"]],
    [
      ["class", "bus", "user"],
      ["classes", "us"],
      ["classes", "bus", "user"],
    ],
  ])("%j where %j are in use become %j", async (tags, knownTags, expected) => {
    const { draft } = await tagsGate.check(draftOf({ tags }), contextOf("project", { knownTags }));
    expect(draft?.tags).toEqual(expected);
  });

  it.each([
    [["one", "two"], /2 tags: 3 to 6/],
    [["a1", "b2", "c3", "d4", "e5", "f6", "g7"], /7 tags: 3 to 6/],
  ])("%j are questioned", async (tags, warning) => {
    const { warnings, refusals } = await tagsGate.check(draftOf({ tags }), contextOf("project"));
    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(refusals).toBeUndefined();
  });

  it("that a fact shares with another one offer to update it", async () => {
    const siblings = [siblingOf(), siblingOf({ id: "02", name: "rule", type: "feedback" })];
    const { warnings } = await tagsGate.check(draftOf(), contextOf("project", { siblings }));
    expect(warnings).toEqual([
      expect.stringContaining("shares the tags mobile, release, branch with mobile-branch"),
    ]);
    const apart = [siblingOf({ tags: ["mobile", "store"] })];
    expect((await tagsGate.check(draftOf(), contextOf("project", { siblings: apart }))).warnings).toEqual([]);
  });
});
