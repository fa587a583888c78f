/** So many words of a command are looked at, and so many paths at most come out of one tool use. */
const MAX_WORDS = 200;
const MAX_PATHS = 50;
/** Longer texts are no paths. */
const MAX_PATH_CHARS = 400;
/** So much of a command is looked at: commands that write whole files carry them inline. */
const MAX_COMMAND_CHARS = 20_000;

const PATH_KEYS = ["file_path", "path", "notebook_path", "filePath", "notebookPath"];
const COMMAND_KEYS = ["command", "cmd"];

/** The paths that a tool use names: those of file tools, and each word of a command that may be one. */
export function touchedPaths(input: Readonly<Record<string, unknown>>): string[] {
  const named = PATH_KEYS.map((key) => input[key]).filter((value) => typeof value === "string");
  const commands = COMMAND_KEYS.map((key) => input[key]).filter((value) => typeof value === "string");
  const paths = [...named, ...commands.flatMap(wordsOfCommand)].filter(
    (path) => path !== "" && path.length <= MAX_PATH_CHARS,
  );
  return [...new Set(paths)].slice(0, MAX_PATHS);
}

/** The words of a shell command that could be paths: quotes opened, options and their values parted, URLs left out. */
function wordsOfCommand(command: string): string[] {
  const words = command.slice(0, MAX_COMMAND_CHARS).match(/"[^"]*"|'[^']*'|[^\s"';|&<>()`]+/g) ?? [];
  return words
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .flatMap((word) => (word.startsWith("-") ? word.split("=").slice(1) : [word]))
    .filter(
      (word) => /^[^\s*?{}$]+$/.test(word) && /[\p{L}\p{N}]/u.test(word) && !/^[a-z]+:\/\//i.test(word),
    );
}
