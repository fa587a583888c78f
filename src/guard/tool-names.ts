/** Tools of clients that run a shell text, by the names that clients give them; a guard for `Bash` holds for all. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set([
  "Bash",
  "shell",
  "local_shell",
  "exec_command",
  "run_shell_command",
  "run_terminal_cmd",
  "execute_bash",
]);

/** Tools that write files, by the names of Claude Code; a guard that names no tool and asks for content is for them. */
export const EDIT_TOOLS: readonly string[] = ["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"];

/** A tool of another MCP server: its own name. */
const OTHERS_TOOL = /^mcp__(?!(?:plugin_heed_)?heed__)[\w-]+?__(.+)$/i;
const READING =
  /^(?:reads?|get|list|search|find|stat|info|view|tree|exists|show|count|diff|grep|describe|query|fetch|glob)$/i;
const WRITING =
  /^(?:writes?|save|create|edit|update|delete|remove|move|rename|put|set|append|insert|replace|patch|make|upload|download|copy|exec|execute|run|clear)$/i;

/** Whether a tool of another MCP server writes: unless the words of its name say that it reads, and not that it writes. */
export function isWritingTool(tool: string): boolean {
  const words = OTHERS_TOOL.exec(tool)?.[1]?.split(/[_-]+|(?<=[a-z])(?=[A-Z])/);
  if (!words) return false;
  return !words.some((word) => READING.test(word)) || words.some((word) => WRITING.test(word));
}
