import type { Command, CommandGroup, CommandSpec, ParsedArguments } from "./arguments/command.ts";

interface CommandEntry {
  group: CommandGroup;
  summary: string;
  /** Whether these arguments need nobody's word: heed's gates decide what is written, by whom. */
  isFree: (args: ParsedArguments) => boolean;
  load: () => Promise<{ commands: Readonly<Record<string, CommandSpec>> }>;
}

// Files are loaded when a command of theirs runs: a search must not pay for an editor.
const changes = () => import("./commands/changes.ts");
const clients = () => import("./commands/clients.ts");
const conversations = () => import("./commands/conversations.ts");
const exchange = () => import("./commands/exchange.ts");
const program = () => import("./commands/program.ts");
const reading = () => import("./commands/reading.ts");
const stores = () => import("./commands/stores.ts");
const writing = () => import("./commands/writing.ts");

const free = (): boolean => true;
/** With these words and flags, or none. */
const only =
  (...allowed: readonly string[]) =>
  ({ words }: ParsedArguments): boolean =>
    words.every((word) => [...allowed, "json", "no-color", "cwd"].includes(word));

/** All commands, in the order of help. What is not free, a new command or flag included, needs a person. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: entry(
    "start",
    "make a store, and connect the clients on this machine",
    clients,
    (args) => !args.has("team"),
  ),
  uninit: entry("start", "disconnect clients; memories stay", clients, (args) => args.has("print")),
  import: entry("start", "import memories of another tool; a dry run without --apply", exchange, free),
  config: entry(
    "start",
    "show or set mode, map, writer and learning",
    () => import("./commands/settings.ts"),
    only("mode", "map", "writer", "learn"),
  ),
  doctor: entry("start", "show the state of heed, and test it", () => import("./commands/doctor.ts"), free),

  write: entry("write", "write a memory", writing, free),
  edit: entry("write", "change or rename a memory, by flags or in your editor", writing, free),
  remove: entry("write", "remove a memory, or bring a removed one back", writing, free),
  undo: entry("write", "undo a change, or all changes of a session or actor", changes, free),
  inbox: entry(
    "write",
    "what needs your approval: proposals, and rules from elsewhere",
    () => import("./commands/inbox.ts"),
    (args) => args.first !== "trust" || args.has("show"),
  ),

  list: entry("find", "list memories by type", reading, free),
  show: entry("find", "show a memory in full, or how it changed", reading, free),
  search: entry("find", "find memories by words", () => import("./commands/search.ts"), free),
  why: entry(
    "find",
    "what was injected, or would be for a prompt, and why",
    () => import("./commands/explaining.ts"),
    free,
  ),
  ui: entry("find", "memories, inbox and injections in your browser", program, free),

  guard: entry(
    "keep",
    "rules that stop a tool: list, test, add, remove",
    () => import("./commands/guard.ts"),
    free,
  ),
  check: entry("keep", "find problems; confirm or repair", () => import("./commands/checking.ts"), free),
  sync: entry("keep", "sync the user store with git, or rules and map with AGENTS.md", stores, ({ first }) =>
    ["", "agents-md", "skills"].includes(first),
  ),

  export: entry("more", "write memories in a format that others read", exchange, free),
  history: entry(
    "more",
    "find and read past conversations, or the last unfinished work",
    conversations,
    free,
  ),
  attach: entry("more", "read a directory that another tool owns", stores),
  team: entry(
    "more",
    "the servers that a team shares memories on, and who sees what there",
    () => import("./commands/team.ts"),
    only("url"),
  ),
  capture: entry("more", "read sessions that have ended", conversations, free),
  scrub: entry("more", "remove a leaked value from every file that heed owns", stores),
  hook: entry("more", "answer a client's hook (JSON on stdin)", program),
  mcp: entry("more", "serve MCP over stdio", program, free),
  help: entry("more", "show help for a command or topic", program, free),
};

/** Loads a command of the table; undefined for any other word. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const spec = (await found?.load())?.commands[name];
  return found && spec && { arguments: [], options: {}, ...spec, name, summary: found.summary };
}

function entry(
  group: CommandGroup,
  summary: string,
  load: CommandEntry["load"],
  isFree: CommandEntry["isFree"] = () => false,
): CommandEntry {
  return { group, summary, load, isFree };
}
