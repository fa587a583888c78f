import { join } from "node:path";
import type { Sandbox } from "./client/sandbox.ts";

/** A server that asks the user at the end of each turn, and has the client ask before each command. */
const ASKING_SERVER = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const waiting = new Map();
const QUESTION = {
  mode: "form",
  message: "Keep as a rule: never use npm here",
  requestedSchema: {
    type: "object",
    properties: { answer: { type: "string", title: "Answer", enum: ["keep", "do not keep"] } },
    required: ["answer"],
  },
};
async function answer({ event }) {
  if (event === "PreToolUse")
    return { hookSpecificOutput: { hookEventName: event, permissionDecision: "ask", permissionDecisionReason: "A RULE SAYS SO" } };
  const id = "box-" + waiting.size;
  send({ id, method: "elicitation/create", params: QUESTION });
  const { result } = await new Promise((resolve) => waiting.set(id, resolve));
  return { systemMessage: "ANSWERED " + JSON.stringify(result) };
}
const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "asking", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [] }),
  "tools/call": async (params) => ({ content: [{ type: "text", text: JSON.stringify(await answer(params.arguments)) }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) return waiting.get(message.id)(message);
  if (message.id === undefined) return;
  const result = await METHODS[message.method]?.(message.params);
  send(result ? { id: message.id, result } : { id: message.id, error: { code: -32601, message: "no such method" } });
});
`;

/** A plugin that asks, by a tool that it does not list: of the client's own dialogs, without heed. Returns its folder. */
export function askingPlugin(sandbox: Sandbox): string {
  const folder = join(sandbox.root, "asking-plugin");
  const write = (path: string, value: object): string =>
    sandbox.write(join(folder, path), JSON.stringify(value));
  write(".claude-plugin/plugin.json", { name: "asking", version: "0.0.1" });
  sandbox.write(join(folder, "server.cjs"), ASKING_SERVER);
  write(".mcp.json", {
    mcpServers: { asking: { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/server.cjs"] } },
  });
  const hook = (event: string): object => ({
    type: "mcp_tool",
    server: "plugin:asking:asking",
    tool: "unlisted",
    timeout: 60,
    input: { event },
  });
  write("hooks/hooks.json", {
    hooks: {
      PreToolUse: [{ matcher: "Bash", hooks: [hook("PreToolUse")] }],
      Stop: [{ hooks: [hook("Stop")] }],
    },
  });
  return folder;
}
