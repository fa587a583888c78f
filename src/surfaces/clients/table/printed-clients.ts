import { type Client, serverCommand } from "../entry/client.ts";

type Row = readonly [
  name: string,
  title: string,
  /** Its file below a place of `ClientPlaces`; behind `|`: on Windows. */
  file: string,
  /** The key of its servers. Default: `mcpServers`. */
  key?: string,
  /** In YAML, with `COMMAND` and `ARGS`. Default: JSON. */
  yaml?: string,
];

/** Clients whose server tells the rules (`--with-rules`), and AGENTS.md where they read it. */
const ROWS: readonly Row[] = [
  ["claude-desktop", "Claude Desktop", "application/Claude/claude_desktop_config.json"],
  ["cline", "Cline", "home/.cline/data/settings/cline_mcp_settings.json"],
  ["droid", "Factory Droid", "home/.factory/mcp.json"],
  ["kimi", "Kimi Code", "home/.kimi-code/mcp.json"],
  ["amp", "Amp", "config/amp/settings.json", "amp.mcpServers"],
  ["crush", "Crush", "config/crush/crush.json", "mcp"],
  ["windsurf", "Windsurf", "home/.codeium/windsurf/mcp_config.json"],
  ["zed", "Zed", "config/zed/settings.json|application/Zed/settings.json", "context_servers"],
  ["junie", "Junie", "home/.junie/mcp/mcp.json"],
  ["kiro", "Kiro", "home/.kiro/settings/mcp.json"],
  [
    "roo",
    "Roo Code",
    "application/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
  ],
  [
    "goose",
    "Goose",
    "config/goose/config.yaml|application/Block/goose/config/config.yaml",
    "extensions",
    "  heed:\n    name: heed\n    type: stdio\n    cmd: COMMAND\n    args: ARGS\n    enabled: true\n    timeout: 60",
  ],
  [
    "continue",
    "Continue",
    "home/.continue/config.yaml",
    "mcpServers",
    "  - name: heed\n    type: stdio\n    command: COMMAND\n    args: ARGS",
  ],
];

/** They show their model no server's instructions. */
const WITHOUT_INSTRUCTIONS: ReadonlySet<string> = new Set(["cline", "droid", "kimi"]);

export const printedClients: readonly Client[] = ROWS.map(
  ([name, title, file, key = "mcpServers", yaml]) => ({
    name,
    title,
    programs: [],
    folders: () => [],
    isPrinted: true,
    notes: WITHOUT_INSTRUCTIONS.has(name)
      ? [`Rules reach ${title} by AGENTS.md alone: run heed sync agents-md in your repository.`]
      : [],
    plan({ places, launch, scope }) {
      if (scope === "project") return undefined;
      const [usual = "", onWindows = usual] = file.split("|");
      const [place, ...path] = (places.platform === "win32" ? onWindows : usual).split("/");
      const { command, args } = serverCommand(launch, "--with-rules");
      // Crush wants the type.
      const server = { ...(key === "mcp" && { type: "stdio" }), command, args };
      const text =
        yaml === undefined
          ? JSON.stringify({ [key]: { heed: server } }, null, 2)
          : `${key}:\n${yaml}`
              .replace("COMMAND", () => JSON.stringify(command))
              .replace("ARGS", () => JSON.stringify(args));
      const folder = places[place as "home" | "config" | "application"];
      return [{ file: places.join(folder, ...path), pieces: [{ kind: "by-hand", text }] }];
    },
  }),
);
