import type { Fields } from "./record-fields.ts";

/** What clients call the tools that Claude Code has too; no name means one tool in one client and another elsewhere. */
const NAMES: Readonly<Record<string, string>> = {
  Bash:
    "bash powershell shell local_shell shell_command exec_command container.exec run_shell_command run_terminal_cmd " +
    "run_in_terminal runInTerminal Execute execute_command run_commands Shell developer__shell",
  Write: "write write_file create Create create_file createFile WriteFile write_to_file",
  Edit:
    "edit edit_file editFiles editor replace replace_in_file replace_string_in_file str_replace str_replace_editor " +
    "StrReplaceFile text_editor developer__text_editor",
  MultiEdit: "multiedit",
  apply_patch: "patch ApplyPatch",
  Read: "read read_file read_files readFile ReadFile view",
  Glob: "glob",
  Grep: "grep grep_search search_file_content",
  LS: "list_directory",
  WebFetch: "webfetch web_fetch",
  WebSearch: "google_web_search",
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([name, others]) => others.split(" ").map((other) => [other, name])),
);

/** Claude Code's name of a client's tool; rules and guards name those. Any other name stays. */
export function toolNameOf(tool: string): string {
  return BY_NAME.get(tool) ?? tool;
}

/** Whether a tool is heed's own, by the names that clients give to the tools of its server. */
export function isOwnTool(tool: string): boolean {
  return /^(?:mcp_+)?(?:plugin_heed_)?heed_+memory_[a-z]+$/.test(tool);
}

/** Several commands in one call, as Cline has them, as one script. */
export function withOneCommand(input: Fields): Fields {
  const { commands } = input;
  return Array.isArray(commands) ? { ...input, command: commands.map(String).join("\n") } : input;
}
