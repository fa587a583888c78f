import type { PathFrame, PathTest, Ternary } from "./entry-tests.ts";
import { allOf, anyOf, mayMeet, parsePathTest, plainPrefix, whether } from "./entry-tests.ts";
import type { CommandUnit, GuardUnit, TouchedPath } from "./guard-call.ts";
import { EDIT_TOOLS, isWritingTool } from "./tools.ts";
import type { GuardCondition } from "./guard.ts";
import { absolutePath } from "./shell/run-context.ts";
import { type ShellWord, HOLE, isKnown, knownWord } from "./shell/shell-command.ts";
import { optionsOf } from "./shell/read-arguments.ts";
import { gitUse, runnerOf, SHELLS, wordUse } from "./shell/programs.ts";
import { foundBy } from "./shell/run-inner.ts";

/** What the paths of a condition are checked against. */
export interface PathQuestion {
  condition: Pick<GuardCondition, "commands" | "paths" | "effect" | "files">;
  unit: GuardUnit;
  /** Those behind the subcommands. */
  operands: readonly ShellWord[];
  frame: PathFrame & {
    /** Whether a file exists; absent: unknown. */
    exists?: ((path: string) => boolean) | undefined;
    /** The file itself, or all files below a folder; undefined if there are too many. */
    filesBelow?: ((path: string) => readonly string[] | undefined) | undefined;
  };
  /** The guard's condition, if `condition` is one of its exceptions. */
  guard: GuardCondition | undefined;
}

/** Cached: every rule needs the same of a unit. */
const writtenBy = new WeakMap<CommandUnit, readonly TouchedPath[]>();

/** Programs whose first operand is the text to search for, unless an option has it. */
const TEXT_FIRST = /^(?:[efgz]?grep|rg|ag|ack|g?sed|g?awk|jq|yq)$/;
const TEXT_OPTION = /^-[ef]$|^--(?:regexp|expression|(?:from-)?files?)$/;

/** Whether one of the paths of a unit fits; for an exception, whether all do, so that one does not hide another. */
export function matchPaths(asked: PathQuestion): Ternary {
  const { guard } = asked;
  if (!guard) return anyOf(touchedBy(asked).map((one) => matchTouched(one, asked)));
  const ofGuard = { ...asked, condition: guard, guard: undefined };
  const answers = touchedBy(ofGuard).map((one) => ({ one, answer: matchTouched(one, ofGuard) }));
  const stopped = answers.filter(({ answer }) => answer !== "no");
  // Paths that the guard stops, or that the command names if the guard has no paths.
  const paths = guard.paths.length > 0 ? stopped.map(({ one }) => one) : namedBy(asked);
  return paths.length > 0 ? allOf(paths.map((one) => matchTouched(one, asked))) : "no";
}

/** The files that a unit changes; if the guard names a command, also the files that the command names. */
function touchedBy(asked: PathQuestion): readonly TouchedPath[] {
  const { unit, condition } = asked;
  const { effect } = condition;
  if (unit.kind !== "command") {
    const isChange = unit.kind === "call" && (EDIT_TOOLS.includes(unit.tool) || isWritingTool(unit.tool));
    if (effect !== undefined && !isChange) return [];
    return effect === "destroys" ? namedBy(asked).filter(({ isGone }) => isGone) : namedBy(asked);
  }
  const written = writtenBy.get(unit) ?? writtenPaths(unit);
  writtenBy.set(unit, written);
  if (effect === "destroys") return written.filter(({ isGone, isUnsure }) => isGone === true || isUnsure);
  if (condition.commands.length === 0 || effect !== undefined) return written;
  const named = namedBy(asked);
  const values = [...unit.command.writes, ...unit.args.options.flatMap(({ value }) => value ?? [])];
  // `grep -r x config` reads what is below.
  const below = isRecursive(unit) ? named.map(({ word }) => ({ word, reach: "some" }) as const) : [];
  return [...named, ...values.map((word) => ({ word, reach: "file" }) as const), ...written, ...below];
}

function namedBy({ unit, operands }: PathQuestion): readonly TouchedPath[] {
  if (unit.kind !== "command") return unit.kind === "call" ? unit.paths : [];
  const isOption = unit.args.options.some(({ names }) => names.some((one) => TEXT_OPTION.test(one)));
  const isText = !isOption && TEXT_FIRST.test(unit.command.words[0]?.text ?? "");
  return (isText ? operands.slice(1) : operands).map((word) => ({ word, reach: "file" }));
}

function matchTouched(one: TouchedPath, { condition, unit, frame, guard }: PathQuestion): Ternary {
  const { text, isMany, isGlob } = one.word;
  const path = absolutePath(text, unit.kind === "command" ? unit.command.cwd : frame.cwd);
  if (path === undefined || path.includes(HOLE) || (isMany && isGlob !== true)) return "unknown";
  const sure = matchPath(path, one, condition.paths, frame, guard !== undefined);
  const answer = one.isUnsure && sure === "yes" ? "unknown" : sure;
  // The word may not be a file.
  const isWord = one.isUnsure === true && !/[./]/.test(text);
  if (isWord && frame.exists?.(path) === false) return "no";
  if (condition.files === undefined || answer === "no") return answer;
  if (!frame.exists) return "unknown";
  if (isGlob !== true && one.reach === "file") {
    const isThere = frame.exists(path);
    const own = isThere && frame.filesBelow ? frame.filesBelow(path) : [path];
    if (!own) return "unknown";
    // A folder is not a file: the files in it are checked by their own names.
    return own.includes(path) && isThere === (condition.files === "existing") ? answer : "no";
  }
  const isListed =
    condition.files === "existing" && one.reach !== "some" && !one.isUnsure && !one.word.isOperand;
  const files = isListed ? existingFiles(path, one, frame) : undefined;
  if (!files) return "unknown";
  if (!files.some((file) => condition.paths.some((test) => test.test(file, frame)))) return "no";
  return one.reach === "maybe" ? "unknown" : "yes";
}

function existingFiles(
  path: string,
  { word, reach }: TouchedPath,
  frame: PathQuestion["frame"],
): readonly string[] | undefined {
  const files = frame.filesBelow?.(word.isGlob ? plainPrefix(path) : path);
  if (!word.isGlob) return files;
  const tests = [path, ...(reach === "tree" ? [`${path}/**`] : [])].flatMap(
    (glob) => parsePathTest(glob) ?? [],
  );
  return tests.length > 0 ? files?.filter((file) => tests.some((test) => test.test(file, frame))) : undefined;
}

function matchPath(
  path: string,
  { word, reach }: TouchedPath,
  tests: readonly PathTest[],
  frame: PathFrame,
  isAll: boolean,
): Ternary {
  const isGlob = word.isGlob === true;
  // If any name fits, each file of the glob fits.
  const sample = isGlob ? path.replace(/\[[^\]]*\]|\*+|\?/g, "x") : path;
  const fits = (one: string): boolean => tests.some((test) => test.test(one, frame));
  if (reach === "maybe" && isAll) return whether(fits(sample) && fits(`${sample}/\u0001`));
  if (reach === "maybe") return fits(sample) || fits(`${sample}/\u0001`) ? "unknown" : "no";
  if (fits(sample)) return "yes";
  if (!isGlob && reach === "file") return "no";
  const patterns = tests.flatMap((test) => test.patterns(frame));
  if (isAll) return isGlob && patterns.some((pattern) => mayMeet(path, pattern)) ? "unknown" : "no";
  const folder = isGlob ? (path.endsWith("/**") ? plainPrefix(path) : undefined) : path;
  const isAbove =
    folder !== undefined &&
    patterns.some((pattern) => `${plainPrefix(pattern)}/`.startsWith(`${folder}/`.replace("//", "/")));
  if (reach === "tree" && isAbove) return "yes";
  // The guard names a file in any folder, and the names in this folder are unknown.
  const isAnyName = patterns.every((pattern) => path.startsWith(plainPrefix(pattern)));
  if (reach === "some") return fits(`${sample}/\u0001`) ? "yes" : isAbove && !isAnyName ? "unknown" : "no";
  const isMet = (pattern: string): boolean =>
    mayMeet(path, pattern) || (reach === "tree" && mayMeet(path, plainPrefix(pattern)));
  return isGlob && patterns.some(isMet) ? "unknown" : "no";
}

const IN_PLACE = /^(?:-i|--in-?place|-w|--write|--fix|--apply)$/;
const OUTPUT =
  /^(?:-o|--?out[\w-]*|--[\w-]*(?:out(?:put)?|dest(?:ination)?)(?:-?(?:file|dir|path))?|--result-file|-fprint(?:0|f)?|-fls)$/i;
/** Known programs whose `-o` does not name a file. */
const SPEAKS = /^(?:(?!sort|tree)\S+ plain|git(?! (?:archive|format-patch)))/;
const TO_OUTPUT = /^(?:-c|--stdout|--to-stdout|-l|--list|-t|--test)$/;
const INPUT = /^(?:--?in|--(?:input|env-file|config|schema))$/;
const LIST = /^--(?:[\w-]*from-file|files-from)$/;
/** Options that remove the files that are packed or sent. */
const TAKES_AWAY = /^--(?:remove-(?:source-)?files|move)$|^-sdel$/;
const RECURSIVE = /^(?:-r|-R|--recursive|-a|--archive)$/;
const FOLDER =
  /^(?:-t|-P|--target-directory|-C|-d|--directory|--directory-prefix|--output-dir|--prefix|--one-top-level)$/;
const COMPRESSES = /^(?:g(?:un)?zip|bzip2|xz)$/;
const HERE = knownWord(".");
const SPEAKS_OF_CHANGE =
  /\b(?:rm|del|delete|remove|clean|clear|wipe|purge|fmt|format|fix|write|output|out|rimraf|shred|sync)/i;

/** The files that a command changes, as far as its name and words say. */
export function writtenPaths({ command, args, text }: CommandUnit): TouchedPath[] {
  const name = command.words[0]?.text ?? "";
  const { operands, options } = args;
  const use = wordUse(name);
  const given = (flags: RegExp): boolean =>
    options.some(({ names, isOff }) => isOff !== true && names.some((flag) => flags.test(flag)));
  const valuesOf = (flags: RegExp): ShellWord[] =>
    options.flatMap(({ names, value }) => (value && names.some((flag) => flags.test(flag)) ? value : []));
  const found: TouchedPath[] = [];
  const add = (
    reach: TouchedPath["reach"],
    words: readonly ShellWord[],
    isUnsure?: boolean,
    isGone?: boolean,
  ): void => {
    for (const word of words)
      found.push({ word, reach, ...(isUnsure && { isUnsure }), ...(isGone && { isGone }) });
  };
  const sub = name === "git" ? operands[0]?.text : use;
  const outputs = valuesOf(SPEAKS.test(`${name} ${sub}`) ? /^--output$/ : OUTPUT);
  const isEmpty = printsNothing(command);
  for (const word of command.writes) add("file", [word], false, isEmpty && word.isAppended !== true);
  add("tree", command.removes ?? [], false, true);
  add("file", outputs);
  add("maybe", outputs);
  if (use !== undefined && (given(/^--dry-run$/) || (COMPRESSES.test(name) && given(TO_OUTPUT))))
    return found;
  const [folder] = valuesOf(FOLDER);
  const base = folder ?? HERE;
  const isTree = given(RECURSIVE) || /^(?:mv|trash|rimraf)$/.test(name);
  if (given(name === "zip" ? /^(?:-m|--move)$/ : TAKES_AWAY)) add("tree", operands, false, true);
  if (use !== "plain" && given(LIST)) add("file", [{ text: HOLE, isMany: true }]);
  if (use === "writes" || use === "edits")
    add(
      isTree && use === "writes" ? "tree" : "file",
      name === "mv" && !folder ? operands.slice(0, -1) : operands,
      // `vim -R`
      use === "edits" && given(/^-R$/),
      REMOVES.test(name) ||
        (/^(?:tee|sponge)$/.test(name) && fedNothing(command) && !given(/^(?:-a|--append)$/)),
    );
  if (use === "last" || name === "mv") {
    found.push(...brought(name, operands, folder, isTree));
    if (operands[0]?.text === "/dev/null") add("file", operands.slice(1), false, true);
    const to = operands.at(-1);
    const isRclone = name === "rclone" && /^(?:delete|purge|rmdir|move)/.test(operands[0]?.text ?? "");
    if (isRclone) add("tree", operands.slice(1, 2), false, true);
    if (name === "rsync" && given(/^--del/) && to && !/^[\w.@-]{2,}:/.test(to.text))
      add("tree", [to], false, true);
  } else if (name === "dd") {
    const isEmptied = operands.some(({ text: one }) => /^if=\/dev\/(?:null|zero|u?random)$/.test(one));
    for (const word of operands)
      if (word.text.startsWith("of=")) add("file", [{ ...word, text: word.text.slice(3) }], false, isEmptied);
  } else if (name === "git") found.push(...writtenByGit(command, args));
  else if (name === "find") add("tree", given(/^-delete$/) ? foundBy(command.words) : [], false, true);
  else if (name === "patch") {
    found.push(...patched(command.fed, folder));
    add("file", operands.slice(0, 1));
  } else if (/^(?:(?:bsd)?tar|(?:un)?zip|7z)$/.test(name)) {
    const [file] = valuesOf(/^--file$|^-f$/);
    const first = operands[0]?.text ?? "";
    const isListing = given(/^(?:-t|-l|--list)$/) || (options.length === 0 && /^[a-z]*t[a-z]*$/.test(first));
    if (isListing && /tar$|^unzip$/.test(name)) return found;
    const isUnpacking = given(/^(?:-x|--extract|--get)$/) || /^-?[a-z]*x/.test(first);
    // Members may be named behind the archive.
    if (isUnpacking || name === "unzip" || name === "7z")
      add("some", [base, ...operands.map(({ text: member }) => knownWord(`${base.text}/${member}`))]);
    else add("file", [file ?? operands[name === "zip" ? 0 : /^[a-z]*f/.test(first) ? 1 : -1] ?? []].flat());
  } else if (name === "wget" || (name === "curl" && given(/^(?:-O|--remote-name)$/)))
    add(
      "file",
      operands.map((url) => joined(base, url)),
    );
  else if (use === "flagged" && (given(IN_PLACE) || /^(?:format|fmt)$/.test(operands[0]?.text ?? "")))
    // They read wildcards themselves.
    for (const word of operands) {
      const isGlob = word.isGlob === true || /[*?]/.test(word.text);
      add(isGlob || /\.\w+$/.test(word.text) ? "file" : "some", [{ ...word, isGlob }]);
    }
  else if (use === undefined && name !== "" && !SHELLS.has(name) && !runnerOf(command.words)) {
    const read = valuesOf(INPUT).map((word) => word.text);
    const isOfPaths = optionsOf(name) === undefined || SPEAKS_OF_CHANGE.test(text);
    // It may write where it runs.
    add("maybe", [HERE], true);
    // `make clean DIR=data`
    const set = operands.flatMap((word) => {
      const [, value] = /^\w+=(.+)$/.exec(word.text) ?? [];
      return value === undefined ? [] : [{ ...word, text: value }];
    });
    for (const word of [...operands, ...set, ...options.flatMap(({ value }) => value ?? [])])
      if (!read.includes(word.text) && (isOfPaths || /[./]/.test(word.text)))
        add(SPEAKS_OF_CHANGE.test(text) ? "some" : "maybe", [word], true);
  }
  return found;
}

const REMOVES = /^(?:rm|rmdir|unlink|shred|srm|truncate|mv|trash|rimraf|rename|gzip|gunzip|bzip2|xz)$/;

/** Whether a redirection of a command's output only empties its file: `: > f`, `cat /dev/null > f`. */
function printsNothing({ words, fed }: CommandUnit["command"]): boolean {
  const [name, ...rest] = words.map(({ text }) => text);
  const said = rest.filter((text) => !/^-[neE]+$/.test(text)).join("");
  if (name === undefined || /^(?::|true|false)$/.test(name)) return true;
  if (name === "echo") return said === "" && rest.includes("-n");
  if (name === "cat") return said === "/dev/null" || (rest.length === 0 && fedNothing({ fed }));
  return name === "printf" && said === "";
}

function fedNothing({ fed }: Pick<CommandUnit["command"], "fed">): boolean {
  return fed.text === "" && fed.isWhole;
}

/** The files that copies, moves, links and transfers write: each source's name in a folder, or the target itself. */
function brought(
  name: string,
  operands: readonly ShellWord[],
  folder: ShellWord | undefined,
  isTree: boolean,
): TouchedPath[] {
  const sources = folder ? operands : operands.slice(0, -1);
  const target = folder ?? (operands.length === 1 && name === "ln" ? HERE : operands.at(-1));
  if (!target || (sources.length === 0 && !folder && name !== "ln") || /^[\w.@-]{2,}:/.test(target.text))
    return [];
  const isFolder = folder !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.text);
  const isFile = /\.\w+$/.test(target.text);
  const found: TouchedPath[] = [{ word: target, reach: "file" }];
  // A later write through a link is not seen as a write of its target.
  if (name === "ln")
    found.push(...operands.map((word): TouchedPath => ({ word, reach: "maybe", isUnsure: true })));
  if (isTree || name === "rsync" || name === "ditto") found.push({ word: target, reach: "some" });
  for (const source of sources.length === 0 ? operands : sources) {
    if (isFolder || !isFile) found.push({ word: joined(target, source), reach: isFolder ? "file" : "maybe" });
  }
  return found;
}

/** A name in a folder; something in it, if the name is unknown. */
function joined(folder: ShellWord, source: ShellWord): ShellWord {
  const name =
    source.text
      .replace(/[?#].*$/, "")
      .replace(/\/+$/, "")
      .split(/[/:]/)
      .at(-1) ?? "";
  const isNamed = name !== "" && name !== "." && name !== "..";
  const text = `${folder.text.replace(/\/$/, "") || "/"}/${isNamed ? name : "*"}`;
  return {
    ...source,
    text,
    isMany: folder.isMany || source.isMany,
    isGlob: source.isGlob === true || !isNamed,
  };
}

function writtenByGit(
  { words, fed }: CommandUnit["command"],
  { operands, options }: CommandUnit["args"],
): TouchedPath[] {
  const [sub = knownWord(""), ...rest] = operands;
  const use = gitUse(sub.text);
  // `:/x` and `:(top)x` are seen from the root.
  const files = rest
    .map((word) => ({ ...word, text: word.text.replace(/^:(?:\/|\([a-z,]*\))/, "") }))
    .filter(
      ({ text }) => sub.text !== "checkout" || /[./]/.test(text) || words.some((word) => word.text === "--"),
    );
  const file = options.find(({ names }) => names.includes("--file"))?.value;
  if (sub.text === "config" && file && rest.length > 1) return [{ word: file, reach: "file" }];
  if (sub.text === "bundle") return files.slice(1, 2).map((word) => ({ word, reach: "file" }));
  if (use === undefined) return files.map((word) => ({ word, reach: "maybe", isUnsure: true }));
  if (/^(?:worktree|submodule)$/.test(sub.text) && /^(?:remove|deinit)$/.test(rest[0]?.text ?? ""))
    return files.slice(1).map((word) => ({ word, reach: "tree", isGone: true }));
  if (/^(?:clone|init|worktree|submodule)$/.test(sub.text))
    return (sub.text === "clone" ? files.slice(-1) : files).map((word) => ({ word, reach: "some" }));
  // What is taken away is in git's records.
  if (/^(?:read-tree|sparse-checkout)$/.test(sub.text))
    return [{ word: HERE, reach: "some", isGone: true, isUnsure: true }];
  if (sub.text === "clean" && files.length === 0) return [{ word: HERE, reach: "some", isGone: true }];
  const isKept =
    /^(?:checkout-index|merge-file)$/.test(sub.text) || (sub.text === "restore" && isStagedAlone(options));
  const gone = sub.text === "mv" ? files.slice(0, -1) : isKept ? [] : files;
  if (use === "writes") return files.map((word) => ({ word, reach: "tree", isGone: gone.includes(word) }));
  return sub.text === "apply" || sub.text === "am" ? patched(fed, undefined) : [];
}

/** `git restore --staged` leaves the files alone. */
function isStagedAlone(options: CommandUnit["args"]["options"]): boolean {
  const names = options.flatMap((option) => option.names);
  return /^(?:-S|--staged)$/m.test(names.join("\n")) && !/^(?:-W|--worktree)$/m.test(names.join("\n"));
}

/** The files that a patch names; anything below the folder, if the patch is unknown. */
function patched(
  { text, isWhole }: CommandUnit["command"]["fed"],
  folder: ShellWord | undefined,
): TouchedPath[] {
  const base = folder ?? HERE;
  const names = [...text.matchAll(/^(?:\+\+\+|---|rename to) (?:[ab]\/)?([^\s\0]+)/gm)].flatMap(([, path]) =>
    path === undefined || path === "/dev/null" ? [] : [path],
  );
  if (names.length === 0 || !isWhole) return [{ word: base, reach: "some" }];
  return names.map((path) => ({
    word: knownWord(isKnown(base) ? `${base.text}/${path}` : HOLE),
    reach: "file",
  }));
}

function isRecursive({ args }: CommandUnit): boolean {
  return args.options.some(({ names }) => names.some((flag) => RECURSIVE.test(flag)));
}
