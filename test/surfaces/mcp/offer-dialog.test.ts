import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { SandboxHome } from "../sandbox-home.ts";
import { sandboxHome } from "../sandbox-home.ts";
import type { Asked, Era } from "./mcp-process.ts";
import { McpProcess } from "./mcp-process.ts";

/** A home with a rule that lay in a store, about which a dialog asks, and the server of a client that answers so. */
async function session(
  era: Era,
  asked: Asked | undefined,
): Promise<{ home: SandboxHome; server: McpProcess }> {
  const home = sandboxHome();
  home.write("work/.heed/config.yaml", "store: 01JD3Z8Q6T0V9W4X5Y6Z7A8B9C\n");
  home.write(
    "work/.heed/feedback/squash.md",
    "---\nname: squash\ndescription: squash before merging\nmetadata:\n  type: feedback\n---\nsquash before merging.\n\n**Why:** history.\n",
  );
  const server = new McpProcess(home, era, {}, [], ["claude"]);
  server.asked = asked;
  await server.open();
  await hook(server, home, "UserPromptSubmit", { prompt: "please look over the parser" });
  return { home, server };
}

async function hook(
  server: McpProcess,
  home: SandboxHome,
  name: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const event = { hook_event_name: name, session_id: "s1", cwd: home.work, ...more };
  return (await server.call("memory_hook", event)).content[0]?.text ?? "";
}

const stop = (server: McpProcess, home: SandboxHome, more = {}): Promise<string> =>
  hook(server, home, "Stop", { last_assistant_message: "done", ...more });
/** Somebody who reads first. */
const reads =
  (result: Record<string, unknown>): Asked =>
  async () => {
    await pause(400);
    return result;
  };

describe.each<Era>(["modern", "legacy"])("at the end of a turn a client of the %s era", (era) => {
  test("asks the user with one required choice, none of them made, and says what came of it", async () => {
    const seen: Record<string, unknown>[] = [];
    const { home, server } = await session(era, async (params) => {
      seen.push(params);
      await pause(400);
      return { action: "accept", content: { answer_1: "approve" } };
    });
    expect(JSON.parse(await stop(server, home))).toEqual({
      systemMessage: "heed: Approved: this rule is in force on this machine.",
    });
    expect(seen).toMatchObject([
      {
        message: 'Approve 1 rule of this repository on this machine: "squash before merging" Why: history',
        requestedSchema: {
          type: "object",
          properties: { answer_1: { type: "string", enum: ["approve", "do not approve"] } },
          required: ["answer_1"],
        },
      },
    ]);
    expect(JSON.stringify(seen)).not.toContain("default");
    const next = await hook(server, home, "UserPromptSubmit", { prompt: "go on" });
    expect(next).toContain("the user was asked by heed: Approved");
    expect(await stop(server, home)).toBe("{}");
  });

  test.each([
    ["declines", reads({ action: "decline" })],
    ["cancels", reads({ action: "cancel" })],
    ["accepts without a choice", reads({ action: "accept", content: {} })],
    ["chooses what was not offered", reads({ action: "accept", content: { answer_1: "yes" } })],
    [
      "answers faster than anybody reads",
      async () => ({ action: "accept", content: { answer_1: "approve" } }),
    ],
    ["answers nonsense", reads({ nothing: true })],
  ])("that %s changes nothing, and asks no second time", async (_what, asked) => {
    const { home, server } = await session(era, asked);
    expect(await stop(server, home)).toBe("{}");
    await hook(server, home, "UserPromptSubmit", { prompt: "and the lexer" });
    expect(await stop(server, home)).toBe("{}");
    const start = await hook(server, home, "SessionStart", { source: "startup", session_id: "s2" });
    expect(start).not.toContain("- squash before merging");
  });

  test("that cannot ask is not asked, nor in a subagent", async () => {
    const { home, server } = await session(era, undefined);
    expect(await stop(server, home)).toBe("{}");
    let count = 0;
    const other = await session(era, async () => {
      count += 1;
      return undefined;
    });
    expect(await stop(other.server, other.home, { agent_id: "a1" })).toBe("{}");
    expect(count).toBe(0);
  });
});

test("while a dialog is open the server answers everything else", async () => {
  let answer: (result: Record<string, unknown>) => void = () => {};
  const asked = new Promise<Record<string, unknown>>((resolve) => (answer = resolve));
  const { home, server } = await session("legacy", () => asked);
  const ended = stop(server, home);
  await pause(400);
  const prompt = await hook(server, home, "UserPromptSubmit", { prompt: "and the lexer", session_id: "s3" });
  expect(prompt).toBeDefined();
  answer({ action: "accept", content: { answer_1: "do not approve" } });
  expect(await ended).toContain("Not approved");
});
