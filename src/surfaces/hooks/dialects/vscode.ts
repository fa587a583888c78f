import { CLAUDE_EVENTS } from "./claude-events.ts";
import type { Dialect } from "./dialect.ts";
import { textIn } from "./dialect.ts";
import { nestedReply } from "./nested-reply.ts";

/** The agent of VS Code: it also runs Claude Code's and Copilot CLI's hooks. */
export const vscode: Dialect = {
  client: "vscode",
  title: "VS Code",
  isSpokenIn: (fields) => textIn(fields, "hookEventName") !== undefined,
  env: [],
  events: CLAUDE_EVENTS,
  read: (fields) => ({
    ...fields,
    hook_event_name: fields["hookEventName"],
    session_id: fields["sessionId"],
  }),
  tools: {
    run_in_terminal: "Bash",
    runInTerminal: "Bash",
    create_file: "Write",
    createFile: "Write",
    replace_string_in_file: "Edit",
    editFiles: "Edit",
    read_file: "Read",
    readFile: "Read",
  },
  context: ["session-start", "subagent-start", "tool-use"],
  decides: "deny",
  runsOthersHooks: true,
  reply: nestedReply,
  seen: "documents",
};
