import type { Client } from "../entry/client.ts";
import { serverPiece } from "../entry/server-piece.ts";
import { copilotHooks } from "./copilot-hooks.ts";

export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  folders: ({ home, env, join }) => [env["COPILOT_HOME"] || join(home, ".copilot")],
  instructions: "not read",
  plan({ places, launch, scope, root }) {
    const { home, env, join } = places;
    const style = { before: { type: "local" }, after: { tools: ["*"] } };
    const pieces = [serverPiece(["mcpServers"], launch, style)];
    if (scope === "project") return [{ file: join(root, ".github", "mcp.json"), pieces }];
    const folder = env["COPILOT_HOME"] || join(home, ".copilot");
    return [{ file: join(folder, "mcp-config.json"), pieces }, copilotHooks(places, launch)];
  },
};
