import { CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { hasTranscriptIn, textIn } from "./dialect.ts";
import { nestedReply } from "./nested-reply.ts";

/** Factory Droid. It has no event for a failed call; the result of each one tells. */
export const droid: Dialect = {
  client: "droid",
  title: "Factory Droid",
  isSpokenIn: (fields) => hasTranscriptIn(fields, "/.factory/sessions/"),
  env: ["FACTORY_PROJECT_DIR", "DROID_PROJECT_DIR"],
  events: { ...CLAUDE_EVENTS, PostToolUse: "tool-failure" },
  read(fields) {
    const output = textIn(fields, "tool_response") ?? "";
    const hasFailed = /\[Process exited with code [1-9]\d*\]\s*$/.test(output);
    return { ...fields, ...(hasFailed && { error: output }) };
  },
  tools: { Execute: "Bash", Create: "Write", ApplyPatch: "apply_patch" },
  context: ["session-start", "prompt", "tool-use", "tool-failure"],
  decides: "deny",
  reply: nestedReply,
  keepsTranscripts: true,
  seen: "live",
  remarks: ["`droid exec` does not tell of prompts, so facts come there by the map and the tools alone."],
};
