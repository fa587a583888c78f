import type { Fields } from "./record-fields.ts";

type Names = Readonly<Record<string, string>>;
type Client = "codex" | "gemini" | "qwen" | "copilot" | "droid" | "kimi" | "cline" | "opencode" | "pi";

const GEMINI: Names = {
  run_shell_command: "Bash",
  write_file: "Write",
  replace: "Edit",
  read_file: "Read",
  glob: "Glob",
  search_file_content: "Grep",
  grep_search: "Grep",
  web_fetch: "WebFetch",
  google_web_search: "WebSearch",
};

const PLUGINS: Names = {
  bash: "Bash",
  write: "Write",
  edit: "Edit",
  multiedit: "MultiEdit",
  patch: "apply_patch",
  read: "Read",
  grep: "Grep",
  glob: "Glob",
  webfetch: "WebFetch",
};

/** Claude Code's names of a client's tools, by the client's own; rules and guards name those. By client. */
export const TOOL_NAMES: Readonly<Record<Client, Names>> = {
  codex: { shell: "Bash", local_shell: "Bash", exec_command: "Bash" },
  gemini: GEMINI,
  qwen: { ...GEMINI, edit: "Edit", list_directory: "LS" },
  copilot: {
    bash: "Bash",
    powershell: "Bash",
    create: "Write",
    edit: "Edit",
    view: "Read",
    str_replace_editor: "Edit",
  },
  droid: { Execute: "Bash", Create: "Write", ApplyPatch: "apply_patch" },
  kimi: { Shell: "Bash", WriteFile: "Write", StrReplaceFile: "Edit", ReadFile: "Read" },
  cline: {
    execute_command: "Bash",
    run_commands: "Bash",
    write_to_file: "Write",
    replace_in_file: "Edit",
    editor: "Edit",
    read_file: "Read",
    read_files: "Read",
  },
  opencode: PLUGINS,
  pi: PLUGINS,
};

/** A call of a transcript as a tool hook would have told it. @param client As the transcript's format names it. */
export function asHookCall(client: string, tool: string, input: Fields): { tool: string; input: Fields } {
  const names: Readonly<Record<string, Names>> = TOOL_NAMES;
  const own = names[client.replace(/-cli$/, "")] ?? {};
  return { tool: (Object.hasOwn(own, tool) ? own[tool] : undefined) ?? tool, input: withOneCommand(input) };
}

/** Several commands in one call, as Cline has them, as one script. */
export function withOneCommand(input: Fields): Fields {
  const { commands } = input;
  return Array.isArray(commands) ? { ...input, command: commands.map(String).join("\n") } : input;
}
