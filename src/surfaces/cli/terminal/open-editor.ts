import { spawnSync } from "node:child_process";
import { HeedError } from "../../../heed.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Opens a file in `$VISUAL`, `$EDITOR`, or the platform's own, and waits. Throws `io-failed` when that fails. */
export function openEditor(file: string, env: Environment): void {
  const setting = env["VISUAL"] || env["EDITOR"] || (process.platform === "win32" ? "notepad" : "vi");
  const [program = "", ...words] = splitWords(setting);
  const { error, status } = spawnSync(program, [...words, file], { stdio: "inherit" });
  if (error || status !== 0)
    throw new HeedError(
      "io-failed",
      `the editor "${setting}" ${error ? `could not be started (${error.message})` : `ended with code ${status}`}. ` +
        "Set VISUAL or EDITOR to one that waits, for example EDITOR=nano.",
      { operation: "edit", file },
    );
}

/**
 * Splits an editor setting into program and arguments as a shell would (blanks, single and double quotes, backslashes),
 * but expands nothing and runs no shell: a setting must not turn into commands.
 */
export function splitWords(setting: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < setting.length; i++) {
    const char = setting.charAt(i);
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && /["\\]/.test(setting.charAt(i + 1)))
        word += setting.charAt(++i);
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\" && /[\s"'\\]/.test(setting.charAt(i + 1))) {
      word = (word ?? "") + setting.charAt(++i);
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (word !== undefined) words.push(word);
  return words;
}
