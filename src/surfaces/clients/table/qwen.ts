import type { Client } from "../entry/client.ts";
import { editRulePieces } from "../entry/claude-deny-rules.ts";
import { CLAUDE_NAMED, hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  folders: ({ home, join }) => [join(home, ".qwen")],
  instructions: "read",
  permissions: ({ places: { home, join }, protectedFolders }) => [
    {
      file: join(home, ".qwen", "settings.json"),
      // What begins with neither `~/` nor `//` counts from where the session is.
      rules: editRulePieces(protectedFolders, home, ["Edit(//**/.heed/**)"]),
    },
  ],
  plan: ({ places: { home, join }, launch, scope, root }) => [
    {
      file: join(scope === "project" ? root : home, ".qwen", "settings.json"),
      pieces: [
        serverPiece(["mcpServers"], launch),
        ...hookPieces(
          {
            client: "qwen",
            path: ["hooks"],
            events: { ...CLAUDE_NAMED, PostToolUseFailure: "" },
            shape: "groups",
            lead: { type: "command", name: "heed" },
            // Milliseconds, as in Gemini CLI, of which it is a fork.
            timeout: 10_000,
          },
          launch,
        ),
      ],
    },
  ],
};
