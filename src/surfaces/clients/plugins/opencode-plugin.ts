import type { Launch } from "../entry/client.ts";
import { askHook } from "./ask-hook.ts";

/** heed's plugin for opencode and its fork Kilo, as the text of a JavaScript file. */
export function opencodePlugin(client: "opencode" | "kilo", launch: Launch): string {
  return `${askHook(client, launch, ['import { homedir } from "node:os";', 'import { join } from "node:path";'])}
/** Where the client keeps its sessions. */
const DATA = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");
const DATABASE = join(DATA, "${client}", "${client}.db");

/** The shell's exit code says whether a command failed. */
const hasFailed = (metadata) => typeof metadata?.exit === "number" && metadata.exit !== 0;

export const heed = async ({ directory }) => {
  /** What opens each session: told with every request, as the client keeps no system text. */
  const openings = new Map();
  const base = (session) => ({ session_id: session ?? "", cwd: directory, transcript_path: DATABASE + "#" + (session ?? "") });
  const opening = (session) => {
    if (!openings.has(session))
      openings.set(session, ask({ ...base(session), hook_event_name: "SessionStart", source: "startup" }));
    return openings.get(session);
  };
  return {
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return;
      const { context } = await opening(sessionID);
      if (context) output.system.push(context);
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const prompt = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\\n");
      if (prompt.trim() === "") return;
      await opening(sessionID);
      const { context } = await ask({ ...base(sessionID), hook_event_name: "UserPromptSubmit", prompt });
      if (!context) return;
      const id = "prt_" + Date.now().toString(16).padStart(12, "0") + Math.random().toString(36).slice(2, 16).padEnd(14, "0");
      parts.push({ id, sessionID, messageID: message.id, type: "text", text: context, synthetic: true });
    },
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      const { deny } = await ask({ ...base(sessionID), hook_event_name: "PreToolUse", tool_name: tool, tool_input: args });
      if (deny) throw new Error(deny);
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!hasFailed(output?.metadata)) return;
      const event = { tool_name: tool, tool_input: args ?? {}, error: String(output.output ?? "") };
      const { context } = await ask({ ...base(sessionID), hook_event_name: "PostToolUseFailure", ...event });
      if (context) output.output += "\\n\\n" + context;
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      await ask({ ...base(sessionID), hook_event_name: "PreCompact" });
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id;
      if (event.type === "session.idle") await ask({ ...base(session), hook_event_name: "Stop" });
      if (event.type === "session.deleted") {
        openings.delete(session);
        await ask({ ...base(session), hook_event_name: "SessionEnd", reason: "deleted" });
      }
    },
  };
};
`;
}
