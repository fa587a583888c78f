import { withOneCommand } from "../../../past/capture/transcript/tool-names.ts";
import { type Adapter, type EventKind, type Fields, fieldsIn, textIn } from "./adapter.ts";

const EVENTS: Readonly<Record<string, EventKind>> = {
  TaskStart: "session-start",
  TaskResume: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PreCompact: "compaction",
  TaskComplete: "stop",
  TaskCancel: "session-end",
  SessionShutdown: "session-end",
};

/** Names under which Cline's messages say what happened, where the hook's file name is not known. */
const INTERNAL: Readonly<Record<string, string>> = {
  agent_start: "TaskStart",
  tool_call: "PreToolUse",
  agent_end: "TaskComplete",
  session_shutdown: "SessionShutdown",
};

/**
 * Cline. A refusal (`cancel`) ends the whole run there, so guards only tell. What is told at the start of a task is not
 * used by the command line; what is told at the first tool use is.
 */
export const cline: Adapter = {
  client: "cline",
  title: "Cline",
  isSpokenIn: (fields) => typeof fields["clineVersion"] === "string",
  env: [],
  events: EVENTS,
  read(fields) {
    const internal = textIn(fields, "hookName") ?? "";
    // The older field has a list as text.
    const call = fieldsIn(fields, "tool_call") ?? fieldsIn(fields, "preToolUse");
    const workspace = fieldsIn(fields, "workspaceInfo");
    const roots = fields["workspaceRoots"];
    const session = textIn(fieldsIn(fields, "sessionContext") ?? {}, "rootSessionId") ?? fields["taskId"];
    return {
      hook_event_name: INTERNAL[internal] ?? internal,
      ...fields,
      session_id: session,
      transcript_path: typeof session === "string" ? transcriptOf(session) : undefined,
      // Every agent has an id, the main one too.
      agent_id: textIn(fields, "parent_agent_id") && fields["agent_id"],
      last_assistant_message: textIn(fieldsIn(fields, "turn") ?? {}, "outputText"),
      cwd: textIn(workspace ?? {}, "rootPath") ?? (Array.isArray(roots) ? (roots[0] as unknown) : undefined),
      source: internal === "TaskResume" ? "resume" : "startup",
      prompt: textIn(fieldsIn(fields, "userPromptSubmit") ?? {}, "prompt"),
      tool_name: call && (textIn(call, "toolName") ?? textIn(call, "tool") ?? textIn(call, "name")),
      tool_input: call && inputOf(call),
    };
  },
  context: ["tool-use"],
  decides: "none",
  reply: ({ context }) =>
    context === undefined
      ? undefined
      : { stdout: { cancel: false, contextModification: context, errorMessage: "" } },
  seen: "live",
  remarks: [
    "Rules and map reach it by `heed sync agents-md`; what is told at a tool use comes with its result.",
    "A refusal would end the whole run, so a guard's rule is told, not enforced.",
    "In the VS Code extension turn on “Enable Hooks”.",
  ],
};

/** Where its command line keeps the messages of a session; its messages to hooks do not say it. */
function transcriptOf(session: string): string | undefined {
  const home = process.env["HOME"];
  if (home === undefined || !/^[\w-]+$/.test(session)) return undefined;
  return `${home}/.cline/data/sessions/${session}/${session}.messages.json`;
}

function inputOf(call: Fields): unknown {
  const input = call["parameters"] ?? call["input"];
  return typeof input === "object" && input !== null ? withOneCommand(input as Fields) : input;
}
