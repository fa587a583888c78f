import type { ClientPlaces } from "../entry/client-places.ts";
import type { Client, FilePlan, Launch, Target } from "../entry/client.ts";
import { serverCommand, serverPiece } from "../entry/pieces.ts";

/** Clients without hooks: the server says the rules (`--with-rules`), and AGENTS.md where they read it. */
function serverOnly(
  name: string,
  title: string,
  more: Pick<Client, "folders" | "programs"> &
    Partial<Client> & {
      file: (places: ClientPlaces) => string;
      projectFile?: readonly string[];
      pieces: (launch: Launch) => FilePlan["pieces"];
    },
): Client {
  const { file, projectFile, pieces, ...client } = more;
  return {
    name,
    title,
    instructions: "unknown",
    ...client,
    plan({ places, launch, scope, root }: Target) {
      if (scope === "user") return [{ file: file(places), pieces: pieces(launch) }];
      return projectFile && [{ file: places.join(root, ...projectFile), pieces: pieces(launch) }];
    },
  };
}

const inServers = (launch: Launch): FilePlan["pieces"] => [
  serverPiece(["mcpServers"], launch, { flags: ["--with-rules"] }),
];

export const zed: Client = serverOnly("zed", "Zed", {
  programs: ["zed"],
  folders: (places) => [zedFolder(places)],
  file: (places) => places.join(zedFolder(places), "settings.json"),
  projectFile: [".zed", "settings.json"],
  pieces: (launch) => [serverPiece(["context_servers"], launch, { flags: ["--with-rules"] })],
});

/** Zed keeps its settings under `~/.config` on macOS too. */
function zedFolder({ platform, application, config, join }: ClientPlaces): string {
  return platform === "win32" ? join(application, "Zed") : join(config, "zed");
}

export const continueDev: Client = serverOnly("continue", "Continue", {
  programs: ["cn"],
  folders: ({ home, join }) => [join(home, ".continue")],
  file: ({ home, join }) => join(home, ".continue", "config.yaml"),
  pieces(launch) {
    const { command, args } = serverCommand(launch, "--with-rules");
    const value = { type: "stdio", command, args };
    return [{ kind: "yaml", key: "mcpServers", name: "heed", isList: true, value }];
  },
});

export const junie: Client = serverOnly("junie", "Junie", {
  programs: ["junie"],
  folders: ({ home, join }) => [join(home, ".junie")],
  file: ({ home, join }) => join(home, ".junie", "mcp", "mcp.json"),
  projectFile: [".junie", "mcp", "mcp.json"],
  pieces: inServers,
  notes: ["Junie reads .junie/AGENTS.md: heed sync agents-md .junie/AGENTS.md keeps the rules there."],
});

export const kiro: Client = serverOnly("kiro", "Kiro", {
  programs: ["kiro", "kiro-cli"],
  folders: ({ home, join }) => [join(home, ".kiro")],
  file: ({ home, join }) => join(home, ".kiro", "settings", "mcp.json"),
  projectFile: [".kiro", "settings", "mcp.json"],
  pieces: inServers,
});

export const roo: Client = serverOnly("roo", "Roo Code", {
  programs: [],
  folders: (places) => [rooFolder(places)],
  file: (places) => places.join(rooFolder(places), "settings", "mcp_settings.json"),
  projectFile: [".roo", "mcp.json"],
  pieces: inServers,
});

function rooFolder({ application, join }: ClientPlaces): string {
  return join(application, "Code", "User", "globalStorage", "rooveterinaryinc.roo-cline");
}

/** Claude Desktop: no hooks, no AGENTS.md; what the server says of itself is all that carries rules. */
export const claudeDesktop: Client = serverOnly("claude-desktop", "Claude Desktop", {
  programs: [],
  folders: ({ application, join }) => [join(application, "Claude")],
  instructions: "read",
  file: ({ application, join }) => join(application, "Claude", "claude_desktop_config.json"),
  pieces: inServers,
});
