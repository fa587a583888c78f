import { editRulePieces } from "../entry/claude-deny-rules.ts";
import type { Client, ProtectedFolders } from "../entry/client.ts";
import { CLAUDE_NAMED, type HookStyle, hookPieces, serverPiece } from "../entry/pieces.ts";
import { slashed } from "../entry/protected-folders.ts";
import { OWN_FILE_MARK } from "../plugins/ask-hook.ts";

/** Tools whose input names paths or runs commands, and those that reach out. */
const TOOLS = "run_shell_command|write_file|replace|read_file|glob|search_file_content|web_fetch|mcp_.*";

/** heed's hooks in Gemini CLI. */
export const GEMINI_HOOKS: HookStyle = {
  client: "gemini",
  name: "heed",
  events: {
    SessionStart: "",
    BeforeAgent: "",
    BeforeTool: TOOLS,
    AfterTool: "run_shell_command|mcp_.*",
    AfterAgent: "",
    SessionEnd: "",
  },
  // Milliseconds.
  timeout: 10_000,
};

export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  programs: ["gemini"],
  folders: ({ home, join }) => [join(home, ".gemini")],
  instructions: "read",
  permissions: ({ places: { home, join }, protectedFolders }) => [
    {
      file: join(home, ".gemini", "policies", "heed.toml"),
      rules: [{ kind: "file", text: geminiPolicy(protectedFolders, home) }],
    },
  ],
  plan: ({ places: { home, join }, launch, scope, root }) => [
    {
      file: join(scope === "project" ? root : home, ".gemini", "settings.json"),
      pieces: [serverPiece(["mcpServers"], launch), ...hookPieces(GEMINI_HOOKS, launch)],
    },
  ],
};

/**
 * A policy file for Gemini CLI: its file tools are denied in records and ask in stores and in any repository's `.heed`.
 * A pattern is tried on the arguments as JSON with a NUL before each, so that a text about a path is none. The question
 * is the weakest of the user's rules, and leaves plan mode alone, which refuses by a weaker one.
 */
export function geminiPolicy({ records, stores }: ProtectedFolders, home: string): string {
  const rule = (folders: readonly string[], decision: string): string => {
    const pattern = `\\x00"file_path":"(${folders.map((folder) => patternOf(folder, home)).join("|")})[\\\\/]`;
    return `[[rule]]\ntoolName = ["write_file", "replace"]\nargsPattern = ${JSON.stringify(pattern)}\n${decision}\n`;
  };
  return [
    `# ${OWN_FILE_MARK}\n`,
    rule(
      records,
      'decision = "deny"\npriority = 999\ndenyMessage = "heed\'s records are written by heed alone."',
    ),
    rule(
      [...stores, `${home}/.heed`],
      'decision = "ask_user"\npriority = 0\nmodes = ["default", "autoEdit", "yolo"]',
    ),
  ].join("\n");
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
  folders: ({ home, join }) => [join(home, ".qwen")],
  instructions: "read",
  permissions: ({ places: { home, join }, protectedFolders }) => [
    {
      file: join(home, ".qwen", "settings.json"),
      // What begins with neither `~/` nor `//` counts from where the session is.
      rules: editRulePieces(protectedFolders, home, ["Edit(//**/.heed/**)"]),
    },
  ],
  plan: ({ places: { home, join }, launch, scope, root }) => [
    {
      file: join(scope === "project" ? root : home, ".qwen", "settings.json"),
      pieces: [
        serverPiece(["mcpServers"], launch),
        ...hookPieces(
          {
            client: "qwen",
            name: "heed",
            events: { ...CLAUDE_NAMED, PostToolUseFailure: "" },
            // Milliseconds, as in Gemini CLI, of which it is a fork.
            timeout: 10_000,
          },
          launch,
        ),
      ],
    },
  ],
};
