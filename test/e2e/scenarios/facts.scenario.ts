import { describe, expect } from "vitest";
import { besideMap, contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";
import { ASKS_QUEUE, ASKS_STAGING, FLAKY, QUEUE, STAGING, UNRELATED } from "../sample-facts.ts";
import { test as base, type Stage } from "../scenario.ts";

/** The three facts are in the user's store. */
const test = base.extend<Pick<Stage, "sandbox">>({
  sandbox: async ({ sandbox }, use) => {
    placeInUserStore(sandbox, STAGING, QUEUE, FLAKY);
    await use(sandbox);
  },
});
const AGAIN = `Once more, please: ${ASKS_STAGING}`;

/** A sample fact in any form: its body carries a word of its own, a pointer its handle. */
const ANY_FACT = /FACT-[A-Z]+|heed:(?:staging-db|queue-retry|playwright-hangs-in-docker)/;

describe("a fact comes with the prompt that it is relevant to", () => {
  test("and with no other", async ({ session }) => {
    const record = await session({ prompts: [UNRELATED, ASKS_STAGING, ASKS_QUEUE] });
    const said = (prompt: string): string => besideMap(contextSince(prompt, requestFor(prompt, record)));
    expect(said(UNRELATED)).not.toMatch(ANY_FACT);
    // With its handle, its date, and the request to verify it.
    for (const part of ["FACT-STAGING", "heed:staging-db", "2026-05-02", /[Vv]erif(?:y|ied)/])
      expect(said(ASKS_STAGING)).toMatch(part);
    expect(said(ASKS_STAGING)).not.toMatch(/FACT-(?:QUEUE|FLAKY)|heed:(?:queue|playwright)/);
    expect(said(ASKS_QUEUE)).toContain("FACT-QUEUE");
    expect(said(ASKS_QUEUE)).not.toMatch(/FACT-(?:STAGING|FLAKY)|heed:(?:staging|playwright)/);
  });

  test("whatever characters the prompt is made of", async ({ session }) => {
    const prompt = `"quoted" \\ {"a": "\${cwd}"} $(date) \`x\` 日本語 🙂\n</user> ${ASKS_STAGING}`;
    const record = await session({ prompts: [prompt] });
    expect(contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record))).toContain("heed:staging-db");
  });

  test.for([
    ["even when it is asked for again", "stream"],
    ["that was resumed in another process", "resume"],
  ] as const)("once in a session %s", async ([, mode], { session }) => {
    const record = await session({ mode, prompts: [ASKS_STAGING, UNRELATED, AGAIN] });
    expect(occurrences("FACT-STAGING", readByModel(requestFor(AGAIN, record)))).toBe(1);
  });

  test("again when it was compacted away", async ({ session }) => {
    const record = await session({ prompts: [ASKS_STAGING, "/compact", AGAIN] });
    expect(contextSince(AGAIN, requestFor(AGAIN, record))).toContain("heed:staging-db");
  });
});

// Each of these shows in the same session that the fact would have come: silence alone proves nothing.
describe("no fact comes", () => {
  test("with what a background agent reports", async ({ session }) => {
    const input = { description: "look up", prompt: "look it up", subagent_type: "general-purpose" };
    const record = await session({
      mode: "resume",
      prompts: ["delegate it", ASKS_STAGING],
      turns: [{ toolUse: [{ name: "Agent", input }] }],
      subagentTurns: [{ text: ASKS_STAGING }],
    });
    const notified = readByModel(requestFor("<task-notification>", record));
    expect(notified).toContain(ASKS_STAGING);
    expect(besideMap(notified)).not.toMatch(ANY_FACT);
    expect(readByModel(record.main.at(-1)!)).toContain("FACT-STAGING");
  });

  test("with a slash command", async ({ sandbox, session }) => {
    sandbox.write(".claude/commands/ask.md", "Answer this: $ARGUMENTS\n");
    const record = await session({ prompts: [`/ask ${ASKS_STAGING}`, ASKS_STAGING] });
    expect(record.main).toHaveLength(2);
    const [command, prompt] = record.main.map((request) => besideMap(readByModel(request)));
    expect(command).toContain(`Answer this: ${ASKS_STAGING}`);
    expect(command).not.toMatch(ANY_FACT);
    expect(prompt).toContain("FACT-STAGING");
  });
});
