import type { Client } from "../entry/client.ts";
import { CLAUDE_NAMED, hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Factory Droid: events stand at the top level of its hooks file. */
export const droid: Client = {
  name: "droid",
  title: "Factory Droid",
  programs: ["droid"],
  folders: ({ home, join }) => [join(home, ".factory")],
  instructions: "not read",
  plan({ places: { home, join }, launch, scope, root }) {
    const folder = join(scope === "project" ? root : home, ".factory");
    return [
      {
        file: join(folder, "mcp.json"),
        pieces: [serverPiece(["mcpServers"], launch, { before: { type: "stdio" } })],
      },
      {
        file: join(folder, "hooks.json"),
        pieces: hookPieces(
          {
            client: "droid",
            path: [],
            events: { ...CLAUDE_NAMED, PostToolUse: "Execute" },
            shape: "groups",
            lead: { type: "command" },
            timeout: 10,
          },
          launch,
        ),
      },
    ];
  },
};
