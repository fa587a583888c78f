import type { Client } from "../entry/client.ts";
import { geminiPolicy } from "../plugins/gemini-policy.ts";
import { hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Tools whose input names paths or runs commands, and those that reach out. */
const TOOLS = "run_shell_command|write_file|replace|read_file|glob|search_file_content|web_fetch|mcp_.*";

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  folders: ({ home, join }) => [join(home, ".gemini")],
  instructions: "read",
  permissions: ({ places: { home, join }, protectedFolders }) => [
    {
      file: join(home, ".gemini", "policies", "heed.toml"),
      rules: [{ kind: "file", text: geminiPolicy(protectedFolders, home) }],
    },
  ],
  plan: ({ places: { home, join }, launch, scope, root }) => [
    {
      file: join(scope === "project" ? root : home, ".gemini", "settings.json"),
      pieces: [
        serverPiece(["mcpServers"], launch),
        ...hookPieces(
          {
            client: "gemini",
            path: ["hooks"],
            events: {
              SessionStart: "",
              BeforeAgent: "",
              BeforeTool: TOOLS,
              AfterTool: "run_shell_command|mcp_.*",
              AfterAgent: "",
              SessionEnd: "",
            },
            shape: "groups",
            lead: { type: "command", name: "heed" },
            // Milliseconds.
            timeout: 10_000,
          },
          launch,
        ),
      ],
    },
  ],
};
