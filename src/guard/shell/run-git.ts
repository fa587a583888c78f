import type { ShellAssignment, ShellCommand, ShellWord } from "./shell-command.ts";
import { HOLE, isKnown, knownWord } from "./shell-command.ts";
import { type PreparedCommand, type RunContext, absolutePath, runAlias } from "./run-context.ts";
import { optionsOf } from "./command-options.ts";
import { readArguments, readOption } from "./read-arguments.ts";

/** Among the variables of a command: what `git config` set before it in the same text. */
export const SET_BEFORE = "git config ";

/**
 * The settings given by options, by the environment and by `git config` earlier in the text; the last wins. Their names
 * are in small letters as far as git takes them for equal.
 */
export function gitSettings({
  words,
  environment,
}: Pick<ShellCommand, "words" | "environment">): ShellAssignment[] {
  const found: ShellAssignment[] = [];
  const add = (text: string, isMany = false): void => {
    const [, key = text, value = "true"] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    // Section and name of a key are equal in any case; what stands between them is not.
    const name = key.replace(/^[^.]*|[^.]*$/g, (part) => part.toLowerCase());
    found.push({ name, value: { text: value, isMany } });
  };
  const valueOf = (name: string): ShellWord =>
    environment.findLast((item) => item.name === name)?.value ?? { text: HOLE, isMany: false };
  for (const { name, value } of environment) {
    if (name.startsWith(SET_BEFORE)) add(`${name.slice(SET_BEFORE.length)}=${value.text}`);
    else if (/^GIT_CONFIG_KEY_\d+$/.test(name))
      add(`${value.text}=${valueOf(name.replace("KEY", "VALUE")).text}`);
  }
  for (const { option, value } of globalOptions(words).options) {
    if (option === "-c") add(value.text, value.isMany);
    else if (option === "--config-env") {
      const [key = "", name = ""] = value.text.split("=");
      add(`${key}=${valueOf(name).text}`);
    }
  }
  return found;
}

/** Git's options before its subcommand, and where that stands. */
export function globalOptions(words: readonly ShellWord[]): {
  options: { option: string; value: ShellWord }[];
  next: number;
} {
  const options: { option: string; value: ShellWord }[] = [];
  let next = 1;
  for (; next < words.length; next++) {
    const word = words[next];
    if (!word || !/^-./.test(word.text)) break;
    const read = readOption(word, words[next + 1], optionsOf("git"));
    for (const { names, value } of read.options) if (value) options.push({ option: names[0] ?? "", value });
    if (read.isNextTaken) next += 1;
  }
  return { options, next };
}

/** The folder in which git works, by its `-C` options or its work tree. */
export function gitFolder(words: readonly ShellWord[], cwd: string | undefined): string | undefined {
  let folder = cwd;
  for (const { option, value } of globalOptions(words).options)
    if (option === "-C" || option === "--work-tree")
      folder = isKnown(value) ? absolutePath(value.text, folder) : undefined;
  return folder;
}

/** Records what git changes for the commands after it, and follows aliases that the text sets. */
export function runGit(command: PreparedCommand, context: RunContext): void {
  const { words } = command;
  const settings = gitSettings(command);
  const [sub, ...rest] = words.slice(globalOptions(words).next);
  if (!sub || !isKnown(sub)) return;
  if (sub.text === "config") readSetting(rest, context);
  if (sub.text === "remote" && /^(?:add|rename|set-url)$/.test(rest[0]?.text ?? ""))
    for (const { text } of rest) context.state.settings.set(`remote.${text}.url`, knownWord(HOLE));
  const label = `git alias ${sub.text}`;
  const text = settings.findLast(({ name }) => name === `alias.${sub.text}`)?.value.text;
  if (text === undefined || context.route.includes(label)) return;
  runAlias(label, text.startsWith("!") ? text.slice(1) : `git ${text}`, rest, context);
}

/** `git config [--global] KEY VALUE`, in its old and new spelling. */
function readSetting(args: readonly ShellWord[], { state }: RunContext): void {
  const { operands } = readArguments([knownWord("git"), knownWord("config"), ...args]);
  const [key, value] = operands.slice(1).filter(({ text }) => text !== "set");
  if (key && value && key.text.includes(".")) state.settings.set(key.text, value);
}
