import { claudeHooks } from "../entry/claude-hooks.ts";
import { denyRulePieces } from "../entry/claude-deny-rules.ts";
import { claudeVersion, knowsResidentHooks } from "../entry/claude-version.ts";
import type { Client, FilePlan, Piece } from "../entry/client.ts";
import { launchLine } from "../entry/launch-line.ts";
import { serverPiece } from "../entry/server-piece.ts";

/** Claude Code without the plugin, which brings hooks and server itself. */
export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  folders: ({ home, env, join }) => [env["CLAUDE_CONFIG_DIR"] || join(home, ".claude")],
  instructions: "read",
  async plan({ places, launch, scope, root, protectedFolders }): Promise<FilePlan[]> {
    const { home, env, join } = places;
    const isProject = scope === "project";
    const folder = isProject ? join(root, ".claude") : env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
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
    const rules = isProject ? [] : denyRulePieces(protectedFolders, home);
    return [
      { file: servers, pieces: [serverPiece(["mcpServers"], launch, { before: { type: "stdio" } })] },
      { file: join(folder, "settings.json"), pieces: [...items, ...rules] },
    ];
  },
};
