/** A call of a tool, as its client reports it. */
interface Called {
  tool: string;
  input: Readonly<Record<string, unknown>>;
}

export const PROSE_KEY: RegExp =
  /(?:^|_)(?:content|contents|text|body|title|description|message|query|prompt|string|code)$/;

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

/** Tools that run what they are given, in whatever field. */
const RUNS =
  /(?:^|[_-])(?:term|shell|tmux|console|exec|eval|proc|spawn|jupyter|notebook|ssh|run|repl(?!ace)|bash|cell)/i;
const COMMAND_KEY = /(?:command|cmd|args|argv|argument|script|shell|executable|program|binary)s?$/i;
const CODE_KEY = /(?:code|script|expression|cell|program|snippet|statement)s?$/i;

/** What a tool of another MCP server is given to run: as a command, its fields together, or as code, each by itself. */
export function codeOf({ tool, input }: Called): { command: string; code: string[] } {
  const given = OTHERS_TOOL.test(tool) ? input : {};
  const code = textsBelow(given, RUNS.test(tool) ? ANY_CODE : CODE_KEY);
  return { command: textsBelow(given, COMMAND_KEY).join(" "), code };
}

function textsBelow(value: unknown, wanted: RegExp, key = ""): string[] {
  if (typeof value === "string") return wanted.test(key) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    textsBelow(item, wanted, Array.isArray(value) ? key : name),
  );
}

const NAMES_FILE = /path|file|ur[il]$|destination|target/i;
/** Texts for people, and what is asked of a search. */
const FOR_PEOPLE =
  /issue|comment|message|post|page|mail|note|pull|review|discuss|ticket|task|doc|event|memor|chat|slack/i;
const ASKS_DATA = /sql|quer|database|(?:^|_)db(?:_|$)/i;

/**
 * Whatever else a tool of another MCP server is given that may make it write: all texts but those for people, and the new
 * text of a file that it names. Empty for tools that read, unless they take a query.
 */
export function saidTo(call: Called): string {
  const { tool, input } = call;
  if (!OTHERS_TOOL.test(tool) || !(isWritingTool(tool) || ASKS_DATA.test(tool))) return "";
  const isProse = FOR_PEOPLE.test(tool) || textsBelow(input, NAMES_FILE).length > 0;
  return textsBelow(input, isProse ? NO_PROSE : NO_CODE).join("\n");
}

const NO_COMMAND = `^(?!.*${COMMAND_KEY.source})`;
const ANY_CODE = new RegExp(`${NO_COMMAND}|${CODE_KEY.source}`, "i");
const NO_CODE = new RegExp(`${NO_COMMAND}(?!.*${CODE_KEY.source})`, "i");
const NO_PROSE = new RegExp(`${NO_CODE.source}(?!.*(?:${PROSE_KEY.source}))`, "i");

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
