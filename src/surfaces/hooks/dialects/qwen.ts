import { CLAUDE_CONTEXT, CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { hasTranscriptIn } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { nestedReply } from "./nested-reply.ts";

/** Qwen Code: Gemini CLI's tools under Claude Code's events. After each tool's result it sends an empty prompt. */
export const qwen: Dialect = {
  client: "qwen",
  title: "Qwen Code",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.qwen/projects/"),
  env: ["QWEN_CODE_SESSION_ID"],
  events: CLAUDE_EVENTS,
  tools: { ...gemini.tools, edit: "Edit", list_directory: "LS" },
  context: CLAUDE_CONTEXT,
  decides: "deny",
  reply: nestedReply,
  keepsTranscripts: true,
  seen: "live",
};
