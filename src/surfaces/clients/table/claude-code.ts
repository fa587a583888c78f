import { execFile } from "node:child_process";
import { denyRulePieces } from "../entry/claude-deny-rules.ts";
import { claudeHooks } from "../entry/claude-hooks.ts";
import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, FilePlan, Piece } from "../entry/client.ts";
import { launchLine, serverPiece } from "../entry/pieces.ts";

/** Claude Code without the plugin, which brings hooks and server itself. */
export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  folders: (places) => [settingsFolder(places)],
  instructions: "read",
  checksStarts: true,
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

/** The client's start takes up to a few seconds on a cold disk. */
const TIMEOUT_MS = 10_000;

/** The first version of Claude Code that knows both `mcp_tool` hooks (2.1.118) and commands with `args` (2.1.139). */
const RESIDENT_SINCE = [2, 1, 139] as const;

function claudeVersion(env: Readonly<Record<string, string | undefined>>): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      "claude",
      ["--version"],
      { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024, env: { ...env }, windowsHide: true },
      (error, stdout) => resolve(error === null ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined),
    );
  });
}

/** Whether a version knows the hooks that call the resident server. An unknown version does not. */
export function knowsResidentHooks(version: string | undefined): boolean {
  const parts = version?.split(".").map(Number) ?? [];
  if (parts.length !== 3 || parts.some(Number.isNaN)) return false;
  for (const [i, wanted] of RESIDENT_SINCE.entries()) {
    const part = parts[i] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}
