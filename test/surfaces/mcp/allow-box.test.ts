import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { memoryFile, rule } from "../../home/temporary-heed.ts";
import { SandboxHome } from "../sandbox-home.ts";
import type { Era } from "./mcp-process.ts";
import { McpProcess, valueOf } from "./mcp-process.ts";

const GUARD = "guard: { command: git commit, flags: [--no-verify] }";
const GUARDED = memoryFile(rule("keep-hooks", "never use --no-verify on a commit", [GUARD]));

test.each<[Era, string, string]>([
  ["modern", "✓ allow once", "Allowed once"],
  ["legacy", "✓ allow once", "Allowed once"],
  ["modern", "✗ do not allow", "Not allowed"],
])("memory_allow asks the user in a client of the %s era, who chooses: %s", async (era, choice, says) => {
  const home = new SandboxHome();
  home.write("store/feedback/keep-hooks.md", GUARDED);
  const server = new McpProcess(home, era, ["claude"]);
  const seen: string[] = [];
  server.asked = async ({ message }) => {
    seen.push(String(message));
    await pause(400);
    return { action: "accept", content: { answer_1: choice } };
  };
  await server.open();
  await server.hook("UserPromptSubmit", { prompt: "commit it, the hook is broken today" });
  const use = { tool_name: "Bash", tool_input: JSON.stringify({ command: "git commit --no-verify -m x" }) };
  const code = /code: \\"([a-z0-9]{5})\\"/.exec(await server.hook("PreToolUse", use))?.[1] ?? "";
  await server.hook("PreToolUse", { tool_name: "mcp__plugin_heed_heed__memory_allow", tool_use_id: "t1" });
  const meta = { "claudecode/toolUseId": "t1", progressToken: 1 };
  const answer = valueOf(await server.call("memory_allow", { code }, meta));
  expect(answer).toMatchObject({
    outcome: "answered",
    announcement: expect.stringContaining(says) as string,
    next: expect.stringContaining("make the call again now, exactly as it was") as string,
  });
  expect(seen).toEqual([
    expect.stringMatching(
      /^Let this call run once, although .*keep-hooks forbids it\? git commit --no-verify -m x$/,
    ),
  ]);
  const again = await server.hook("PreToolUse", use);
  expect(again.includes('"permissionDecision":"deny"')).toBe(choice !== "✓ allow once");
});
