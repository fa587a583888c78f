import { type Client, type ClientPlaces, serverCommand } from "../entry/client.ts";

type Row = readonly [
  name: string,
  title: string,
  programs: string,
  /** The folder that only it makes, below a place of `ClientPlaces`; behind `|`: on Windows. */
  folder: string,
  /** Its file in that folder, and in a repository (empty: none). */
  file: string,
  projectFile: string,
  /** The key of its servers. Default: `mcpServers`. */
  key?: string,
];

/** Clients without hooks of heed's: the server tells the rules (`--with-rules`), and AGENTS.md where they read it. */
const JSON_ROWS: readonly Row[] = [
  ["claude-desktop", "Claude Desktop", "", "application/Claude", "claude_desktop_config.json", ""],
  ["amp", "Amp", "amp", "config/amp", "settings.json", ".amp/settings.json", "amp.mcpServers"],
  ["crush", "Crush", "crush", "config/crush", "crush.json", ".crush.json", "mcp"],
  ["windsurf", "Windsurf", "windsurf", "home/.codeium/windsurf", "mcp_config.json", ""],
  [
    "zed",
    "Zed",
    "zed",
    "config/zed|application/Zed",
    "settings.json",
    ".zed/settings.json",
    "context_servers",
  ],
  ["junie", "Junie", "junie", "home/.junie", "mcp/mcp.json", ".junie/mcp/mcp.json"],
  ["kiro", "Kiro", "kiro kiro-cli", "home/.kiro", "settings/mcp.json", ".kiro/settings/mcp.json"],
  [
    "roo",
    "Roo Code",
    "",
    "application/Code/User/globalStorage/rooveterinaryinc.roo-cline",
    "settings/mcp_settings.json",
    ".roo/mcp.json",
  ],
];

/** Clients with YAML files: heed prints what to add. `COMMAND` and `ARGS` are filled in. */
const YAML_ROWS: readonly { row: Row; yaml: string }[] = [
  {
    row: [
      "goose",
      "Goose",
      "goose",
      "config/goose|application/Block/goose/config",
      "config.yaml",
      "",
      "extensions",
    ],
    yaml: "  heed:\n    name: heed\n    type: stdio\n    cmd: COMMAND\n    args: ARGS\n    enabled: true\n    timeout: 60",
  },
  {
    row: ["continue", "Continue", "cn", "home/.continue", "config.yaml", ""],
    yaml: "  - name: heed\n    type: stdio\n    command: COMMAND\n    args: ARGS",
  },
];

function clientOf(
  [name, title, programs, folder, file, projectFile, key = "mcpServers"]: Row,
  yaml?: string,
): Client {
  const folderOf = (places: ClientPlaces): string => {
    const [usual = "", onWindows = usual] = folder.split("|");
    const [place, ...path] = (places.platform === "win32" ? onWindows : usual).split("/");
    return places.join(places[place as "home" | "config" | "application"], ...path);
  };
  return {
    name,
    title,
    programs: programs.split(" ").filter((program) => program !== ""),
    folders: (places) => [folderOf(places)],
    isPrinted: yaml !== undefined,
    plan({ places, launch, scope, root }) {
      if (scope === "project" && projectFile === "") return undefined;
      const path = scope === "user" ? [folderOf(places), file] : [root, projectFile];
      const { command, args } = serverCommand(launch, "--with-rules");
      // Crush wants the type.
      const value = { ...(key === "mcp" && { type: "stdio" }), command, args };
      const filled = `${key}:\n${yaml}`
        .replace("COMMAND", () => JSON.stringify(command))
        .replace("ARGS", () => JSON.stringify(args));
      return [
        {
          file: places.join(...path),
          pieces: [
            yaml === undefined
              ? { kind: "json-value", path: [key, "heed"], value }
              : { kind: "by-hand", text: filled },
          ],
        },
      ];
    },
  };
}

export const serverOnly: readonly Client[] = [
  ...JSON_ROWS.map((row) => clientOf(row)),
  ...YAML_ROWS.map(({ row, yaml }) => clientOf(row, yaml)),
];
