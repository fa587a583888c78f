import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { serversOf } from "../client/sandbox-process.ts";
import { answerIn, rulesOf, waitingIn, WRITE, writesRule } from "../consent-steps.ts";
import { contextOf, readByModel, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test } from "../scenario.ts";

const STATEMENT = "Run the linter before each commit";

const writes = (
  input: Record<string, unknown>,
): { toolUse: { name: string; input: Record<string, unknown> }[] } => ({ toolUse: [{ name: WRITE, input }] });

test("the first request has the instructions and heed's tools, all but the hooks'", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  const record = await session({ prompts: ["hello"] });
  expect(record.init.mcpServers).toContainEqual(expect.objectContaining({ name: "plugin:heed:heed" }));
  const request = requestFor("hello", record);
  const offered = new Map((request.body.tools ?? []).map((tool) => [tool.name, JSON.stringify(tool)]));
  for (const tool of ["memory_write", "memory_search", "memory_show"]) {
    const definition = offered.get(`mcp__plugin_heed_heed__${tool}`);
    expect(definition, tool).toBeDefined();
    // A deferred tool is named only, until it is searched for.
    expect(definition, tool).not.toContain('"defer_loading":true');
  }
  expect(JSON.stringify(request.body)).not.toContain("memory_hook");
  expect(readByModel(request)).toContain("Keep what the user will not want to say twice");
});

test("a rule that the model writes is a valid file, announced, and in force in the next session", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const said = `From now on ${STATEMENT.toLowerCase()}`;
  const record = await session({
    terminal: true,
    prompts: [said],
    allowedTools: [WRITE],
    turns: [writesRule(STATEMENT, said), { text: "Noted." }],
  });
  const result = answerIn(record, 1);
  expect(result).toMatch(/"outcome":\s*"written"/);
  const path = /"path":\s*"([^"]+\.md)"/.exec(result)?.[1] ?? "";
  expect(readFileSync(path, "utf8")).toContain(STATEMENT);
  expect(result).toMatch(/"announcement":\s*"[^"]+"/);
  await sandbox.heed("check");

  const next = await session({ prompts: ["hello"] });
  expect(contextOf(requestFor("hello", next))).toContain(STATEMENT);
});

test("what cannot be kept so is refused, and the refusal says what would pass", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const record = await session({
    prompts: ["remember it"],
    allowedTools: [WRITE],
    turns: [
      writes({ type: "feedback", statement: STATEMENT, why: "CI is slow" }),
      writes({ type: "project", statement: "The code freeze starts next Friday" }),
      { text: "Refused." },
    ],
  });
  // The field that there is instead, and today's date to count from.
  expect(answerIn(record, 1)).toMatch(/why[^]*reason/);
  expect(answerIn(record, 2)).toMatch(/next Friday[^]*\d{4}-\d\d-\d\d/);
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

test("what the model infers about the user waits, and no dialog asks about it", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const claim = "The user has written Go for ten years and is new to TypeScript";
  const record = await session({
    terminal: true,
    prompts: ["Explain this type to me", "And this one"],
    allowedTools: [WRITE],
    turns: [writes({ type: "user", statement: claim }), { text: "It is a mapped type." }],
  });
  expect(answerIn(record, 1)).toMatch(/"outcome":\s*"waits"/);
  expect(record.shown).not.toContain("requests your input");
  expect(await waitingIn(sandbox)).toEqual([claim]);
});

test("two sessions at once write into one store", async ({ sandbox, session }) => {
  await sandbox.heed("init");
  const statements = ["Log in the format of logfmt", "Name branches after their issue"];
  const records = await Promise.all(
    statements.map(async (statement) =>
      session({
        terminal: true,
        prompts: [statement],
        allowedTools: [WRITE],
        turns: [writesRule(statement, statement), { text: "Noted." }],
      }),
    ),
  );
  for (const record of records) expect(answerIn(record, 1)).toMatch(/"outcome":\s*"written"/);
  expect((await rulesOf(sandbox)).sort()).toEqual(statements);
});
