import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { lastUserText } from "../api/messages-body.ts";
import { serversOf } from "../client/sandbox-process.ts";
import { contextOf, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { PARTS } from "../product-parts.ts";
import { test } from "../scenario.ts";

const WRITE_TOOL = "mcp__plugin_heed_heed__memory_write";
const CONFIRM_TOOL = "mcp__plugin_heed_heed__memory_confirm";
const STATEMENT = "Run the linter before each commit";

const writes = (
  input: Record<string, unknown>,
): { toolUse: { name: string; input: Record<string, unknown> }[] } => ({
  toolUse: [{ name: WRITE_TOOL, input }],
});

test("the server is connected when the first prompt is sent, and its tools are offered", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  const record = await session({ prompts: ["hello"] });
  expect(record.init.mcpServers).toContainEqual(expect.objectContaining({ name: "plugin:heed:heed" }));
  expect(JSON.stringify(requestFor("hello", record).body)).toContain(WRITE_TOOL);
});

test("a rule that the model writes is a valid file, announced, and in force in the next session", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const body = `${STATEMENT}.\n**Why:** CI takes twenty minutes to say so.\n**How to apply:** npm run lint, then commit.`;
  const record = await session({
    prompts: ["From now on run the linter before each commit"],
    allowedTools: [WRITE_TOOL],
    turns: [writes({ type: "feedback", statement: STATEMENT, body }), { text: "Noted." }],
  });
  const result = lastUserText(record.main[1]!.body);
  expect(result).toMatch(/"outcome":\s*"written"/);
  const path = /"path":\s*"([^"]+\.md)"/.exec(result)?.[1] ?? "";
  expect(readFileSync(path, "utf8")).toContain(STATEMENT);
  expect(result).toMatch(/"announcement":\s*"[^"]+"/);
  if (PARTS.checks) await sandbox.heed("check");

  const next = await session({ prompts: ["hello"] });
  expect(contextOf(requestFor("hello", next))).toContain(STATEMENT);
});

test("a rule without its reason is refused, and the refusal says what would pass", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const record = await session({
    prompts: ["remember it"],
    allowedTools: [WRITE_TOOL],
    turns: [writes({ type: "feedback", statement: STATEMENT, body: `${STATEMENT}.` }), { text: "Refused." }],
  });
  const result = lastUserText(record.main[1]!.body);
  expect(result).toMatch(/refused/);
  expect(result).toMatch(/the user's words or a Why/);
});

test("the server ends with its client", async ({ sandbox, session }) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  let running = 0;
  await session({
    prompts: ["hello"],
    turns: [
      () => {
        running = serversOf(sandbox.home).length;
        return { text: "ok" };
      },
    ],
  });
  expect(running).toBe(1);
  await expect.poll(() => serversOf(sandbox.home), { timeout: 60_000 }).toEqual([]);
});

test("a statement about the user waits for the user's own later words", async ({ sandbox, session }) => {
  await sandbox.heed("init");
  const claim = "The user has written Go for ten years and is new to TypeScript";
  const answer = "Yes, that is right: ten years of Go";
  const confirm = { name: CONFIRM_TOOL, input: { name: "go-developer", quote: answer } };
  const record = await session({
    prompts: ["Explain this type to me", answer],
    allowedTools: [WRITE_TOOL, CONFIRM_TOOL],
    turns: [
      writes({
        type: "user",
        name: "go-developer",
        statement: claim,
        body: `${claim}.`,
        source: "inferred",
      }),
      // The model makes the words up: nobody has said them yet.
      { toolUse: [confirm] },
      { text: "Is it true that you come from Go?" },
      { toolUse: [confirm] },
      { text: "Noted." },
    ],
  });
  const results = record.main.map(({ body }) => lastUserText(body));
  expect(results[1]).toMatch(/"outcome":\s*"pending"/);
  expect(results[2]).not.toMatch(/"outcome":\s*"(?:written|amended)"/);
  expect(results[4]).toMatch(/"outcome":\s*"written"/);
});

test("two sessions at once write into one store", async ({ sandbox, session }) => {
  await sandbox.heed("init");
  const statements = ["Log in the format of logfmt", "Name branches after their issue"];
  const records = await Promise.all(
    statements.map(async (description) => {
      const body = `${description}.\n**Why:** agreed on.\n**How to apply:** always.`;
      return session({
        prompts: [`From now on: ${description}`],
        allowedTools: [WRITE_TOOL],
        turns: [writes({ type: "feedback", statement: description, body })],
      });
    }),
  );
  for (const record of records) expect(lastUserText(record.main[1]!.body)).toMatch(/"outcome":\s*"written"/);
  const next = await session({ prompts: ["hello"] });
  for (const statement of statements) expect(contextOf(requestFor("hello", next))).toContain(statement);
});
