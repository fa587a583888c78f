import type { Client } from "../entry/client.ts";
import { CLAUDE_NAMED, hookPieces } from "../entry/hook-pieces.ts";
import { serverCommand } from "../entry/server-piece.ts";
import { tomlValue } from "../entry/toml-value.ts";

/** Codex. A key that it does not know in a hook's file makes the file fail: nothing but what it names. */
export const codex: Client = {
  name: "codex",
  title: "Codex CLI",
  programs: ["codex"],
  folders: ({ home, env, join }) => [env["CODEX_HOME"] || join(home, ".codex")],
  instructions: "read",
  plan({ places: { home, env, join }, launch, scope, root }) {
    const folder = scope === "project" ? join(root, ".codex") : env["CODEX_HOME"] || join(home, ".codex");
    const { command, args } = serverCommand(launch);
    // Codex gives servers no variable of its user's: without this one the server would keep another store than the hooks.
    const moved = scope === "project" ? "" : (env["HEED_DIR"] ?? "");
    const text =
      `[mcp_servers.heed]\ncommand = ${tomlValue(command)}\nargs = ${tomlValue(args)}` +
      (moved === "" ? "" : `\n\n[mcp_servers.heed.env]\nHEED_DIR = ${tomlValue(moved)}`);
    return [
      {
        file: join(folder, "config.toml"),
        pieces: [{ kind: "toml", table: ["mcp_servers", "heed"], text }],
      },
      {
        file: join(folder, "hooks.json"),
        pieces: hookPieces(
          {
            client: "codex",
            path: ["hooks"],
            events: CLAUDE_NAMED,
            shape: "groups",
            lead: { type: "command" },
            timeout: 10,
          },
          launch,
        ),
      },
    ];
  },
  notes: ["Codex runs new hooks once you trust them: type /hooks in it."],
};
