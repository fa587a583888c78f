import type { CommandUnit } from "./guard.ts";
import { patchedFiles } from "./patch.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { foundBy } from "./shell/inner-commands.ts";
import { type ShellWord, type TouchedPath, absolutePath, isKnown, knownWord } from "./shell/shell-command.ts";

const REMOVES = /^(?:rm|rmdir|unlink|shred|srm|trash|rimraf)$/;
const COPIES = /^(?:cp|mv|ln|install|rsync|scp|ditto)$/;
const WRITES = /^(?:touch|tee|truncate|chmod|chown|chgrp|setfacl|sponge|dos2unix)$/;
/** Of a program and its option: the letters mean something else to others. */
const IN_PLACE =
  /^(?:(?:g?sed|perl|ruby|yq) -i|(?:gofmt|goimports|shfmt|prettier) -w|\S+ --(?:in-?place|write|fix))$/;
const RECURSIVE = /^(?:-r|-R|--recursive|-a|--archive)$/;
const FOLDER = /^(?:-t|--target-directory)$/;

type Unit = Omit<CommandUnit, "changed">;
type Exists = ((path: string) => boolean) | undefined;

/** Files that a command changes, by the name of a common program and its literal words; others are seen after the call. */
export function changedFiles(unit: Unit, exists: Exists): TouchedPath[] {
  const { program, writes } = unit;
  const outputs = /^(?:curl|wget|sort)$/.test(program) ? optionValues(unit, /^(?:-o|--output)$/) : [];
  const isTrial =
    hasOption(unit, /^--dry-run$/) || (/^(?:rsync|git)$/.test(program) && hasOption(unit, /^-n$/));
  return [...writes, ...outputs, ...(isTrial ? [] : changedByProgram(unit, exists))];
}

function changedByProgram(unit: Unit, exists: Exists): readonly TouchedPath[] {
  const { args, program, words, input = "" } = unit;
  const { operands } = args;
  if (REMOVES.test(program)) return goneOf(operands, hasOption(unit, RECURSIVE) || program !== "rm");
  if (COPIES.test(program)) return copied(unit, exists);
  if (program === "truncate" && hasOption(unit, /^(?:-s|--size)$/)) return goneOf(operands);
  if (WRITES.test(program)) return operands;
  if (program === "dd")
    return operands.flatMap(({ text }) => (text.startsWith("of=") ? goneOf([knownWord(text.slice(3))]) : []));
  if (program === "find")
    return hasOption(unit, /^-delete$/)
      ? foundBy(words.slice(1)).flatMap(({ word, isAll }) => goneOf([word], isAll))
      : [];
  // Codex takes its patches from a shell, too.
  if (program === "patch" || program === "apply_patch")
    return [input, ...operands.map(({ text }) => text)]
      .flatMap(patchedFiles)
      .map(({ path, isGone }) => ({ text: path, isGone }));
  if (program === "git") return changedByGit(unit);
  const flags = args.options.flatMap(({ names }) => names.map((flag) => `${program} ${flag}`));
  // The first operand of sed is its script, unless an option has it.
  const isScript = /^g?sed$/.test(program) && !hasOption(unit, /^(?:-[ef]|--(?:expression|file))$/);
  return flags.some((flag) => IN_PLACE.test(flag))
    ? operands.slice(Number(isScript)).filter(({ isMaybeValue }) => isMaybeValue !== true)
    : [];
}

function goneOf(words: readonly ShellWord[], isTree = false): TouchedPath[] {
  return words.map((word) => ({ ...word, isTree, isGone: true }));
}

/** What a copy or a move writes: each source's name in a folder, or the target itself; a moved source is gone. */
function copied(unit: Unit, exists: Exists): TouchedPath[] {
  const { program, args, cwd } = unit;
  const [folder] = optionValues(unit, FOLDER);
  const sources = folder ? args.operands : args.operands.slice(0, -1);
  const target = folder ?? args.operands.at(-1);
  const isSync = program === "rsync";
  const isMove = program === "mv" || (isSync && hasOption(unit, /^--remove-source-files$/));
  const moved = isMove ? goneOf(sources, true) : [];
  if (!target || sources.length === 0 || /^[\w.@-]{2,}:/.test(target.text)) return moved;
  const path = isKnown(target) ? absolutePath(target.text, cwd) : undefined;
  const isFolder =
    folder !== undefined ||
    sources.length > 1 ||
    /(?:^|\/)\.{0,2}$/.test(target.text) ||
    (path !== undefined && !hasOption(unit, /^-T$/) && exists?.(`${path}/.`) === true);
  const named = sources.map(({ text, ...source }) => ({
    ...source,
    text: `${target.text.replace(/\/$/, "")}/${text.replace(/\/+$/, "").split("/").at(-1) ?? ""}`,
  }));
  const isEmptied = sources.some(({ text }) => text === "/dev/null");
  return [
    ...moved,
    ...(isFolder ? named : [{ ...target, isGone: isEmptied }]),
    ...(isSync && hasOption(unit, /^--del/) ? goneOf([target], true) : []),
  ];
}

function changedByGit(unit: Unit): TouchedPath[] {
  const [{ text: sub } = knownWord(""), ...rest] = unit.args.operands;
  const isPathGiven = unit.words.some(({ text }) => text === "--");
  // `:/x` and `:(top)x` are seen from the root. Git reads a wildcard that the shell leaves alone.
  const files = rest.map(({ text }) => ({
    text: text.replace(/^:(?:\/|\([a-z,]*\))/, ""),
    isGlob: /[*?[]/.test(text),
  }));
  if (sub === "rm") return hasOption(unit, /^--cached$/) ? [] : goneOf(files, true);
  if (sub === "mv") return [...goneOf(files.slice(0, -1), true), ...files.slice(-1)];
  if (sub === "clean" && hasOption(unit, /^(?:-f|--force)$/))
    return files.length > 0 ? goneOf(files, true) : goneOf([knownWord(".")]);
  const isStagedAlone = hasOption(unit, /^(?:-S|--staged)$/) && !hasOption(unit, /^(?:-W|--worktree)$/);
  if (sub === "restore") return isStagedAlone ? [] : goneOf(files, true);
  if (sub !== "checkout" || hasOption(unit, /^(?:-[bB]|--orphan)$/)) return [];
  const named = isPathGiven ? files : files.filter(({ text }) => /^\.|\/$|\.\w+$/.test(text));
  return goneOf(named, true);
}
