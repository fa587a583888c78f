import type { Command, CommandGroup, CommandSpec } from "./arguments/command.ts";

interface CommandEntry {
  group: CommandGroup;
  summary: string;
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

/** All commands, in the order of help. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  status: entry("daily", "stores, index, mode and inbox on one screen", settings),
  mode: entry("daily", "show or set how much is injected: typed, pull, rules, off", settings),
  map: entry("daily", "show what a session is told about the facts here, or set its size", settings),

  write: entry("daily", "write a memory", writing),
  edit: entry("daily", "change a memory, by flags or in your editor", writing),
  rename: entry("daily", "rename a memory, or the repository that memories belong to", writing),
  remove: entry("daily", "remove a memory, or bring a removed one back", writing),
  inbox: entry("daily", "what needs your approval: list, review, confirm, reject", inbox),

  list: entry("daily", "list memories by type", reading),
  show: entry("daily", "show a memory in full", reading),
  rules: entry("daily", "what became of each rule: followed, broken, stopped, excepted", guard),
  search: entry("daily", "find memories by words", search),
  history: entry("daily", "find and read past conversations, or the last unfinished work", conversations),
  why: entry("daily", "what was injected, or would be for a prompt, and why", explaining),
  ui: entry("daily", "memories, inbox and injections in your browser", program),
  log: entry("daily", "when and why memories changed", changes),
  undo: entry("daily", "undo a change, or all changes of a session or actor", changes),

  check: entry("maintenance", "list every problem, with what fixes it", checking),
  verify: entry("maintenance", "record that a memory still holds, or repair it", checking),
  tidy: entry(
    "maintenance",
    "merge exact duplicates, drop expired episodes; a dry run without --apply",
    checking,
  ),
  evaluate: entry("maintenance", "measure whether a memory helps, by paired runs of your tasks", evaluating),
  capture: entry("maintenance", "read sessions that have ended, or old transcripts", conversations),
  scrub: entry("maintenance", "remove a leaked value from every file that heed owns", stores),

  init: entry("setup", "make a store, and connect the clients on this machine", clients),
  uninit: entry("setup", "disconnect clients; memories stay", clients),
  doctor: entry("setup", "test everything that is connected, and say what is wrong", clients),
  sync: entry("setup", "sync the user store with git, or rules and map with AGENTS.md", stores),
  team: entry("setup", "the servers that a team shares memories on, and who sees what there", team),
  trust: entry("setup", "review rules that did not come through heed, and put them in force", stores),
  import: entry("setup", "import memories of another tool; a dry run without --apply", exchange),
  export: entry("setup", "write memories in a format that others read", exchange),
  attach: entry("setup", "read a directory that another tool owns", stores),
  guard: entry("setup", "rules that stop a tool: list, try, add, remove", guard),
  hook: entry("setup", "answer a client's hook (JSON on stdin)", program),
  mcp: entry("setup", "serve MCP over stdio", program),
  completion: entry("setup", "print the completion script of a shell", program),
  help: entry("setup", "show help for a command or topic", program),
};

/** Old words → new words. They work until the next release and are in no help. */
export const OLD_COMMANDS: Readonly<Record<string, string>> = Object.fromEntries(
  `__complete: completion --words | anchor: verify --extract-claims | backfill: capture --backfill
blame: log --blame | confirm: inbox confirm | detach: attach --remove | diff: log --diff
health: check health | inbox --restore: inbox restore | inbox --review: inbox review
inbox -r: inbox review | overview: list --counts | receipts: why | reindex: status --reindex
reject: inbox reject | repair: verify --repair | restore: remove --restore | resume: history --resume
update: edit | version: --version`
    .split(/[|\n]/)
    .map((pair) => pair.trim().split(": ")),
);

/** Loads a command of the table; undefined for any other word. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  const found = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const spec = (await found?.load())?.commands[name];
  return found && spec && { arguments: [], options: {}, ...spec, name, summary: found.summary };
}

function entry(group: CommandGroup, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { group, summary, load };
}
