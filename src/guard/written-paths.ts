import type { CommandUnit } from "./guard-unit.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/** Commands that write, remove or move every file that they name. */
const ALL_OPERANDS = new Set([
  "rm",
  "rmdir",
  "unlink",
  "shred",
  "touch",
  "truncate",
  "tee",
  "mv",
  "chmod",
  "chown",
  "patch",
  "sponge",
  "trash",
]);
/** Commands that write the last file that they name. */
const LAST_OPERAND = new Set(["cp", "ln", "install", "rsync", "scp"]);
/** Subcommands of git that change files of the working tree by path. */
const GIT_WRITES = new Set(["rm", "mv", "restore", "checkout", "clean"]);
/** Formatters and editors that write only with a flag. */
const IN_PLACE: Readonly<Record<string, readonly string[]>> = {
  sed: ["-i", "--in-place"],
  perl: ["-i"],
  gsed: ["-i", "--in-place"],
  sort: ["-o", "--output"],
  prettier: ["--write", "-w"],
  eslint: ["--fix"],
};

/**
 * The files that a command changes, as far as its name tells: targets of redirections, and operands of the commands
 * that write files. What other programs write is not known.
 */
export function writtenPaths({ command, args }: CommandUnit): readonly ShellWord[] {
  const name = command.words[0]?.text ?? "";
  const { operands, options } = args;
  const target = options.find(({ names }) => names.includes("--target-directory"))?.value;
  const found = [...command.writes];
  if (ALL_OPERANDS.has(name)) found.push(...operands);
  else if (LAST_OPERAND.has(name)) found.push(...(target ? [target] : operands.slice(-1)));
  else if (name === "dd") {
    for (const word of operands)
      if (word.text.startsWith("of=")) found.push({ ...word, text: word.text.slice(3) });
  } else if (name === "git") {
    if (GIT_WRITES.has(operands[0]?.text ?? "")) found.push(...operands.slice(1));
  } else if (Object.hasOwn(IN_PLACE, name)) {
    const flags = IN_PLACE[name] ?? [];
    if (options.some(({ names }) => names.some((flag) => flags.includes(flag)))) found.push(...operands);
  }
  return target && name === "mv" ? [...found, target] : found;
}
