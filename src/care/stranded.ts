import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import { type HealthFinding, finding, remedy } from "./health-findings.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { RepositoryHistory } from "../freshness/repository-history.ts";
import { type MemoryMetadata, isMemoryFile } from "../memory/memory.ts";

const MAX_COMMITS = 2_000;

/** Memories bound to a branch or worktree that is not at hand, or in files of other branches, with the command that brings each here. What is not here may be elsewhere: only of a merged branch removal is offered. */
export async function strandedMemories(
  place: Place,
  memories: readonly MemoryMetadata[],
): Promise<HealthFinding[]> {
  if (place.repository?.head === undefined) return [];
  const history = new RepositoryHistory(place.workRoot, place.env);
  const refs = ["for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes"];
  const [all, merged] = [await history.git(refs), await history.git([...refs, "--merged=HEAD"])];
  const has = (lines: string, branch: string): boolean =>
    lines.split("\n").some((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "") === branch);
  const here = place.here();
  const held = memories.flatMap(({ name, scope, origin }): HealthFinding[] => {
    const { branch, worktree, paths, repo = origin.repo } = scope;
    const isElsewhere = repo !== undefined && !here.isRepositoryHere(repo);
    const isBound = branch !== undefined && branch !== here.branch;
    const isAbsent = worktree !== undefined && !existsSync(worktree);
    if (isElsewhere || !(isBound || isAbsent)) return [];
    const isMerged = !isAbsent && has(merged, branch ?? "");
    const state = isMerged ? "merged" : has(all, branch ?? "") ? "not merged here" : "not in this clone";
    const where = isAbsent
      ? `in the worktree ${worktree}, which is not there now`
      : `on the branch ${branch}, which is ${state}`;
    const options = paths.length > 0 ? { path: paths.join(",") } : {};
    const widen = remedy("edit --no-branch", name, options);
    return [finding(name, `holds only ${where}`, widen, ...(isMerged ? [remedy("remove", name)] : []))];
  });
  return [...held, ...(await strandedFiles(place, history, memories))];
}

async function strandedFiles(
  place: Place,
  history: RepositoryHistory,
  memories: readonly MemoryMetadata[],
): Promise<HealthFinding[]> {
  const store = place.stores.find(({ kind }) => kind === "project");
  if (!store) return [];
  const folder = relative(place.workRoot, store.root).replaceAll("\\", "/");
  const removed = openedStore(place, store).listTombstones();
  const known = new Set([
    ...removed.map(({ memory }) => memory.metadata.name),
    ...memories.flatMap(({ name, file }) => [name, file]),
  ]);
  const found: HealthFinding[] = [];
  // Branches first: what they have is named by them.
  for (const refs of [["--branches", "--remotes"], ["--reflog"]]) {
    const walk = `log -n${MAX_COMMITS} --source --format=%x00%x00%x01%H%x20%S --name-status --no-renames -z`;
    const output = await history.git([...walk.split(" "), ...refs, "--not", "HEAD", "--", folder]);
    for (const commit of output.split("\0\0\x01").slice(1)) {
      const [, id = "", ref = "", files = ""] = /^(\w+) ([^\0]*)\0?([^]*)$/.exec(commit) ?? [];
      const where = refs.length === 1 ? "in a commit of no branch" : `on ${ref.replace(/^refs\/\w+\//, "")}`;
      for (const [, status, path = ""] of files.matchAll(/([A-Z])\0([^\0]+)\0/g)) {
        const file = path.slice(folder.length + 1);
        const name = basename(file).replace(/\.\w+$/, "");
        const isKnown =
          known.has(file) || known.has(name) || !isMemoryFile(basename(file)) || /(?:^|\/)\./.test(file);
        // The newest commit that touched it counts: what was removed there is not missed.
        known.add(file);
        const args = [`--source=${id.slice(0, 12)}`, "--", `:/${path}`];
        const restore = { program: "git", command: "restore", args } as const;
        if (!isKnown && status !== "D")
          found.push(finding(name, `is only ${where} (${id.slice(0, 8)})`, restore));
      }
    }
  }
  return found;
}
