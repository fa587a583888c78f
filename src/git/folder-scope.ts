const PREFIX = "folder:";

/** Stands for the repository where there is none, so that what is scoped to it holds in that folder alone. */
export function folderScope(cwd: string): string {
  return `${PREFIX}${cwd}`;
}

/** Whether a scope's repository is a folder, and this one. */
export function isFolderScope(repo: string, cwd: string): boolean {
  return repo === folderScope(cwd);
}
