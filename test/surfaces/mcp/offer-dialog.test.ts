import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { memoryFile } from "../../home/temporary-heed.ts";
import { atEnd, SandboxHome } from "../sandbox-home.ts";
import type { Asked, Era } from "./mcp-process.ts";
import { McpProcess } from "./mcp-process.ts";

/** A home with a rule that lay in a store, about which a dialog asks, and the server of a client that answers so. */
async function session(end: SandboxHome["atEnd"], era: Era, asked: Asked | undefined): Promise<McpProcess> {
  const home = new SandboxHome(end);
  home.write("work/.heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  const body = "squash before merging.\n\n**Why:** history.";
  const squash = { type: "feedback", name: "squash", statement: "squash before merging", body };
  home.write("work/.heed/feedback/squash.md", memoryFile(squash));
  const server = new McpProcess(home, era, ["claude"]);
  server.asked = asked;
  await server.open();
  await server.hook("UserPromptSubmit", { prompt: "please look over the parser" });
  return server;
}

const stop = (server: McpProcess, more = {}): Promise<string> =>
  server.hook("Stop", { last_assistant_message: "done", ...more });
/** What two ends of turns say, with a prompt between them, and whether a later session is told the rule. */
async function whatComes(server: McpProcess): Promise<unknown> {
  const first = await stop(server);
  await server.hook("UserPromptSubmit", { prompt: "and the lexer" });
  const second = await stop(server);
  const start = await server.hook("SessionStart", { source: "startup", session_id: "s2" });
  return { ends: [first, second], isInjected: start.includes("- squash before merging") };
}
const NO_CHANGE = { ends: ["{}", "{}"], isInjected: false };

/** Somebody who reads first. */
const reads =
  (result: Record<string, unknown>): Asked =>
  async () => {
    await pause(400);
    return result;
  };

// What is measured in time has the machine to itself.
test.each<Era>(["modern", "legacy"])(
  "an answer in the %s era that is faster than anybody reads changes nothing, and nobody asks a second time",
  async (era) => {
    const approves = async (): Promise<Record<string, unknown>> => ({
      action: "accept",
      content: { answer_1: "✓ approve" },
    });
    expect(await whatComes(await session(atEnd, era, approves))).toEqual(NO_CHANGE);
  },
);

describe.concurrent.each<Era>(["modern", "legacy"])("at the end of a turn a client of the %s era", (era) => {
  test("asks the user with one required choice, not now made beforehand, and says what came of it", async ({
    onTestFinished,
  }) => {
    const seen: Record<string, unknown>[] = [];
    const server = await session(onTestFinished, era, async (params) => {
      seen.push(params);
      await pause(400);
      return { action: "accept", content: { answer_1: "✓ approve" } };
    });
    expect(JSON.parse(await stop(server))).toEqual({
      systemMessage: "heed: Approved: 1 rule of this repository.",
    });
    expect(seen).toMatchObject([
      {
        message: 'Approve 1 rule of this repository on this machine? "squash before merging" Why: history.',
        requestedSchema: {
          type: "object",
          properties: {
            answer_1: {
              type: "string",
              enum: ["not now", "✓ approve", "✗ do not approve"],
              default: "not now",
            },
          },
          required: ["answer_1"],
        },
      },
    ]);
    expect(await server.hook("UserPromptSubmit", { prompt: "go on" })).not.toContain("asked");
    expect(await stop(server)).toBe("{}");
  });

  const DECLINED: [string, Asked] = ["declines", reads({ action: "decline" })];
  const OTHERS: [string, Asked][] = [
    ["cancels", reads({ action: "cancel" })],
    ["accepts without a choice", reads({ action: "accept", content: {} })],
    ["chooses what was not offered", reads({ action: "accept", content: { answer_1: "approve" } })],
    ["leaves not now", reads({ action: "accept", content: { answer_1: "not now" } })],
    ["answers nonsense", reads({ nothing: true })],
  ];
  test.for([DECLINED, ...(era === "modern" ? [] : OTHERS)])(
    "that %s changes nothing, and asks no second time",
    async ([, asked], { onTestFinished }) => {
      expect(await whatComes(await session(onTestFinished, era, asked))).toEqual(NO_CHANGE);
    },
  );

  test("that cannot ask is not asked, nor in a subagent", async ({ onTestFinished }) => {
    expect(await stop(await session(onTestFinished, era, undefined))).toBe("{}");
    let count = 0;
    const other = await session(onTestFinished, era, async () => {
      count += 1;
      return undefined;
    });
    expect(await stop(other, { agent_id: "a1" })).toBe("{}");
    expect(count).toBe(0);
  });
});

test.concurrent("while a dialog is open the server answers everything else", async ({ onTestFinished }) => {
  let answer: (result: Record<string, unknown>) => void = () => {};
  const answered = new Promise<Record<string, unknown>>((resolve) => (answer = resolve));
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const server = await session(onTestFinished, "legacy", () => {
    open();
    return answered;
  });
  const ended = stop(server);
  await opened;
  await pause(400);
  expect(await server.hook("UserPromptSubmit", { prompt: "and the lexer", session_id: "s3" })).toBeDefined();
  answer({ action: "accept", content: { answer_1: "✗ do not approve" } });
  expect(await ended).toContain("Not approved");
});
