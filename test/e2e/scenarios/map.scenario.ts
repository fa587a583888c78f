import { handleOf } from "../../../src/memory/handle.ts";
import { expect } from "vitest";
import { contextOf, contextSince, occurrences, readByModel, requestFor } from "../expectations.ts";
import type { HandWritten } from "../memory-files.ts";
import { placeInUserStore, rule } from "../memory-files.ts";
import { FLAKY, QUEUE, STAGING } from "../sample-facts.ts";
import { testInitialised as test } from "../scenario.ts";

const SHOW = "mcp__plugin_heed_heed__memory_show";

const mapIn = (text: string): string[] =>
  [...text.matchAll(/<heed-map>([^]*?)<\/heed-map>/g)].map(([, map]) => map ?? "");

/** Facts that share no subject, so that each has a line of its own. */
function manyFacts(count: number): HandWritten[] {
  const subjects = ["invoices", "labels", "parcels", "carriers", "webhooks", "exports", "budgets", "audits"];
  return Array.from({ length: count }, (_, i) => {
    const subject = `${subjects[i % subjects.length]}${Math.floor(i / subjects.length)}`;
    const description = `${subject} are kept by team ${String.fromCharCode(97 + (i % 26))}${i} on host ${subject}-${i}.internal`;
    return {
      type: "project",
      name: `fact-${i}`,
      description,
      body: `${description}. Decided in May ${subject}.`,
    };
  });
}

test("the map is told at the start, a change of it at the next prompt, and nothing on resume", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, STAGING, QUEUE, FLAKY);
  const fact = "the label printer of the warehouse speaks ZPL only";
  const record = await session({
    mode: "resume",
    prompts: [
      "hello",
      { text: "and now?", before: async () => void (await sandbox.heed("write", "--type", "project", fact)) },
      "and once more?",
    ],
  });
  const first = mapIn(contextOf(requestFor("hello", record)));
  expect(first).toHaveLength(1);
  for (const { name, description } of [STAGING, QUEUE, FLAKY]) {
    expect(first[0]).toContain(`[${handleOf({ name, description })}]`);
    expect(occurrences(description, first[0] ?? "")).toBe(1);
  }
  const changed = contextSince("and now?", requestFor("and now?", record));
  // The changed line alone.
  expect(mapIn(changed).join("").trim().split("\n")).toEqual([expect.stringContaining(fact)]);
  const last = readByModel(requestFor("and once more?", record));
  expect(mapIn(last)).toHaveLength(2);
  expect(contextSince("and once more?", requestFor("and once more?", record))).toBe("");
  expect(occurrences(STAGING.description, last)).toBe(1);
});

test("several lines are opened by one call, in the first request after them", async ({
  sandbox,
  session,
}) => {
  placeInUserStore(sandbox, STAGING, QUEUE, FLAKY);
  const record = await session({
    prompts: ["hello"],
    allowedTools: [SHOW],
    turns: [{ toolUse: [{ name: SHOW, input: { handles: [STAGING.name, QUEUE.name] } }] }, { text: "Read." }],
  });
  const read = readByModel(record.main[1]!);
  expect(read).toContain("FACT-STAGING");
  expect(read).toContain("FACT-QUEUE");
});

test("a subagent is told the rules and a shorter map", async ({ sandbox, session }) => {
  placeInUserStore(sandbox, rule("own-rule", "Own rules are in force"), ...manyFacts(160));
  await sandbox.heed("inbox", "trust", "--yes");
  const agent = {
    name: "Agent",
    input: { description: "probe", prompt: "SUBAGENT PROMPT", subagent_type: "general-purpose" },
  };
  const record = await session({ prompts: ["delegate"], turns: [{ toolUse: [agent] }] });
  const own = mapIn(contextOf(requestFor("delegate", record)))[0] ?? "";
  const subagent = record.requests.find(({ kind }) => kind === "subagent");
  const text = subagent === undefined ? "" : readByModel(subagent);
  const shorter = mapIn(text)[0] ?? "";
  expect(text).toContain("Own rules are in force");
  expect(shorter).not.toBe("");
  expect(own.length).toBeGreaterThan(2000);
  expect(shorter.length).toBeLessThan(own.length / 2);
  // What has no line is named, or counted with where to look.
  expect(own).toMatch(/\d+ more/);
});
