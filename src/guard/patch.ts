/** A file that a patch names: a diff, or the format that Codex's tool takes. */
interface PatchedFile {
  path: string;
  /** Removed, or moved away. */
  isGone: boolean;
  /** Of a moved file: where it was. */
  from?: string | undefined;
  /** The lines that go and come; undefined where only its name stands. */
  hunks?: { old: string[]; now: string[] }[];
}

const HEAD =
  /^(?:\*\*\* (Add|Update|Delete|Move) (?:File|to): |(rename from|rename to) |(\+\+\+|---) (?:[ab]\/)?)([^\t\0]+)/;

/** The files of a patch in the order of its lines, each under every name that it is given. */
export function patchedFiles(patch: string): PatchedFile[] {
  const files: PatchedFile[] = [];
  const lines = patch.split("\n");
  let open: PatchedFile | undefined;
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1] ?? "";
    const [, tool, rename, mark, name = ""] = HEAD.exec(line) ?? [];
    const [what, path] = [tool ?? rename ?? mark, name.trim()];
    const empty = /^diff --git a\/(.+) b\/\1$/.exec(line)?.[1];
    // An empty file has no lines that go or come.
    if (empty !== undefined && /^(?:deleted|new) file/.test(next))
      files.push({ path: empty, isGone: next.startsWith("deleted") });
    if (mark === "---" && path !== "/dev/null")
      files.push({ path, isGone: next.startsWith("+++ /dev/null") });
    if (what !== undefined && mark !== "---") {
      const moved = what === "Move" || what === "rename to" ? files.at(-1) : undefined;
      if (moved) moved.isGone = true;
      open = { path, isGone: what === "Delete" || what === "rename from", from: moved?.path, hunks: [] };
      if (path !== "/dev/null") files.push(open);
    } else if (line.startsWith("@@")) open?.hunks?.push({ old: [], now: [] });
    // A line that begins with two dashes and goes looks like a head.
    else if (open?.hunks && /^[ +-]/.test(line) && !(mark === "---" && next.startsWith("+++ "))) {
      if (open.hunks.length === 0) open.hunks.push({ old: [], now: [] });
      const hunk = open.hunks.at(-1);
      if (!line.startsWith("+")) hunk?.old.push(line.slice(1));
      if (!line.startsWith("-")) hunk?.now.push(line.slice(1));
    }
  }
  return files;
}

/** The texts that a patch leaves, as far as they follow from those that are there. */
export function textsOfPatch(patch: string, read: (path: string) => string | undefined): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { path, from = path, isGone, hunks } of patchedFiles(patch)) {
    if (isGone || !hunks) continue;
    let text: string | undefined = texts.get(from) ?? read(from) ?? "";
    texts.delete(from);
    for (const { old, now } of hunks) {
      const [before, after] = [old.join("\n"), now.join("\n")];
      if (before !== after) text = text?.includes(before) ? text.replace(before, () => after) : undefined;
    }
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}
