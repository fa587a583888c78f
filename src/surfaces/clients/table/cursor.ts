import { existsSync } from "node:fs";
import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client } from "../entry/client.ts";
import { hookPieces } from "../entry/hook-pieces.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** The configuration of its command line, which makes it itself with more than heed could put there. */
const cliConfig = ({ home, env, platform, join }: ClientPlaces): string => {
  const xdg = platform === "linux" ? env["XDG_CONFIG_HOME"] : undefined;
  const folder = env["CURSOR_CONFIG_DIR"] || (xdg ? join(xdg, "cursor") : join(home, ".cursor"));
  return join(folder, "cli-config.json");
};

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  folders: ({ home, application, join }) => [join(home, ".cursor"), join(application, "Cursor")],
  instructions: "unknown",
  permissions({ places, protectedFolders: { records } }) {
    const file = cliConfig(places);
    if (!existsSync(file)) return [];
    const values = records.map((folder) => `Write(${places.join(folder, "**")})`);
    return [{ file, rules: [{ kind: "json-values", path: ["permissions", "deny"], values }] }];
  },
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
