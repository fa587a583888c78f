export const PROSE_KEY: RegExp =
  /(?:^|_)(?:content|contents|text|body|title|description|message|query|prompt|string|code)$/;

/** Tools of clients that run a shell text, by the names that clients give them; a guard for `Bash` holds for all. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set(
  "Bash shell local_shell exec_command run_shell_command run_terminal_cmd execute_bash".split(" "),
);

/** Tools that write files, by the names of Claude Code; a guard that names no tool and asks for content is for them. */
export const EDIT_TOOLS: readonly string[] = ["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"];

/** A client's one tool for edits of every kind is each of Claude Code's to a guard. */
export const namesOfTool = (tool: string): readonly string[] =>
  tool === "apply_patch" ? EDIT_TOOLS : tool === "MultiEdit" ? [tool, "Edit"] : [tool];

const COMMAND_KEY = /(?:command|cmd|args|argv|argument|script|shell|executable|program|binary)s?$/i;

/** What a tool of another MCP server is given to run as a command: such fields together. */
export function commandGiven(tool: string, input: Readonly<Record<string, unknown>>): string {
  return OTHERS_TOOL.test(tool) ? textsBelow(input, COMMAND_KEY).join(" ") : "";
}

/** The texts of the fields that have such names, wherever they are. */
export function textsBelow(value: unknown, wanted: RegExp, key = ""): string[] {
  if (typeof value === "string") return wanted.test(key) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    textsBelow(item, wanted, Array.isArray(value) ? key : name),
  );
}

const OTHERS_TOOL = /^mcp__(?!(?:plugin_heed_)?heed__)[\w-]+?__(.+)$/i;
const READING =
  /^(?:reads?|get|list|search|find|stat|info|view|tree|exists|show|count|diff|grep|describe|query|fetch|glob)$/i;
const WRITING =
  /^(?:writes?|save|create|edit|update|delete|remove|move|rename|put|set|append|insert|replace|patch|make|upload|download|copy|exec|execute|run|clear)$/i;

/** Whether a tool writes: other servers' tools unless their name only reads, a client's own if their name says so. */
export function isWritingTool(tool: string): boolean {
  const others = OTHERS_TOOL.exec(tool)?.[1];
  const words = (others ?? (tool.startsWith("mcp__") ? "" : tool)).split(/[_-]+|(?<=[a-z])(?=[A-Z])/);
  const isReading = others === undefined || words.some((word) => READING.test(word));
  return !isReading || words.some((word) => WRITING.test(word));
}
