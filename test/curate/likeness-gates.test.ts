import { describe, expect, it } from "vitest";
import { amendmentGate } from "../../src/curate/amendment-gate.ts";
import { duplicateGate } from "../../src/curate/duplicate-gate.ts";
import type { Sibling } from "../../src/curate/sibling.ts";
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
    [
      "a member of a family, whose text names it too",
      {
        description: "runbook for restarting the mailer",
        body: "Scale the deployment mailer to zero, wait for its pods to end, scale it back and watch the probe.",
      },
      {
        description: "runbook for restarting the scheduler",
        body: "Scale the deployment scheduler to zero, wait for its pods to end, scale it back and watch the probe.",
      },
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
