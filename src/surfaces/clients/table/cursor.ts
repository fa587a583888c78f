import type { Client } from "../entry/client.ts";
import { hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  folders: ({ home, application, join }) => [join(home, ".cursor"), join(application, "Cursor")],
  instructions: "unknown",
  plan({ places: { home, join }, launch, scope, root }) {
    const folder = join(scope === "project" ? root : home, ".cursor");
    const events = [
      "sessionStart",
      "beforeSubmitPrompt",
      "preToolUse",
      "postToolUseFailure",
      "preCompact",
      "stop",
      "sessionEnd",
    ];
    return [
      { file: join(folder, "mcp.json"), pieces: [serverPiece(["mcpServers"], launch)] },
      {
        file: join(folder, "hooks.json"),
        pieces: [
          { kind: "json-value", path: ["version"], value: 1 },
          ...hookPieces(
            {
              client: "cursor",
              path: ["hooks"],
              events: Object.fromEntries(events.map((event) => [event, ""])),
              shape: "flat",
              timeout: 10,
            },
            launch,
          ),
        ],
      },
    ];
  },
};
