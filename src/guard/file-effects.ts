import { type CommandUnit, type TouchedPath, patchedFiles } from "./guard-call.ts";
import { hasOption, optionValues } from "./match-command.ts";
import { optionsOf } from "./shell/read-arguments.ts";
import { gitUse, runnerOf, SHELLS, wordUse } from "./shell/programs.ts";
import { foundBy } from "./shell/run-inner.ts";
import { INTERPRETERS } from "./shell/read-code.ts";
import { type ShellWord, HOLE, isKnown, knownWord, UNKNOWN_WORDS } from "./shell/shell-command.ts";

/** A command, as the rows of the table look at it. */
interface Said extends CommandUnit {
  operands: readonly ShellWord[];
  /** Whether it has one of these options, and their values. */
  given: (flags: RegExp) => boolean;
  valuesOf: (flags: RegExp) => ShellWord[];
  /** The folder that an option names as the target. */
  folder: ShellWord | undefined;
}

const MAX_PARTS = 100;
const GONE = { isGone: true };
/** Nobody can tell how. */
const CHANGED = { isGone: "maybe" } as const;
const UNSURE = { isUnsure: true };
const HERE = knownWord(".");

function touch(
  reach: TouchedPath["reach"],
  words: readonly (ShellWord | undefined)[],
  more: Pick<TouchedPath, "isUnsure" | "isGone"> = {},
): TouchedPath[] {
  return words.flatMap((word) => (word ? [{ word, reach, ...more }] : []));
}

/** Of a program and its option: the letters mean something else to others. */
const IN_PLACE =
  /^(?:(?:g?sed|perl|ruby|[jy]q|g?awk|clang-format|autopep8) -i|(?:gofmt|goimports|shfmt|prettier|codespell) -w|\S+ --(?:in-?place|write|fix|apply[\w-]*))$/;
const OUTPUT =
  /^(?:-o|--?out[\w-]*|--[\w-]*(?:out(?:put)?|dest(?:ination)?)(?:-?(?:file|dir|path))?|--result-file|-fprint(?:0|f)?|-fls)$/i;
/** Known programs whose `-o` does not name a file. */
const SPEAKS = /^(?:(?!sort|tree|base64)\S+ plain|git(?! (?:archive|format-patch)))/;
const TO_OUTPUT = /^(?:-c|--stdout|--to-stdout|-l|--list|-t|--test)$/;
const KEEPS = /\s(?:-\w*k\d*|--keep)\b|^truncate .*(?:-s|--size)[ =]?\+?[1-9]/;
const COMPRESSES = /^(?:g(?:un)?zip|bzip2|xz)$/;
/** Options whose files are read, or left alone. */
const INPUT =
  /^-c$|^--?(?:in(?!-place)|input|settings|include|exclude|ignore|filter|from|config|schema|env|reference)(?:-\w+)*$|^--(?!.*(?:out|log|write|save|dump))[\w-]+-(?:file|from)$/;
const LIST = /^--(?:[\w-]*from-file|files-from)$/;
/** Options that remove the files that are packed or sent. */
const TAKES_AWAY = /^--(?:remove-(?:source-)?files|move)$|^-sdel$/;
const RECURSIVE = /^(?:-r|-R|--recursive|-a|--archive)$/;
const FOLDER =
  /^(?:-t|-P|--target-directory|-C|-d|--directory|--directory-prefix|--output-dir|--prefix|--one-top-level)$/;
const SPEAKS_OF_CHANGE =
  /\b(?:re|un|auto)?(?:rm|del|delete|remove|clean|clear|wipe|purge|erase|destroy|drop|prune|reset|restore|empty|truncate|update|correct|discard|replace|overwrite|extract|fmt|format|fix|write|output|out|rimraf|shred|sync)/i;
/** Subcommands that only look; `known`: only of programs whose options heed knows; `program`: ends of a program's name. */
const LOOKS =
  /^(?:cat|check|count|describe|diff|du|grep|head|help|info|inspect|lint|list|log|logs|ls|plan|preview|search|sel|show|stat|stats|status|tail|test|tree|validate|verify|version|view|whoami)$|^(?:events|get|images|ps|top) known$|(?:diff|grep|lint|stat|test) program$/;
/** Options that make a program only look. */
const LOOKS_BY = /^--(?:check(?:-only)?|diff|dry-?run|list(?:-[\w-]+)?|no-?emit|verify|version)$/i;
/** Options whose value, in the next word, a program may write to. */
const PLACE = /dir|path|folder|dest|out|report|log|xml|temp|save|dump|trace|jar|stderr|hsts|target/i;

/** The files that a command changes, as far as its name and words say. */
export function writtenPaths(unit: CommandUnit): TouchedPath[] {
  const { command, args, program } = unit;
  const use = wordUse(program);
  const given = (flags: RegExp): boolean => hasOption(unit, flags);
  const valuesOf = (flags: RegExp): ShellWord[] => optionValues(unit, flags);
  // `eslint --config x src`: heed does not know that the option takes `x`.
  const read = use?.startsWith("f") ? valuesOf(INPUT).map(({ text }) => text) : [];
  const operands = args.operands.filter((word) => !word.isMaybeValue || !read.includes(word.text));
  const said: Said = { ...unit, operands, given, valuesOf, folder: valuesOf(FOLDER)[0] };
  const sub = program === "git" ? operands[0]?.text : use;
  const outputs = valuesOf(SPEAKS.test(`${program} ${sub}`) ? /^--output$/ : OUTPUT);
  // What it makes of nothing may be nothing.
  const isGone = operands.some(({ text }) => /\/dev\/(?:null|zero)$/.test(text)) && "maybe";
  const always = [
    ...command.writes.flatMap((word) => touch("file", [word], { isGone: word.isEmptied === true })),
    ...touch("tree", command.removes ?? [], GONE),
    ...touch("file", outputs, { isGone }),
    ...touch("maybe", outputs),
  ];
  if (use !== undefined && (given(LOOKS_BY) || (COMPRESSES.test(program) && given(TO_OUTPUT)))) return always;
  const row = ROWS.get(program) ?? ROWS.get(`${use}*`);
  const isCode = SHELLS.has(program) || INTERPRETERS.test(program);
  // A script is read; a module, and the text of a shell, is a command of its own.
  const isRun =
    program === "" || (isCode && given(SHELLS.has(program) ? /^-c$/ : /^-m$/)) || runnerOf(command.words);
  const words = operands.slice(isCode && !given(/^-[ce]$/) ? 1 : 0);
  const touched = row?.(said) ?? (use !== undefined || isRun ? undefined : mayWrite(said, words));
  return [
    ...always,
    ...(given(program === "zip" ? /^(?:-m|--move)$/ : TAKES_AWAY) ? touch("tree", operands, GONE) : []),
    ...(use !== "plain" && given(LIST) ? touch("file", [UNKNOWN_WORDS]) : []),
    ...(touched ?? []),
    ...(use === "plain" || isRun
      ? []
      : touch("maybe", valuesOpen(said, use !== undefined || touched?.length === 0), UNSURE)),
  ];
}

/** What programs do with the files that they name: by name, or for all of one use. */
const ROWS: ReadonlyMap<string, (said: Said) => TouchedPath[]> = new Map(
  Object.entries({
    "removes*": (said: Said) => touch(reachOf(said), said.operands, KEEPS.test(said.text) ? CHANGED : GONE),
    "writes*": (said) => touch(reachOf(said), said.operands),
    "formats*": ({ operands }) => touch("some", operands),
    "edits*": ({ operands, given }) => touch("file", operands, { isUnsure: given(/^-R$/), ...CHANGED }),
    "last*": brought,
    "flagged*": inPlace,
    mv: (said) => [
      ...touch("tree", said.folder ? said.operands : said.operands.slice(0, -1), GONE),
      ...brought(said),
    ],
    rclone: (said) => mayWrite(said),
    rsync: (said) => {
      const emptied = said.operands.slice(-1).filter((to) => said.given(/^--del/) && !isRemote(to));
      return [...brought(said), ...touch("tree", emptied, GONE)];
    },
    "tee sponge": filled,
    dd: ({ operands, text }) => {
      const files = operands.filter((word) => word.text.startsWith("of=")).flatMap(partsOf);
      return touch("file", files, {
        isGone: /\s(?:if=\/dev\/(?:null|zero|u?random)|count=0)(?:\s|$)/.test(text),
      });
    },
    git: writtenByGit,
    find: ({ command, given }) => (given(/^-delete$/) ? touch("tree", foundBy(command.words), GONE) : []),
    patch: ({ command, operands, folder }) => [
      ...patched(command.fed, folder),
      ...touch("file", operands.slice(0, 1)),
    ],
    "tar bsdtar zip unzip 7z": packed,
    wget: fetched,
    curl: (said) => [
      ...(said.given(/^(?:-O|--remote-name)$/) ? fetched(said) : []),
      ...touch("maybe", said.valuesOf(PLACE)),
    ],
    mkdir: ({ operands }) => touch("maybe", operands),
  } satisfies Record<string, (said: Said) => TouchedPath[]>).flatMap(([names, row]) =>
    names.split(" ").map((name) => [name, row] as const),
  ),
);

const reachOf = (said: Said): "tree" | "file" =>
  isRecursive(said) || /^(?:mv|trash|rimraf)$/.test(said.program) ? "tree" : "file";

const isRemote = ({ text }: ShellWord): boolean => /^[\w.@-]{2,}:/.test(text);

/** What a script does to each file nobody can tell, unless it only substitutes; formatters read wildcards themselves. */
function inPlace({ operands, args, text, program }: Said): TouchedPath[] {
  const flags = args.options.flatMap(({ names }) => names.map((flag) => `${program} ${flag}`));
  const isFormat = /^(?:format|fmt)$/.test(operands[0]?.text ?? "");
  if (!isFormat && !flags.some((flag) => IN_PLACE.test(flag))) return [];
  const isKept = !/^(?:g?sed|g?awk|perl|ruby)$/.test(program) || /\ss(\W).*\1.*\1/.test(text);
  return operands.flatMap((word) => {
    const isGlob = word.isGlob === true || /[*?]/.test(word.text);
    const reach = isGlob || /\.\w+$/.test(word.text) ? "file" : "some";
    return touch(reach, [{ ...word, isGlob }], { isGone: !isKept && "maybe" });
  });
}

function filled({ operands, command: { fed }, given }: Said): TouchedPath[] {
  const isGone = fed.text === "" && fed.isWhole && !given(/^(?:-a|--append)$/);
  return touch("file", operands, { isGone });
}

/** What a program may change that heed does not know: what its words and variables name, and what is where it runs. */
function mayWrite(said: Said, files = said.operands): TouchedPath[] {
  const { program, text, operands, command, given } = said;
  const [first, second] = operands.map((word) => word.text);
  const known = optionsOf(program) ? [second, `${first} known`, `${second} known`] : [];
  const isSent =
    /\b(?:cp|copy|put|sync|upload)\b/.test(`${first} ${second}`) && isRemote(operands.at(-1) ?? HERE);
  const isChange = SPEAKS_OF_CHANGE.test(text) && !isSent;
  const isNamedSo = [first, `${program} program`, ...known].some((word = "") => LOOKS.test(word));
  const isLooking = given(LOOKS_BY) || (isNamedSo && !/\s-\w*[A-Zuiw]\b/.test(text));
  if (isSent || (isLooking && !isChange)) return [];
  return [
    ...touch("maybe", [HERE, ...valuesSet(command)], UNSURE),
    ...touch(isChange ? "some" : "maybe", files.flatMap(partsOf), UNSURE),
  ];
}

/** What the variables of a command are known to be. */
function valuesSet({ environment }: CommandUnit["command"]): ShellWord[] {
  return environment.slice(-MAX_PARTS).flatMap(({ value }) => (isKnown(value) ? value : []));
}

/** A word and the files in it: `DIR=data`, `$PWD/data:/data`, `type=bind,src=data`, `@data/x`. */
function partsOf(word: ShellWord): ShellWord[] {
  const parts = word.text.endsWith(":ro") ? [] : [word.text, ...word.text.split(/:\/\/|[:,=@]/, MAX_PARTS)];
  return parts.flatMap((text) => (text === "" ? [] : { ...word, text }));
}

/** The values of options that may be written: of a known program those in the word of an unknown one, and of places. */
function valuesOpen({ command, args }: Said, isKnownTo: boolean): ShellWord[] {
  return args.options.slice(0, MAX_PARTS).flatMap(({ names: [name = ""], value }) => {
    if (!value || INPUT.test(name)) return [];
    const isPlace = PLACE.test(name) || !command.words.includes(value);
    return !isKnownTo || (isPlace && !args.spec?.byName.has(name)) ? partsOf(value) : [];
  });
}

/** The files that copies, moves, links and transfers write: each source's name in a folder, or the target itself. */
function brought(said: Said): TouchedPath[] {
  const { program, operands, folder } = said;
  const sources = folder ? operands : operands.slice(0, -1);
  const target = folder ?? (operands.length === 1 && program === "ln" ? HERE : operands.at(-1));
  if (!target || (sources.length === 0 && !folder && program !== "ln") || isRemote(target)) return [];
  const isFolder = folder !== undefined || sources.length > 1 || /(?:^|\/)\.{0,2}$/.test(target.text);
  const isFile = /\.\w+$/.test(target.text);
  const named = isFolder || !isFile ? (sources.length === 0 ? operands : sources) : [];
  const below = named.map((source) => joined(target, source));
  const isEmpty = sources.some(({ text }) => text === "/dev/null");
  return [
    ...touch("file", [target], { isGone: isEmpty }),
    // A later write through a link is not seen as a write of its target.
    ...(/^ln |^cp (?:.* )?-\w*[ls]/.test(said.text) ? touch("maybe", operands, UNSURE) : []),
    ...(reachOf(said) === "tree" || /^(?:rsync|ditto)$/.test(program) ? touch("some", [target]) : []),
    ...touch(isFolder ? "file" : "maybe", below),
  ];
}

/** What archives unpack or pack. */
function packed({ program, operands, args, given, valuesOf, folder }: Said): TouchedPath[] {
  const [file] = valuesOf(/^--file$|^-f$/);
  const first = operands[0]?.text ?? "";
  const isListing =
    given(/^(?:-t|-l|--list)$/) || (args.options.length === 0 && /^[a-z]*t[a-z]*$/.test(first));
  if (isListing && /tar$|^unzip$/.test(program)) return [];
  const isUnpacking = given(/^(?:-x|--extract|--get)$/) || /^-?[a-z]*x/.test(first);
  const base = folder ?? HERE;
  // Members may be named behind the archive.
  if (isUnpacking || program === "unzip" || program === "7z")
    return touch("some", [base, ...operands.map(({ text }) => knownWord(`${base.text}/${text}`))]);
  return touch("file", [file ?? operands[program === "zip" ? 0 : /^[a-z]*f/.test(first) ? 1 : -1]]);
}

function fetched({ operands, folder = HERE }: Said): TouchedPath[] {
  const files = operands.map((url) => joined(folder, url));
  return [...touch("maybe", [folder]), ...touch("file", files)];
}

/** A name in a folder; something in it, if the name is unknown. */
function joined(folder: ShellWord, source: ShellWord): ShellWord {
  const plain = source.text.replace(/[?#].*$/, "").replace(/\/+$/, "");
  const name = plain.split(/[/:]/).at(-1) ?? "";
  const isNamed = name !== "" && name !== "." && name !== "..";
  const text = `${folder.text.replace(/\/$/, "") || "/"}/${isNamed ? name : "*"}`;
  const isMany = folder.isMany || source.isMany;
  return { ...source, text, isMany, isGlob: source.isGlob === true || !isNamed };
}

function writtenByGit({ command, args, given, valuesOf }: Said): TouchedPath[] {
  const [{ text: sub } = HERE, ...rest] = args.operands;
  const isPathGiven = command.words.some(({ text }) => text === "--");
  // `:/x` and `:(top)x` are seen from the root.
  const files = (given(/^--pathspec-from-file$/) ? [UNKNOWN_WORDS] : rest)
    .map((word) => ({ ...word, text: word.text.replace(/^:(?:\/|\([a-z,]*\))/, "") }))
    // Git reads a wildcard that the shell leaves alone.
    .map((word) => ({ ...word, isGlob: word.isGlob === true || /[*?[]/.test(word.text) }))
    .filter(({ text }) => sub !== "checkout" || /[./]/.test(text) || isPathGiven);
  const use = gitUse(sub);
  const [file] = valuesOf(/^--file$/);
  if (sub === "config" && file && (rest.length > 1 || given(/^--(?:unset|e|re)/)))
    return touch("file", [file]);
  if (sub === "bundle") return touch("file", files.slice(1, 2));
  if (use === undefined) return touch("maybe", files, UNSURE);
  if (/^(?:worktree|submodule)$/.test(sub) && /^(?:remove|deinit)$/.test(rest[0]?.text ?? ""))
    return touch("tree", files.slice(1), GONE);
  if (/^(?:clone|init|worktree|submodule)$/.test(sub))
    return touch("some", sub === "clone" ? files.slice(-1) : files.length > 0 ? files : [HERE]);
  // What is taken away is in git's records.
  if (/^(?:read-tree|sparse-checkout)$/.test(sub)) return touch("some", [HERE], { ...GONE, ...UNSURE });
  if (sub === "clean" && files.length === 0) return touch("some", [HERE], GONE);
  if (/^(?:apply|am)$/.test(sub)) return patched(command.fed, undefined);
  if (use === "keeps") return [];
  const open = [...valuesSet(command), ...rest.filter(() => sub === "checkout" && !isPathGiven)];
  const maybe = touch("maybe", [HERE, ...open, ...(use === "moves" ? files : [])], UNSURE);
  if (use === "moves") return maybe;
  const isStagedAlone = given(/^(?:-S|--staged|--cached)$/) && !given(/^(?:-W|--worktree)$/);
  if (isStagedAlone && /^(?:restore|rm)$/.test(sub)) return [];
  const gone = sub === "mv" ? files.slice(0, -1) : /^(?:checkout-index|merge-file)$/.test(sub) ? [] : files;
  return [...maybe, ...files.flatMap((word) => touch("tree", [word], { isGone: gone.includes(word) }))];
}

/** The files that a patch names; anything below the folder, if the patch is unknown. */
function patched({ text, isWhole }: CommandUnit["command"]["fed"], base: ShellWord = HERE): TouchedPath[] {
  const files = patchedFiles(text);
  if (files.length === 0 || !isWhole) return touch("some", [base]);
  const below = (path: string): string => (isKnown(base) ? `${base.text}/${path}` : HOLE);
  return files.flatMap(({ path, isGone }) => touch("file", [knownWord(below(path))], { isGone }));
}

/** Whether a command works on all that is below the folders that it names. */
export const isRecursive = (unit: CommandUnit): boolean => hasOption(unit, RECURSIVE);
