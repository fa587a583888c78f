import type { Client } from "../entry/client.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Claude Desktop: no hooks, no AGENTS.md; what the server says of itself is all that carries rules. */
export const claudeDesktop: Client = {
  name: "claude-desktop",
  title: "Claude Desktop",
  programs: [],
  folders: ({ application, join }) => [join(application, "Claude")],
  instructions: "read",
  plan: ({ places, launch, scope }) =>
    scope === "project"
      ? undefined
      : [
          {
            file: places.join(places.application, "Claude", "claude_desktop_config.json"),
            pieces: [serverPiece(["mcpServers"], launch, { flags: ["--with-rules"] })],
          },
        ],
};
