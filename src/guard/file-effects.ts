import type { CommandUnit, GuardCall, TouchedPath } from "./guard-call.ts";
import { patchedFiles } from "./patch.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { foundBy } from "./shell/inner-commands.ts";
import { type ShellWord, absolutePath, isKnown, knownWord } from "./shell/shell-command.ts";

const REMOVES = /^(?:rm|rmdir|unlink|shred|srm|trash|rimraf)$/;
const COPIES = /^(?:cp|mv|ln|install|rsync|scp|ditto)$/;
const WRITES = /^(?:touch|tee|truncate|chmod|chown|chgrp|setfacl|sponge|dos2unix)$/;
/** Of a program and its option: the letters mean something else to others. */
const IN_PLACE =
  /^(?:(?:g?sed|perl|ruby|yq) -i|(?:gofmt|goimports|shfmt|prettier) -w|\S+ --(?:in-?place|write|fix))$/;
const RECURSIVE = /^(?:-r|-R|--recursive|-a|--archive)$/;
const FOLDER = /^(?:-t|--target-directory)$/;

/** Files that a command changes, by the name of a common program and its literal words; others are seen after the call. */
export function changedFiles(unit: CommandUnit, exists: GuardCall["exists"]): TouchedPath[] {
  const { command, args, program } = unit;
  const { operands } = args;
  const written = command.writes.map((word): TouchedPath => ({
    word,
    reach: "file",
    isGone: word.isEmptied === true,
  }));
  const outputs = /^(?:curl|wget|sort)$/.test(program) ? optionValues(unit, /^(?:-o|--output)$/) : [];
  const isTrial =
    hasOption(unit, /^--dry-run$/) || (/^(?:rsync|git)$/.test(program) && hasOption(unit, /^-n$/));
  return [...written, ...outputs.map(asFile), ...(isTrial ? [] : byProgram())];

  function byProgram(): TouchedPath[] {
    if (REMOVES.test(program))
      return goneOf(operands, hasOption(unit, RECURSIVE) || program !== "rm" ? "tree" : "file");
    if (COPIES.test(program)) return copied(unit, exists);
    if (program === "truncate" && hasOption(unit, /^(?:-s|--size)$/)) return goneOf(operands, "file");
    if (WRITES.test(program)) return operands.map(asFile);
    if (program === "dd")
      return operands.flatMap(({ text }) =>
        text.startsWith("of=") ? goneOf([knownWord(text.slice(3))], "file") : [],
      );
    if (program === "find")
      return hasOption(unit, /^-delete$/)
        ? foundBy(command.words.slice(1)).flatMap(({ word, isAll }) =>
            goneOf([word], isAll ? "tree" : "file"),
          )
        : [];
    // Codex takes its patches from a shell, too.
    if (program === "patch" || program === "apply_patch")
      return [command.input ?? "", ...operands.map(({ text }) => text)].flatMap(patchedFiles).map(asPatched);
    if (program === "git") return changedByGit(unit);
    const flags = args.options.flatMap(({ names }) => names.map((flag) => `${program} ${flag}`));
    // The first operand of sed is its script, unless an option has it.
    const isScript = /^g?sed$/.test(program) && !hasOption(unit, /^(?:-[ef]|--(?:expression|file))$/);
    return flags.some((flag) => IN_PLACE.test(flag))
      ? operands
          .slice(Number(isScript))
          .filter(({ isMaybeValue }) => isMaybeValue !== true)
          .map(asFile)
      : [];
  }
}

const asFile = (word: ShellWord): TouchedPath => ({ word, reach: "file" });

function asPatched({ path, isGone }: { path: string; isGone: boolean }): TouchedPath {
  return { word: knownWord(path), reach: "file", isGone };
}

function goneOf(words: readonly ShellWord[], reach: TouchedPath["reach"]): TouchedPath[] {
  return words.map((word) => ({ word, reach, isGone: true }));
}

/** What a copy or a move writes: each source's name in a folder, or the target itself; a moved source is gone. */
function copied(unit: CommandUnit, exists: GuardCall["exists"]): TouchedPath[] {
  const { program, args, command } = unit;
  const [folder] = optionValues(unit, FOLDER);
  const sources = folder ? args.operands : args.operands.slice(0, -1);
  const target = folder ?? args.operands.at(-1);
  const moved = program === "mv" ? goneOf(sources, "tree") : [];
  if (!target || sources.length === 0 || /^[\w.@-]{2,}:/.test(target.text)) return moved;
  const path = isKnown(target) ? absolutePath(target.text, command.cwd) : undefined;
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
  const isTaken = program === "rsync" && hasOption(unit, /^--remove-source-files$/);
  const isSynced = program === "rsync" && hasOption(unit, /^--del/);
  return [
    ...moved,
    ...(isTaken ? goneOf(sources, "tree") : []),
    ...(isFolder ? named.map(asFile) : [{ word: target, reach: "file" as const, isGone: isEmptied }]),
    ...(isSynced ? goneOf([target], "tree") : []),
  ];
}

function changedByGit(unit: CommandUnit): TouchedPath[] {
  const [{ text: sub } = knownWord(""), ...rest] = unit.args.operands;
  const isPathGiven = unit.command.words.some(({ text }) => text === "--");
  // `:/x` and `:(top)x` are seen from the root. Git reads a wildcard that the shell leaves alone.
  const files = rest.map(({ text }) => ({
    text: text.replace(/^:(?:\/|\([a-z,]*\))/, ""),
    isGlob: /[*?[]/.test(text),
  }));
  if (sub === "rm") return hasOption(unit, /^--cached$/) ? [] : goneOf(files, "tree");
  if (sub === "mv") return [...goneOf(files.slice(0, -1), "tree"), ...files.slice(-1).map(asFile)];
  if (sub === "clean" && hasOption(unit, /^(?:-f|--force)$/) && !hasOption(unit, /^(?:-n|--dry-run)$/))
    return goneOf(files.length > 0 ? files : [knownWord(".")], files.length > 0 ? "tree" : "file");
  const isStagedAlone = hasOption(unit, /^(?:-S|--staged)$/) && !hasOption(unit, /^(?:-W|--worktree)$/);
  if (sub === "restore") return isStagedAlone ? [] : goneOf(files, "tree");
  if (sub !== "checkout" || hasOption(unit, /^(?:-[bB]|--orphan)$/)) return [];
  const named = isPathGiven ? files : files.filter(({ text }) => /^\.|\/$|\.\w+$/.test(text));
  return goneOf(named, "tree");
}
