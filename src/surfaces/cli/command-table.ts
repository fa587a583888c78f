import type { Command, CommandGroup, CommandSpec, ParsedArguments } from "./arguments/command.ts";

interface CommandEntry {
  group: CommandGroup;
  summary: string;
  /**
   * Whether these arguments need nobody's word: heed's gates decide what is written, by whom. `isSettingUp`: a script that
   * no agent is seen to have started sets up a machine without a session or memory.
   */
  isFree: (args: ParsedArguments, isSettingUp: () => boolean) => boolean;
  load: () => Promise<{ commands: Readonly<Record<string, CommandSpec>> }>;
}

// Files are loaded when a command of theirs runs: a search must not pay for an import.
const changes = () => import("./commands/changes.ts");
const checking = () => import("./commands/checking.ts");
const clients = () => import("./commands/clients.ts");
const conversations = () => import("./commands/conversations.ts");
const doctor = () => import("./commands/doctor.ts");
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
const isLook = (args: ParsedArguments): boolean => args.first !== "trust" || args.has("show");
const isOfSync: CommandEntry["isFree"] = (args, isSettingUp) =>
  ["", "agents-md", "skills"].includes(args.first) || (args.has("read-only") && isSettingUp());
/** With these words and flags, or none. */
const only =
  (...allowed: readonly string[]) =>
  ({ words }: ParsedArguments): boolean =>
    words.every((word) => [...allowed, "json", "no-color", "cwd"].includes(word));

type Row = readonly [
  group: CommandGroup,
  name: string,
  summary: string,
  load: CommandEntry["load"],
  isFree?: CommandEntry["isFree"],
];

/** All commands, in the order of help. What is not free, a new command or flag included, needs a person. */
const ROWS: readonly Row[] = [
  [
    "start",
    "init",
    "make a store, and connect the clients on this machine",
    clients,
    (args) => !args.has("team"),
  ],
  ["start", "uninit", "disconnect clients; memories stay", clients, (args) => args.has("print")],
  ["start", "import", "import memories of another tool; a dry run without --apply", exchange, free],
  [
    "start",
    "config",
    "show or set mode, map, writer and learning",
    settings,
    only("mode", "map", "writer", "learn"),
  ],
  ["start", "doctor", "show the state of heed, and test it", doctor, free],

  ["write", "write", "write a memory", writing, free],
  ["write", "edit", "change or rename a memory", writing, free],
  ["write", "remove", "remove a memory, or bring a removed one back", writing, free],
  ["write", "undo", "undo a change, or all changes of a session or actor", changes, free],
  ["write", "inbox", "what needs your approval: proposals, and rules from elsewhere", inbox, isLook],

  ["find", "list", "list memories by type", reading, free],
  ["find", "show", "show a memory in full, or how it changed", reading, free],
  ["find", "search", "find memories by words", search, free],
  ["find", "why", "what was injected for a prompt, or would be, and why", explaining, free],
  ["find", "ui", "serve memories, inbox and injections as a page", program, free],

  ["keep", "guard", "rules that stop a tool: list, test, add, remove", guard, free],
  ["keep", "check", "find problems; confirm or repair", checking, free],
  ["keep", "sync", "sync the user store with git, or rules and map with AGENTS.md", stores, isOfSync],

  ["more", "export", "write memories in a format that others read", exchange, free],
  ["more", "history", "find and read past conversations, or the last unfinished work", conversations, free],
  ["more", "attach", "read a directory that another tool owns", stores],
  ["more", "team", "the servers that a team shares memories on, and who sees what there", team, only("url")],
  ["more", "capture", "read sessions that have ended", conversations, free],
  ["more", "scrub", "remove a leaked value from every file that heed owns", stores],
  ["more", "hook", "answer a client's hook (JSON on stdin)", program],
  ["more", "mcp", "serve MCP over stdio", program, free],
  ["more", "help", "show help for a command or topic", program, free],
];

export const COMMANDS: Readonly<Record<string, CommandEntry>> = Object.fromEntries(
  ROWS.map(([group, name, summary, load, isFree = () => false]) => [name, { group, summary, load, isFree }]),
);

/** Loads a command of the table; undefined for any other word. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const spec = (await found?.load())?.commands[name];
  return found && spec && { arguments: [], options: {}, ...spec, name, summary: found.summary };
}
