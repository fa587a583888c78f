import { describe, expect, test } from "vitest";
import type { EventAnswer, SessionEvent } from "../../../src/heed.ts";
import { claudeCode } from "../../../src/surfaces/hooks/adapters/claude-shaped.ts";
import { ADAPTERS } from "../../../src/surfaces/hooks/adapters/all-adapters.ts";
import type { Adapter } from "../../../src/surfaces/hooks/adapters/adapter.ts";
import { renderAnswer, stdoutOf } from "../../../src/surfaces/hooks/render-answer.ts";

function said(name: string, answer: EventAnswer, adapter: Adapter = claudeCode): string {
  const event = { kind: adapter.events[name] } as SessionEvent;
  return stdoutOf(renderAnswer(answer, { event, name, adapter }));
}

const adapterOf = (client: string): Adapter => ADAPTERS.find((one) => one.client === client) as Adapter;
const DENY = { decision: { action: "deny", reason: "the rule" } } as const;
const ASK = { decision: { action: "ask", reason: "the rule" } } as const;

describe("the answer to a hook of Claude Code", () => {
  test.each(["SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure"])(
    "carries context for %s under its name",
    (name) => {
      expect(JSON.parse(said(name, { context: "rules" }))).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: "rules" },
      });
    },
  );

  test.each(["PreCompact", "SessionEnd", "Stop"])("never carries context for %s", (name) => {
    expect(said(name, { context: "rules" })).toBe("");
    expect(JSON.parse(said(name, { context: "rules", notice: "kept" }))).toEqual({ systemMessage: "kept" });
  });

  test.each(["deny", "ask"] as const)("carries the decision on a tool use: %s", (action) => {
    const answer = { decision: { action, reason: "the rule" }, context: "more" };
    expect(JSON.parse(said("PreToolUse", answer))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: action,
        permissionDecisionReason: "the rule",
        additionalContext: "more",
      },
    });
    expect(said("PostToolUseFailure", { decision: answer.decision })).toBe("");
  });

  test("is empty when there is nothing to tell", () => {
    expect(said("SessionStart", {})).toBe("");
    expect(said("SessionStart", { context: "", notice: "" })).toBe("");
  });
});

test.each(ADAPTERS.map((adapter) => [adapter.client, adapter] as const))(
  "%s is never told more than every client takes whole, and never half a character",
  (_client, adapter) => {
    const text = "x".repeat(9499) + "😀".repeat(400);
    for (const name of Object.keys(adapter.events)) {
      const { stdout } =
        renderAnswer(
          { context: text, notice: text, decision: { action: "deny", reason: text } },
          { event: { kind: adapter.events[name] } as SessionEvent, name, adapter },
        ) ?? {};
      const texts = JSON.stringify(stdout ?? {}).match(/x{100,}[^"]*/g) ?? [];
      for (const one of texts) expect(one.length).toBeLessThanOrEqual(9500);
      expect(JSON.stringify(stdout ?? {})).not.toContain("\\ud83d");
    }
  },
);

const claudeShaped = (hookEventName: string, more: object = { additionalContext: "C" }) => ({
  hookSpecificOutput: { hookEventName, ...more },
});

/** Each shape by its literal: clients reject or drop what is a key off, some of them without a word. */
const CONTEXT: readonly [client: string, event: string, shape: object][] = [
  ["codex", "SessionStart", claudeShaped("SessionStart")],
  ["gemini", "BeforeAgent", claudeShaped("BeforeAgent")],
  ["qwen", "UserPromptSubmit", claudeShaped("UserPromptSubmit")],
  ["copilot", "SessionStart", { additionalContext: "C" }],
  ["copilot", "UserPromptSubmit", { additionalContext: "C" }],
  ["vscode", "SessionStart", claudeShaped("SessionStart")],
  ["cursor", "beforeSubmitPrompt", { additional_context: "C" }],
  ["cline", "PreToolUse", { cancel: false, contextModification: "C", errorMessage: "" }],
  ["droid", "SessionStart", claudeShaped("SessionStart")],
  ["kimi", "UserPromptSubmit", { message: "C" }],
  ["crush", "PreToolUse", { version: 1, context: "C" }],
  ["opencode", "UserPromptSubmit", { context: "C" }],
  ["pi", "SessionStart", { context: "C" }],
];

test.each(CONTEXT)("%s is told at %s in its shape, alone", (client, event, shape) => {
  expect(JSON.parse(said(event, { context: "C" }, adapterOf(client)))).toEqual(shape);
});

const REFUSAL = { permissionDecision: "deny", permissionDecisionReason: "the rule" };
const DENIED: readonly [client: string, event: string, shape: object][] = [
  ["codex", "PreToolUse", claudeShaped("PreToolUse", REFUSAL)],
  ["gemini", "BeforeTool", { decision: "deny", reason: "the rule" }],
  ["copilot", "PreToolUse", REFUSAL],
  ["cursor", "preToolUse", { permission: "deny", user_message: "the rule", agent_message: "the rule" }],
  ["goose", "PreToolUse", { decision: "block", reason: "the rule" }],
  ["crush", "PreToolUse", { version: 1, decision: "deny", reason: "the rule" }],
  ["opencode", "PreToolUse", { deny: "the rule" }],
  // A refusal would end the whole run there: the rule is said, not enforced.
  ["cline", "PreToolUse", { cancel: false, contextModification: "the rule", errorMessage: "" }],
];

test.each(DENIED)("%s is refused a call at %s in its shape", (client, event, shape) => {
  expect(JSON.parse(said(event, DENY, adapterOf(client)))).toEqual(shape);
});

test("Windsurf is refused by exit code 2, with the reason on stderr", () => {
  const adapter = adapterOf("windsurf");
  const event = { kind: "tool-use" } as SessionEvent;
  expect(renderAnswer(DENY, { event, name: "pre_run_command", adapter })).toEqual({
    stderr: "the rule",
    exitCode: 2,
  });
});

test("a client that cannot ask is not asked: the rule is told where anything can be", () => {
  expect(said("PreToolUse", ASK, adapterOf("codex"))).toContain('"additionalContext":"the rule"');
  expect(said("PreToolUse", ASK, adapterOf("codex"))).not.toContain("permissionDecision");
  expect(said("BeforeTool", ASK, adapterOf("gemini"))).toBe("");
  expect(said("PreToolUse", ASK, adapterOf("claude-code"))).toContain('"ask"');
});

test("no client is ever told to allow a call: some skip their own question then", () => {
  for (const adapter of ADAPTERS) {
    for (const name of Object.keys(adapter.events))
      expect(said(name, { context: "C", notice: "N" }, adapter)).not.toMatch(/allow|approve/);
  }
});
