import { CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { hasTranscriptIn, textIn } from "./dialect.ts";
import { nestedReplyAlone } from "./nested-reply.ts";

/** Codex. A key that it does not know fails the whole hook; a question before a tool use counts as one. */
export const codex: Dialect = {
  client: "codex",
  title: "Codex CLI",
  isSpokenIn: (fields) =>
    textIn(fields, "turn_id") !== undefined ||
    hasTranscriptIn(fields, "/.codex/sessions/") ||
    hasTranscriptIn(fields, "/rollout-"),
  env: ["CODEX_MANAGED_BY_NPM", "CODEX_MANAGED_PACKAGE_ROOT"],
  events: CLAUDE_EVENTS,
  tools: { shell: "Bash", local_shell: "Bash", exec_command: "Bash" },
  context: ["session-start", "subagent-start", "prompt", "tool-use"],
  decides: "deny",
  reply: nestedReplyAlone,
  keepsTranscripts: true,
  seen: "live",
  remarks: [
    "New hooks wait until you trust them: type `/hooks` in Codex once.",
    "Context comes as a developer message, after the prompt.",
  ],
};
