import { execFile } from "node:child_process";
import type { Client, ClientPlaces, Piece, ProtectedFolders } from "../entry/client.ts";
import { editRulePieces, launchLine, serverPiece } from "../entry/pieces.ts";
import { claudeHooks } from "./claude-hooks.ts";

export const claudeCode: Client = {
  name: "claude-code",
  title: "Claude Code",
  programs: ["claude"],
  folders: (places) => [settingsFolder(places)],
  checksStarts: true,
  async plan({ places, launch, scope, root }) {
    const { home, env, join } = places;
    const isProject = scope === "project";
    const isResident = knowsResidentHooks(await claudeVersion(env));
    const hooks = claudeHooks({
      variant: isResident ? "resident" : "command",
      server: "heed",
      ...(isResident
        ? { command: launch.command, args: [...launch.args, "hook", "--unless-plugin"] }
        : { command: launchLine(launch, "hook") }),
    });
    return [
      {
        file: isProject ? join(root, ".mcp.json") : join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
        pieces: [serverPiece("mcpServers", launch, { type: "stdio" })],
      },
      {
        file: join(isProject ? join(root, ".claude") : settingsFolder(places), "settings.json"),
        pieces: Object.entries(hooks).flatMap(([event, groups]) =>
          groups.map((value): Piece => ({ kind: "json-item", path: ["hooks", event], value })),
        ),
      },
    ];
  },
  permissions: ({ places, protectedFolders }) => [
    {
      file: places.join(settingsFolder(places), "settings.json"),
      rules: claudeRules(protectedFolders, places.home),
    },
  ],
};

const settingsFolder = ({ home, env, join }: ClientPlaces): string =>
  env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");

/** Rules for heed's folders; by `denyWrite` the kernel refuses them in its sandbox, which none of this turns on. */
export function claudeRules(folders: ProtectedFolders, home: string): Piece[] {
  const values = [...folders.records, ...folders.stores];
  return [
    ...editRulePieces(folders, home),
    { kind: "json-values", path: ["sandbox", "filesystem", "denyWrite"], values },
  ];
}

const TIMEOUT_MS = 10_000;

/** The first version that knows both `mcp_tool` hooks (2.1.118) and commands with `args` (2.1.139). */
const RESIDENT_SINCE = [2, 1, 139] as const;

function claudeVersion(env: ClientPlaces["env"]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024, env: { ...env }, windowsHide: true };
    execFile("claude", ["--version"], options, (error, stdout) =>
      resolve(error === null ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined),
    );
  });
}

/** Whether a version knows the hooks that call the resident server. An unknown version does not. */
function knowsResidentHooks(version: string | undefined): boolean {
  const parts = version?.split(".").map(Number) ?? [];
  const differs = RESIDENT_SINCE.findIndex((wanted, at) => parts[at] !== wanted);
  return parts.length === 3 && (differs < 0 || (parts[differs] ?? 0) > (RESIDENT_SINCE[differs] ?? 0));
}
