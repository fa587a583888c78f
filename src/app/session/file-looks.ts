import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { findGitDirectory, readHead } from "../../git/git-directory.ts";
import type { GuardCall } from "../../guard/guard-call.ts";

/** So many paths of a call are looked at for their working tree, and as many for the files below. */
const MAX_LOOKS = 200;
/** Where the folders of a call have more entries, those of their folders among them, nobody says what is below. */
const MAX_ENTRIES = 2000;

/** What guards ask of the files of the machine, for one call. Never throws. */
export function fileLooks(): Required<Pick<GuardCall, "exists" | "treeOf" | "filesBelow">> {
  let count = 0;
  return {
    exists: (path) => existsSync(path),
    treeOf: onceEach((folder) => {
      const directory = existsSync(folder) ? findGitDirectory(folder) : undefined;
      return directory && { root: directory.root, branch: readHead(directory).branch };
    }),
    filesBelow: onceEach((path) => {
      if (!existsSync(path)) return [];
      const found = statSync(path).isDirectory() ? [`${path}/`] : [path];
      // The list grows while it is walked: a folder gives way to its entries.
      for (let i = 0; i < found.length; i++) {
        const folder = found[i];
        if (!folder?.endsWith("/")) continue;
        const entries = readdirSync(folder, { withFileTypes: true });
        if ((count += entries.length) > MAX_ENTRIES) return undefined;
        for (const entry of entries)
          found.push(`${join(folder, entry.name)}${entry.isDirectory() ? "/" : ""}`.replaceAll("\\", "/"));
      }
      return found.filter((file) => !file.endsWith("/"));
    }),
  };
}

function onceEach<T>(look: (path: string) => T): (path: string) => T | undefined {
  const found = new Map<string, T | undefined>();
  return (path) => {
    if (!found.has(path) && found.size < MAX_LOOKS)
      try {
        found.set(path, look(path));
      } catch {
        found.set(path, undefined);
      }
    return found.get(path);
  };
}
