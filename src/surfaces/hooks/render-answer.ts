import type { EventAnswer } from "../../heed.ts";

/** The client cuts a longer text to a preview and stores the rest in a file: nothing longer may leave heed. */
const MAX_CONTEXT_CHARS = 10_000;

/**
 * Events whose `additionalContext` reaches the model without changing what the session does. PreCompact and SessionEnd
 * refuse it (the client reports an error to the user); on Stop it would make the model go on.
 */
const WITH_CONTEXT = new Set([
  "SessionStart",
  "SubagentStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUseFailure",
]);

/** The JSON with which a hook answers its client; empty when there is nothing to tell. */
export function renderAnswer(eventName: string, answer: EventAnswer, client = "claude-code"): string {
  const decision = eventName === "PreToolUse" ? decisionFor(client, answer) : undefined;
  const context = WITH_CONTEXT.has(eventName) ? cutAtCharacter(answer.context ?? "", MAX_CONTEXT_CHARS) : "";
  const notice = cutAtCharacter(answer.notice ?? "", MAX_CONTEXT_CHARS);
  if (context === "" && notice === "" && decision === undefined) return "";
  return JSON.stringify({
    ...(notice !== "" && { systemMessage: notice }),
    ...((context !== "" || decision !== undefined) && {
      hookSpecificOutput: {
        hookEventName: eventName,
        ...(decision && {
          permissionDecision: decision.action,
          permissionDecisionReason: cutAtCharacter(decision.reason, MAX_CONTEXT_CHARS),
        }),
        ...(context !== "" && { additionalContext: context }),
      },
    }),
  });
}

/** Codex knows no question before a tool use and drops an answer that has one: there, a refusal stays one, alone. */
function decisionFor(client: string, { decision }: EventAnswer): EventAnswer["decision"] {
  return client === "codex" && decision?.action === "ask" ? undefined : decision;
}

/** The first characters of a text, never half of a surrogate pair. */
function cutAtCharacter(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars);
}
