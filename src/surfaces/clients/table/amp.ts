import type { Client, Launch, Piece } from "../entry/client.ts";
import { serverPiece } from "../entry/pieces.ts";
import { askHook } from "../plugins/ask-hook.ts";

/** Its rule for the tools that write a file by its path; the first that fits counts, and `*` goes over `/`. */
const rule = (folders: readonly string[]): object => ({
  tool: "{edit,create}_file",
  matches: { path: folders.map((folder) => `${folder}/**`) },
});

export const amp: Client = {
  name: "amp",
  title: "Amp",
  programs: ["amp"],
  folders: ({ config, join }) => [join(config, "amp")],
  instructions: "unknown",
  permissions({ places: { config, join, platform }, protectedFolders: { records, stores } }) {
    // How its patterns take a path with a backslash is not known.
    if (platform === "win32") return [];
    const values = [
      { ...rule(records), action: "reject", message: "heed's records are written by heed alone." },
      { ...rule([...stores, "**/.heed", ".heed"]), action: "ask" },
    ];
    const piece: Piece = { kind: "json-values", path: ["amp.permissions"], values, isFirst: true };
    return [{ file: join(config, "amp", "settings.json"), rules: [piece] }];
  },
  plan({ places: { config, join }, launch, scope, root }) {
    const folder = scope === "project" ? join(root, ".amp") : join(config, "amp");
    return [
      { file: join(folder, "settings.json"), pieces: [serverPiece(["amp.mcpServers"], launch)] },
      {
        file: join(folder, "plugins", "heed.ts"),
        pieces: [{ kind: "file", text: ampPlugin(launch) }],
      },
    ];
  },
};

function ampPlugin(launch: Launch): string {
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
