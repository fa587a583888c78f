import { describe, expect, it } from "vitest";
import { amendmentGate } from "../../src/curate/amendment-gate.ts";
import { derivableGate } from "../../src/curate/derivable-gate.ts";
import { duplicateGate } from "../../src/curate/duplicate-gate.ts";
import { relativeDatesGate } from "../../src/curate/relative-dates-gate.ts";
import { GATES, runGates } from "../../src/curate/run-gates.ts";
import { schemaGate } from "../../src/curate/schema-gate.ts";
import type { Sibling } from "../../src/curate/sibling.ts";
import { tagsGate } from "../../src/curate/tags-gate.ts";
import { userClaimGate } from "../../src/curate/user-claim-gate.ts";
import { contextOf, draftOf } from "./gate-fixture.ts";

function siblingOf(changes: Partial<Sibling> = {}): Sibling {
  const { description, body, tags = [] } = draftOf();
  return { id: "01", name: "mobile-branch", type: "project", description, body, tags, ...changes };
}

describe("the gates", () => {
  it("are asked in this order", () => {
    expect(GATES.map(({ name }) => name).join(" ")).toBe(
      "schema secret hostile relative-dates derivable amendment duplicate tags user-claim provenance",
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
    ["feedback", "Never do it.", "needs Why, How to apply"],
    ["feedback", "Never do it.\n**Why:** it broke.", "needs How to apply"],
    ["solution", "**Symptom:** it hangs.", "needs Failed, Solution, Why, How to apply, a trigger"],
    ["reference", "It is somewhere.", "needs a pointer"],
  ])("%s: %s", async (type, body, reason) => {
    const draft = draftOf({ type, body, description: "never do it by hand" });
    const { refusals } = await schemaGate.check(draft, contextOf(type));
    expect(refusals?.map((refusal) => refusal.reason)).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ["feedback", "Never do it.\nWhy: it broke.\n### How to apply\nAlways.", []],
    ["reference", "Bugs are in the Linear project INGEST.", []],
    ["project", "The freeze is for mobile.", []],
    ["solution", "**Symptom:** a\n**Failed:** b\n**Solution:** c\n**Why:** d\n**How to apply:** e", ["hang"]],
  ])("%s with all of it", async (type, body, trigger) => {
    expect(await schemaGate.check(draftOf({ type, body, trigger }), contextOf(type))).toEqual({});
  });
});

describe("relative dates in a memory", () => {
  it("are resolved in a fact, with a warning that says so", async () => {
    const draft = draftOf({ description: "the demo is tomorrow", body: "The demo is tomorrow." });
    const {
      draft: resolved,
      refusals,
      warnings,
    } = await relativeDatesGate.check(draft, contextOf("project"));
    expect(resolved).toMatchObject({
      description: "the demo is 2026-03-03",
      body: "The demo is 2026-03-03.",
    });
    expect(refusals).toBeUndefined();
    expect(warnings?.[0]).toBe('"tomorrow" is written as "2026-03-03" (today is 2026-03-02)');
  });

  it.each(["project", "user", "reference"])("are refused where they are open, in type %s", async (type) => {
    const draft = draftOf({ type, body: "It goes live next sprint." });
    const { refusals } = await relativeDatesGate.check(draft, contextOf(type));
    expect(refusals).toMatchObject([
      { gate: "relative-dates", remedy: expect.stringContaining("YYYY-MM-DD") as string },
    ]);
  });

  it("are only questioned in a rule, except for what can be nothing but a date", async () => {
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
    expect(resolved?.body).toContain("Deploy on Friday.\n**Why:** it broke on 2026-03-01.");
    expect(warnings).toContainEqual(expect.stringContaining('"Friday"'));
  });

  it("that stood there before keep their day", async () => {
    const current = siblingOf({ body: "The demo was held yesterday." });
    const draft = draftOf({ body: "The demo was held yesterday.\nThe next one is tomorrow." });
    const { draft: resolved } = await relativeDatesGate.check(draft, contextOf("project", { current }));
    expect(resolved?.body).toBe("The demo was held yesterday.\nThe next one is 2026-03-03.");
  });

  it.each([
    ["project", "Merge freeze until Friday.", "2026-03-06"],
    ["project", "Merge freeze until 2026-02-01.", undefined],
    ["project", "The freeze begins Friday.", undefined],
    ["reference", "Valid until 2026-03-06: see https://example.org.", undefined],
  ])("end a memory of type %s: %s", async (type, body, expires) => {
    const { draft } = await relativeDatesGate.check(draftOf({ type, body }), contextOf(type));
    expect(draft?.expires).toBe(expires);
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

describe("an amendment", () => {
  const body =
    "Never bypass the hooks.\n**Why:** it broke.\n**How to apply:** fix the cause.\n## Exceptions\nNone.";
  const current = siblingOf({ body });
  const long = siblingOf({
    body: "Releases are cut from the mobile branch.\nThe store review takes days.\nHotfixes skip the queue through a form that only Ana may fill in, after the weekly meeting.",
  });

  it.each([
    [
      "drops a section",
      "Never bypass the hooks.\n**Why:** it broke.\n**How to apply:** fix it.",
      current,
      /"Exceptions"/,
    ],
    ["drops a label", "Never.\n**How to apply:** fix it.\n## Exceptions\nNone.", current, /"Why"/],
    ["stands for the rest", `${body}\n[... rest unchanged ...]`, current, /rest unchanged/],
    ["breaks off", `${body.slice(0, 40)}...`, current, /stands for text/],
    ["forgets most of it", "Releases are cut from a branch.", long, /drops most/],
  ])("that %s is refused to a model, and told to a person", async (_what, text, sibling, reason) => {
    const draft = draftOf({ body: text });
    const { refusals } = await amendmentGate.check(draft, contextOf("project", { current: sibling }));
    expect(refusals).toMatchObject([{ gate: "amendment", reason: expect.stringMatching(reason) as string }]);
    const byPerson = contextOf("project", { current: sibling, actor: { kind: "person" } });
    const { warnings, refusals: none } = await amendmentGate.check(draft, byPerson);
    expect(none).toBeUndefined();
    expect(warnings).toEqual([expect.stringMatching(reason)]);
    expect(
      await amendmentGate.check(
        { ...draft, isReplacement: true },
        contextOf("project", { current: sibling }),
      ),
    ).toEqual({});
  });

  it.each([
    ["adds to it", `${body}\nAsk first.`, current],
    [
      "words it anew",
      body.replace("Never bypass", "Do not bypass").replace("**Why:**", "### Why\n"),
      current,
    ],
    [
      "says it shorter",
      "Releases are cut from the mobile branch; review takes days; only Ana may fill in the form for hotfixes.",
      long,
    ],
    ["is no amendment", "Short.", undefined],
  ])("that %s passes", async (_what, text, sibling) => {
    expect(
      await amendmentGate.check(draftOf({ body: text }), contextOf("project", { current: sibling })),
    ).toEqual({});
  });

  it("is proposed with what it dropped", async () => {
    const draft = draftOf({ body: "Never.\n**Why:** it broke twice.\n**How to apply:** fix it." });
    const { refusals } = await amendmentGate.check(draft, contextOf("project", { current }));
    expect(refusals?.[0]?.proposal?.body).toBe(`${draft.body}\n## Exceptions\nNone.`);
  });
});

describe("a memory like another", () => {
  const rule = {
    description: "never use --no-verify when a pre-commit hook fails",
    body: "Never bypass the hooks.",
  };
  const twin = {
    description: "do not bypass pre-commit hooks with --no-verify",
    body: "Fix what the hook found.",
  };
  const claim = { description: "the user prefers vim over VS Code", body: "Uses vim for everything." };
  const sibling = (texts: { description: string; body: string }): Sibling =>
    siblingOf({ ...texts, name: "other" });

  it.each([
    ["a rule in other words", twin, rule, "duplicate"],
    [
      "a claim in other words",
      { description: "the user likes vim better than VS Code", body: "Edits in vim." },
      claim,
      "duplicate",
    ],
    [
      "always and never",
      { description: "always squash before merge", body: "Squash." },
      { description: "never squash before merge", body: "Keep." },
      "contradiction",
    ],
    [
      "tabs and spaces",
      { description: "use tabs in Go files", body: "Tabs." },
      { description: "use spaces in Go files", body: "Spaces." },
      "contradiction",
    ],
    [
      "another number",
      { description: "API timeout is 30 seconds", body: "Set." },
      { description: "API timeout is 60 seconds", body: "Set." },
      "contradiction",
    ],
    [
      "a denial",
      { description: "the release branch is protected", body: "Yes." },
      { description: "the release branch is not protected", body: "No." },
      "contradiction",
    ],
  ])("is shown: %s", async (_what, draft, other, gate) => {
    const context = contextOf("project", { siblings: [sibling(other)] });
    const { refusals } = await duplicateGate.check(draftOf(draft), context);
    expect(refusals).toMatchObject([{ gate, duplicates: [{ name: "other" }] }]);
    expect(await duplicateGate.check(draftOf({ ...draft, isDistinct: true }), context)).toEqual({});
  });

  it.each([
    [
      "another side",
      { description: "the staging database is at db.staging.acme", body: "Host." },
      { description: "the production database is at db.prod.acme", body: "Host." },
    ],
    [
      "another step",
      { description: "run the linter before committing", body: "Lint." },
      { description: "run the tests before pushing", body: "Test." },
    ],
    [
      "a description of one word",
      { description: "model", body: "The layers of the domain." },
      { description: "Model", body: "Prices of cars in Italy." },
    ],
    ["nothing in common", rule, claim],
  ])("is another matter: %s", async (_what, draft, other) => {
    const context = contextOf("project", { siblings: [sibling(other)] });
    expect(await duplicateGate.check(draftOf(draft), context)).toEqual({});
  });

  it("passes when it says how the two relate", async () => {
    const context = contextOf("project", { siblings: [sibling(rule)] });
    const draft = draftOf({ ...twin, links: [{ rel: "extends", to: "other" }] });
    expect(await duplicateGate.check(draft, context)).toEqual({});
  });

  it.each([
    ["removed", undefined, "model", false, 1],
    ["removed", undefined, "model", true, 0],
    ["rejected", "person", "model", false, 1],
    ["rejected", "person", "model", true, 1],
    ["rejected", "person", "person", true, 0],
    ["rejected by a model", "model", "model", false, 1],
    ["rejected by a model", "model", "model", true, 0],
    ["never answered", "hook", "model", false, 1],
  ] as const)(
    "%s (rejected by: %s) by a %s who insists (%s): %i refusals",
    async (_what, rejectedBy, kind, isDistinct, count) => {
      const removed = [
        {
          ...claim,
          name: "vim",
          reason: "not true",
          date: "2026-02-01T00:00:00Z",
          ...(rejectedBy && { rejectedBy }),
        },
      ];
      const context = contextOf("user", { removed, actor: { kind } });
      const { refusals = [] } = await duplicateGate.check(
        draftOf({ ...claim, type: "user", isDistinct }),
        context,
      );
      expect(refusals).toHaveLength(count);
      for (const refusal of refusals) {
        expect(refusal.reason).toContain("2026-02-01");
        expect(refusal.reason.includes("the user rejected it")).toBe(rejectedBy === "person");
      }
    },
  );
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

describe("a claim about the user", () => {
  it.each([
    ["user", "uses dark mode", undefined, "model"],
    ["user", "uses dark mode", "instructed", "model"],
    ["user", "uses dark mode", "instructed", "hook"],
    ["user", "uses dark mode", "instructed", "import"],
    ["project", "the user is new to React", undefined, "model"],
    ["project", "the user has ten years of experience with Go", "inferred", "model"],
    ["feedback", "the user prefers terse answers", "inferred", "model"],
    ["feedback", "never bypass hooks", "instructed", "import"],
    ["feedback", "never bypass hooks", "instructed", "hook"],
  ] as const)("waits: %s %s (%s) by a %s", async (type, description, source, kind) => {
    const draft = draftOf({ type, description, ...(source && { source }) });
    expect(await userClaimGate.check(draft, contextOf(type, { actor: { kind } }))).toHaveProperty("pending");
    expect(await userClaimGate.check(draft, contextOf(type, { actor: { kind: "person" } }))).toEqual({});
    expect(await userClaimGate.check(draft, contextOf(type, { actor: { kind }, isConfirmed: true }))).toEqual(
      {},
    );
  });

  it.each([
    ["feedback", "the user prefers terse answers", undefined],
    ["feedback", "never bypass hooks", undefined],
    ["project", "users prefer the dark theme", "inferred"],
    ["project", "when the user is new to the site, a tour is shown", "observed"],
    ["project", "the user table has ten million rows", "observed"],
    ["reference", "the user guide is in Notion", undefined],
  ] as const)("is not made by: %s %s (%s)", async (type, description, source) => {
    const draft = draftOf({ type, description, ...(source && { source }) });
    expect(await userClaimGate.check(draft, contextOf(type))).toEqual({});
  });
});
