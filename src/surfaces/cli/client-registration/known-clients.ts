import { homedir } from "node:os";
import { join } from "node:path";

/** How heed is started: by absolute paths, as a client with windows has no shell's PATH. */
export interface Launch {
  command: string;
  /** Arguments before the subcommand. */
  args: readonly string[];
}

/** Where a client keeps its MCP servers, and how it writes one down. */
export interface KnownClient {
  name: string;
  title: string;
  format: "json" | "toml" | "claude-code";
  /** The key under which servers stand. */
  key: string;
  userFile(places: ClientPlaces): string;
  /** Relative to the repository; absent: the client has no configuration per project. */
  projectFile?: string;
  entry(launch: Launch): Record<string, unknown>;
}

/** Directories in which clients keep their configuration. */
export interface ClientPlaces {
  home: string;
  /** `~/.config` and its equivalents. */
  config: string;
  /** Where programs with windows keep their data. */
  application: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Finds the directories of this platform. */
export function clientPlaces(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): ClientPlaces {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  if (platform === "win32") {
    return { home, config, application: env["APPDATA"] || join(home, "AppData", "Roaming"), env };
  }
  if (platform === "darwin") {
    return { home, config, application: join(home, "Library", "Application Support"), env };
  }
  return { home, config, application: config, env };
}

/** heed's variable is cleared: extra certificates triple Node's start, and heed contacts nobody. */
const ENVIRONMENT = { NODE_EXTRA_CA_CERTS: "" };

const plain = ({ command, args }: Launch): Record<string, unknown> => ({
  command,
  args: [...args, "mcp"],
  env: ENVIRONMENT,
});
const typed = (type: string) => (launch: Launch) => ({ type, ...plain(launch) });

/** The clients that heed can register itself with. */
export const KNOWN_CLIENTS: readonly KnownClient[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    format: "claude-code",
    key: "mcpServers",
    userFile: ({ home, env }) => join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
    projectFile: ".mcp.json",
    entry: typed("stdio"),
  },
  {
    name: "claude-desktop",
    title: "Claude Desktop",
    format: "json",
    key: "mcpServers",
    userFile: ({ application }) => join(application, "Claude", "claude_desktop_config.json"),
    entry: plain,
  },
  {
    name: "codex",
    title: "Codex",
    format: "toml",
    key: "mcp_servers",
    userFile: ({ home, env }) => join(env["CODEX_HOME"] || join(home, ".codex"), "config.toml"),
    projectFile: ".codex/config.toml",
    entry: plain,
  },
  {
    name: "cursor",
    title: "Cursor",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".cursor", "mcp.json"),
    projectFile: ".cursor/mcp.json",
    entry: plain,
  },
  {
    name: "vscode",
    title: "VS Code",
    format: "json",
    key: "servers",
    userFile: ({ application }) => join(application, "Code", "User", "mcp.json"),
    projectFile: ".vscode/mcp.json",
    entry: typed("stdio"),
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    format: "json",
    key: "mcpServers",
    userFile: ({ home, env }) => join(env["COPILOT_HOME"] || join(home, ".copilot"), "mcp-config.json"),
    projectFile: ".github/mcp.json",
    entry: (launch) => ({ ...typed("local")(launch), tools: ["*"] }),
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".gemini", "settings.json"),
    projectFile: ".gemini/settings.json",
    entry: plain,
  },
  {
    name: "windsurf",
    title: "Windsurf",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".codeium", "windsurf", "mcp_config.json"),
    entry: plain,
  },
  {
    name: "zed",
    title: "Zed",
    format: "json",
    key: "context_servers",
    userFile: ({ config }) => join(config, "zed", "settings.json"),
    projectFile: ".zed/settings.json",
    entry: plain,
  },
  {
    name: "opencode",
    title: "opencode",
    format: "json",
    key: "mcp",
    userFile: ({ config }) => join(config, "opencode", "opencode.json"),
    projectFile: "opencode.json",
    entry: ({ command, args }) => ({
      type: "local",
      command: [command, ...args, "mcp"],
      environment: ENVIRONMENT,
      enabled: true,
    }),
  },
  {
    name: "amp",
    title: "Amp",
    format: "json",
    key: "amp.mcpServers",
    userFile: ({ config }) => join(config, "amp", "settings.json"),
    projectFile: ".amp/settings.json",
    entry: plain,
  },
  {
    name: "junie",
    title: "Junie",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".junie", "mcp", "mcp.json"),
    projectFile: ".junie/mcp/mcp.json",
    entry: plain,
  },
  {
    name: "kiro",
    title: "Kiro",
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".kiro", "settings", "mcp.json"),
    projectFile: ".kiro/settings/mcp.json",
    entry: plain,
  },
];
