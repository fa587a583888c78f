import type { Client } from "../entry/client.ts";
import { hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

export const crush: Client = {
  name: "crush",
  title: "Crush",
  programs: ["crush"],
  folders: ({ config, join }) => [join(config, "crush")],
  instructions: "unknown",
  plan: ({ places: { config, join }, launch, scope, root }) => [
    {
      file: scope === "project" ? join(root, ".crush.json") : join(config, "crush", "crush.json"),
      pieces: [
        serverPiece(["mcp"], launch, { before: { type: "stdio" }, flags: ["--with-rules"] }),
        ...hookPieces(
          {
            client: "crush",
            path: ["hooks"],
            events: { PreToolUse: "^(bash|edit|multiedit|write|view|fetch|mcp_.*)$" },
            shape: "flat",
            timeout: 10,
          },
          launch,
        ),
      ],
    },
  ],
};
