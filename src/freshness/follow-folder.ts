import type { Tree } from "./claim-check.ts";
import type { PathMove } from "./follow-path.ts";
import type { RepositoryHistory } from "./repository-history.ts";

/** So many files of a folder are followed. */
const MAX_FOLLOWED = 30;

/** Where a folder that is not in the tree any more went: to where most of its files went. */
export async function followFolder(path: string, tree: Tree, history: RepositoryHistory): Promise<PathMove> {
  const removal = await history.removalOf(path);
  if (!removal) return { to: undefined, since: undefined, isCertain: false };
  const files = (await history.pathsOf(`${removal.id}^1`))
    .filter((file) => file.startsWith(`${path}/`))
    .slice(0, MAX_FOLLOWED);
  const votes = new Map<string, number>();
  for (const file of files) {
    const to = await history.renameBetween(`${removal.id}^1`, removal.id, file);
    const rest = file.slice(path.length);
    const folder = to?.endsWith(rest) ? to.slice(0, -rest.length) : undefined;
    if (folder !== undefined) votes.set(folder, (votes.get(folder) ?? 0) + 1);
  }
  const [best] = [...votes].sort((a, b) => b[1] - a[1]);
  const isThere = best !== undefined && tree.look(best[0]).kind === "folder";
  return {
    to: isThere ? best[0] : undefined,
    since: removal,
    isCertain: isThere && best[1] * 2 > files.length,
  };
}
