import type { Dialect } from "./dialect.ts";
import { textIn } from "./dialect.ts";

/** Goose: hooks stop tools and tell heed what happens; nothing that they say reaches the model. */
export const goose: Dialect = {
  client: "goose",
  title: "Goose",
  isSpokenIn: (fields) =>
    textIn(fields, "event") !== undefined && textIn(fields, "working_dir") !== undefined,
  env: [],
  events: {
    SessionStart: "session-start",
    UserPromptSubmit: "prompt",
    PreToolUse: "tool-use",
    Stop: "stop",
    SessionEnd: "session-end",
  },
  read: (fields) => ({
    ...fields,
    hook_event_name: fields["event"],
    cwd: fields["working_dir"],
    prompt: fields["message"],
  }),
  tools: { developer__shell: "Bash", developer__text_editor: "Edit", shell: "Bash", text_editor: "Edit" },
  context: [],
  decides: "deny",
  reply: ({ decision }) => decision && { stdout: { decision: "block", reason: decision.reason } },
  seen: "documents",
};
