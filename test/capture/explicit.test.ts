import { describe, expect, test } from "vitest";
import type { ExplicitWords } from "../../src/capture/explicit/find-explicit.ts";
import { findExplicit } from "../../src/capture/explicit/find-explicit.ts";

/** What is kept, as `type: statement (reason)`. */
function kept(own: string): string[] {
  return findExplicit(own).map((found) =>
    found.kind === "keep"
      ? `${found.type}: ${found.statement}${found.reason === undefined ? "" : ` (${found.reason})`}`
      : `${found.kind}: ${found.kind === "forget" ? found.about : found.quote}`,
  );
}

describe("explicit words are kept as they were said", () => {
  test.each([
    [
      "Remember that the staging database is reset every Monday at 6am, so never keep test fixtures there",
      ["feedback: the staging database is reset every Monday at 6am, so never keep test fixtures there"],
    ],
    [
      "also remember that Jonas owns the warehouse schema, always ask him before any DDL",
      ["feedback: Jonas owns the warehouse schema, always ask him before any DDL"],
    ],
    [
      "remember that we never deploy on fridays, because nobody is there to roll back",
      [
        "feedback: we never deploy on fridays, because nobody is there to roll back (nobody is there to roll back)",
      ],
    ],
    ["Please remember that the warehouse runs on Snowflake.", ["project: the warehouse runs on Snowflake"]],
    ["remember that i'm new to postgres", ["user: i'm new to postgres"]],
    [
      "remember: the ticket board is https://linear.app/acme/board",
      ["reference: the ticket board is https://linear.app/acme/board"],
    ],
    [
      "Please use pnpm from now on, npm messes up our lockfile",
      ["feedback: Please use pnpm from now on, npm messes up our lockfile"],
    ],
    [
      "from now on:\n- use pnpm for everything\n- no default exports in here",
      ["feedback: use pnpm for everything", "project: no default exports in here"],
    ],
    // The reason is whole or absent: "of that" says nothing, and the next sentence is no reason by itself.
    [
      "always run the linter before you tell me you're done, CI rejected my last two PRs because of that",
      [
        "feedback: always run the linter before you tell me you're done, CI rejected my last two PRs because of that",
      ],
    ],
    [
      "stop using pandas in your snippets!! this repo is polars only. pandas pulled 400 MB into the image",
      ["feedback: stop using pandas in your snippets!!", "feedback: this repo is polars only."],
    ],
    [
      "no, don't use `any` there. we use a zod schema for every query param",
      ["feedback: no, don't use `any` there."],
    ],
    ["use polars, not pandas", ["feedback: use polars, not pandas"]],
    [
      "never force-push to main. because: it lost a day of Ana's work",
      ["feedback: never force-push to main. (it lost a day of Ana's work)"],
    ],
  ])("%j", (own, expected) => {
    expect(kept(own)).toEqual(expected);
  });

  test("the quote is the whole turn where it is short, and the sentence where it is long", () => {
    const own = "stop using pandas here!! it pulled 400 MB into the image";
    expect(findExplicit(own)).toMatchObject([{ quote: own }]);
    const long = `${"So I looked at the build. ".repeat(15)}Always build with --frozen-lockfile here.`;
    expect(findExplicit(long)).toMatchObject([{ quote: "Always build with --frozen-lockfile here." }]);
  });

  test.each([
    ["forget that, we do deploy on fridays now", "forget-that"],
    ["no, forget it", "forget-that"],
    ["don't remember that please", "forget-that"],
    ["forget that we never deploy on fridays", "forget"],
    ["please forget what i said about the staging database", "forget"],
  ])("%j takes back: %s", (own, kind) => {
    expect(findExplicit(own).map((found: ExplicitWords) => found.kind)).toEqual([kind]);
  });
});

test.each([
  "db:migrate says connect ECONNREFUSED again on my laptop wtf",
  "the build says ENOSPC again on my machine wtf",
  "perfect, exactly like that. keep doing it that way",
  "do you remember what we did with the parser?",
  "Don't fix this yet.",
  "Do not make changes yet.",
  "Don't add the package-lock, go ahead again",
  "stop that",
  "never do that again",
  "never mind",
  "I never saw that error",
  "always show the button in the header",
  "we should always show it",
  "don't forget to run the tests",
  "Keep in mind that the intended functionality is to roll back a change.",
  "can you always show me the diff?",
  "add a retry to the client and use a timeout",
])("nothing is kept of %j", (own) => {
  expect(kept(own)).toEqual([]);
});
