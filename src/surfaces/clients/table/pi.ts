import type { Client, Launch } from "../entry/client.ts";
import { askHook, startsSource } from "../plugins/ask-hook.ts";

export const pi: Client = {
  name: "pi",
  title: "pi",
  programs: ["pi"],
  folders: ({ home, join }) => [join(home, ".pi", "agent")],
  instructions: "no server",
  checksStarts: true,
  plan: ({ places: { home, join }, launch, scope, root, starts }) => [
    {
      file: join(...(scope === "project" ? [root, ".pi"] : [home, ".pi", "agent"]), "extensions", "heed.ts"),
      pieces: [{ kind: "file", text: piExtension(launch, scope === "user" ? starts : undefined) }],
    },
  ],
};

/** @param starts - Absent in a repository, which others read too: a path of this machine. */
function piExtension(launch: Launch, starts: string | undefined): string {
  return `// @ts-nocheck
${askHook("pi", launch)}${starts === undefined ? "" : startsSource(starts)}
const textOf = (content) =>
  (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\\n");

export default function heed(pi) {
  /** What opens this session: added to the system text with every prompt. */
  let opening;
  const base = (ctx) => ({
    session_id: ctx.sessionManager.getSessionId(),
    cwd: ctx.cwd,
    transcript_path: ctx.sessionManager.getSessionFile() ?? "",
  });
  pi.on("session_start", async (_event, ctx) => {
    opening = ask({ ...base(ctx), hook_event_name: "SessionStart", source: "startup" });${starts === undefined ? "" : "\n    Object.assign(process.env, startsOf(base(ctx).session_id));"}
  });
  pi.on("before_agent_start", async ({ prompt, systemPrompt }, ctx) => {
    opening ??= ask({ ...base(ctx), hook_event_name: "SessionStart", source: "startup" });
    const start = (await opening).context;
    const { context } = await ask({ ...base(ctx), hook_event_name: "UserPromptSubmit", prompt });
    return {
      ...(start && { systemPrompt: systemPrompt + "\\n\\n" + start }),
      ...(context && { message: { customType: "heed", content: context, display: false } }),
    };
  });
  pi.on("tool_call", async ({ toolName, input }, ctx) => {
    const event = { hook_event_name: "PreToolUse", tool_name: toolName, tool_input: input };
    const { deny } = await ask({ ...base(ctx), ...event });
    return deny ? { block: true, reason: deny } : undefined;
  });
  pi.on("tool_result", async ({ toolName, input, content, isError }, ctx) => {
    if (!isError) return undefined;
    const event = { hook_event_name: "PostToolUseFailure", tool_name: toolName, tool_input: input };
    const { context } = await ask({ ...base(ctx), ...event, error: textOf(content) });
    return context ? { content: [...content, { type: "text", text: context }] } : undefined;
  });
  pi.on("session_before_compact", async (_event, ctx) => {
    await ask({ ...base(ctx), hook_event_name: "PreCompact" });
    opening = undefined;
  });
  pi.on("agent_end", async ({ messages }, ctx) => {
    const last = messages.filter(({ role }) => role === "assistant").at(-1);
    await ask({ ...base(ctx), hook_event_name: "Stop", last_assistant_message: textOf(last?.content) });
  });
  pi.on("session_shutdown", async ({ reason }, ctx) => {
    await ask({ ...base(ctx), hook_event_name: "SessionEnd", reason });
  });
}
`;
}
