import { join } from "node:path";
import { RULE_PLACES, formatOf } from "../formats/import-formats.ts";
import { ForeignReading } from "../formats/import-format.ts";
import { homeOf } from "../../machine/places.ts";
import { realPathOf, statIfThere } from "../../machine/regular-file.ts";
import { shellWord } from "../../machine/shell-word.ts";
import { findProjectRoot } from "../../store/find-stores.ts";
import { projectSlug } from "../../here/client-memory.ts";
import type { Place } from "../../here/place.ts";
import { openSource } from "./open-source.ts";

const OTHERS = ".serena/memories .claude-memory .qwen/memory .qwen/team-memory knowledge";
const IN_REPOSITORY = [...RULE_PLACES, ...OTHERS.split(" ")];

const IN_HOME = [
  ...(
    ".claude/CLAUDE.md .codex/AGENTS.md .gemini/GEMINI.md .qwen/QWEN.md .claude-memory .claude-mem/claude-mem.db .codex/memories .hermes .openclaw/workspace .mem0/history.db " +
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

/** Memories of other tools and files of instructions in known places, each with the command that takes it over; what a client goes on writing is attached. */
export async function findForeignStores(place: Place): Promise<ForeignStore[]> {
  const home = homeOf(place.env);
  const root = findProjectRoot(place.cwd);
  const folders = [...new Set([root ?? place.cwd, place.cwd])];
  const paths = [
    ...(root === undefined ? [] : memoriesByPath(home, root)),
    ...folders.flatMap((folder) => IN_REPOSITORY.map((path) => join(folder, path))),
    ...IN_HOME.map((path) => join(home, path)),
  ].filter(statIfThere);
  const attached = new Set(
    place.stores.filter(({ kind }) => kind === "attached").map((store) => realPathOf(store.root)),
  );
  // A link beside its file is the same, and a file whose letters' case does not count is one.
  const once = new Map(paths.map((path) => [realPathOf(path), path] as const).reverse());
  const found = await Promise.all(
    [...once].reverse().map(([, path]) => foreignStoreAt(path, place, attached)),
  );
  return found.filter((one) => one !== undefined);
}

async function foreignStoreAt(
  path: string,
  { env, types }: Place,
  attached: ReadonlySet<string>,
): Promise<ForeignStore | undefined> {
  try {
    const source = openSource(path, homeOf(env));
    const format = formatOf(source);
    if (!format) return undefined;
    const reading = new ForeignReading(source);
    // A file of instructions may hold what heed wrote into it alone.
    if (format.isOfRepository === true) await format.read(reading, types);
    if (format.isOfRepository === true && reading.memories.length === 0) return undefined;
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
