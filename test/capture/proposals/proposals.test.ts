import { describe, expect, test } from "vitest";
import { CUES } from "../../../src/capture/proposals/cues.ts";
import { statementOf } from "../../../src/capture/proposals/statement-of.ts";
import type { Found, ForgetWish } from "../../../src/capture/proposals/find-proposals.ts";
import { findProposals } from "../../../src/capture/proposals/find-proposals.ts";
import { BIAS, WEIGHTS } from "../../../src/capture/proposals/weights.ts";
import { userWords } from "../../../src/capture/transcript/user-words.ts";
import { missingNeeds } from "../../../src/memory/codec/type-needs.ts";
import { TypeTable } from "../../../src/memory/memory-type.ts";
import { cpuMsOf } from "../../cpu-time.ts";

function find(message: string, before = ""): (Found | ForgetWish)[] {
  const { said, prose } = userWords(message);
  return findProposals({ id: "t", time: "2026-11-21T10:00:00Z", said, prose, before, written: [] });
}

function first(message: string, before = ""): Found | undefined {
  return find(message, before).find((one) => one.kind === "remember");
}

describe("what is proposed, and as what", () => {
  test.each([
    ["feedback", "No, don't mock the database in these tests, we got burned by that last quarter."],
    ["feedback", "From now on, run the linter before every commit."],
    ["feedback", "Never push directly to main."],
    ["feedback", "Please always ask me before you delete files."],
    ["feedback", "I told you not to add comments to generated code."],
    ["feedback", "Stop adding emojis to commit messages."],
    ["feedback", "You don't need to run the whole suite for a doc change."],
    ["feedback", "I prefer small pull requests, one topic each."],
    ["feedback", "Remember to always use pnpm, never npm."],
    ["project", "We decided to drop support for Node 18 since nobody uses it."],
    ["project", "We're not using Redis anymore, we moved to Valkey."],
    ["project", "The launch is on Thursday, so the freeze starts Tuesday."],
    ["reference", "Pipeline bugs are tracked in the Linear project INGEST."],
    ["user", "I'm a data scientist and new to React."],
    ["user", "Remember that I'm colourblind."],
    ["feedback", "Use pnpm, not npm, in this repo."],
    ["feedback", "by convention all our env vars start with ACME_"],
    ["feedback", "please don't add comments that explain what the code does"],
    ["feedback", "No emojis in the UI please."],
    ["feedback", "Please ask me before installing new dependencies."],
    ["feedback", "The single bundled PR was the right call here, splitting it would have been churn."],
    ["user", "I've been writing Go for ten years but this is my first time with React."],
    ["project", "The reason we're ripping out the auth middleware is that legal flagged it."],
    ["project", "We're freezing merges after Thursday, mobile is cutting a release branch."],
    ["project", "Maria owns the billing service; ask her before changing it."],
  ])("%s: %s", (type, message) => {
    expect(first(message)?.draft.type).toBe(type);
  });

  test("a confirmation takes what was confirmed from the agent's words", () => {
    const found = first(
      "Yes, exactly, keep doing that!",
      "I split the migration into one commit per table. Anything else?",
    );
    expect(found?.class).toBe("feedback-confirmation");
    expect(found?.draft.description).toBe(
      "keep doing it this way: I split the migration into one commit per table.",
    );
  });

  test("a confirmation of nothing is none", () => {
    expect(find("Yes, exactly, keep doing that!")).toEqual([]);
  });
});

describe("what stands first in a sentence", () => {
  test.each([
    ["Stop adding comments that restate the code.", "Stop adding comments that restate the code"],
    ["no, stop adding comments that restate the code", "stop adding comments that restate the code"],
    ["Stop. Never add comments that restate the code.", "Never add comments that restate the code"],
    ["Wait - always run the linter before you commit.", "always run the linter before you commit"],
  ])("%s", (message, description) => {
    expect(find(message).map((one) => one.kind === "remember" && one.draft.description)).toEqual([
      description,
    ]);
  });

  test.each([
    ["Well, use tabs", "use tabs"],
    ["well-formed commits only", "well-formed commits only"],
    ["Right: use tabs", "use tabs"],
    ["right-aligned columns in tables", "right-aligned columns in tables"],
    ["just-in-time compilation is off", "just-in-time compilation is off"],
    ["ok - no - use tabs", "use tabs"],
    ["look at the dashboard of the team", "look at the dashboard of the team"],
  ])("%s is stated as it is meant", (sentence, statement) => {
    expect(statementOf(sentence)).toBe(statement);
  });

  test("a plan that the agent drew up is no word of the user's", () => {
    expect(
      find("Implement the following plan:\n\n# Plan\n\n- Never trust the client.\n- Always validate."),
    ).toEqual([]);
  });
});

describe("what is not", () => {
  test.each([
    "Actually, can you also add a test?",
    "Never mind.",
    "never mind, I found it",
    "Stop the server.",
    "stop the dev server please and restart it",
    "Use 12 chars instead of 10.",
    "Don't write any code yet.",
    "Perfect, commit it.",
    "Why do we always load the config twice?",
    "Is the cache never invalidated?",
    "The canvas never appears after a reload.",
    "I don't understand this error.",
    "I'm not sure what that means",
    "Fix the failing test in client.ts",
    "Let's go with option 2 for this one",
    "do you remember what service we configured for staging logs?",
    "> always use tabs\n\nWhat does this line of the guide mean?",
    "```\n// never change this by hand\n```\nwhere does it come from?",
    "2026-11-21T10:00:00Z WARN never retry on 500, always fail fast",
    "<system-reminder>Always run the linter. Never push to main.</system-reminder>",
    '<heed-memory name="x">From now on, always lint before a commit.</heed-memory>',
    "forget it",
    "Forget about that for now.",
    "Don't forget to run the tests.",
    "never seen this error before",
    "The button should always be visible.",
    "I decided to restart the server, try again",
    "we're going with the first one, implement it",
    "I use the /foo endpoint here and it returns 404",
    "Do not take any actions beyond reporting back",
    "Note that the right thing was done, but the output is not what we want to see.",
  ])("%s", (message) => {
    expect(find(message)).toEqual([]);
  });
});

describe("the draft", () => {
  test("keeps the sense of a “no” that belongs to the statement", () => {
    expect(first("No emojis in the UI please.")?.draft.description).toBe("No emojis in the UI please");
    expect(first("No, never push to main.")?.draft.description).toBe("never push to main");
  });

  test("says what a statement points at, or is none", () => {
    const [said, before] = ["You're supposed to be following that.", "I wrote the module in my own style."];
    expect(first(`Stop. What does STYLE.md say? ${said}`)?.draft.description).toBe(
      'You\'re supposed to be following that (with: "What does STYLE.md say?")',
    );
    expect(first(`No! ${said}`, before)?.draft.description).toBe(
      "You're supposed to be following that (to the agent's \"I wrote the module in my own style.\")",
    );
    expect(find(`No! ${said}`)).toEqual([]);
  });

  test("has the reason that was given, in the sentence or after it", () => {
    expect(first("Never use sleep in tests because CI is slow enough.")?.draft.body).toContain(
      "**Why:** CI is slow enough.",
    );
    expect(first("Never force-push. We lost a week of work in March.")?.draft.body).toContain(
      "**Why:** We lost a week of work in March.",
    );
    expect(first("Never force-push.")?.draft.body).toContain(
      "**Why:** the user said so; no reason was given.",
    );
  });

  test("has the sentence as it was said, its day, and what it was about", () => {
    const found = first("No, never mock the clock!", "I added a fake timer. The tests pass now.");
    expect(found?.draft.description).toBe("never mock the clock!");
    expect(found?.draft.body).toContain('> "No, never mock the clock!" (the user, 2026-11-21)');
    expect(found?.draft.body).toContain("It was said about: The tests pass now.");
  });

  test("has all that its type asks for", () => {
    const types = new TypeTable();
    for (const message of [
      "Never push to main.",
      "We decided to drop Node 18.",
      "Bugs are tracked in the Linear project INGEST.",
    ]) {
      const draft = first(message)?.draft;
      const policy = types.get(draft?.type ?? "");
      if (!draft || !policy) throw new Error(message);
      expect(missingNeeds({ name: "", trigger: [], ...draft }, policy)).toEqual([]);
    }
  });

  test("what is to be forgotten", () => {
    expect(find("Please forget that staging is reset on Mondays.")).toMatchObject([
      { kind: "forget", about: "staging is reset on Mondays" },
    ]);
  });

  test("two of a turn at most", () => {
    expect(find("Never push to main.\nNever use var.\nNever add emojis.\nNever squash.")).toHaveLength(2);
  });
});

test("each cue has a weight and each weight a cue", () => {
  expect(Object.keys(WEIGHTS).sort()).toEqual(CUES.map(({ name }) => name).sort());
  expect(BIAS).toHaveLength(2);
});

test("hostile text takes bounded time", () => {
  const hostile = [
    "we ".repeat(10_000),
    "never ".repeat(5000),
    "a".repeat(40_000),
    "i said ".repeat(5000),
    "remember ".repeat(4000),
    "no, ".repeat(8000),
  ];
  for (const text of hostile) {
    expect([text.slice(0, 20), cpuMsOf(() => find(text)) < 3_000]).toEqual([text.slice(0, 20), true]);
  }
});
