import type { Dialect } from "./dialect.ts";

/** Crush: one event in all releases. An explicit allow would skip its own question, so heed never gives one. */
export const crush: Dialect = {
  client: "crush",
  title: "Crush",
  isSpokenIn: () => false,
  env: ["CRUSH_EVENT", "CRUSH_PROJECT_DIR"],
  events: { PreToolUse: "tool-use", PreCompact: "compaction", Stop: "stop" },
  read: (fields) => ({ ...fields, hook_event_name: fields["event"] ?? fields["hook_event_name"] }),
  tools: { bash: "Bash", edit: "Edit", multiedit: "MultiEdit", write: "Write", view: "Read" },
  context: ["tool-use"],
  decides: "deny",
  reply({ context, decision }) {
    if (decision) return { stdout: { version: 1, decision: "deny", reason: decision.reason } };
    return context === undefined ? undefined : { stdout: { version: 1, context } };
  },
  seen: "documents",
};
