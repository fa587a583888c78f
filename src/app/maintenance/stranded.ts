import { existsSync } from "node:fs";
import { basename, relative } from "node:path";
import type { HealthFinding } from "../api/maintenance-reports.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { finding, remedy } from "./health-use.ts";
import { RepositoryHistory } from "../../freshness/repository-history.ts";
import { isMemoryFile, type MemoryMetadata } from "../../memory/memory.ts";

/** So many commits of other branches are looked through for memories. */
const MAX_COMMITS = 2_000;

/**
 * Memories that are out of reach: held to a branch or worktree that is not at hand, or in files that only other branches
 * and commits have. Each with the command that brings it here.
 */
export async function strandedMemories(
  place: Place,
  memories: readonly MemoryMetadata[],
): Promise<HealthFinding[]> {
  const { repository } = place;
  if (repository?.head === undefined) return [];
  const history = new RepositoryHistory(repository.root, place.env);
  const branches = async (...which: string[]): Promise<string[]> =>
    (
      await history.git(["for-each-ref", "--format=%(refname)", ...which, "refs/heads", "refs/remotes"])
    ).split("\n");
  const [all, merged] = [await branches(), await branches("--merged=HEAD")];
  const has = (refs: readonly string[], branch: string): boolean =>
    refs.some(
      (ref) => ref === `refs/heads/${branch}` || (ref.startsWith("refs/r") && ref.endsWith(`/${branch}`)),
    );
  const here = place.here();
  const held = memories.flatMap(({ name, scope, origin }): HealthFinding[] => {
    const { branch, worktree, paths, repo = origin.repo } = scope;
    if (repo !== undefined && !here.isRepositoryHere(repo)) return [];
    const where =
      worktree !== undefined && !existsSync(worktree)
        ? `in the worktree ${worktree}, which is gone`
        : branch === undefined || branch === here.branch
          ? undefined
          : `on the branch ${branch}, which is ${!has(all, branch) ? "gone" : has(merged, branch) ? "merged" : "not merged here"}`;
    const options = paths.length > 0 ? { path: paths.join(",") } : {};
    return where === undefined
      ? []
      : [
          finding(
            name,
            `holds only ${where}`,
            remedy("edit --no-branch", name, options),
            remedy("remove", name),
          ),
        ];
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
  const tombstones = openedStore(place, store)
    .listTombstones()
    .map(({ memory }) => memory.metadata.name);
  const known = new Set([...tombstones, ...memories.flatMap(({ name, file }) => [name, file])]);
  const found: HealthFinding[] = [];
  // Branches first: what they have is named by them.
  for (const refs of [["--branches", "--remotes"], ["--reflog"]]) {
    const walk = [
      "log",
      `-n${MAX_COMMITS}`,
      "--format=%x01%H %S",
      "--source",
      "--name-status",
      "--no-renames",
    ];
    const output = await history.git([...walk, "-z", ...refs, "--not", "HEAD", "--", folder]);
    let [commit, source, status] = ["", "", ""];
    for (const part of output.split(/\0\n?/)) {
      const [, id, ref = ""] = /^\x01(\w+) (.*)$/.exec(part) ?? [];
      if (id !== undefined) [commit, source, status] = [id, ref, ""];
      else if (status === "") status = part;
      else {
        const file = part.slice(folder.length + 1);
        const name = basename(file).replace(/\.\w+$/, "");
        // The newest commit that touched it counts: what was removed there is not missed.
        const isNew =
          !known.has(file) && !known.has(name) && isMemoryFile(basename(file)) && !/(?:^|\/)\./.test(file);
        known.add(file);
        const branch = source.replace(/^refs\/\w+\//, "");
        const where = refs[0] === "--reflog" ? "in a commit of no branch" : `on ${branch}`;
        const args = [`--source=${commit.slice(0, 12)}`, "--", `:/${part}`];
        if (isNew && status !== "D")
          found.push(
            finding(name, `is only ${where} (${commit.slice(0, 8)})`, {
              program: "git",
              command: "restore",
              args,
            }),
          );
        status = "";
      }
    }
  }
  return found;
}
