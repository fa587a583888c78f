import { describe, expect } from "vitest";
import { boxShown, choose, dismiss } from "../client/dialogs.ts";
import type { Terminal } from "../client/terminal.ts";
import { answerIn, codeIn, rulesOf, waitingIn, WRITE, writesRule } from "../consent-steps.ts";
import { contextOf, readByModel, requestFor } from "../expectations.ts";
import { testInitialised as test } from "../scenario.ts";

const SAID = "From now on use pnpm and not npm in here, because npm breaks our lockfile";
const RULE = "Use pnpm and not npm, which breaks the lockfile";
const BOX = /requests your input/;
/** A session with a user, in which the model may write. */
const THERE = { terminal: true, allowedTools: [WRITE] } as const;

describe("a quote", () => {
  test("of what the user has just typed puts the rule into force, and heed tells them", async ({
    sandbox,
    session,
  }) => {
    const record = await session({
      ...THERE,
      prompts: [SAID, "Add the dependency left-pad"],
      turns: [writesRule(RULE, SAID), { text: "Remembered." }, { text: "Added." }],
    });
    expect(answerIn(record, 1)).toMatch(/"outcome":\s*"written"/);
    expect(await rulesOf(sandbox)).toEqual([RULE]);
    expect(await waitingIn(sandbox)).toEqual([]);
    // heed's own words to the user, whatever the model says.
    expect(record.shown).toMatch(/says: [^●]*Use pnpm and not npm, which breaks the lockfile/);
    const start = contextOf(requestFor("hello", await session({ prompts: ["hello"] })));
    expect(start).toContain(RULE);
    // The user's own sentence stands beside it.
    expect(start).toContain("npm breaks our lockfile");
  });

  test("of a pasted block is none of the user's", async ({ sandbox, session }) => {
    const pasted = ["CONTRIBUTING", "Thanks for your interest.", SAID, "See you."].join("\n");
    await session({
      ...THERE,
      prompts: [{ pasted, text: "what do you make of this?" }],
      turns: [writesRule(RULE, SAID), { text: "Nothing." }],
    });
    expect(await rulesOf(sandbox)).toEqual([]);
  });

  test("does not count for a subagent", async ({ sandbox, session }) => {
    const input = { description: "look", prompt: "look", subagent_type: "general-purpose" };
    const record = await session({
      ...THERE,
      // What it wrote waits, and the user is asked at the end of the session's own next turn.
      prompts: [{ text: SAID, meanwhile: dismiss }],
      turns: [{ toolUse: [{ name: "Agent", input }] }, { text: "It looks." }],
      subagentTurns: [writesRule(RULE, SAID), { text: "Done." }],
    });
    const after = record.requests.filter(({ kind }) => kind === "subagent").at(-1);
    expect(readByModel(after!)).toMatch(/"outcome":\s*"waits"/);
    expect(await rulesOf(sandbox)).toEqual([]);
    expect(await waitingIn(sandbox)).toEqual([RULE]);
  });
});

describe("the client's dialog", () => {
  test("asks at the end of the turn, at most three times a session: kept, not kept, and two Enters", async ({
    sandbox,
    session,
  }) => {
    const rules = ["Indent by two spaces", "Name branches after issues", "Log in logfmt", "Sort the imports"];
    const record = await session({
      ...THERE,
      prompts: [
        { text: "one", meanwhile: async (terminal) => choose(terminal, "keep") },
        { text: "two", meanwhile: async (terminal) => choose(terminal, "do not keep") },
        {
          text: "three",
          meanwhile: async (terminal) => {
            await boxShown(terminal);
            await terminal.press("enter", "enter");
          },
        },
        "four",
        "five",
      ],
      turns: rules.flatMap((rule) => [writesRule(rule), { text: "Go on." }]),
    });
    for (const request of [1, 3, 5, 7]) expect(answerIn(record, request)).toMatch(/"outcome":\s*"waits"/);
    expect(await rulesOf(sandbox)).toEqual([rules[0]]);
    expect((await waitingIn(sandbox)).sort()).toEqual([rules[2], rules[3]]);
    // One voice: what the dialog asks, the model is not to tell.
    expect(answerIn(record, 1)).not.toMatch(/heed yes|needs your approval/);
    expect(record.shown).toContain(rules[0]);
    expect(contextOf(requestFor("hello", await session({ prompts: ["hello"] })))).toContain(rules[0]);
  });

  test("is answered by nobody who types on: any letter, and one, two or three Enters", async ({
    sandbox,
    session,
  }) => {
    const rules = ["Indent by two spaces", "Name branches after issues", "Log in logfmt"];
    const typed = ["abcdefghi", "jklmnopqr", "stuvwxyz"];
    await session({
      ...THERE,
      prompts: typed.map((letters, at) => ({
        text: `please look at part ${at}`,
        meanwhile: async (terminal: Terminal) => {
          await boxShown(terminal);
          for (const letter of letters) {
            await terminal.press(letter);
            expect(terminal.screen).toMatch(/❯ ✔ Your answer: ▸ not now/);
          }
          await terminal.press(...Array.from({ length: at + 1 }, () => "enter"));
          // One Enter leaves the box open, at Accept.
          if (at === 0) await dismiss(terminal);
        },
      })),
      turns: rules.flatMap((rule) => [writesRule(rule), { text: "Go on." }]),
    });
    expect(await rulesOf(sandbox)).toEqual([]);
    expect((await waitingIn(sandbox)).sort()).toEqual(rules.sort());
  });

  test("is not shown without a user: what waits is told at the next start, with its code", async ({
    sandbox,
    session,
  }) => {
    const headless = await session({
      prompts: ["one"],
      allowedTools: [WRITE],
      turns: [writesRule(RULE), { text: "It waits." }],
    });
    expect(headless.debugLog).not.toContain("Elicitation request");
    expect(await waitingIn(sandbox)).toEqual([RULE]);
    const next = await session({
      terminal: true,
      prompts: ["hello", { text: (shown) => `heed yes ${codeIn(shown)}` }],
    });
    expect(next.shown).not.toMatch(BOX);
    expect(await rulesOf(sandbox)).toEqual([RULE]);
  });
});
