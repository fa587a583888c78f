import { join } from "node:path";
import type { Sandbox } from "./client/sandbox.ts";

/** A server that answers each call of its one tool at once, with nothing. */
const SILENT_SERVER = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: () => ({
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "silent", version: "1.0.0" },
    }),
    "tools/list": () => ({
      tools: [{ name: "answer", description: "Answers with nothing.", inputSchema: { type: "object" } }],
    }),
    "tools/call": () => ({ content: [{ type: "text", text: "{}" }] }),
  };
  const result = results[method]?.();
  send(result ? { id, result } : { id, error: { code: -32601, message: "no such method" } });
});
`;

/**
 * A plugin that does nothing on each prompt, by the kind of hook that costs least: a tool of its own server. What it adds
 * is what the client takes for any plugin that looks at prompts. Returns its folder.
 */
export function silentPlugin(sandbox: Sandbox): string {
  const folder = join(sandbox.root, "silent-plugin");
  const write = (path: string, value: object): string =>
    sandbox.write(join(folder, path), JSON.stringify(value));
  write(".claude-plugin/plugin.json", { name: "silent", version: "0.0.1" });
  sandbox.write(join(folder, "server.cjs"), SILENT_SERVER);
  const server = { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/server.cjs"] };
  write(".mcp.json", { mcpServers: { silent: server } });
  const hook = {
    type: "mcp_tool",
    server: "plugin:silent:silent",
    tool: "answer",
    timeout: 3,
    input: { session_id: "${session_id}", prompt: "${prompt}" },
  };
  write("hooks/hooks.json", { hooks: { UserPromptSubmit: [{ hooks: [hook] }] } });
  return folder;
}
