import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { lastUserText, textOf } from "../api/messages-body.ts";
import type { Sandbox } from "../client/sandbox.ts";
import { processesOf } from "../client/sandbox-process.ts";
import { contextOf, contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { test, testWith } from "../scenario.ts";

const WRITE = "mcp__plugin_heed_heed__memory_write";
const CONFIRM = "mcp__plugin_heed_heed__memory_confirm";
const SAID = "From now on use pnpm and not npm in here, because npm breaks our lockfile";

interface Listed {
  name: string;
  type: string;
  description: string;
}

/** What is kept, but for the record of the session. */
async function stored(sandbox: Sandbox): Promise<Listed[]> {
  const { memories } = JSON.parse((await sandbox.heed("list", "--json")).stdout) as { memories: Listed[] };
  return memories.filter(({ type }) => type !== "episode");
}

async function waiting(sandbox: Sandbox): Promise<Listed[]> {
  const { pending } = JSON.parse((await sandbox.heed("inbox", "--json")).stdout) as { pending: Listed[] };
  return pending;
}

describe("what the user asks for in so many words is in force with the next request, without a terminal", () => {
  test("kept by heed at the end of the turn, where the model has not", async ({ sandbox, session }) => {
    await sandbox.heed("init");
    const record = await session({
      prompts: [SAID, "Add the dependency left-pad"],
      turns: [{ text: "Understood." }, { text: "Added." }],
    });
    const next = contextSince("Add the dependency", requestFor("Add the dependency", record));
    expect(next).toContain(SAID);
    expect(await waiting(sandbox)).toEqual([]);
    const kept = await stored(sandbox);
    expect(kept.map(({ description }) => description)).toEqual([SAID]);
    // The user is told in a line what was kept, and how to take it back.
    const shown = JSON.stringify(record.events);
    expect(shown).toContain("kept in your words (feedback)");
    expect(shown).toContain("forget that");

    const later = await session({ prompts: ["hello"] });
    const start = contextOf(requestFor("hello", later));
    expect(occurrences(SAID, start)).toBe(1);
    expect(start).toContain("npm breaks our lockfile");
  });

  test("written by the model, with the user's words", async ({ sandbox, session }) => {
    await sandbox.heed("init");
    const statement = "Use pnpm and never npm in this repository";
    const record = await session({
      prompts: [SAID, "Add the dependency left-pad"],
      allowedTools: [WRITE],
      turns: [
        {
          toolUse: [
            {
              name: WRITE,
              input: { type: "feedback", statement, quote: SAID, reason: "npm breaks our lockfile" },
            },
          ],
        },
        { text: "Remembered." },
        { text: "Added." },
      ],
    });
    expect(lastUserText(record.main[1]!.body)).toMatch(/"outcome":\s*"written"/);
    // What the model wrote a request ago is in its context by the answer of its call.
    expect(contextSince("Add the dependency", requestFor("Add the dependency", record))).not.toContain(SAID);
    // heed keeps no twin beside it.
    expect((await stored(sandbox)).map(({ description }) => description)).toEqual([statement]);
    const later = await session({ prompts: ["hello"] });
    expect(occurrences(statement, contextOf(requestFor("hello", later)))).toBe(1);
  });

  test("taken back by a word", async ({ sandbox, session }) => {
    await sandbox.heed("init");
    const record = await session({
      prompts: [SAID, "forget that, we use both", "Add the dependency left-pad"],
    });
    expect(await stored(sandbox)).toEqual([]);
    expect(JSON.stringify(record.events)).toContain("forgotten, as you said");
  });
});

testWith("older")(
  "by command hooks alone: kept with the next request, and taken back by a word",
  async ({ sandbox, session }) => {
    await sandbox.heed("init", "--client", "claude-code");
    const record = await session({
      plugins: [],
      prompts: [SAID, "What is next?", "no, undo that", "Add the dependency left-pad"],
    });
    expect(contextSince("What is next?", requestFor("What is next?", record))).toContain(SAID);
    expect(await stored(sandbox)).toEqual([]);
    expect(JSON.stringify(record)).toContain("forgotten, as you said");
  },
);

test("what leaves its day open waits as it was said, with the question for the user", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const record = await session({
    prompts: ["Remember that the code freeze starts next Friday", "What is next?"],
  });
  expect(await stored(sandbox)).toEqual([]);
  expect((await waiting(sandbox)).map(({ description }) => description)).toEqual([
    "the code freeze starts next Friday",
  ]);
  expect(contextOf(requestFor("What is next?", record))).toMatch(/is "next Friday" \d{4}-\d\d-\d\d/);
});

test("work that was left open is told to the next session, and not hidden by a greeting", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  await session({
    prompts: ["Add retries to the upload client", "the flaky test is still open, we'll continue tomorrow"],
    turns: [{ text: "The client retries three times now." }, { text: "See you." }],
  });
  await sandbox.heed("capture");
  await session({ prompts: ["hi", "thanks"] });
  await sandbox.heed("capture");
  const start = contextOf(requestFor("hello", await session({ prompts: ["hello"] })));
  expect(start).toContain("Goal: Add retries to the upload client");
  expect(start).toContain("Open: the flaky test is still open");
});

test("what waits is asked about in the session and settled there by the user's answer", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const claim = "The user has written Go for ten years and is new to TypeScript";
  await session({
    prompts: ["Explain this type to me"],
    allowedTools: [WRITE],
    turns: [
      { toolUse: [{ name: WRITE, input: { type: "user", name: "go-developer", statement: claim } }] },
      { text: "It is a mapped type." },
    ],
  });
  expect((await waiting(sandbox)).map(({ name }) => name)).toEqual(["go-developer"]);

  const record = await session({
    prompts: ["hello", "yes, that is right", "And now?"],
    allowedTools: [CONFIRM],
    turns: [
      { text: `Hello. May I keep this about you: ${claim}?` },
      { toolUse: [{ name: CONFIRM, input: { name: "go-developer", quote: "yes, that is right" } }] },
      { text: "Kept." },
    ],
  });
  const start = contextOf(requestFor("hello", record));
  expect(start).toContain("wait for the user's word");
  expect(start).toContain(claim);
  expect(start).toContain("[go-developer]");
  expect(lastUserText(record.main[2]!.body)).toMatch(/"outcome":\s*"written"/);
  expect(await waiting(sandbox)).toEqual([]);
  expect((await stored(sandbox)).map(({ name }) => name)).toEqual(["go-developer"]);
});

test("nothing of heed but its server runs while a prompt is answered, nor for a minute after", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"));
  const seen: string[][] = [];
  const look = () => {
    const others = processesOf(sandbox.home).filter(({ command }) => !/\bmcp\b|mcp\.cjs/.test(command));
    seen.push(
      others.map(({ command }) => command).filter((command) => /heed\.cjs|hook\.cjs|capture/.test(command)),
    );
    return { text: "ok", delayMs: 300 };
  };
  const prompts = [SAID, "Second", "Third", "Fourth"];
  await session({ prompts, turns: prompts.map(() => look) });
  expect(seen).toEqual(prompts.map(() => []));
});

test("the instructions say when to write, and the model's first request has the tools for it", async ({
  sandbox,
  session,
}) => {
  await sandbox.heed("init");
  const record = await session({ prompts: ["hello"] });
  const { body } = requestFor("hello", record);
  const offered = new Map((body.tools ?? []).map((tool) => [tool.name, JSON.stringify(tool)]));
  for (const tool of ["memory_write", "memory_confirm", "memory_search", "memory_show"]) {
    const definition = offered.get(`mcp__plugin_heed_heed__${tool}`);
    expect(definition, tool).toBeDefined();
    // A deferred tool is named only, until it is searched for.
    expect(definition, tool).not.toContain('"defer_loading":true');
  }
  expect(readByModel(requestFor("hello", record)) + textOf(body.system)).toContain(
    "Keep what the user will not want to say twice",
  );
  expect(readFileSync(`${sandbox.userStore}/config.yaml`, "utf8")).toContain("store:");
});
