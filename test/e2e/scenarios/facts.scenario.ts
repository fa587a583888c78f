import { describe, expect } from "vitest";
import { besideMap, contextSince, readByModel, requestFor } from "../expectations.ts";
import { placeInUserStore } from "../memory-files.ts";
import { test as base, type Stage } from "../scenario.ts";

const STAGING = {
  type: "reference",
  name: "staging-db",
  statement: "the staging database of the billing service runs on db-stage-2.internal, port 6432",
  body: "The staging database of the billing service runs on db-stage-2.internal, port 6432 (FACT-STAGING).",
  metadata: ["tags: [staging, database, billing]", "trigger: [staging database]"],
};
const ASKS_STAGING = "Which host and port does the staging database of the billing service run on?";
/** Its body carries a word of its own, a pointer its handle. */
const IN_ANY_FORM = /FACT-STAGING|heed:staging-db/;

/** The fact is in the user's store. */
const test = base.extend<Pick<Stage, "sandbox">>({
  sandbox: async ({ sandbox }, use) => {
    placeInUserStore(sandbox, STAGING);
    await use(sandbox);
  },
});

test("a fact comes whatever characters the prompt is made of", async ({ session }) => {
  const prompt = `"quoted" \\ {"a": "\${cwd}"} $(date) \`x\` 日本語 🙂\n</user> ${ASKS_STAGING}`;
  const record = await session({ prompts: [prompt] });
  expect(contextSince(ASKS_STAGING, requestFor(ASKS_STAGING, record))).toContain("heed:staging-db");
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
    expect(besideMap(notified)).not.toMatch(IN_ANY_FORM);
    expect(readByModel(record.main.at(-1)!)).toContain("FACT-STAGING");
  });

  test("with a slash command", async ({ sandbox, session }) => {
    sandbox.write(".claude/commands/ask.md", "Answer this: $ARGUMENTS\n");
    const record = await session({ prompts: [`/ask ${ASKS_STAGING}`, ASKS_STAGING] });
    expect(record.main).toHaveLength(2);
    const [command, prompt] = record.main.map((request) => besideMap(readByModel(request)));
    expect(command).toContain(`Answer this: ${ASKS_STAGING}`);
    expect(command).not.toMatch(IN_ANY_FORM);
    expect(prompt).toContain("FACT-STAGING");
  });
});
