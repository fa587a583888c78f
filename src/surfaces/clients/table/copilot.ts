import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, FilePlan, Launch } from "../entry/client.ts";
import { CLAUDE_NAMED, jsonFile, launchLine, serverPiece } from "../entry/pieces.ts";

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

/**
 * The hooks file that Copilot CLI and VS Code's agent both read. Without a client's name: who runs it tells by what it
 * sends. Events under Claude Code's names, as Copilot's own do not say in the message what they are.
 */
function copilotHooks({ home, env, join }: ClientPlaces, launch: Launch): FilePlan {
  const hook = { type: "command", command: launchLine(launch, "hook"), timeout: 10 };
  const events = Object.keys(CLAUDE_NAMED).filter((event) => event !== "SubagentStart");
  const hooks = Object.fromEntries(events.map((event) => [event, [hook]]));
  return {
    file: join(env["COPILOT_HOME"] || join(home, ".copilot"), "hooks", "heed.json"),
    pieces: [jsonFile({ version: 1, hooks })],
  };
}

export const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  folders: ({ application, join }) => [join(application, "Code", "User")],
  instructions: "unknown",
  // It asks about every edit outside of the workspace by itself.
  permissions: ({ places: { application, join } }) => [
    {
      file: join(application, "Code", "User", "settings.json"),
      rules: [
        {
          kind: "json-entries",
          path: ["chat.tools.edits.autoApprove"],
          entries: { "**/.heed/**": false },
          rest: "**/*",
        },
      ],
    },
  ],
  plan({ places, launch, scope, root }) {
    const { application, join } = places;
    const pieces = [serverPiece(["servers"], launch, { before: { type: "stdio" } })];
    if (scope === "project") return [{ file: join(root, ".vscode", "mcp.json"), pieces }];
    return [{ file: join(application, "Code", "User", "mcp.json"), pieces }, copilotHooks(places, launch)];
  },
  notes: ["Hooks of VS Code's agent are a preview; an organisation can turn them off."],
};
