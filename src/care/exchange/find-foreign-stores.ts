import { join } from "node:path";
import { formatOf } from "../formats/import-formats.ts";
import { homeOf } from "../../machine/places.ts";
import { namesInFolder, realPathOf, statIfThere } from "../../machine/regular-file.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import { projectSlug } from "../../here/client-memory.ts";
import type { Place } from "../../here/place.ts";
import { openSource } from "./open-source.ts";

const IN_REPOSITORY = (
  ".cursorrules .cursor/rules .github/copilot-instructions.md .github/instructions .windsurfrules .windsurf/rules .clinerules " +
  ".roorules .roo/rules .serena/memories memory-bank .continuerules .continue/rules .junie/guidelines.md .kiro/steering .claude-memory " +
  ".qwen/memory .qwen/team-memory knowledge"
).split(" ");

const IN_HOME = [
  ...(
    ".claude-memory .claude-mem/claude-mem.db .codex/memories .hermes .openclaw/workspace .mem0/history.db " +
    ".local/share/mcp-memory/sqlite_vec.db basic-memory .qwen/memories"
  ).split(" "),
  "Library/Application Support/mcp-memory/sqlite_vec.db",
];

/** Memories that another tool keeps on this machine. */
export interface ForeignStore {
  format: string;
  title: string;
  path: string;
  /** How many files; 1 for a file. */
  files: number;
  /** The command that takes it over: `heed import …` or `heed attach …`. */
  command: string;
  /** heed reads it already, as an attached store. */
  isAttached: boolean;
}

/** Memories of other tools in known places, each with the command that takes it over; what a client goes on writing is attached. */
export function findForeignStores(place: Place): ForeignStore[] {
  const home = homeOf(place.env);
  const root = findProjectRoot(place.cwd);
  const paths = [
    ...(root === undefined
      ? []
      : [...memoriesByPath(home, root), ...IN_REPOSITORY.map((path) => join(root, path))]),
    ...IN_HOME.map((path) => join(home, path)),
    ...lettaAgents(home),
  ];
  const attached = new Set(
    place.stores.filter(({ kind }) => kind === "attached").map((store) => realPathOf(store.root)),
  );
  const found = paths.flatMap((path) => foreignStoreAt(path, home, attached) ?? []);
  return found.filter(({ path }, i) => found.findIndex((other) => other.path === path) === i);
}

function foreignStoreAt(path: string, home: string, attached: ReadonlySet<string>): ForeignStore | undefined {
  if (!statIfThere(path)) return undefined;
  try {
    const source = openSource(path, home);
    const format = formatOf(source);
    if (!format) return undefined;
    const isLive = format.name === "claude-code-memory";
    return {
      format: format.name,
      title: format.title,
      path: source.path,
      files: source.files.length,
      command: `heed ${isLive ? "attach" : "import"} ${shellWord(source.path)}`,
      isAttached: attached.has(realPathOf(source.path)),
    };
  } catch {
    // What may not be looked at is not offered.
    return undefined;
  }
}

/** Claude Code and Qwen Code keep a folder for each repository, named after its path. */
function memoriesByPath(home: string, root: string): string[] {
  return [".claude", ".qwen"].map((client) => join(home, client, "projects", projectSlug(root), "memory"));
}

function lettaAgents(home: string): string[] {
  const agents = join(home, ".letta", "agents");
  return namesInFolder(agents)
    .slice(0, 50)
    .map((agent) => join(agents, agent, "memory"));
}
