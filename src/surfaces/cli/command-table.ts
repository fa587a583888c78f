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
const checking = () => import("./commands/checking.ts");
const clients = () => import("./commands/clients.ts");
const conversations = () => import("./commands/conversations.ts");
const evaluating = () => import("./commands/evaluate.ts");
const exchange = () => import("./commands/exchange.ts");
const explaining = () => import("./commands/explaining.ts");
const guard = () => import("./commands/guard.ts");
const inbox = () => import("./commands/inbox.ts");
const program = () => import("./commands/program.ts");
const reading = () => import("./commands/reading.ts");
const search = () => import("./commands/search.ts");
const settings = () => import("./commands/settings.ts");
const stores = () => import("./commands/stores.ts");
const team = () => import("./commands/team.ts");
const writing = () => import("./commands/writing.ts");

const free = (): boolean => true;
/** With these words and flags, or none. */
const only =
  (...allowed: readonly string[]) =>
  ({ words }: ParsedArguments): boolean =>
    words.every((word) => [...allowed, "json", "no-color", "cwd"].includes(word));

/** All commands, in the order of help. What is not free, a new command or flag included, needs a person. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  status: entry("daily", "stores, index, mode and inbox on one screen", settings, free),
  mode: entry("daily", "show or set how much is injected: typed, pull, rules, off", settings, only()),
  map: entry(
    "daily",
    "the list of facts that a session starts with, and its size",
    settings,
    only("why", "subagent"),
  ),

  write: entry("daily", "write a memory", writing, free),
  edit: entry("daily", "change a memory, by flags or in your editor", writing, free),
  rename: entry("daily", "rename a memory", writing, free),
  remove: entry("daily", "remove a memory, or bring a removed one back", writing, free),
  inbox: entry("daily", "what needs your approval: list, review, confirm, reject", inbox, free),

  list: entry("daily", "list memories by type", reading, free),
  show: entry("daily", "show a memory in full", reading, free),
  rules: entry("daily", "how often each rule was broken, allowed, cited and injected", guard, free),
  search: entry("daily", "find memories by words", search, free),
  history: entry(
    "daily",
    "find and read past conversations, or the last unfinished work",
    conversations,
    free,
  ),
  why: entry("daily", "what was injected, or would be for a prompt, and why", explaining, free),
  ui: entry("daily", "memories, inbox and injections in your browser", program, free),
  log: entry("daily", "when and why memories changed", changes, free),
  undo: entry("daily", "undo a change, or all changes of a session or actor", changes, free),

  check: entry("maintenance", "list every problem, with what fixes it", checking, free),
  verify: entry("maintenance", "record that a memory still holds, or repair it", checking, free),
  tidy: entry(
    "maintenance",
    "merge exact duplicates, drop expired episodes; a dry run without --apply",
    checking,
    free,
  ),
  evaluate: entry(
    "maintenance",
    "measure whether a memory helps, by paired runs of your tasks",
    evaluating,
    (args) => !args.has("run"),
  ),
  capture: entry("maintenance", "read sessions that have ended, or old transcripts", conversations, free),
  scrub: entry("maintenance", "remove a leaked value from every file that heed owns", stores),

  init: entry(
    "setup",
    "make a store, and connect the clients on this machine",
    clients,
    (args) => !args.has("team"),
  ),
  uninit: entry("setup", "disconnect clients; memories stay", clients, (args) => args.has("print")),
  doctor: entry("setup", "test everything that is connected, and say what is wrong", clients, free),
  sync: entry("setup", "sync the user store with git, or rules and map with AGENTS.md", stores, ({ first }) =>
    ["", "agents-md", "skills"].includes(first),
  ),
  team: entry(
    "setup",
    "the servers that a team shares memories on, and who sees what there",
    team,
    only("url"),
  ),
  trust: entry(
    "setup",
    "review rules that did not come through heed, and put them in force",
    stores,
    (args) => args.has("show"),
  ),
  import: entry("setup", "import memories of another tool; a dry run without --apply", exchange, free),
  export: entry("setup", "write memories in a format that others read", exchange, free),
  attach: entry("setup", "read a directory that another tool owns", stores),
  guard: entry("setup", "rules that stop a tool: list, try, add, remove", guard, free),
  hook: entry("setup", "answer a client's hook (JSON on stdin)", program),
  mcp: entry("setup", "serve MCP over stdio", program, free),
  help: entry("setup", "show help for a command or topic", program, free),
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
