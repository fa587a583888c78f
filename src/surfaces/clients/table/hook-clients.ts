import { existsSync } from "node:fs";
import {
  type Client,
  type ClientPlaces,
  type FilePlan,
  type Launch,
  type Piece,
  type ProtectedFolders,
  type HookStyle,
  CLAUDE_NAMED,
  OWN_FILE_MARK,
  slashed,
  editRulePieces,
  hookPieces,
  itemPieces,
  launchLine,
  serverCommand,
  serverPiece,
  tomlValue,
} from "../entry/client.ts";

/** Files in a folder that only it makes, below home or a repository's root. */
function filesIn(
  folder: string,
  pieces: (launch: Launch) => Record<string, Piece[]>,
): Pick<Client, "folders" | "plan"> {
  return {
    folders: ({ home, join }) => [join(home, folder)],
    plan: ({ places: { home, join }, launch, scope, root }) =>
      Object.entries(pieces(launch)).map(([name, own]) => ({
        file: join(scope === "project" ? root : home, folder, name),
        pieces: own,
      })),
  };
}

const codexFolder = ({ home, env, join }: ClientPlaces): string => env["CODEX_HOME"] || join(home, ".codex");

/** Codex. A key that it does not know in a hook's file makes the file fail: nothing but what it names. */
export const codex: Client = {
  name: "codex",
  title: "Codex CLI",
  programs: ["codex"],
  folders: (places) => [codexFolder(places)],
  checksStarts: true,
  plan({ places, launch, scope, root, starts }) {
    const { env, join, platform } = places;
    const isUser = scope === "user";
    const folder = isUser ? codexFolder(places) : join(root, ".codex");
    const { command, args } = serverCommand(launch);
    // Servers inherit no variables: without this one the server would keep another store than the hooks.
    const moved = isUser ? (env["HEED_DIR"] ?? "") : "";
    const text =
      `[mcp_servers.heed]\ncommand = ${tomlValue(command)}\nargs = ${tomlValue(args)}` +
      (moved === "" ? "" : `\n\n[mcp_servers.heed.env]\nHEED_DIR = ${tomlValue(moved)}`);
    // Each bash that Codex starts reads the file. A PATH set here would replace the whole of it.
    const bash = join(starts, "bash-env.sh");
    const own = env["BASH_ENV"] ?? "";
    const variables = [
      `BASH_ENV = ${tomlValue(bash)}`,
      ...(own === "" || own === bash ? [] : [`HEED_BASH_ENV = ${tomlValue(own)}`]),
    ];
    const shell: Piece = {
      kind: "toml",
      table: ["shell_environment_policy", "set"],
      text: `[shell_environment_policy.set]\n${variables.join("\n")}`,
    };
    return [
      {
        file: join(folder, "config.toml"),
        pieces: [{ kind: "toml", table: ["mcp_servers", "heed"], text }],
        rules: isUser && platform !== "win32" ? [shell] : undefined,
        rulesName: "setting for guards on programs that start",
      },
      { file: join(folder, "hooks.json"), pieces: hookPieces({ client: "codex" }, launch) },
    ];
  },
  notes: ["Codex runs new hooks once you trust them: type /hooks in it."],
};

/** Tools whose input names paths or runs commands, and those that reach out. */
const GEMINI_TOOLS =
  "run_shell_command|write_file|replace|read_file|glob|search_file_content|web_fetch|mcp_.*";

export const GEMINI_HOOKS: HookStyle = {
  client: "gemini",
  name: "heed",
  events: {
    SessionStart: "",
    BeforeAgent: "",
    BeforeTool: GEMINI_TOOLS,
    AfterTool: "run_shell_command|mcp_.*",
    AfterAgent: "",
    SessionEnd: "",
  },
  timeout: 10_000,
};

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  permissions: ({ places: { home, join }, protectedFolders }) => ({
    file: join(home, ".gemini", "policies", "heed.toml"),
    rules: [{ kind: "file", text: geminiPolicy(protectedFolders, home) }],
  }),
  ...filesIn(".gemini", (launch) => ({
    "settings.json": [serverPiece("mcpServers", launch), ...hookPieces(GEMINI_HOOKS, launch)],
  })),
};

/** File tools: denied in records, asked in stores and `.heed`. A NUL begins each argument: text about a path is none. */
export function geminiPolicy({ records, stores }: ProtectedFolders, home: string): string {
  const rule = (folders: readonly string[], decision: string): string => {
    const pattern = `\\x00"file_path":"(${folders.map((folder) => patternOf(folder, home)).join("|")})[\\\\/]`;
    return `[[rule]]\ntoolName = ["write_file", "replace"]\nargsPattern = ${JSON.stringify(pattern)}\n${decision}\n`;
  };
  const denial =
    'decision = "deny"\npriority = 999\ndenyMessage = "heed\'s records are written by heed alone."';
  const question = 'decision = "ask_user"\npriority = 0\nmodes = ["default", "autoEdit", "yolo"]';
  return [`# ${OWN_FILE_MARK}\n`, rule(records, denial), rule([...stores, `${home}/.heed`], question)].join(
    "\n",
  );
}

/** A folder in a pattern. Below home it may be named from anywhere: the tools take relative paths too. */
function patternOf(folder: string, home: string): string {
  const base = `${slashed(home)}/`;
  const path = slashed(folder);
  const isBelow = path.startsWith(base);
  const words = (isBelow ? path.slice(base.length) : path)
    .split("/")
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return (isBelow ? String.raw`(|[^"]*[\\/])` : "") + words.join(String.raw`[\\/]+`);
}

export const qwen: Client = {
  name: "qwen",
  title: "Qwen Code",
  programs: ["qwen"],
  permissions: ({ places: { home, join }, protectedFolders }) => ({
    file: join(home, ".qwen", "settings.json"),
    // A path with neither `~/` nor `//` is relative to the session's directory.
    rules: editRulePieces(protectedFolders, home, ["Edit(//**/.heed/**)"]),
  }),
  ...filesIn(".qwen", (launch) => {
    const events = { ...CLAUDE_NAMED, PostToolUseFailure: "" };
    // Milliseconds, as in Gemini CLI, of which it is a fork.
    const hooks = hookPieces({ client: "qwen", name: "heed", events, timeout: 10_000 }, launch);
    return { "settings.json": [serverPiece("mcpServers", launch), ...hooks] };
  }),
};

const copilotFolder = ({ home, env, join }: ClientPlaces): string =>
  env["COPILOT_HOME"] || join(home, ".copilot");

export const copilot: Client = {
  name: "copilot",
  title: "Copilot CLI",
  programs: ["copilot"],
  // Its own folder holds hooks for VS Code too.
  folders: (places) => [places.join(copilotFolder(places), "session-state")],
  plan({ places, launch, scope, root }) {
    const { join } = places;
    const pieces = [serverPiece("mcpServers", launch, { type: "local" }, { tools: ["*"] })];
    if (scope === "project") return [{ file: join(root, ".github", "mcp.json"), pieces }];
    return [{ file: join(copilotFolder(places), "mcp-config.json"), pieces }, copilotHooks(places, launch)];
  },
};

/** Copilot CLI and VS Code's agent both read it; events named as in Claude Code, whose messages name them. */
function copilotHooks(places: ClientPlaces, launch: Launch): FilePlan {
  const hook = { type: "command", command: launchLine(launch, "hook"), timeout: 10 };
  const events = Object.keys(CLAUDE_NAMED).filter((event) => event !== "SubagentStart");
  const hooks = events.map((event): Piece => ({ kind: "item", path: ["hooks", event], value: hook }));
  return {
    file: places.join(copilotFolder(places), "hooks", "heed.json"),
    pieces: [{ kind: "key", path: ["version"], value: 1 }, ...hooks],
  };
}

export const vscode: Client = {
  name: "vscode",
  title: "VS Code",
  programs: ["code"],
  folders: ({ application, join }) => [join(application, "Code", "User")],
  // It asks about every edit outside the workspace by itself.
  permissions: ({ places: { application, join } }) => {
    const path = ["chat.tools.edits.autoApprove", "**/.heed/**"];
    return {
      file: join(application, "Code", "User", "settings.json"),
      rules: [{ kind: "key", path, value: false, rest: "**/*" }],
    };
  },
  plan({ places, launch, scope, root }) {
    const { application, join } = places;
    const pieces = [serverPiece("servers", launch, { type: "stdio" })];
    if (scope === "project") return [{ file: join(root, ".vscode", "mcp.json"), pieces }];
    return [{ file: join(application, "Code", "User", "mcp.json"), pieces }, copilotHooks(places, launch)];
  },
  notes: ["Hooks of VS Code's agent are a preview; an organisation can turn them off."],
};

export const CURSOR_HOOKS: HookStyle = {
  client: "cursor",
  events: {
    sessionStart: "",
    beforeSubmitPrompt: "",
    preToolUse: "",
    postToolUseFailure: "",
    preCompact: "",
    stop: "",
    sessionEnd: "",
  },
  isFlat: true,
};

/** The configuration of its command line, which makes it itself with more than heed could put there. */
function cursorCliConfig({ home, env, platform, join }: ClientPlaces): string {
  const xdg = platform === "linux" ? env["XDG_CONFIG_HOME"] : undefined;
  const folder = env["CURSOR_CONFIG_DIR"] || (xdg ? join(xdg, "cursor") : join(home, ".cursor"));
  return join(folder, "cli-config.json");
}

export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  programs: ["cursor", "cursor-agent"],
  permissions({ places, protectedFolders: { records } }) {
    const file = cursorCliConfig(places);
    if (!existsSync(file)) return undefined;
    const values = records.map((folder) => `Write(${places.join(folder, "**")})`);
    return { file, rules: itemPieces(["permissions", "deny"], values) };
  },
  ...filesIn(".cursor", (launch) => ({
    "mcp.json": [serverPiece("mcpServers", launch)],
    "hooks.json": [{ kind: "key", path: ["version"], value: 1 }, ...hookPieces(CURSOR_HOOKS, launch)],
  })),
  folders: ({ home, application, join }) => [join(home, ".cursor"), join(application, "Cursor")],
};
