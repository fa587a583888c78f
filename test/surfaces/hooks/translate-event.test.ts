import { describe, expect, test } from "vitest";
import { translateEvent } from "../../../src/surfaces/hooks/translate-event.ts";

const BASE = { session_id: "s1", cwd: "/work", transcript_path: "/t.jsonl" };
const EVENT = { session: "s1", cwd: "/work", transcriptPath: "/t.jsonl", client: "claude-code" };

const translate = (raw: unknown) => {
  const event = translateEvent(raw, { env: {}, cwd: "/fallback", whose: () => ({}) })?.event;
  if (event?.reach === undefined) return event;
  const { reach: _reach, ...rest } = event;
  return rest as typeof event;
};
const prompt = (text: string, more: object = {}) =>
  translate({ ...BASE, hook_event_name: "UserPromptSubmit", prompt: text, ...more });

describe("events of Claude Code", () => {
  const BASH = { tool_name: "Bash", tool_input: { command: "x" } };
  test.each([
    ["SessionStart", { source: "compact" }, { kind: "session-start", source: "compact" }],
    ["SessionStart", { source: "unheard" }, { kind: "session-start", source: "startup" }],
    [
      "SubagentStart",
      { agent_id: "a1", agent_type: "Explore" },
      { kind: "subagent-start", agentType: "Explore", agentId: "a1" },
    ],
    ["UserPromptSubmit", { prompt: "fix it" }, { kind: "prompt", prompt: "fix it" }],
    ["PreToolUse", BASH, { kind: "tool-use", tool: "Bash", input: { command: "x" }, tellsResult: true }],
    ["PostToolUse", BASH, { kind: "tool-result", tool: "Bash", input: { command: "x" } }],
    [
      "PostToolUseFailure",
      { ...BASH, error: "Exit 3" },
      { kind: "tool-failure", tool: "Bash", input: { command: "x" }, error: "Exit 3" },
    ],
    ["PreCompact", { trigger: "auto" }, { kind: "compaction" }],
    ["Stop", {}, { kind: "stop", lastMessage: undefined, canSendBack: true }],
    [
      "Stop",
      { stop_hook_active: "true" },
      { kind: "stop", lastMessage: undefined, canSendBack: true, isContinued: true },
    ],
    ["SessionEnd", { reason: "clear" }, { kind: "session-end", reason: "clear" }],
  ])("%s %j", (name, raw, event) => {
    expect(translate({ ...BASE, hook_event_name: name, ...raw })).toEqual({ ...EVENT, ...event });
  });

  test("that heed has no answer to are none", () => {
    for (const name of ["PostToolUse", "Notification", "Unheard", "", "__proto__", "constructor"]) {
      expect(translate({ ...BASE, hook_event_name: name })).toBeUndefined();
    }
    // The client's own agents, for example for summaries.
    expect(translate({ ...BASE, hook_event_name: "SubagentStart", agent_type: "" })).toBeUndefined();
  });

  test("without a directory get the surface's own", () => {
    expect(translate({ hook_event_name: "Stop" })).toMatchObject({ cwd: "/fallback", session: "" });
    expect(translate({ hook_event_name: "Stop", cwd: "${cwd}" })).toMatchObject({ cwd: "/fallback" });
  });
});

test("prompts that the client made itself are none", () => {
  expect(prompt("go on", { source: "system" })).toBeUndefined();
  for (const source of ["user", ""]) expect(prompt("go on", { source })).toBeDefined();
});

test("hostile input does not reach into prototypes", () => {
  const raw = JSON.parse(
    '{"hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"__proto__":{"polluted":1}}}',
  ) as unknown;
  translate(raw);
  expect({}).not.toHaveProperty("polluted");
});
