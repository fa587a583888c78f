import { CONFIG_FILE } from "../config/store-config.ts";
import { TOMBSTONE_FOLDER } from "./tombstone.ts";

/**
 * Whether a path is one that a store's history carries: memories in any nesting, tombstones, the configuration and
 * the list of ignored files. Anything else in the directory is the user's own business, and nothing that comes from a
 * remote under another name is written to disk.
 */
export function isStoreFile(file: string): boolean {
  if (file === CONFIG_FILE || file === ".gitignore") return true;
  if (!/\.(md|markdown)$/i.test(file) || file.toLowerCase() === "memory.md") return false;
  const parts = file.split("/");
  const folders = parts[0] === TOMBSTONE_FOLDER ? parts.slice(1) : parts;
  return (
    folders.length <= 9 &&
    folders.every((part) => part !== "" && !part.startsWith(".") && !/[\\\0:]/.test(part))
  );
}
