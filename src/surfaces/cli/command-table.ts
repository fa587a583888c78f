import type { Command, CommandEntry, CommandGroup } from "./arguments/command.ts";

/** All commands, in the order of help. Each is loaded only when it runs: a search must not pay for an editor. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: entry(
    "setup",
    "make a store, and connect the clients on this machine",
    () => import("./commands/init.ts"),
  ),
  uninit: entry(
    "setup",
    "take heed out of clients again; memories stay",
    () => import("./commands/uninit.ts"),
  ),
  doctor: entry(
    "setup",
    "run everything that is connected, and say what is wrong",
    () => import("./commands/doctor.ts"),
  ),
  status: entry("daily", "stores, index, mode and inbox on one screen", () => import("./commands/status.ts")),
  mode: entry(
    "daily",
    "show or set how much is pushed: typed, pull, rules, off",
    () => import("./commands/mode.ts"),
  ),

  write: entry("daily", "write a memory through the gates", () => import("./commands/write.ts")),
  update: entry("daily", "change parts of a memory", () => import("./commands/update.ts")),
  edit: entry("daily", "edit a memory in your editor, then check it", () => import("./commands/edit.ts")),
  rename: entry(
    "daily",
    "give a memory, or the repository of memories, another name",
    () => import("./commands/rename.ts"),
  ),
  remove: entry("daily", "remove a memory, with the reason", () => import("./commands/remove.ts")),
  restore: entry("daily", "bring a removed memory back", () => import("./commands/restore.ts")),
  inbox: entry("daily", "what needs your approval", () => import("./commands/inbox.ts")),
  confirm: entry("daily", "approve a waiting memory", () => import("./commands/confirm.ts")),
  reject: entry("daily", "drop a waiting memory", () => import("./commands/reject.ts")),

  backfill: entry(
    "upkeep",
    "record old transcripts; a dry run without --apply",
    () => import("./commands/backfill.ts"),
  ),

  resume: entry("daily", "the last unfinished work here", () => import("./commands/resume.ts")),
  history: entry(
    "daily",
    "find and read past conversations with your agents",
    () => import("./commands/history.ts"),
  ),
  list: entry("daily", "list memories by type", () => import("./commands/list.ts")),
  show: entry("daily", "show a memory in full", () => import("./commands/show.ts")),
  search: entry("daily", "find memories by words", () => import("./commands/search.ts")),
  overview: entry("daily", "counts per type, store and tag", () => import("./commands/overview.ts")),
  map: entry(
    "daily",
    "the map of what is known here that a session is told; or set its size",
    () => import("./commands/map.ts"),
  ),
  why: entry("daily", "what would be injected for a prompt, and why", () => import("./commands/why.ts")),
  test: entry("upkeep", "run the test cases of your memory", () => import("./commands/test.ts")),
  receipts: entry("daily", "what was injected lately", () => import("./commands/receipts.ts")),

  ui: entry(
    "daily",
    "look at memories, the inbox and what was told in your browser",
    () => import("./commands/ui.ts"),
  ),

  health: entry(
    "upkeep",
    "what is wrong with the memories here, each with the command that mends it",
    () => import("./commands/health.ts"),
  ),
  verify: entry("upkeep", "attest that a memory still holds", () => import("./commands/verify.ts")),
  repair: entry(
    "upkeep",
    "put right what a memory says of things that moved or changed",
    () => import("./commands/repair.ts"),
  ),
  anchor: entry(
    "upkeep",
    "find what memories claim about this repository; says first what it would add",
    () => import("./commands/anchor.ts"),
  ),

  log: entry("daily", "when and why memories changed", () => import("./commands/log.ts")),
  blame: entry("daily", "which change brought each line", () => import("./commands/blame.ts")),
  diff: entry("daily", "what a change did to a memory", () => import("./commands/diff.ts")),
  undo: entry(
    "daily",
    "take a change back, or all of a session or actor",
    () => import("./commands/undo.ts"),
  ),
  sync: entry(
    "setup",
    "carry the user store to a git remote and back; or keep rules and map in AGENTS.md",
    () => import("./commands/sync.ts"),
  ),

  tidy: entry(
    "upkeep",
    "upkeep: twins and expired episodes; says first what it would do",
    () => import("./commands/tidy.ts"),
  ),
  capture: entry(
    "upkeep",
    "read the sessions that wait: their episodes, and proposals of learn: model",
    () => import("./commands/capture.ts"),
  ),
  check: entry(
    "upkeep",
    "list every problem with file, line and remedy",
    () => import("./commands/check.ts"),
  ),
  reindex: entry("upkeep", "build the search index anew", () => import("./commands/reindex.ts")),
  trust: entry(
    "setup",
    "look once over rules that did not come through heed, and let them count",
    () => import("./commands/trust.ts"),
  ),
  scrub: entry(
    "upkeep",
    "take a leaked value out of every file that heed owns",
    () => import("./commands/scrub.ts"),
  ),
  import: entry(
    "setup",
    "take over memories of another tool; says first what it would take",
    () => import("./commands/import.ts"),
  ),
  export: entry("setup", "give memories in a form that others read", () => import("./commands/export.ts")),
  attach: entry("setup", "read a directory that another tool owns", () => import("./commands/attach.ts")),
  detach: entry("setup", "forget an attached directory", () => import("./commands/detach.ts")),
  guard: entry(
    "setup",
    "rules that stop a tool: list, try a command, add, report a wrong stop",
    () => import("./commands/guard.ts"),
  ),
  semantic: entry(
    "setup",
    "the optional sentence model: install, status, remove",
    () => import("./commands/semantic.ts"),
  ),

  hook: entry("setup", "answer a client's hook (JSON on stdin)", () => import("./commands/hook.ts")),
  mcp: entry("setup", "serve MCP over stdio", () => import("./commands/mcp.ts")),
  completion: entry(
    "setup",
    "print the completion script of a shell",
    () => import("./commands/completion.ts"),
  ),
  help: entry("setup", "show help for a command or topic", () => import("./commands/help.ts")),
  version: entry("setup", "show the version", () => import("./commands/version.ts")),
};

/** Loads a command of the table, or the hidden one that completion scripts call; undefined for any other word. */
export async function loadCommand(name: string): Promise<Command | undefined> {
  if (name === "__complete") return (await import("./commands/complete.ts")).command;
  return Object.hasOwn(COMMANDS, name) ? (await COMMANDS[name]?.load())?.command : undefined;
}

function entry(group: CommandGroup, summary: string, load: CommandEntry["load"]): CommandEntry {
  return { group, summary, load };
}
