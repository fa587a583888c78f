import { CONTENT_KEY, PATCH_KEY, REPLACED_KEY, type ToolUse, patchedFiles } from "../../guard/guard-call.ts";
import { textsBelow } from "../../guard/tools.ts";

/** A file's text now, by the path that a call names; undefined where there is none. */
type ReadText = (path: string) => string | undefined;

/** The texts of files after an edit; undefined: the file is gone. What the input does not tell is left out. */
export function textsAfter(
  { tool, input }: ToolUse,
  path: string,
  read: ReadText,
): Map<string, string | undefined> {
  const patch = textsBelow(input, PATCH_KEY).find((text) => patchedFiles(text).length > 0);
  if (patch !== undefined) return textsOfPatch(patch, read);
  const [olds, news] = [textsBelow(input, REPLACED_KEY), textsBelow(input, CONTENT_KEY)];
  if (olds.length === 0) return new Map(tool === "Write" && news.length === 1 ? [[path, news[0]]] : []);
  const isAll = input["replace_all"] === true || input["replaceAll"] === true;
  let text = read(path) ?? "";
  for (const [i, old] of olds.entries()) {
    const now = news[i];
    // Such an edit fails.
    if (now === undefined || !text.includes(old)) return new Map();
    text = isAll && old !== "" ? text.replaceAll(old, () => now) : text.replace(old, () => now);
  }
  return new Map([[path, text]]);
}

/** What tells the head of a file in a diff from a line that begins with two dashes and goes. */
const isHead = (lines: readonly string[], i: number): boolean =>
  lines[i]?.startsWith("--- ") === true && lines[i + 1]?.startsWith("+++ ") === true;

/** A diff, or the format that Codex's tool takes. */
function textsOfPatch(patch: string, read: ReadText): Map<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
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
    const head = /^(?:\*\*\* (Add|Update|Delete|Move) (?:File|to): |\+\+\+ (?:b\/)?)(.+)$/.exec(line);
    const [what, named = ""] = head?.slice(1) ?? [];
    if (named !== "") {
      endHunk();
      if (what === "Move") {
        texts.set(named, texts.get(path));
        texts.set(path, undefined);
      } else if (named !== "/dev/null") texts.set(named, what === "Delete" ? undefined : (read(named) ?? ""));
      path = named.trim();
    } else if (line.startsWith("@@")) endHunk();
    else if (path !== "" && /^[ +-]/.test(line) && !isHead(lines, i)) {
      if (!line.startsWith("+")) old.push(line.slice(1));
      if (!line.startsWith("-")) now.push(line.slice(1));
    }
  }
  endHunk();
  return texts;
}
