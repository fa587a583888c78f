import type { Client } from "../entry/client.ts";
import { serverPiece } from "../entry/server-piece.ts";
import { copilotHooks } from "./copilot-hooks.ts";

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
