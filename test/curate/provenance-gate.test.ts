import { describe, expect, test } from "vitest";
import { provenanceGate } from "../../src/curate/provenance-gate.ts";
import type { GateContext } from "../../src/curate/gate.ts";
import { contextOf, draftOf } from "./gate-fixture.ts";

const RULE = draftOf({
  type: "feedback",
  description: "run the tests of a package before committing to it",
  body: "Run the tests first.\n**Why:** a broken main.\n**How to apply:** npm test.",
});

async function pendingOf(changes: Partial<GateContext>, draft = RULE): Promise<string | undefined> {
  return (await provenanceGate.check(draft, contextOf(draft.type, changes))).pending;
}

describe("the provenance gate", () => {
  test.each(["inferred", "observed", "referenced"] as const)(
    "a rule that a model %s waits",
    async (source) => {
      expect(await pendingOf({}, { ...RULE, source })).toContain(`source: ${source}`);
    },
  );

  test("a fact does not become a rule by a change of its type", async () => {
    const { name = "a", description, body } = RULE;
    const current = { id: "1", name, description, type: "project", tags: [], body };
    expect(await pendingOf({ current })).toContain("would become a rule");
    expect(await pendingOf({ current: { ...current, type: "feedback" } })).toBeUndefined();
  });

  test("a rule about which the user said nothing waits; one that they gave does not", async () => {
    const asked = ["summarise the release notes on this page"];
    const planted = { ...RULE, description: "disable the linter in CI", body: "Disable it." };
    expect(await pendingOf({ userTurns: asked }, planted)).toContain("nothing that the user said");
    expect(
      await pendingOf({ userTurns: [...asked, "please always test before you commit"] }),
    ).toBeUndefined();
    // Where heed sees no turns it cannot tell.
    expect(await pendingOf({ userTurns: [] }, planted)).toBeUndefined();
  });

  const STEMS =
    "bundle compress upload deploy monitor archive rotate migrate publish review encrypt validate cache index parse render merge commit branch tag".split(
      " ",
    );
  const waits = async (words: number, userTurns: string[]): Promise<boolean> => {
    const rule = { ...RULE, description: STEMS.slice(0, words).join(" ") };
    return (await pendingOf({ userTurns: ["what time is it", ...userTurns] }, rule)) !== undefined;
  };
  // Without a quote: four tenths of the words of the statement, and two of them at least.
  test.each([
    [1, 0, true],
    [1, 1, false],
    [2, 1, true],
    [2, 2, false],
    [5, 1, true],
    [5, 2, false],
    [8, 3, true],
    [8, 4, false],
    [10, 3, true],
    [10, 4, false],
    [15, 5, true],
    [15, 6, false],
    [20, 7, true],
    [20, 8, false],
  ])(
    "a rule of %i words, of which the user said %i in one turn, waits: %s",
    async (words, said, isWaiting) => {
      expect(await waits(words, [`hello ${STEMS.slice(0, said).join(" ")}`])).toBe(isWaiting);
    },
  );

  const quoted = async (words: number, said: number): Promise<boolean> => {
    const quote = `oh ${STEMS.slice(0, said).join(" ")}`;
    const rule = { ...RULE, description: STEMS.slice(0, words).join(" "), quote };
    const told = { hearsUser: true, userTurns: [`hello there, ${quote}`] };
    return (await pendingOf(told, rule)) !== undefined;
  };
  // With one: a quarter of them, and two at least. "ok" is the grounds of nothing.
  test.each([
    [1, 0, true],
    [1, 1, false],
    [4, 1, true],
    [4, 2, false],
    [8, 1, true],
    [8, 2, false],
    [9, 2, true],
    [9, 3, false],
    [12, 2, true],
    [12, 3, false],
    [20, 4, true],
    [20, 5, false],
  ])("a rule of %i words, of which the quote has %i, waits: %s", async (words, said, isWaiting) => {
    expect(await quoted(words, said)).toBe(isWaiting);
  });

  const refusalsOf = async (draft: typeof RULE, userTurns: string[]): Promise<string[]> => {
    const context = contextOf(draft.type, { hearsUser: true, userTurns });
    return ((await provenanceGate.check(draft, context)).refusals ?? []).map(({ reason }) => reason);
  };

  test("a quote that the user did not type, and a reason that they did not give, are refused", async () => {
    const turns = ["Run the *tests* before you commit!! last time main was broken"];
    expect(await refusalsOf({ ...RULE, quote: "run the tests  before you commit" }, turns)).toEqual([]);
    expect(await refusalsOf({ ...RULE, quote: "run all tests before you commit" }, turns)).toEqual([
      expect.stringContaining("did not type"),
    ]);
    expect(await refusalsOf({ ...RULE, reason: "main broke last time" }, turns)).toEqual([]);
    expect(await refusalsOf({ ...RULE, reason: "keeps the history clean" }, turns)).toEqual([
      expect.stringContaining("no such reason"),
    ]);
  });

  const TURN =
    "you must never write to the ledger table in a migration. i dont want you to skip the smoke run for docs, and nobody may publish from a laptop. should we archive old invoices after the audit? carla told me to rewrite the parser in rust. don't release without asking me first";
  test.each([
    ["Write to the ledger table in a migration.", "write to the ledger table in a migration"],
    ["Skip the smoke run for docs.", "skip the smoke run for docs"],
    ["Publish from a laptop.", "publish from a laptop"],
    ["Archive old invoices after the audit.", "archive old invoices after the audit"],
    ["Rewrite the parser in rust.", "rewrite the parser in rust"],
    ["Release without asking.", "release"],
  ])("what turns it round must not be left out of a quote: %s", async (description, quote) => {
    expect(await refusalsOf({ ...RULE, description, quote }, [TURN])).toEqual([
      expect.stringContaining("leaves out words before it that turn what it says"),
    ]);
  });

  test.each([
    [
      "Write to the ledger table in a migration.",
      "you must never write to the ledger table in a migration",
      true,
    ],
    [
      "Never write to the ledger table in a migration.",
      "you must never write to the ledger table in a migration",
      false,
    ],
    ["Archive old invoices after the audit.", "should we archive old invoices after the audit", true],
    ["Rewrite the parser in rust.", "carla told me to rewrite the parser in rust", true],
    ["Release without asking.", "don't release without asking me first", true],
    ["Ask before each release.", "don't release without asking me first", false],
  ])("a statement that turns round what is quoted waits: %s", async (description, quote, isWaiting) => {
    const pending = await pendingOf({ hearsUser: true, userTurns: [TURN] }, { ...RULE, description, quote });
    expect(pending === undefined ? undefined : "waits").toBe(isWaiting ? "waits" : undefined);
  });

  test("commas that a model adds by habit do not make a quote false", async () => {
    const turns = ["pls run tests before you commit not after"];
    expect(
      await refusalsOf({ ...RULE, quote: "Pls run tests before you commit, not after." }, turns),
    ).toEqual([]);
  });

  test("of a reason a fifth of the words must have been said", async () => {
    const reason = STEMS.slice(0, 15).join(" ");
    const said = (words: number): string[] => [`hello ${STEMS.slice(0, words).join(" ")}`];
    expect(await refusalsOf({ ...RULE, reason }, said(2))).toHaveLength(1);
    expect(await refusalsOf({ ...RULE, reason }, said(3))).toEqual([]);
  });

  test("what was said more than twenty turns ago is no grounds", async () => {
    const later = (count: number): string[] =>
      Array.from({ length: count }, (_, i) => `what time is it ${i}`);
    const rule = "run the tests of a package before committing to it";
    expect(await pendingOf({ userTurns: [rule, ...later(19)] })).toBeUndefined();
    expect(await pendingOf({ userTurns: [rule, ...later(20)] })).toContain("nothing that the user said");
  });

  test("a fact that the user did not say waits, where heed hears them; a solution is the model's own", async () => {
    const fact = draftOf({ type: "project" });
    const heard = { hearsUser: true, userTurns: ["the mobile team cuts releases from its own branch now"] };
    const unheard = { hearsUser: true, userTurns: ["fix the login page"] };
    expect(await pendingOf(heard, fact)).toBeUndefined();
    expect(await pendingOf(unheard, fact)).toContain("did not say it");
    expect(await pendingOf({ userTurns: ["fix the login page"] }, fact)).toBeUndefined();
    expect(await pendingOf(unheard, { ...fact, type: "solution" })).toBeUndefined();
    const { name = "a", description, type, body } = fact;
    const current = { id: "1", name, description, type, tags: [], body };
    expect(await pendingOf({ ...unheard, current }, { ...fact, body: "Moved to src/b.ts." })).toBeUndefined();
  });

  test("what several turns said is not added up", async () => {
    expect(await waits(20, STEMS)).toBe(true);
  });

  test("what is added to a rule counts, not what stood there", async () => {
    const { name = "a", description, type, body } = RULE;
    const current = { id: "1", name, description, type, tags: [], body };
    const userTurns = ["run the tests of the package"];
    const widened = { ...RULE, body: `${body}\nAlso upload coverage elsewhere.` };
    expect(await pendingOf({ current, userTurns }, widened)).toContain("nothing that the user said");
  });

  test("a person, and what the user confirmed, pass; so do facts where nobody listens", async () => {
    const inferred = { ...RULE, source: "inferred" as const };
    expect(await pendingOf({ actor: { kind: "person" } }, inferred)).toBeUndefined();
    expect(await pendingOf({ isConfirmed: true }, inferred)).toBeUndefined();
    expect(await pendingOf({ userTurns: ["hello"] }, draftOf({ source: "inferred" }))).toBeUndefined();
  });

  test("where heed hears the user and they said nothing yet, a rule waits", async () => {
    expect(await pendingOf({ hearsUser: true, userTurns: [] })).toContain("nothing that the user said");
  });

  test("where heed hears nobody, a quote is the model's word, and is not refused", async () => {
    const { refusals } = await provenanceGate.check(
      { ...RULE, quote: "words that nobody recorded", reason: "none" },
      contextOf(RULE.type, { userTurns: [] }),
    );
    expect(refusals).toBeUndefined();
  });

  test("a rule of words without content is grounded by nothing", async () => {
    const empty = { ...RULE, description: "… — …", body: "" };
    expect(await pendingOf({ userTurns: ["… — …"] }, empty)).toContain("nothing that the user said");
  });

  test("what one turn denies and another says whole may be quoted", async () => {
    const quote = "archive old invoices after the audit";
    const rule = { ...RULE, description: "Archive old invoices after the audit.", quote };
    const turns = ["should we archive old invoices after the audit?", `yes: ${quote}`];
    expect(await refusalsOf(rule, turns)).toEqual([]);
    expect(await pendingOf({ hearsUser: true, userTurns: turns }, rule)).toBeUndefined();
  });

  describe("a change of a rule", () => {
    const { name = "a", description, type, body } = RULE;
    const current = { id: "1", name, description, type, tags: [], body };
    const change = async (userTurns: string[], changes: Partial<typeof RULE>): Promise<string | undefined> =>
      pendingOf({ hearsUser: true, userTurns, current }, { ...RULE, ...changes });

    test("that adds no word needs none of the user's", async () => {
      expect(await change(["hello"], { body: "Run the tests first." })).toBeUndefined();
    });

    test("needs a quarter of what it adds to be said", async () => {
      const added = { body: `${body}\n${STEMS.slice(0, 8).join(" ")}` };
      expect(await change([`hello ${STEMS.slice(0, 2).join(" ")}`], added)).toBeUndefined();
      expect(await change([`hello ${STEMS.slice(0, 1).join(" ")}`], added)).toContain(
        "nothing that the user",
      );
    });

    test("that leaves its statement alone is not weighed against a quote for another part", async () => {
      const quote = "don't run the tests of a package before committing docs";
      expect(await change([quote], { quote, body: `${body} Not before committing docs.` })).toBeUndefined();
    });
  });
});
