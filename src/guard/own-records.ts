import { isMemoryFile } from "../memory/memory.ts";
import { Budget, BudgetSpent, absolutePath } from "./shell/run-context.ts";
import { mayMeet } from "./entry-tests.ts";
import type { GuardCall, CommandUnit, TouchedPath } from "./guard-call.ts";
import {
  callUnitOf,
  codeOf,
  EDIT_TOOLS,
  isWritingTool,
  SHELL_TOOLS,
  shellTextOf,
  commandUnits,
} from "./guard-call.ts";
import {
  type OwnDecision,
  aboveHeed,
  asked,
  decideCommands,
  denied,
  isForHeed,
  undecided,
  unsureOf,
} from "./own-commands.ts";
import { runnerOf, SHELLS, wordUse } from "./shell/programs.ts";
import { readShell } from "./shell/read-shell.ts";
import { globalOptions } from "./shell/run-inner.ts";
import { type ForeignText, type ShellCommand, type ShellWord, HOLE } from "./shell/shell-command.ts";
import { writtenPaths } from "./file-effects.ts";

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
  /^(?:log|show|(?:diff|ls|rev|show|check|verify)-?\S*|status|blame|annotate|grep|cat-file|describe|shortlog|whatchanged|name-rev|for-each-ref|count-objects|fsck|help|version|var|merge-base|archive|bundle|format-patch|range-diff|cherry) |^(?:branch|tag|remote|config|stash|reflog|notes|worktree|submodule) (?:$|-[avrln]+ |--(?:list|get|show|all|verbose|merged|contains)|(?:list|show|get) )/;
/** Programs that read or write a file depending on their words. */
const EITHER =
  /^(?:gh|glab|hub|tsc|psql|mysql|mariadb|parallel|7z|unzip|wget) |^(?:bsd)?tar .*--one-top-level|^fd(?:find)? .*(?:-[xX]|--exec\S*) (?!wc|cat|head|ls)|^cp (?:.* )?-\w*[ls]/;
const REMOVES = /\b(?:rm|rmdir|del|delete|remove|wipe|purge|rimraf|shred|unlink|erase)\b/;
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
  // Only the name of an unknown tool says whether it writes.
  const isWriting = EDIT_TOOLS.includes(call.tool) || isWritingTool(call.tool);
  const { command, code } = codeOf(call);
  if (!isShell && !isWriting && command === "" && code.length === 0) return undefined;
  const budget = new Budget(MAX_STEPS, call.untilMs);
  const { home = "~", cwd, tool } = call;
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
  const paths = isWriting ? callUnitOf(call).paths.filter((one) => command === "" || !one.isUnsure) : [];
  try {
    const decision = strongest([
      ...paths.map(({ word, reach }) => decideWrite(absolutePath(word.text, cwd), given, reach)),
      ...[shellTextOf(call) ?? "", command].map((text) => decideShell(text, call, given, budget)),
      ...code.map((text) =>
        decideShell(text, call, given, budget, [{ program: tool, text, phrases: text, cwd }]),
      ),
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
  code: readonly ForeignText[] = [],
): OwnDecision | undefined {
  const { commands, foreign: others, blindSpots } = readShell(text, call);
  const foreign = [...others, ...code];
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
      : writtenPaths(unit).map((touched) => ({ ...touched, unit })),
  );
  // `grep -rl x STORE | xargs sed -i`: the written files come from the searched ones.
  const isResolved = written.every(({ word, unit }) => isTouchResolved(word, unit.command.cwd, own));
  return strongest([
    ...decideCommands({ text, units, foreign, isAway }, { isOwnPlace, isOwnProgram }),
    ...each(units, ({ command }) => [decideGit(command, own)]),
    ...each(written, ({ word, reach, isUnsure, unit }) => {
      const path = touch(word, unit.command.cwd, own);
      // What heed rebuilds may be removed, but not written.
      if (/^rm(?:dir)? /.test(unit.text) && isWithin(own.realPath(path ?? ""), own.derived)) return undefined;
      return isUnsure
        ? decideUnresolved(path, own)
        : decideWrite(path, own, bringsTree(unit) ? "below" : reach);
    }),
    ...each(units, (unit) => (isReading(unit) && isResolved ? [] : decideUnit(unit, own))),
    isResolved ? undefined : decideNamed(text, undefined, "this", own),
    ...each(foreign, (one) => (isForHeed(one) ? [] : decideNamed(one.phrases, one.cwd, one.program, own))),
    // Where the reading ends early, the rest is hidden.
    blindSpots.some((reason) => /^the text (?:takes|has) /.test(reason))
      ? undecided(blindSpots.join("; "))
      : undefined,
  ]);
}

/** The known part of a word's path: the folder before a wildcard, and for a HOLE heed's own path if the rest fits it. */
function touch(word: ShellWord, cwd: string | undefined, own: Own): string | undefined {
  const roots = [...own.records, ...own.stores, ...own.above];
  const said = absolutePath(word.text.replace(/^\/(?:proc\/self|dev\/fd\/\.\.)\/cwd(?=\/)/, "."), cwd);
  const path = said === undefined ? undefined : expandedTo(said, roots);
  if (path === undefined || /\/\*\*(?:\/|$)/.test(path)) return path;
  const at = path.indexOf(HOLE);
  if (at < 0) return path;
  const rest = `${path.slice(path.lastIndexOf(HOLE) + 1)}/`;
  for (const root of roots) {
    const end = `/${root.split("/").slice(-2).join("/")}/`;
    if (rest.includes(end)) return `${root}/${rest.slice(rest.indexOf(end) + end.length)}`.replace(/\/$/, "");
  }
  const folder = path.slice(0, path.lastIndexOf("/", at));
  return isWithin(folder, roots) ? `${folder}/*` : path;
}

/** Expands wildcards that lead to one of some folders, or above it, to that folder's names. */
function expandedTo(path: string, roots: readonly string[]): string {
  if (!/[*?[]/.test(path) || path.includes("/**")) return path;
  const parts = path.split("/");
  for (const root of roots) {
    const names = root.split("/").slice(0, parts.length);
    const isThere = names.every((name, at) => parts[at] === name || mayMeet(parts[at] ?? "", name));
    if (isThere) return [...names, ...parts.slice(names.length)].join("/");
  }
  return path;
}

function isTouchResolved(word: ShellWord, cwd: string | undefined, own: Own): boolean {
  const path = absolutePath(word.text, cwd);
  if (path === undefined || word.text.startsWith(HOLE)) return false;
  if (!path.includes(HOLE)) return !word.isMany || word.isGlob === true;
  const folder = path.slice(0, path.lastIndexOf("/", path.indexOf(HOLE)));
  return !isAbove(folder, [...own.records, ...own.stores]);
}

/** Whether it is known what a command does with the paths that it names. */
function isReading({ text, command: { words } }: CommandUnit): boolean {
  const name = words[0]?.text ?? "";
  const isKnownUse = wordUse(name) !== undefined || SHELLS.has(name) || runnerOf(words) !== undefined;
  return isKnownUse && !EITHER.test(text);
}

/** What a command names, also within words: `-oPATH`, `PATH:/x`. A sentence is none of it. */
function decideUnit(unit: CommandUnit, own: Own): OwnDecision | undefined {
  const { words, cwd } = unit.command;
  const named = words.filter(({ text }) => !/\s|[:,](?:ro|readonly)(?:,|$)/.test(text));
  const text = named.map((word) => word.text.replace(/^-\w(?=[/.~])/, "")).join(" ");
  return decideNamed(text.replace(/^\S+/, ""), cwd, isReading(unit) ? "this" : text, own);
}

/**
 * The one of heed's folders whose path, the end of it, or a part of it behind the user's home stands in a text, however
 * a language puts it together: `Path.home() / ".local" / "state/heed"`.
 */
function namedIn(text: string, { records, users, above, home }: Own): string | undefined {
  const parted = (said: string): string[] =>
    (said.replaceAll(home, "~").match(/[\w.@~-]+/g) ?? []).filter((part) => /[\w~]/.test(part));
  const said = `/${parted(text).join("/")}/`.replace(/\/[\w.]*(?:~|home|homedir)(?=\/)/gi, "/~");
  return [...records, ...users, ...above].find((root) => {
    const names = parted(root).filter((part) => part !== "~");
    const last = names.length === 1 || names.at(-1) === "heed" ? names.length : -1;
    const ends = names.map((_, i) => `/~/${names.slice(i).join("/")}/`).slice(0, last);
    if (names.length > 1) ends.push(`/${names.slice(-3).join("/")}/`);
    return ends.some((end) => said.includes(end));
  });
}

/** What a text names that some program may write. */
function decideNamed(text: string, cwd: string | undefined, by: string, own: Own): OwnDecision | undefined {
  const tokens = text.split(/[^\w./@+~*%-]+/, MAX_TOKENS).filter((token) => token !== "");
  const named =
    namedIn(text, own) ?? (/HEED_(?:STATE_|CONFIG_)?DIR/.test(text) ? "heed's folder" : undefined);
  return strongest([
    ...tokens.map((token) => decideUnresolved(absolutePath(token, cwd), own, by)),
    named === undefined ? undefined : unsureOf(named, by.split(" ", 1)[0] ?? by),
  ]);
}

function decideUnresolved(path: string | undefined, own: Own, by = "this"): OwnDecision | undefined {
  const reach = REMOVES.test(by) ? "tree" : /\.\w+$/.test(path ?? "") ? "file" : "some";
  if (path === undefined || decideWrite(path, own, reach) === undefined) return undefined;
  return unsureOf(path, by.split(" ", 1)[0] ?? by);
}

function bringsTree({ command, args }: CommandUnit): boolean {
  return (
    /^(?:(?:bsd)?tar|unzip|7z|cpio|rsync)$/.test(command.words[0]?.text ?? "") ||
    args.operands.slice(0, -1).some(({ text }) => text.endsWith("/."))
  );
}

/** Git in a user's store: heed has not checked what it writes there, nor what it makes of the history. */
function decideGit(command: ShellCommand, own: Own): OwnDecision | undefined {
  const { words, environment, cwd = "" } = command;
  const [sub = "", ...rest] = words.slice(globalOptions(words).next).map(({ text }) => text);
  const isReading = GIT_READS.test(`${[sub, ...rest.slice(0, 1)].join(" ")} `);
  if (words[0]?.text !== "git" || sub === "" || isReading) return undefined;
  const given = environment
    .filter(({ name }) => /^GIT_(?:DIR|WORK_TREE)$/.test(name))
    .map(({ value }) => value.text);
  for (const place of [cwd, ...given]) {
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
  reach: TouchedPath["reach"] | "below" = "file",
): OwnDecision | undefined {
  if (path === undefined || path.includes(HOLE)) return undefined;
  const [folder = path, name = ""] = path.split(/\/\*\*(?:\/|$)/);
  const isSwept = folder !== path;
  if (isSwept && !KEPT.some((one) => mayMeet(name || "*", one))) return undefined;
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
  if (isSwept || (reach !== "file" && reach !== "maybe") || folder.endsWith("/*") || !/\.\w+$/.test(relative))
    return asked(`${real}, where memories lie,`);
  const isMemory = relative === "config.yaml" || isMemoryFile(relative.slice(relative.lastIndexOf("/") + 1));
  return isMemory ? asked(`the memory file ${real}`) : undefined;
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
