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
