import type { Launch } from "../entry/client.ts";
import { askHook } from "./ask-hook.ts";

/** heed's plugin for Amp, as the text of a TypeScript file without types. */
export function ampPlugin(launch: Launch): string {
  return `// @ts-nocheck
${askHook("amp", launch)}
export default function heed(amp) {
  const base = (event) => ({ session_id: event.thread?.id ?? "", cwd: process.cwd() });
  const opened = new Set();
  amp.on("agent.start", async (event) => {
    const session = base(event);
    const parts = [];
    if (!opened.has(session.session_id)) {
      opened.add(session.session_id);
      parts.push((await ask({ ...session, hook_event_name: "SessionStart", source: "startup" })).context);
    }
    const prompt = typeof event.message === "string" ? event.message : (event.message?.content ?? "");
    if (typeof prompt === "string")
      parts.push((await ask({ ...session, hook_event_name: "UserPromptSubmit", prompt })).context);
    const content = parts.filter(Boolean).join("\\n\\n");
    return content ? { message: { content, display: false } } : undefined;
  });
  amp.on("tool.call", async (event) => {
    const use = { hook_event_name: "PreToolUse", tool_name: event.tool, tool_input: event.input };
    const { deny } = await ask({ ...base(event), ...use });
    return deny ? { action: "reject-and-continue", message: deny } : { action: "allow" };
  });
  amp.on("agent.end", async (event) => {
    await ask({ ...base(event), hook_event_name: "Stop" });
  });
}
`;
}
