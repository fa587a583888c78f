import { isMemoryFile } from "../memory/memory.ts";
import { Budget, BudgetSpent } from "./shell/budget.ts";
import { mayMeet } from "./entry-tests.ts";
import type { GuardCall, CommandUnit, TouchedPath } from "./guard-call.ts";
import { callUnitOf, TARGET_KEY, shellTextOf, commandUnits } from "./guard-call.ts";
import {
  KNOWN,
  type OwnDecision,
  type SaidText,
  aboveHeed,
  asked,
  decideCommands,
  denied,
  isForHeed,
  undecided,
  unsureOf,
} from "./own-commands.ts";
import { readShell } from "./shell/read-shell.ts";
import { hasOption } from "./match-command.ts";
import { isWrapper, SHELLS } from "./shell/inner-commands.ts";
import { globalOptions } from "./shell/read-arguments.ts";
import { type ShellCommand, type ShellWord, absolutePath, HOLE } from "./shell/shell-command.ts";
import { changedFiles } from "./file-effects.ts";
import { commandGiven, isWritingTool, SHELL_TOOLS, textsGiven } from "./tools.ts";

/** heed's directories, absolute, with forward slashes, each under all of its names. */
export interface OwnDirectories {
  /** Written by heed alone: the user's decisions (inbox, sessions, approvals, settings) and derived files. */
  records: readonly string[];
  /** Records that may be removed, since heed rebuilds them. */
  derived?: readonly string[];
  /** Stores whose memories are in force. */
  stores: readonly string[];
  /** Those of them that their repository reviews. */
  reviewed?: readonly string[];
  /** Files and folders that decide whether heed is asked at all: settings of clients, plugins, heed's program. */
  above?: readonly string[];
  /** The shell's files in which variables of heed's may be set. */
  profiles?: readonly string[];
  /** Resolves the links of a path. */
  realPath?: (path: string) => string;
}

/** What only reads a repository: subcommands of git, and others where they list. */
const GIT_READS =
  /^(?:log|show|diff|(?:diff|ls|rev|show|check|verify)-\S+|status|blame|annotate|grep|cat-file|describe|shortlog|whatchanged|name-rev|for-each-ref|count-objects|fsck|help|version|var|merge-base|archive|bundle|format-patch|range-diff|cherry) |^(?:branch|tag|remote|config|stash|reflog|notes|worktree|submodule) (?:$|-[avrln]+ |--(?:list|get|show|all|verbose|merged|contains)|(?:list|show|get) )/;
const REMOVES = /\b(?:rm|rmdir|del|delete|remove|wipe|purge|rimraf|shred|unlink|erase)\b/;
const UNPACKS =
  /\b(?:cpio|extract|mirror|recover|restore|sync|tarfile|unpack|zipfile)\b|^(?:bsd)?tar -?[a-z]*x|^unzip /;
/** A later write through a link is not seen. */
const LINKS = /^(?:ln|mount|bindfs) /;
const KEPT = ["*.md", "*.json", "*.jsonl", "*.yaml"];
const MAX_TOKENS = 2000;
/** Budget steps for one check; each checks the clock. */
const COST = 64;
const MAX_STEPS = 2 ** 30;

/**
 * Keeps a model from giving the user's consent: by writing heed's records with its own tools, by feeding a hook with
 * turns that nobody typed, or by running heed without the variables that mark an agent's shell. A change of a memory file
 * in force needs the user's approval: heed's own tools check what they write, an edited file is not checked.
 *
 * What is known to read passes; what is known to write is refused or needs approval; so does anything else that names one
 * of heed's folders. Returns undefined when the call does none of this, as far as heed can see without running it.
 */
export function decideOwnCall(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  const isShell = SHELL_TOOLS.has(call.tool);
  // Only the names of an unknown tool and of its fields say whether it writes.
  const isWriting = isWritingTool(call.tool) || Object.keys(call.input).some((key) => TARGET_KEY.test(key));
  const command = commandGiven(call.tool, call.input);
  const said = textsGiven(call.tool, call.input);
  if (!isShell && !isWriting && command === "" && said === "") return undefined;
  const budget = new Budget(MAX_STEPS, call.untilMs);
  const { home = "~", cwd, tool } = call;
  const saidTo = (text: string): SaidText[] => [{ program: tool, text, phrases: text, cwd }];
  const none = { derived: [], reviewed: [], above: [] };
  const given: Own = {
    ...none,
    ...own,
    home,
    realPath: (path) => (budget.spend(COST), own.realPath?.(path) ?? path),
    profiles: /heed/i.test(JSON.stringify(call.input)) ? (own.profiles ?? []) : [],
    lasting: own.records.filter((root) => !own.derived?.includes(root)),
    users: own.stores.filter((root) => !own.reviewed?.includes(root)),
  };
  // A command among the fields is read by itself.
  const paths = isWriting ? callUnitOf(call).paths : [];
  try {
    const decision = strongest([
      ...paths.map(({ word, reach }) => decideWrite(absolutePath(word.text, cwd), given, reach)),
      decideShell(shellTextOf(call) ?? command, call, given, budget),
      // Another server's shell may start at home.
      command === "" ? undefined : decideShell(command, { ...call, cwd: home }, given, budget),
      decideShell(said, call, given, budget, saidTo(said)),
    ]);
    // Only in a patch does the end of a text name files.
    const isHidden = call.cut === "entries" || (call.cut === "text" && call.tool === "apply_patch");
    return decision ?? (isHidden ? undecided("its input is larger than heed looks at") : undefined);
  } catch (error) {
    if (error instanceof BudgetSpent) return undecided(error.message);
    throw error;
  }
}

/** With the records that are not made again, and the stores that no repository reviews. */
type Own = Required<OwnDirectories> & { home: string; lasting: readonly string[]; users: readonly string[] };

function decideShell(
  text: string,
  call: GuardCall,
  own: Own,
  budget: Budget,
  code: readonly SaidText[] = [],
): OwnDecision | undefined {
  const { commands, cutShort } = readShell(text, call);
  const foreign = [...commands.flatMap(saidBy), ...code].filter((one) => !isForHeed(one));
  const each = <T, R>(items: readonly T[], ask: (item: T) => R | readonly R[]): R[] =>
    items.flatMap((item) => (budget.spend(COST), ask(item)));
  const units = each(commands, (command) => commandUnits(command));
  const isAway = !SHELL_TOOLS.has(call.tool);
  const roots = [...own.records, ...own.stores];
  const isOwnPlace = (path: string): boolean => {
    const real = own.realPath(path);
    return isWithin(real, roots) || isAbove(real, roots);
  };
  const isOwnProgram = (path: string): boolean =>
    isWithin(own.realPath(path), own.above) || /\/heed(?:\/|$)/.test(path);
  const written = each(units, (unit) =>
    // heed reviews what git restores into a project's store.
    /^git(?: -\S+)* (?:checkout|restore)\b/.test(unit.text)
      ? []
      : changedFiles(unit, () => true).map((touched) => ({ ...touched, unit })),
  );
  // `grep -rl x STORE | xargs sed -i`: the written files come from the searched ones.
  const isResolved = written.every(({ word, unit }) => isTouchResolved(word, unit.command.cwd, own));
  return strongest([
    ...decideCommands({ text, units, foreign, isAway }, { isOwnPlace, isOwnProgram }),
    ...each(units, ({ command }) => [decideGit(command, own)]),
    ...each(written, ({ word, reach, unit }) => {
      const path = touch(word, unit.command.cwd, own);
      // What heed rebuilds may be removed, but not written.
      if (/^rm(?:dir)? /.test(unit.text) && isWithin(own.realPath(path ?? ""), own.derived)) return undefined;
      return decideWrite(path, own, reach !== "tree" && bringsTree(unit, word) ? "below" : reach);
    }),
    ...each(units, (unit) => (isReading(unit) && isResolved ? [] : decideUnit(unit, own))),
    isResolved ? undefined : decideNamed(text, undefined, "this", own),
    ...each(foreign, (one) => [decideNamed(one.phrases, one.cwd, one.program, own, true)]),
    // Where the reading ends early, the rest is hidden.
    cutShort === undefined ? undefined : undecided(cutShort),
  ]);
}

/** The path of a word; wildcards that lead to one of heed's folders, or above it, are that folder's names. */
function touch(word: ShellWord, cwd: string | undefined, own: Own): string | undefined {
  const path = absolutePath(word.text.replace(/^\/(?:proc\/self|dev\/fd\/\.\.)\/cwd(?=\/)/, "."), cwd);
  if (path === undefined || !/[*?[]/.test(path) || path.includes("/**")) return path;
  const parts = path.split("/");
  const root = [...own.records, ...own.stores, ...own.above]
    .map((one) => one.split("/").slice(0, parts.length))
    .find((names) => names.every((name, at) => meets(parts[at] ?? "", name)));
  return root === undefined ? path : [...root, ...parts.slice(root.length)].join("/");
}

function isTouchResolved(word: ShellWord, cwd: string | undefined, own: Own): boolean {
  const path = absolutePath(word.text, cwd);
  if (path === undefined || word.text.startsWith(HOLE)) return false;
  if (!path.includes(HOLE)) return true;
  const folder = path.slice(0, path.lastIndexOf("/", path.indexOf(HOLE)));
  return !isAbove(folder, [...own.records, ...own.stores]);
}

/** Whether it is known what a command does with the paths that it names. */
function isReading({ program, command: { words } }: CommandUnit): boolean {
  return (
    KNOWN.has(program) ||
    SHELLS.has(program) ||
    isWrapper(words) ||
    // An archive is made of them.
    (/^(?:bsd)?tar$/.test(program) && /^-?[a-z]*c/.test(words[1]?.text ?? ""))
  );
}

/** The words and the input of a program that may run them in its own way: another language or machine. */
function saidBy({ words, input = "", cwd }: ShellCommand): SaidText[] {
  const [name, ...args] = words.map(({ text }) => text);
  if (name === undefined || KNOWN.has(name) || SHELLS.has(name) || isWrapper(words)) return [];
  const phrases = [...args.filter((one) => /[\s"'(;>]/.test(one)), input].join("\n");
  return [{ program: name, text: [...args, input].join(" "), phrases, cwd }];
}

/** What a command names, also within words: `-oPATH`, `PATH:/x`. A sentence is none of it. */
function decideUnit(unit: CommandUnit, own: Own): OwnDecision | undefined {
  const { words, cwd } = unit.command;
  const named = words.filter(({ text }) => !/\s|[:,](?:ro|readonly)(?:,|$)/.test(text));
  const text = named.map((word) => word.text.replace(/^-\w(?=[/.~])/, "")).join(" ");
  return decideNamed(text.replace(/^\S+/, ""), cwd, isReading(unit) ? "this" : text, own);
}

/**
 * The one of heed's folders whose path, the end of it, or a part of it behind the user's home stands in a text, however a
 * language puts it together: `Path.home() / ".local" / "state/heed"`. Of code also one of which a folder above is named, or
 * all names anywhere: `'%s/.local/%s' % (home, 'state/heed')`.
 */
function namedIn(text: string, isCode: boolean, { records, users, above, home }: Own): string | undefined {
  const parted = (said: string): RegExpMatchArray[] =>
    [...said.replaceAll(home, "~").matchAll(PART)].filter(([, part = ""]) => /[\w~*?]/.test(part));
  const said = parted(text).map(([, part = "", gap = ""]) => ({
    part: part.replace(/^[\w.]*(?:home|homedir)$/i, "~"),
    isEnd: !PATH_GOES_ON.test(gap),
  }));
  const words = new Set(said.map(({ part }) => part));
  const isAt = (names: readonly string[], at: number): boolean =>
    names.every((name, i) => said[at + i] !== undefined && meets(said[at + i]?.part ?? "", name));
  return [...records, ...users, ...above].find((root) => {
    const names = parted(root).flatMap(([, part = ""]) => (part === "~" ? [] : part));
    const last = names.length === 1 || names.at(-1) === "heed" ? names.length : -1;
    const tails = names.map((_, i) => names.slice(i)).slice(0, last);
    if (isCode && names.length > 1 && names.includes("heed") && names.every((name) => words.has(name)))
      return true;
    const isBegun = (at: number): boolean =>
      names.some((_, i) => said[at + i]?.isEnd === true && isAt(names.slice(0, i + 1), at));
    return said.some(
      ({ part }, at) =>
        (names.length > 1 && isAt(names.slice(-3), at)) ||
        (part === "~" && (tails.some((tail) => isAt(tail, at + 1)) || (isCode && isBegun(at + 1)))),
    );
  });
}

/** A name of a path, maybe with wildcards, and what stands between it and the next. */
const PART = /([\w.@~*?[\]-]+)([^\w.@~*?[\]-]*)/g;
/** Between two names of one path: a slash, or the next piece of text. */
const PATH_GOES_ON = /^\/$|^\/?["'`]\)?\s*[,+/]?\s*["'`]$|^["'`]\s*\+\s*["'`]\/$/;

function meets(part: string, name: string): boolean {
  return part === name || (/[*?[]/.test(part) && mayMeet(part, name));
}

/** What a text names that some program may write. */
function decideNamed(
  text: string,
  cwd: string | undefined,
  by: string,
  own: Own,
  isCode = false,
): OwnDecision | undefined {
  const tokens = text.split(/[^\w./@+~*%-]+/, MAX_TOKENS).filter((token) => token !== "");
  const named =
    namedIn(text, isCode, own) ?? (/HEED_(?:STATE_|CONFIG_)?DIR/.test(text) ? "heed's folder" : undefined);
  return strongest([
    ...tokens.map((token) => decideUnresolved(absolutePath(token, cwd), own, by)),
    named === undefined ? undefined : unsureOf(named, by),
  ]);
}

function decideUnresolved(path: string | undefined, own: Own, by = "this"): OwnDecision | undefined {
  const isBelow = UNPACKS.test(by) || LINKS.test(by);
  const reach = REMOVES.test(by) ? "tree" : isBelow ? "below" : /\.\w+$/.test(path ?? "") ? "file" : "some";
  return path === undefined || decideWrite(path, own, reach) === undefined ? undefined : unsureOf(path, by);
}

/** Whether what is written at a word may be a whole folder, whose files have names that nobody knows. */
function bringsTree(unit: CommandUnit, { text }: ShellWord): boolean {
  const { operands } = unit.args;
  const isNamed = hasOption(unit, /^(?:-T|--no-target-directory)$/) || text !== operands.at(-1)?.text;
  return (
    /^(?:(?:bsd)?tar|unzip|7z|cpio|rsync)$/.test(unit.program) ||
    operands.slice(0, -1).some((source) => source.text.endsWith("/.")) ||
    (/^(?:cp|mv|ditto|scp)$/.test(unit.program) && isNamed)
  );
}

/** Git in a user's store: heed has not checked what it writes there, nor what it makes of the history. */
function decideGit(command: ShellCommand, own: Own): OwnDecision | undefined {
  const { words, environment, cwd = "" } = command;
  const { next } = globalOptions(words);
  const [sub = "", ...rest] = words.slice(next).map(({ text }) => text);
  const isReading = GIT_READS.test(`${[sub, ...rest.slice(0, 1)].join(" ")} `);
  if (words[0]?.text !== "git" || sub === "" || isReading) return undefined;
  // It may work in a place that any of its words names: `--git-dir`, `-c core.worktree=`, where a push goes to.
  const named = words.slice(0, /^(?:clone|fetch|pull)$/.test(sub) ? next : undefined);
  const given = [...named, ...environment.map(({ value }) => value)].flatMap(
    ({ text }) => absolutePath(text.replace(/^[\w.-]+=|\s.*$/g, ""), cwd) ?? [],
  );
  for (const place of [cwd, ...given].map(own.realPath)) {
    if (isWithin(place, own.records)) return denied(place);
    // Untracked files, where the home or a folder above it is a repository.
    const isSwept =
      (sub === "clean" || (sub === "stash" && /^-\w*[ua]|^--(?:include|all)/.test(rest.at(-1) ?? ""))) &&
      isAbove(place, [...own.records, ...own.users]);
    if (isSwept || isWithin(place, own.users)) return asked(`git ${sub} in ${place}`);
  }
  return undefined;
}

/** @param reach `below`: files with unknown names, somewhere below. */
function decideWrite(
  path: string | undefined,
  own: Own,
  reach: TouchedPath["reach"] | "some" | "below" = "file",
): OwnDecision | undefined {
  if (path === undefined) return undefined;
  const lasting = [...own.lasting, ...own.users];
  if (path.includes(HOLE)) return decideOpen(path, reach === "tree" ? lasting : [], own);
  const [folder = path, name = ""] = path.split(/\/\*\*(?:\/|$)/);
  const isSwept = folder !== path;
  const kept = [...KEPT, ...lasting.flatMap((root) => (isWithin(root, [folder]) ? root.split("/") : []))];
  if (isSwept && !kept.some((one) => mayMeet(name || "*", one))) return undefined;
  const real = own.realPath(folder).replace(/\/\*$/, "");
  if (isWithin(real, own.records)) return denied(real);
  const isTree = reach === "tree" && !isSwept;
  if (isTree && isAbove(real, own.lasting)) return denied(real);
  if (isTree && isAbove(real, own.stores)) return asked(`${real}, which holds memories,`);
  // A repository reviews its own store.
  const swept = [...(isSwept ? own.lasting : own.records), ...own.users];
  if ((isSwept || reach === "below") && isAbove(real, swept)) return unsureOf(real, "this");
  const over = [...own.above, ...own.profiles];
  if (isWithin(real, over) || (reach === "tree" && isAbove(real, own.above))) return aboveHeed(real);
  const store = own.stores.find((root) => isWithin(real, [root]));
  if (store === undefined) return undefined;
  const relative = real.slice(store.length + 1);
  if (isSwept || reach !== "file" || folder.endsWith("/*") || !/\.\w+$/.test(relative))
    return asked(`${real}, where memories lie,`);
  const isMemory = relative === "config.yaml" || isMemoryFile(relative.slice(relative.lastIndexOf("/") + 1));
  return isMemory ? asked(`the memory file ${real}`) : undefined;
}

/** What is written under a name that only the shell knows: in one of the folders, or over `removed`, those of a list. */
function decideOpen(path: string, removed: readonly string[], own: Own): OwnDecision | undefined {
  const [start = "", ...rest] = path.split(HOLE);
  const end = `${rest.at(-1)}/`;
  const isIn = (root: string): boolean =>
    start.startsWith(`${root}/`) || end.includes(`/${root.split("/").slice(-2).join("/")}/`);
  const isOver = (root: string): boolean =>
    start !== "/" && root.startsWith(start) && `${root.slice(start.length)}/`.includes(end);
  const isThere = [...own.records, ...own.stores, ...own.above].some(isIn) || removed.some(isOver);
  return isThere ? unsureOf(path.replaceAll(HOLE, "…"), "this") : undefined;
}

function isAbove(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => isWithin(root, [folder]));
}

function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`));
}

function strongest(decisions: readonly (OwnDecision | undefined)[]): OwnDecision | undefined {
  return decisions.find((decision) => decision?.action === "deny") ?? decisions.find((decision) => decision);
}
