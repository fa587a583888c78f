import { OWN_FILE_MARK } from "./ask-hook.ts";
import type { ProtectedFolders } from "../entry/client.ts";
import { slashed } from "../entry/protected-folders.ts";

/**
 * A policy file for Gemini CLI: its file tools are denied in records and ask in stores and in any repository's `.heed`.
 * A pattern is tried on the arguments as JSON with a NUL before each, so that a text about a path is none. The question
 * is the weakest of the user's rules, and leaves plan mode alone, which refuses by a weaker one.
 */
export function geminiPolicy({ records, stores }: ProtectedFolders, home: string): string {
  const rule = (folders: readonly string[], decision: string): string => {
    const pattern = `\\x00"file_path":"(${folders.map((folder) => patternOf(folder, home)).join("|")})[\\\\/]`;
    return `[[rule]]\ntoolName = ["write_file", "replace"]\nargsPattern = ${JSON.stringify(pattern)}\n${decision}\n`;
  };
  return [
    `# ${OWN_FILE_MARK}\n`,
    rule(
      records,
      'decision = "deny"\npriority = 999\ndenyMessage = "heed\'s records are written by heed alone."',
    ),
    rule(
      [...stores, `${home}/.heed`],
      'decision = "ask_user"\npriority = 0\nmodes = ["default", "autoEdit", "yolo"]',
    ),
  ].join("\n");
}

/** A folder in a pattern. Below home it may be named from anywhere: the tools take relative paths too. */
function patternOf(folder: string, home: string): string {
  const base = `${slashed(home)}/`;
  const path = slashed(folder);
  const isBelow = path.startsWith(base);
  const words = (isBelow ? path.slice(base.length) : path)
    .split("/")
    .map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return (isBelow ? String.raw`(|[^"]*[\\/])` : "") + words.join(String.raw`[\\/]+`);
}
