import type { CallUnit } from "../../guard/guard-call.ts";

/** A file's text now, by the path that a call names; undefined where there is none. */
type ReadText = (path: string) => string | undefined;

/** The texts of files after an edit; undefined: the file is gone. What the input does not tell is left out. */
export function textsAfter(unit: CallUnit, read: ReadText): Map<string, string | undefined> {
  const { paths, patch, whole, replacements } = unit;
  const after = new Map<string, string | undefined>(
    paths.flatMap(({ word, isGone }) => (isGone === true ? [[word.text, undefined]] : [])),
  );
  const path = paths[0]?.word.text ?? "";
  if (patch !== undefined) for (const [file, text] of textsOfPatch(patch, read)) after.set(file, text);
  else if (whole !== undefined) after.set(path, whole);
  else if (replacements.length > 0) {
    let text = read(path) ?? "";
    for (const { old, now, isAll } of replacements) {
      // Such an edit fails.
      if (now === undefined || !text.includes(old)) return new Map();
      text = isAll && old !== "" ? text.replaceAll(old, () => now) : text.replace(old, () => now);
    }
    after.set(path, text);
  }
  return after;
}

/** What tells the head of a file in a diff from a line that begins with two dashes and goes. */
const isHead = (lines: readonly string[], i: number): boolean =>
  lines[i]?.startsWith("--- ") === true && lines[i + 1]?.startsWith("+++ ") === true;

/** The files that a patch leaves there. */
function textsOfPatch(patch: string, read: ReadText): Map<string, string> {
  const texts = new Map<string, string>();
  let path = "";
  let [old, now]: [string[], string[]] = [[], []];
  const endHunk = (): void => {
    const [before, after] = [old.join("\n"), now.join("\n")];
    [old, now] = [[], []];
    const text = texts.get(path);
    if (text === undefined || before === after) return;
    if (text.includes(before))
      texts.set(
        path,
        text.replace(before, () => after),
      );
    else texts.delete(path);
  };
  const lines = patch.split("\n");
  for (const [i, line] of lines.entries()) {
    const head =
      /^(?:\*\*\* (Add|Update|Delete|Move) (?:File|to): |(rename (?:from|to)) |\+\+\+ (?:b\/)?)([^\t]+)/.exec(
        line,
      );
    const named = head?.[3]?.trim() ?? "";
    const what = head?.[1] ?? head?.[2];
    if (named !== "") {
      endHunk();
      const isMove = what === "Move" || what === "rename to";
      const isLeft = what !== "Delete" && named !== "/dev/null";
      const text = isMove ? texts.get(path) : (texts.get(named) ?? read(named) ?? "");
      if (isMove) texts.delete(path);
      if (isLeft && text !== undefined) texts.set(named, text);
      path = isLeft ? named : "";
    } else if (line.startsWith("@@")) endHunk();
    else if (path !== "" && /^[ +-]/.test(line) && !isHead(lines, i)) {
      if (!line.startsWith("+")) old.push(line.slice(1));
      if (!line.startsWith("-")) now.push(line.slice(1));
    }
  }
  endHunk();
  return texts;
}
