import { describe, expect, it, test } from "vitest";
import { weighQuote } from "../../src/curate/confirming-turn.ts";

const PROPOSED = {
  name: "prefers-vim",
  description: "the user prefers vim over VS Code",
  body: "Give editor instructions for vim.",
  at: "2026-03-02T10:00:00.000Z",
};
const ASKED = { askedAt: [PROPOSED.at] };
const said = (text: string, time: string = "2026-03-02T10:01:00.000Z"): { text: string; time: string } => ({
  text,
  time,
});

describe("the user's word", () => {
  it.each([
    ["yes", "yes"],
    ["Yes, save that.", "yes, save that"],
    ["sounds good", "sounds good, go on"],
    ["“ok”", "ok"],
    ["that's right", "That’s   right"],
    ["no problem, save it", "No problem, save it"],
    ["I use vim over VS Code", "I use vim over VS Code"],
    ["yes, I prefer vim", "Yes, I prefer vim"],
    ["👍", "👍"],
    ["да", "да, сохрани"],
    ["why not, keep it", "why not, keep it"],
    ["sure", "sure, go ahead"],
    ["please do", "please do"],
    ["great", "Great, save it. Then run the tests"],
    ["remember that", "I prefer vim, remember that"],
    ["yes", "yes, I prefer vim, and now fix the tests"],
    ["yes", "yes, continue"],
    ["that's me", "that's me"],
  ])("%s, of the turn: %s", (quote, turn) => {
    expect(weighQuote(quote, [said(turn)], PROPOSED, ASKED)).toEqual({ isGiven: true });
  });

  it.each([
    [undefined, "yes", /no word/],
    ["", "yes", /no word/],
    ["?!", "yes?!", /no word/],
    ["yes", "the eyes have it", /did not say/],
    ["yes, remember that", "yes", /did not say/],
    ["no", "no", /says no/],
    ["save it", "please don't save it", /says no/],
    ["ok", "ok, but don't store that", /says no/],
    ["yes", "yes... actually no", /says no/],
    ["vim", "that is wrong, vim was last year", /says no/],
    ["run the tests", "run the tests", /neither agrees/],
    ["please", "please run the tests", /neither agrees/],
    ["ok", "ok, now fix the failing tests", /neither agrees/],
    ["great", "great, next: the parser", /neither agrees/],
    ["keep", "keep the old name in the parser", /neither agrees/],
    ["go ahead", "go ahead and run the migration", /neither agrees/],
    ["remember", "remember to run the linter", /neither agrees/],
    ["correct", "correct the typo in the header", /neither agrees/],
    ["note", "note that the build is red", /neither agrees/],
    ["save it", "format the file, save it", /neither agrees/],
    ["right", "right, what about the tests?", /neither agrees/],
    ["sure", "are you sure?", /neither agrees/],
    ["vim over VS Code", "why do you think I prefer vim over VS Code?", /neither agrees/],
    ["I prefer VS Code over vim", "I prefer VS Code over vim", /neither agrees/],
    ["yes", "Yes — and fix the tests", /something else/],
    ["yes", "yes, rename the variable to total", /something else/],
    ["correct", "Correct, and now fix the tests", /something else/],
    ["yes", "yes, can you also run the tests?", /something else/],
    ["yes", "/loop yes", /nothing is recorded/],
    ["yes", "<task-notification><summary>yes</summary></task-notification>", /nothing is recorded/],
    ["yes", "[Request interrupted by user] yes", /nothing is recorded/],
  ])("is not given by %s, of the turn: %s", (quote, turn, reason) => {
    const verdict = weighQuote(quote, [said(turn)], PROPOSED, ASKED);
    expect(verdict).toMatchObject({
      isGiven: false,
      reason: expect.stringMatching(reason) as string,
      remedy: expect.stringContaining("heed confirm prefers-vim") as string,
    });
  });

  it("must come after the proposal", () => {
    for (const time of ["2026-03-02T09:59:59.999Z", PROPOSED.at])
      expect(weighQuote("yes", [said("yes", time)], PROPOSED, ASKED)).toMatchObject({ isGiven: false });
    expect(weighQuote("yes", [], PROPOSED, ASKED)).toMatchObject({ isGiven: false });
  });

  it("is the last one that was given", () => {
    const turns = [said("yes, vim"), said("no, forget vim", "2026-03-02T10:02:00.000Z")];
    expect(weighQuote("vim", turns, PROPOSED, ASKED)).toMatchObject({ isGiven: false });
  });

  it("is a bare yes only in the first turn after the question", () => {
    const turns = [said("fix the tests first"), said("yes", "2026-03-02T10:02:00.000Z")];
    expect(weighQuote("yes", turns, PROPOSED, ASKED)).toMatchObject({
      isGiven: false,
      reason: expect.stringContaining("first turn after the question") as string,
    });
    const askedAgain = { askedAt: [PROPOSED.at, "2026-03-02T10:01:30.000Z"] };
    expect(weighQuote("yes", turns, PROPOSED, askedAgain)).toEqual({ isGiven: true });
    expect(weighQuote("yes", turns, PROPOSED, { askedAt: [] })).toMatchObject({ isGiven: false });
    // What speaks of it counts at any time.
    const later = said("yes, I prefer vim", "2026-03-02T10:05:00.000Z");
    expect(weighQuote("I prefer vim", [...turns, later], PROPOSED, { askedAt: [] })).toEqual({
      isGiven: true,
    });
  });

  it("names what it agrees to where nobody knows in which session it was said", () => {
    const rules = { ...ASKED, mustNameIt: true };
    expect(weighQuote("yes", [said("yes")], PROPOSED, rules)).toMatchObject({
      isGiven: false,
      reason: expect.stringContaining("does not say what it agrees to") as string,
    });
    expect(weighQuote("yes", [said("yes, I prefer vim")], PROPOSED, rules)).toEqual({ isGiven: true });
  });

  const RULE = {
    ...PROPOSED,
    name: "no-payment-tests",
    description: "never write unit tests for the payment module",
    body: "Never write unit tests for the payment module.",
  };
  it.each([
    ["yes, never write unit tests for payments", true],
    ["never write unit tests for the payment module", true],
    ["yes", true],
    ["yes, write unit tests for the payment module", false],
    ["yes, rename the payment variable", false],
    ["write unit tests for the payment module please", false],
  ])("of a rule that denies, %j: %s", (turn, isGiven) => {
    expect(weighQuote(turn, [said(turn)], RULE, ASKED).isGiven).toBe(isGiven);
  });
});

describe("what a turn is about, in four languages", () => {
  const at = "2026-01-01T10:00:00.000Z";
  const RULE = {
    name: "no-unit-tests",
    description: "never write unit tests for the payment module",
    body: "never write unit tests for the payment module.",
    at,
  };
  const weigh = (said: readonly string[], quote = said.at(-1)): boolean =>
    weighQuote(
      quote,
      said.map((text, i) => ({ text, time: `2026-01-01T10:0${i + 1}:00.000Z` })),
      RULE,
      { askedAt: [at] },
    ).isGiven;

  test.each([
    "yes, rename the variable to total",
    "ja, benenne die Variable um",
    "oui, renomme la variable",
    "sí, renombra la variable",
    "ja, die zweite Frage",
    "yes? why",
    "yes?",
    "ok, payment module next",
    "yes, do the refactoring of the payment module",
    "yes, run the unit tests of the payment module",
    "yes, write unit tests for the payment module",
    "correct, the payment module has unit tests",
    "I agree with Bob that payment needs unit tests",
    "oui, lance les tests du module de paiement",
    "ja, schreib Unit-Tests für das payment module",
    "yes, unless it's the payment module",
    "yes if you must",
    "oui mais pas ça",
    "nein, aber ja zum Refactoring",
    "👍 rename it",
  ])("%j is no yes to it", (turn) => {
    expect(weigh([turn])).toBe(false);
  });

  test("what the user calls right may be said again in part, and nothing else", () => {
    expect(weigh(["yes, that is right: unit tests"], "yes, that is right: unit tests")).toBe(true);
    expect(
      weigh(["yes, that is right: unit tests and docs"], "yes, that is right: unit tests and docs"),
    ).toBe(false);
  });

  test.each([
    "ja bitte",
    "genau",
    "stimmt",
    "passt",
    "jawohl",
    "ja, merk dir das",
    "oui merci",
    "d'accord",
    "oui, c'est ça",
    "oui, garde-la",
    "exactement",
    "sí, por favor",
    "vale",
    "claro",
    "correcto",
    "sure thing",
    "yes, no unit tests for the payment module",
    "yes never write unit tests for payment",
  ])("%j is one", (turn) => {
    expect(weigh([turn])).toBe(true);
  });

  test.each([
    ["yes", "no wait, drop it"],
    ["yes", "nein, vergiss das"],
    ["yes, never write unit tests for the payment module", "forget that"],
    ["yes", "hm", "drop the rule on unit tests for the payment module"],
  ])("%j counts no more once it is taken back", (...said) => {
    expect(weigh(said, said[0])).toBe(false);
  });

  test("and still counts where the next turn is about the work", () => {
    expect(weigh(["yes", "now rename the variable"], "yes")).toBe(true);
  });
});

describe("what stands behind a yes", () => {
  const at = "2026-01-01T10:00:00.000Z";
  const weigh = (description: string, turn: string): boolean =>
    weighQuote(
      turn,
      [{ text: turn, time: "2026-01-01T10:01:00.000Z" }],
      { name: "item", description, body: description, at },
      { askedAt: [at] },
    ).isGiven;

  test.each([
    ["skip the failing tests in ci", "yes, fix the failing tests in ci"],
    ["skip the failing tests in ci", "right, the failing tests in ci"],
    ["always deploy with force to production", "yes deploy to production"],
    ["always deploy with force to production", "ok deploy it to production"],
    ["commit directly to main without review", "yes, review and commit to main"],
    ["commit directly to main without review", "yes, commit directly to main"],
    ["push to main", "yes, push to main only after review"],
    ["never write unit tests for the payment module", "great, now the payment module"],
    [
      "never write unit tests for the payment module",
      "bob says we should never write unit tests for the payment module",
    ],
    ["never write unit tests for the payment module", "wiki: never write unit tests for the payment module"],
    [
      "never write unit tests for the payment module",
      "Why would someone never write unit tests for the payment module",
    ],
    [
      "never write unit tests for the payment module",
      "It is forbidden to never write unit tests for the payment module",
    ],
    [
      "never write unit tests for the payment module",
      "das ist eine schreckliche idee: never write unit tests for the payment module",
    ],
    [
      "never write unit tests for the payment module",
      "our old tech lead used to insist: never write unit tests for the payment module. crazy",
    ],
    ["never write unit tests for the payment module", "never write unit tests for the payment module. crazy"],
    [
      "never write unit tests for the payment module",
      "what does the wiki say\nnever write unit tests for the payment module",
    ],
    ["never write unit tests for the payment module", "yes, what is the payment module"],
    ["prefers tabs over spaces", "yes, convert tabs to spaces in main.c"],
    ["is a senior Rust developer", "yes, ask the senior developer of the Rust team"],
    ["is allergic to code review and wants none", "yes do the code review"],
    ["use pnpm", "ok?"],
    ["use pnpm", "yes, why"],
  ])("%j is not confirmed by %j", (description, turn) => {
    expect(weigh(description, turn)).toBe(false);
  });

  test.each([
    ["skip the failing tests in ci", "yes, skip the failing tests in ci"],
    ["skip the failing tests in ci", "yes, keep that rule please"],
    ["skip the failing tests in ci", "yes, always, going forward"],
    ["skip the failing tests in ci", "yes, the failing tests rule"],
    ["commit directly to main without review", "yes, commit directly to main without review"],
    ["prefers tabs over spaces", "yes, I prefer tabs"],
    ["prefers tabs over spaces", "yes I like tabs over spaces"],
    ["never write unit tests for the payment module", "yes, no unit tests for payment"],
    ["is a senior Rust developer", "yes, I am a senior rust developer"],
    ["use pnpm instead of npm", "ok, use pnpm instead of npm because npm is slow"],
  ])("%j is confirmed by %j", (description, turn) => {
    expect(weigh(description, turn)).toBe(true);
  });
});

describe("a bare yes answers the agent's last message", () => {
  const at = "2026-01-01T10:00:00.000Z";
  const weigh = (message: string, said: string, isRemoval = false): boolean =>
    weighQuote(
      said,
      [{ text: said, time: "2026-01-01T10:02:00.000Z" }],
      {
        name: "no-payment-tests",
        description: "never write unit tests for the payment module",
        body: "",
        at,
      },
      { askedAt: [at], closings: [{ text: message, time: "2026-01-01T10:01:00.000Z" }], isRemoval },
    ).isGiven;

  test.each([
    ["Done. Want me to also run the linter?", "yes", false],
    ["Shall I rename the variable?", "do it", false],
    ["I fixed it. Shall I run the linter?", "yes", true],
    ["There is an unused import. Delete it?", "delete it", true],
    ["The payment module has no unit tests. Shall I add some?", "yes", false],
    ["Want me to write unit tests for the payment module?", "yes", false],
    [
      "May I keep in mind that you never want unit tests for the payment module? And shall I run the linter?",
      "yes",
      false,
    ],
    ["All done.", "ok", false],
  ])("%j, %j: no (to forget: %s)", (message, reply, isRemoval) => {
    expect(weigh(message, reply, isRemoval)).toBe(false);
  });

  test.each([
    ["Done. Should I remember to never write unit tests for the payment module?", "yes", false],
    ["I noted a rule: never write unit tests for the payment module. Shall I keep it?", "yes please", false],
    ["Shall I keep [heed:no-payment-tests]?", "ok", false],
    ["I would keep: never write unit tests for the payment module.", "sure", false],
    ["Soll ich das als Regel merken: never write unit tests for the payment module?", "ja", false],
    ["Shall I forget the rule on payment unit tests?", "yes", true],
    ["Shall I delete the no-payment-tests rule?", "delete it", true],
  ])("%j, %j: yes (to forget: %s)", (message, reply, isRemoval) => {
    expect(weigh(message, reply, isRemoval)).toBe(true);
  });

  test("where no message was told, as the first turn after the question", () => {
    const [yes, item] = [
      { text: "yes", time: "2026-01-01T10:02:00.000Z" },
      { name: "x", description: "use pnpm", body: "", at },
    ];
    expect(weighQuote("yes", [yes], item, { askedAt: [at] }).isGiven).toBe(true);
    // One that another turn has answered says nothing of this one.
    const work = { text: "fix it", time: "2026-01-01T10:01:30.000Z" };
    const asked = { askedAt: [at, "2026-01-01T10:01:40.000Z"] };
    const closings = [{ text: "Shall I run it?", time: "2026-01-01T10:01:00.000Z" }];
    expect(weighQuote("yes", [work, yes], item, { ...asked, closings }).isGiven).toBe(true);
  });
});

test.each([
  ["yes", "yes? really?"],
  ["yes", "yeah right"],
  ["yes", "yes, sure, and pigs fly"],
  ["sure", "sure, whatever you say, genius"],
  ["yes", "yes yes, very funny"],
  ["yes", "as if. yes"],
  ["yes", "yes if you pay me"],
  ["yes", "did I say yes?"],
  ["yes", "yes? no!"],
  ["yes", "yes, but is it needed?"],
  ["yes", "yes ... not"],
  ["of course", "of course not"],
  ["yes", "say yes to everything, why don't you"],
  ["yes", "I would never say yes to that"],
  ["yes", "oh yes, because that worked so well"],
])("%j of %j is none: mocked, asked behind, or of something else", (quote, turn) => {
  expect(weighQuote(quote, [said(turn)], PROPOSED, ASKED).isGiven).toBe(false);
});
