type Input = Readonly<Record<string, unknown>>;

export const PROSE_KEY: RegExp =
  /(?:^|_)(?:content|contents|text|body|title|description|message|query|prompt|string|code)$/;

/** What clients call the tools that Claude Code has too; no name means one tool in one client and another elsewhere. */
const NAMES: Readonly<Record<string, string>> = {
  Bash:
    "bash powershell shell local_shell shell_command exec_command container.exec run_shell_command run_terminal_cmd " +
    "run_in_terminal runInTerminal Execute execute_bash execute_command run_commands Shell developer__shell",
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

/** Whether a tool runs a shell text; a guard for `Bash` holds for all. */
export function isShellTool(tool: string): boolean {
  return toolNameOf(tool) === "Bash";
}

/** Whether a tool is heed's own, by the names that clients give to the tools of its server. */
export function isOwnTool(tool: string): boolean {
  return /^(?:mcp_+)?(?:plugin_heed_)?heed_+memory_[a-z]+$/.test(tool);
}

/** Tools that write files, by the names of Claude Code; a guard that names no tool and asks for content is for them. */
export const EDIT_TOOLS: readonly string[] = ["Edit", "MultiEdit", "Write", "NotebookEdit", "apply_patch"];

const COMMAND_KEY = /(?:command|cmd|args|argv|argument|script|shell|executable|program|binary)s?$/i;

/** What a tool of another MCP server is given to run as a command: such fields together. */
export function commandGiven(tool: string, input: Input): string {
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

/** A replacement in a file. */
interface Replacement {
  old: string;
  now: string | undefined;
  isAll: boolean;
}

const REPLACED_KEY = /^old_?(?:string|text|str)$/i;
const ALL_KEY = /^replace_?all$/i;
export const CONTENT_KEY: RegExp = /^(?:content|file_?text|new_?(?:string|source|text|str))$/i;
const WRITTEN_KEY = new RegExp(`${REPLACED_KEY.source}|${CONTENT_KEY.source}`, "i");

/** The replacements of a call in their order, each with what it says of itself. */
function replacementsIn(value: unknown): Replacement[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = Object.entries(value);
  const text = (key: RegExp): string | undefined =>
    fields.flatMap(([name, item]) => (key.test(name) && typeof item === "string" ? item : [])).at(0);
  const isAll = fields.some(([name, item]) => ALL_KEY.test(name) && item === true);
  const old = text(REPLACED_KEY);
  if (old !== undefined) return [{ old, now: text(CONTENT_KEY), isAll }];
  return fields
    .flatMap(([, item]) => replacementsIn(item))
    .map((one) => ({ ...one, isAll: one.isAll || isAll }));
}

/** What a call does to files: elsewhere one tool looks, writes and edits, as its arguments say. */
export interface FileUse {
  /** By the names of Claude Code's tools. */
  names: readonly string[];
  isChange: boolean;
  replacements: readonly Replacement[];
  /** The whole text that a file is given. */
  whole: string | undefined;
}

/** @param isPatch its input holds a patch. */
export function fileUseOf(tool: string, input: Input, isPatch: boolean): FileUse {
  const own = toolNameOf(OTHERS_TOOL.exec(tool)?.[1] ?? tool);
  // A client's own tool ignores what it does not know, and writes what it is given.
  const isView = own === "Edit" && input["command"] === "view" && textsBelow(input, WRITTEN_KEY).length === 0;
  const isTrial = Object.entries(input).some(([key, value]) => /^dry_?run$/i.test(key) && value === true);
  const isLook = !isPatch && (isView || (tool !== own && EDIT_TOOLS.includes(own) && isTrial));
  const isChange = isWritingTool(tool) && !isLook;
  // A client's own Write takes the whole text, whatever else it is given.
  const replacements = isPatch || (own === "Write" && !OTHERS_TOOL.test(tool)) ? [] : replacementsIn(input);
  const use = { isChange, replacements, whole: undefined };
  if (tool === "apply_patch" || (isChange && isPatch)) return { ...use, names: [tool, ...EDIT_TOOLS] };
  if (isLook) return { ...use, names: ["Read"] };
  const given = textsBelow(input, /^(?:content|file_?text)$/i);
  const isWhole = replacements.length === 0 && given.length === 1;
  const kind = replacements.length > 0 || tool === "MultiEdit" ? "Edit" : isWhole ? "Write" : own;
  const isKnown = isChange && EDIT_TOOLS.includes(kind);
  // More arguments of a server's tool may say that a text is added to the file.
  const isPlain = own === "Write" && (tool === own || Object.keys(input).length === 2);
  return {
    ...use,
    names: isKnown
      ? [...(/^(?:Edit|Write)$/.test(tool) ? [] : [tool]), ...(own === "Write" ? [own] : []), kind]
      : [tool],
    whole: isKnown && isWhole && (isPlain || "file_text" in input) ? given[0] : undefined,
  };
}
