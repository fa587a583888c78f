import { CLAUDE_CONTEXT, CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { nestedReply } from "./nested-reply.ts";

/**
 * Claude Code. PreCompact and SessionEnd refuse context (the client reports an error to the user); on Stop it would make
 * the model go on.
 */
export const claudeCode: Dialect = {
  client: "claude-code",
  title: "Claude Code",
  // Nothing is its own: five other clients set CLAUDE_PROJECT_DIR and use its field names. What no mark tells is its.
  isSpokenIn: () => false,
  env: [],
  events: CLAUDE_EVENTS,
  context: CLAUDE_CONTEXT,
  decides: "ask",
  reply: nestedReply,
  keepsTranscripts: true,
  seen: "live",
};
