import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { asRecord } from "../machine/read-fields.ts";
import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import { type Environment, homeOf } from "../machine/places.ts";
import { readOrEmpty, readRegularFile, realPathOf } from "../machine/regular-file.ts";

const BOUNDS = { maxBytes: 1024 * 1024 };
/** The client loads this much of it, whichever ends first. */
const LOADED_LINES = 200;
const LOADED_BYTES = 25_000;

/** Whether Claude Code's own `MEMORY.md`, which no subagent sees, points at a memory of its folder: heed does not repeat it. */
export function isShownByClient(
  root: string,
  env: Environment,
  stores: readonly StoreRef[],
  agent: string | undefined,
): (metadata: Pick<MemoryMetadata, "file" | "storeId">) => boolean {
  const directory = agent === undefined ? findClientMemory(root, env) : undefined;
  if (directory === undefined) return () => false;
  const real = realPathOf(directory);
  const own = stores.find((store) => realPathOf(store.root) === real)?.id;
  if (own === undefined) return () => false;
  const loaded = Buffer.from(readOrEmpty(join(directory, "MEMORY.md"), BOUNDS)).subarray(0, LOADED_BYTES);
  const lines = loaded.toString("utf8").split("\n").slice(0, LOADED_LINES);
  return ({ file, storeId }) =>
    storeId === own &&
    [file, basename(file)].some((name) => lines.some((line) => line.includes(`(${name})`)));
}

/** Folder of Claude Code's own memory for a project; undefined without the client or with that switched off. */
export function findClientMemory(root: string, env: Environment): string | undefined {
  const home = env["CLAUDE_CONFIG_DIR"] || join(homeOf(env), ".claude");
  const settings = readSettings(join(home, "settings.json"));
  if (!existsSync(home) || !isAutoMemoryOn(settings, env)) return undefined;
  const moved = settings["autoMemoryDirectory"];
  return typeof moved === "string" && moved !== ""
    ? resolve(moved.replace(/^~(?=\/|$)/, homeOf(env)))
    : join(home, "projects", projectSlug(root), "memory");
}

/** The name of a project's folder in Claude Code's configuration directory: every odd character becomes a dash. */
export function projectSlug(root: string): string {
  return root.replaceAll(/[^A-Za-z0-9]/g, "-");
}

/** Whether a folder is Claude Code's own memory of a project, where it holds alone: of this one or another. */
export function clientMemoryPlace(folder: string, root: string): "here" | "elsewhere" | undefined {
  const slug = /[\\/]projects[\\/]([^\\/]+)[\\/]memory[\\/]?$/.exec(folder)?.[1];
  // The client cuts long names at 200 characters and adds a hash.
  if (slug === undefined) return undefined;
  return slug.slice(0, 200) === projectSlug(root).slice(0, 200) ? "here" : "elsewhere";
}

function isAutoMemoryOn(settings: Record<string, unknown>, env: Environment): boolean {
  const disabled = env["CLAUDE_CODE_DISABLE_AUTO_MEMORY"];
  if (disabled === "0") return true;
  return disabled !== "1" && disabled !== "true" && settings["autoMemoryEnabled"] !== false;
}

function readSettings(file: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(readRegularFile(file, BOUNDS))) ?? {};
  } catch {
    return {};
  }
}
