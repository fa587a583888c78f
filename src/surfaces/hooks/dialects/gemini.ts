import type { Dialect, EventKind, Fields } from "./dialect.ts";
import { fieldsIn, hasTranscriptIn, textIn } from "./dialect.ts";
import { nestedReply } from "./nested-reply.ts";

const EVENTS: Readonly<Record<string, EventKind>> = {
  SessionStart: "session-start",
  BeforeAgent: "prompt",
  BeforeTool: "tool-use",
  AfterTool: "tool-failure",
  AfterAgent: "stop",
  SessionEnd: "session-end",
};

/** Gemini CLI. PreCompress also comes when nothing is compressed, so it says nothing. */
export const gemini: Dialect = {
  client: "gemini",
  title: "Gemini CLI",
  isSpokenIn: (fields) =>
    /^(?:Before|After)(?:Agent|Tool)$/.test(textIn(fields, "hook_event_name") ?? "") ||
    hasTranscriptIn(fields, "/.gemini/tmp/"),
  // Qwen Code, its fork, sets GEMINI_PROJECT_DIR too, but not this.
  env: ["GEMINI_SESSION_ID"],
  events: EVENTS,
  read(fields) {
    const response = fieldsIn(fields, "tool_response");
    return {
      ...fields,
      last_assistant_message: fields["prompt_response"],
      ...(response && { error: failureOf(response) }),
    };
  },
  tools: {
    run_shell_command: "Bash",
    write_file: "Write",
    replace: "Edit",
    read_file: "Read",
    glob: "Glob",
    search_file_content: "Grep",
    grep_search: "Grep",
    web_fetch: "WebFetch",
    google_web_search: "WebSearch",
  },
  context: ["session-start", "prompt", "tool-failure"],
  decides: "deny",
  reply(answer, event) {
    const { decision } = answer;
    if (decision) return { stdout: { decision: decision.action, reason: decision.reason } };
    return nestedReply(answer, event);
  },
  keepsTranscripts: true,
  seen: "live",
};

/** The words of a failed call: an error, or the output of a command that ended with another code than 0. */
function failureOf(response: Fields): string | undefined {
  const error = response["error"];
  if (typeof error === "string") return error;
  const told = textIn(fieldsIn(response, "error") ?? {}, "message");
  const output = textIn(response, "llmContent") ?? "";
  return told ?? (/(?:^|\n)Exit Code: [1-9]/.test(output) ? output : undefined);
}
