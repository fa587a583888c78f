import { claudeHooks } from "../entry/claude-hooks.ts";
import { denyRulePieces } from "../entry/claude-deny-rules.ts";
import { claudeVersion, knowsResidentHooks } from "../entry/claude-version.ts";
import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, FilePlan, Piece } from "../entry/client.ts";
import { launchLine } from "../entry/launch-line.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Claude Code without the plugin, which brings hooks and server itself. */
export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  folders: (places) => [settingsFolder(places)],
  instructions: "read",
  async plan({ places, launch, scope, root }): Promise<FilePlan[]> {
    const { home, env, join } = places;
    const isProject = scope === "project";
    const folder = isProject ? join(root, ".claude") : settingsFolder(places);
    const servers = isProject
      ? join(root, ".mcp.json")
      : join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json");
    const isResident = knowsResidentHooks(await claudeVersion(env));
    const hooks = claudeHooks({
      variant: isResident ? "resident" : "command",
      server: "heed",
      ...(isResident
        ? { command: launch.command, args: [...launch.args, "hook", "--unless-plugin"] }
        : { command: launchLine(launch, "hook") }),
    });
    const items = Object.entries(hooks).flatMap(([event, groups]) =>
      groups.map((value): Piece => ({ kind: "json-item", path: ["hooks", event], value })),
    );
    return [
      { file: servers, pieces: [serverPiece(["mcpServers"], launch, { before: { type: "stdio" } })] },
      { file: join(folder, "settings.json"), pieces: items },
    ];
  },
  permissions: ({ places, protectedFolders }) => [
    {
      file: places.join(settingsFolder(places), "settings.json"),
      rules: denyRulePieces(protectedFolders, places.home),
    },
  ],
};

const settingsFolder = ({ home, env, join }: ClientPlaces): string =>
  env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
