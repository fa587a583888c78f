import { describe, expect, test } from "vitest";
import { renderAnswer } from "../../../src/surfaces/hooks/render-answer.ts";

interface Output {
  systemMessage?: string;
  hookSpecificOutput?: { hookEventName: string; additionalContext: string };
}

describe("the answer to a hook", () => {
  test.each(["SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure"])(
    "carries context for %s under its name",
    (name) => {
      expect(JSON.parse(renderAnswer(name, { context: "rules" }))).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: "rules" },
      });
    },
  );

  test.each(["PreCompact", "PostCompact", "SessionEnd", "Stop"])("never carries context for %s", (name) => {
    expect(renderAnswer(name, { context: "rules" })).toBe("");
    expect(JSON.parse(renderAnswer(name, { context: "rules", notice: "kept" }))).toEqual({
      systemMessage: "kept",
    });
  });

  test.each(["deny", "ask"] as const)("carries the decision on a tool use: %s", (action) => {
    const answer = { decision: { action, reason: "the rule" }, context: "more" };
    expect(JSON.parse(renderAnswer("PreToolUse", answer))).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: action,
        permissionDecisionReason: "the rule",
        additionalContext: "more",
      },
    });
    expect(renderAnswer("PostToolUseFailure", { decision: answer.decision })).toBe("");
  });

  test("refuses in Codex, and does not ask there", () => {
    const reason = "the rule";
    expect(renderAnswer("PreToolUse", { decision: { action: "deny", reason } }, "codex")).toContain('"deny"');
    expect(renderAnswer("PreToolUse", { decision: { action: "ask", reason } }, "codex")).toBe("");
  });

  test("is empty when there is nothing to tell", () => {
    expect(renderAnswer("SessionStart", {})).toBe("");
    expect(renderAnswer("SessionStart", { context: "", notice: "" })).toBe("");
  });

  test("is never longer than the client takes whole, and never cuts a character", () => {
    const { hookSpecificOutput } = JSON.parse(
      renderAnswer("SessionStart", { context: "x".repeat(9999) + "😀".repeat(10) }),
    ) as Output;
    expect(hookSpecificOutput?.additionalContext).toBe("x".repeat(9999));
  });
});
