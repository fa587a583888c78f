import { CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect, Fields } from "./dialect.ts";
import { textIn } from "./dialect.ts";
import { nestedReplyAlone } from "./nested-reply.ts";

/** Kimi Code. Nested JSON on a prompt would be shown to the model as it stands: `message` it is. */
export const kimi: Dialect = {
  client: "kimi",
  title: "Kimi Code",
  isSpokenIn: (fields) => (textIn(fields, "client_type") ?? "").startsWith("kimi"),
  env: [],
  // The start of a session has no channel to the model: rules and map come with the first prompt (see startsLate).
  events: CLAUDE_EVENTS,
  read: (fields) => ({ ...fields, prompt: promptOf(fields["prompt"]) }),
  tools: { Shell: "Bash", WriteFile: "Write", StrReplaceFile: "Edit", ReadFile: "Read" },
  context: ["prompt"],
  decides: "deny",
  reply(answer, event) {
    if (answer.decision) return nestedReplyAlone({ decision: answer.decision }, event);
    return answer.context === undefined ? undefined : { stdout: { message: answer.context } };
  },
  keepsTranscripts: true,
  seen: "live",
};

function promptOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.flatMap((part: unknown) => textIn(part as Fields, "text") ?? []).join("\n");
}
