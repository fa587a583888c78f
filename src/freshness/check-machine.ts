import { isOnPath, namesInFolder, statIfThere } from "../machine/regular-file.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findGitDirectory, readSmallFile } from "../machine/git-directory.ts";
import { broken, type Finding, unchecked } from "./verdict.ts";

/** Whether a branch exists, here or as a remote's: read from git's files, no process is started. */
export function checkBranch(name: string, root: string | undefined): Finding {
  const directory = root === undefined ? undefined : findGitDirectory(root);
  if (!directory) return unchecked("there is no repository here");
  const { gitDir, commonDir } = directory;
  if (existsSync(join(commonDir, "reftable")))
    return unchecked("its branches are kept in a form that is not read here");
  const head = readSmallFile(join(gitDir, "HEAD"))?.trim();
  if (head === `ref: refs/heads/${name}`) return { state: "kept" };
  const packed = readSmallFile(join(commonDir, "packed-refs"));
  const remotes = namesInFolder(join(commonDir, "refs", "remotes")).slice(0, 100);
  const isThere =
    isFile(join(commonDir, "refs", "heads", name)) ||
    remotes.some((remote) => isFile(join(commonDir, "refs", "remotes", remote, name))) ||
    (packed ?? "").split("\n").some((line) => isRef(line.slice(line.indexOf(" ") + 1), name));
  if (isThere) return { state: "kept" };
  if (existsSync(join(commonDir, "shallow")))
    return unchecked(`a shallow clone need not have the branch ${name}`);
  if (packed === undefined && existsSync(join(commonDir, "packed-refs")))
    return unchecked("the list of its branches cannot be read");
  return broken(`there is no branch ${name}`);
}

export function checkCommand(name: string, env: Readonly<Record<string, string | undefined>>): Finding {
  const isThere = isOnPath(name, env);
  if (isThere === undefined) return unchecked("there is no PATH here");
  return isThere ? { state: "kept" } : broken(`there is no ${name} on the PATH`);
}

function isRef(ref: string, name: string): boolean {
  if (ref === `refs/heads/${name}`) return true;
  return ref.startsWith("refs/remotes/") && ref.slice(ref.indexOf("/", "refs/remotes/".length) + 1) === name;
}

const isFile = (path: string): boolean => statIfThere(path)?.isFile() === true;
