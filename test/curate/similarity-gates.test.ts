import { describe, expect, it } from "vitest";
import { amendmentGate } from "../../src/curate/amendment-gate.ts";
import { duplicateGate } from "../../src/curate/duplicate-gate.ts";
import type { GateContext, Sibling } from "../../src/curate/gate.ts";
import type { MemoryDraft } from "../../src/memory/memory.ts";
import { contextOf, draftOf, siblingOf } from "./gate-fixture.ts";

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
    ["breaks off", `${body.slice(0, 40)}...`, current, /replaces text/],
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
        { ...draft, relation: { kind: "replaces", to: sibling.name } },
        contextOf("project", { current: sibling }),
      ),
    ).toEqual({});
  });

  it.each([
    ["adds to it", `${body}\nAsk first.`, current],
    [
      "words it again",
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
  const duplicate = {
    description: "do not bypass pre-commit hooks with --no-verify",
    body: "Fix what the hook found.",
  };
  const claim = { description: "the user prefers vim over VS Code", body: "Uses vim for everything." };
  const sibling = (texts: { description: string; body: string }): Sibling =>
    siblingOf({ ...texts, name: "other" });

  it.each([
    ["a rule in other words", duplicate, rule],
    ["always and never", "always squash before merge", "never squash before merge"],
    ["tabs and spaces", "use tabs in Go files", "use spaces in Go files"],
    ["another number", "API timeout is 30 seconds", "API timeout is 60 seconds"],
    ["a denial", "the release branch is protected", "the release branch is not protected"],
    ["a member of a family", "runbook for restarting the mailer", "runbook for restarting the scheduler"],
  ])("is asked about: %s", async (_what, one, another) => {
    const [draft, other] = [one, another].map((text) =>
      typeof text === "string" ? { description: text, body: text } : text,
    ) as [typeof rule, typeof rule];
    const check = (changes: Partial<MemoryDraft>, about: Partial<GateContext> = {}) =>
      duplicateGate.check(
        draftOf({ ...draft, ...changes }),
        contextOf("project", { siblings: [sibling(other)], ...about }),
      );
    expect((await check({})).refusals).toEqual([
      {
        gate: "duplicate",
        reason: `it resembles heed:other ("${other.description}")`,
        remedy: expect.stringMatching(/"replaces".*"adds".*"distinct"/) as string,
        duplicates: [
          { name: "other", description: other.description, similarity: expect.any(Number) as number },
        ],
      },
    ]);
    for (const to of ["other", "heed:other", "[heed:other]"])
      expect(await check({ relation: { kind: "distinct", to } })).toEqual({});
    expect(await check({ links: [{ rel: "extends", to: "other" }] })).toEqual({});
    expect((await check({ relation: { kind: "distinct", to: "something-else" } })).refusals).toHaveLength(1);
    // Nobody can answer there, and what the user has seen they want.
    expect(await check({}, { actor: { kind: "import" } })).toEqual({});
    expect(await check({}, { isConfirmed: true })).toEqual({
      warnings: [`it resembles heed:other ("${other.description}")`],
    });
  });

  it("is refused to an import in the same words", async () => {
    const context = contextOf("project", { siblings: [sibling(rule)], actor: { kind: "import" } });
    const draft = draftOf({ description: `${rule.description.replace("never", "Never")}.` });
    expect((await duplicateGate.check(draft, context)).refusals).toHaveLength(1);
  });

  it("names three at most, the nearest first", async () => {
    const siblings = ["two", "six", "nine", "ten"].map((port, i) =>
      siblingOf({
        id: `0${i}`,
        name: port,
        description: `the queue listens on port ${port} of every gateway host`,
      }),
    );
    const draft = draftOf({ description: "the queue listens on port nine of every host" });
    const { refusals } = await duplicateGate.check(draft, contextOf("project", { siblings }));
    const names = refusals?.[0]?.duplicates?.map(({ name }) => name);
    expect([names?.length, names?.[0]]).toEqual([3, "nine"]);
  });

  it.each([
    ["another step", "run the linter before committing", "run the tests before pushing"],
    ["a description of one word", "model", "Models"],
    ["nothing in common", rule.description, claim.description],
  ])("is another matter: %s", async (_what, description, other) => {
    const siblings = [siblingOf({ description: other })];
    expect(await duplicateGate.check(draftOf({ description }), contextOf("project", { siblings }))).toEqual(
      {},
    );
  });
});
