import { isMemoryFile } from "../memory/memory.ts";
import { Budget, BudgetSpent, absolutePath } from "./shell/run-context.ts";
import { mayMeet } from "./entry-tests.ts";
import type { GuardCall, CommandUnit, TouchedPath } from "./guard-call.ts";
import {
  callUnitOf,
  EDIT_TOOLS,
  isWritingTool,
  SHELL_TOOLS,
  shellTextOf,
  commandUnits,
} from "./guard-call.ts";
import type { OwnDecision } from "./own-commands.ts";
import {
  asked,
  copiesOfProgram,
  decideProgram,
  decideSaid,
  denied,
  fedBy,
  feedsHook,
  isForHeed,
  isUnmarking,
  undecided,
  unsureOf,
} from "./own-commands.ts";
import { runnerOf, SHELLS, wordUse } from "./shell/programs.ts";
import { readShell } from "./shell/read-shell.ts";
import { globalOptions } from "./shell/run-inner.ts";
import { type ForeignText, type ShellCommand, type ShellWord, HOLE } from "./shell/shell-command.ts";
import { writtenPaths } from "./match-paths.ts";

/** heed's directories, absolute, with forward slashes, each under all of its names. */
export interface OwnDirectories {
  /** Written by heed alone: the user's decisions (inbox, sessions, approvals, settings) and derived files. */
  records: readonly string[];
  /** Records that may be removed, since heed rebuilds them. */
  derived?: readonly string[];
  /** Stores whose memories are in force. */
  stores: readonly string[];
  /** Resolves the links of a path. */
  realPath?: (path: string) => string;
}

/** Subcommands of git that change files of a working tree. */
const GIT_BRINGS =
  /^(?:apply|am|checkout|switch|reset|restore|rm|mv|clean|pull|merge|rebase|cherry-pick|revert|stash|read-tree|checkout-index|worktree|update-index|bisect)$/;
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
  if (!isShell && !EDIT_TOOLS.includes(call.tool) && !isWritingTool(call.tool)) return undefined;
  const budget = new Budget(MAX_STEPS, call.untilMs);
  const realPath = (path: string): string => (budget.spend(COST), own.realPath?.(path) ?? path);
  const timed = { derived: [], ...own, realPath };
  try {
    const decision = isShell ? decideShell(call, timed, budget) : decideEdit(call, timed);
    // Only in a patch does the end of a text name files.
    const isHidden = call.cut === "entries" || (call.cut === "text" && call.tool === "apply_patch");
    return decision ?? (isHidden ? undecided("its input is larger than heed looks at") : undefined);
  } catch (error) {
    if (error instanceof BudgetSpent) return undecided(error.message);
    throw error;
  }
}

function decideEdit(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  return strongest(
    callUnitOf(call).paths.map(({ word, reach }) =>
      decideWrite(absolutePath(word.text, call.cwd), own, reach),
    ),
  );
}

function decideShell(
  call: GuardCall,
  own: Required<OwnDirectories>,
  budget: Budget,
): OwnDecision | undefined {
  const text = spelledOut(shellTextOf(call) ?? "", call.variables ?? {});
  const { commands, foreign, blindSpots } = readShell(text, call);
  const each = <T, R>(items: readonly T[], ask: (item: T) => R | readonly R[]): R[] =>
    items.flatMap((item) => (budget.spend(COST), ask(item)));
  const units = each(commands, (command) => commandUnits(command));
  const isUnmarked = isUnmarking(text, units);
  const roots = [...own.records, ...own.stores];
  const isOwnPlace = (path: string): boolean => {
    const real = own.realPath(path);
    return isWithin(real, roots) || isAbove(real, roots);
  };
  const copies = units.flatMap(copiesOfProgram);
  const written = each(units, (unit) =>
    // heed reviews what git restores into a project's store.
    /^git(?: -\S+)* (?:checkout|restore)\b/.test(unit.text)
      ? []
      : writtenPaths(unit).map((touched) => ({ ...touched, unit })),
  );
  // `grep -rl x STORE | xargs sed -i`: the written files come from the searched ones.
  const isResolved = written.every(({ word, unit }) => isTouchResolved(word, unit.command.cwd, own));
  return strongest([
    ...each(units, ({ command }) => [
      decideProgram(command, isUnmarked, isOwnPlace, copies),
      decideGit(command, own),
    ]),
    units.some((unit) => feedsHook(text, unit)) ? fedBy("hook") : undefined,
    ...each(written, ({ word, reach, isUnsure, unit }) => {
      const path = touch(word, unit.command.cwd, own);
      if (path !== undefined && isRemovable(path, unit, own)) return undefined;
      return isUnsure
        ? decideUnresolved(path, own)
        : decideWrite(path, own, bringsTree(unit) ? "below" : reach);
    }),
    ...each(units, (unit) => spokenPaths(unit).map((path) => decideUnresolved(path, own, unit.text))),
    ...(isResolved ? [] : mentioned(text, call.home, units).map((path) => decideUnresolved(path, own))),
    ...each(foreign, (one) => decideForeign(one, isUnmarked, own)),
    // Where the reading ends early, the rest is hidden.
    blindSpots.some((reason) => /^the text (?:takes|has) /.test(reason))
      ? undecided(blindSpots.join("; "))
      : undefined,
  ]);
}

/** What heed rebuilds may be removed, but not written. */
function isRemovable(path: string, { text }: CommandUnit, own: Required<OwnDirectories>): boolean {
  return /^rm(?:dir)? /.test(text) && isWithin(own.realPath(path), own.derived);
}

/** The known part of a word's path: the folder before a wildcard, and for a HOLE heed's own path if the rest fits it. */
function touch(word: ShellWord, cwd: string | undefined, own: OwnDirectories): string | undefined {
  const roots = [...own.records, ...own.stores];
  const said = absolutePath(word.text.replace(/^\/(?:proc\/self|dev\/fd\/\.\.)\/cwd(?=\/)/, "."), cwd);
  const path = said === undefined ? undefined : expandedTo(said, roots);
  if (path === undefined || /\/\*\*(?:\/|$)/.test(path)) return path;
  if (word.isGlob === true && mayMeet(path.slice(path.lastIndexOf("/") + 1), "*.md"))
    return path.replace(/\/[^/]*[*?[{\0].*$/, "/*");
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

function isTouchResolved(word: ShellWord, cwd: string | undefined, own: OwnDirectories): boolean {
  const path = absolutePath(word.text, cwd);
  if (path === undefined || word.text.startsWith(HOLE)) return false;
  if (!path.includes(HOLE)) return !word.isMany || word.isGlob === true;
  const folder = path.slice(0, path.lastIndexOf("/", path.indexOf(HOLE)));
  return !isAbove(folder, [...own.records, ...own.stores]);
}

/** Paths that an unknown command names, also within words: `-oPATH`, `PATH:/x`. */
function spokenPaths({ text: said, command: { words, cwd } }: CommandUnit): string[] {
  const name = words[0]?.text ?? "";
  const isKnownUse = wordUse(name) !== undefined || SHELLS.has(name) || runnerOf(words) !== undefined;
  if (isKnownUse && !EITHER.test(said)) return [];
  return words.slice(1).flatMap(({ text }) => {
    if (/[:,](?:ro|readonly)(?:,|$)/.test(text)) return [];
    const parts = text.replace(/^-\w(?=[/.~])/, "").split(/[:=,]+/);
    return parts.flatMap((part) => (/[\w./]/.test(part) ? (absolutePath(part, cwd) ?? []) : []));
  });
}

/** Expands what is known of the client's shell: its variables, the user's home by name, temporary files. */
function spelledOut(text: string, variables: Readonly<Record<string, string>>): string {
  const said = text.replace(/\$\(mktemp[^()]*\)/g, "/tmp/mktemp");
  return said.replace(/\$(?:(\w+)|\{(\w+)(?:[:%#?-][^}]*)?\})|~(\w+)(?=\/)/g, (all, plain, braced, user) => {
    const name: string = plain ?? braced ?? (user === variables["USER"] ? "HOME" : "");
    return text.includes(`${name}=`) ? all : (variables[name] ?? all);
  });
}

function mentioned(text: string, home: string | undefined, units: readonly CommandUnit[]): string[] {
  const operands = units.flatMap(({ args, command }) =>
    args.operands.flatMap((word) => absolutePath(word.text, command.cwd) ?? []),
  );
  const named = text.replaceAll("~/", `${home}/`).match(/(?<![\w.])\/[\w./@+-]+/g) ?? [];
  return [...named.slice(0, MAX_TOKENS), ...operands].map((path) => path.replace(/\/[^/]*\.\w+$/, ""));
}

function decideForeign(said: ForeignText, isUnmarked: boolean, own: OwnDirectories): OwnDecision | undefined {
  const { phrases, program, cwd } = said;
  if (isForHeed(said)) return undefined;
  const named = phrases.split(/[^\w./:@=+~*%-]+/, MAX_TOKENS).filter((token) => token !== "");
  return strongest([
    decideSaid(said, isUnmarked),
    ...named.map((token) => decideUnresolved(absolutePath(token, cwd), own, program)),
    /HEED_(?:STATE_|CONFIG_)?DIR/.test(phrases) ? unsureOf("a folder of heed's", program) : undefined,
  ]);
}

function decideUnresolved(
  path: string | undefined,
  own: OwnDirectories,
  by = "this",
): OwnDecision | undefined {
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

/** Git in a user's store: heed has not checked what it writes there. */
function decideGit(command: ShellCommand, own: OwnDirectories): OwnDecision | undefined {
  const { words, environment, cwd = "" } = command;
  const sub = words.slice(globalOptions(words).next)[0]?.text ?? "";
  if (words[0]?.text !== "git" || !GIT_BRINGS.test(sub)) return undefined;
  const given = environment.filter(({ name }) => /^GIT_(?:DIR|WORK_TREE)$/.test(name));
  for (const place of [cwd, ...given.map(({ value }) => value.text)]) {
    if (isWithin(place, own.records)) return denied(place);
    const users = own.stores.filter((root) => !isRepositorys(root));
    // Untracked files, where the home or a folder above it is a repository.
    const isSwept =
      (sub === "clean" ||
        (sub === "stash" && /^-\w*[ua]|^--(?:include|all)/.test(words.at(-1)?.text ?? ""))) &&
      isAbove(place, [...own.records, ...users]);
    if (isSwept || users.some((root) => isWithin(place, [root]))) return asked(`git ${sub} in ${place}`);
  }
  return undefined;
}

/** @param reach `below`: files with unknown names, somewhere below. */
function decideWrite(
  path: string | undefined,
  own: OwnDirectories,
  reach: TouchedPath["reach"] | "below" = "file",
): OwnDecision | undefined {
  if (path === undefined || path.includes(HOLE)) return undefined;
  const [folder = path, name = ""] = path.split(/\/\*\*(?:\/|$)/);
  const isSwept = folder !== path;
  if (isSwept && !KEPT.some((one) => mayMeet(name || "*", one))) return undefined;
  const real = (own.realPath?.(folder) ?? folder).replace(/\/\*$/, "");
  if (isWithin(real, own.records)) return denied(real);
  const lasting = own.records.filter((root) => own.derived?.includes(root) !== true);
  if (reach === "tree" && !isSwept && isAbove(real, lasting)) return denied(real);
  if (reach === "tree" && !isSwept && isAbove(real, own.stores))
    return asked(`${real}, which holds memories,`);
  // A repository reviews its own store.
  const users = [...(isSwept ? lasting : own.records), ...own.stores.filter((root) => !isRepositorys(root))];
  if ((isSwept || reach === "below") && isAbove(real, users)) return unsureOf(real, "this");
  const store = own.stores.find((root) => isWithin(real, [root]));
  if (store === undefined) return undefined;
  const relative = real.slice(store.length + 1);
  if (isSwept || (reach !== "file" && reach !== "maybe") || folder.endsWith("/*") || !/\.\w+$/.test(relative))
    return asked(`${real}, where memories lie,`);
  const isMemory = relative === "config.yaml" || isMemoryFile(relative.slice(relative.lastIndexOf("/") + 1));
  return isMemory ? asked(`the memory file ${real}`) : undefined;
}

function isRepositorys(store: string): boolean {
  return store.endsWith("/.heed");
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
