import type { GuardCall } from "./guard-call.ts";
import { callUnitOf, shellTextOf } from "./guard-call.ts";
import type { CommandUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import { isMemoryFile } from "../memory/memory-file.ts";
import {
  copiesOfProgram,
  decideProgram,
  decideSaid,
  fedBy,
  feedsHook,
  isForHeed,
  isUnmarking,
} from "./own-commands.ts";
import { asked, denied, undecided, unsureOf } from "./own-decision.ts";
import type { OwnDecision } from "./own-decision.ts";
import { mayMeet } from "./path-test.ts";
import { runnerOf, SHELLS, wordUse } from "./shell/programs.ts";
import { readShell } from "./shell/read-shell.ts";
import { Budget, BudgetSpent } from "./shell/shell-limits.ts";
import { absolutePath } from "./shell/run-context.ts";
import { globalOptions } from "./shell/run-git.ts";
import type { ForeignText, ShellCommand } from "./shell/shell-command.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import { HOLE } from "./shell/shell-word.ts";
import { EDIT_TOOLS, isWritingTool, SHELL_TOOLS } from "./tool-names.ts";
import type { TouchedPath } from "./touched-path.ts";
import { writtenPaths } from "./written-paths.ts";

/** Directories of heed's, absolute, with forward slashes, each under all of its names. */
export interface OwnDirectories {
  /** What heed alone writes: what it knows of the user's word (inbox, sessions, approvals, settings), what it derives. */
  records: readonly string[];
  /** Those of the records that may be removed: heed makes them anew. */
  derived?: readonly string[];
  /** Stores whose memories take force. */
  stores: readonly string[];
  /** What a path leads to, behind links. */
  realPath?: (path: string) => string;
}

/** Subcommands of git that change files of a working tree. */
const GIT_BRINGS =
  /^(?:apply|am|checkout|switch|reset|restore|rm|mv|clean|pull|merge|rebase|cherry-pick|revert|stash|read-tree|checkout-index|worktree|update-index|bisect)$/;
/** Programs of which only the words tell whether they read or write what they are given. */
const EITHER =
  /^(?:gh|glab|hub|tsc|psql|mysql|mariadb|parallel|7z|unzip|wget) |^(?:bsd)?tar .*--one-top-level|^fd(?:find)? .*(?:-[xX]|--exec\S*) (?!wc|cat|head|ls)|^cp (?:.* )?-\w*[ls]/;
const REMOVES = /\b(?:rm|rmdir|del|delete|remove|wipe|purge|rimraf|shred|unlink|erase)\b/;
/** Names of what heed keeps, as far as the name of what is looked for tells. */
const KEPT = ["*.md", "*.json", "*.jsonl", "*.yaml"];
const MAX_TOKENS = 2000;
/** Steps of a budget that looking at one thing takes: each looks at the clock. */
const COST = 64;
const MAX_STEPS = 2 ** 30;

/**
 * Keeps a model from giving the user's word in the user's place: by writing heed's records with its own tools, by feeding
 * a hook with turns that nobody typed, by a command of heed's with the marks of its shell taken away. Memories of stores
 * that take force are asked about: written by heed's own tools they pass its gates, and an edited file does not.
 *
 * What is known to read passes, what is known to write is refused or asked about, and so is whatever else names a folder
 * of heed's. Undefined: the call does nothing of that, as far as can be told without running it.
 */
export function decideOwnCall(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  const isShell = SHELL_TOOLS.has(call.tool);
  // Of a tool that is not known only its name says whether it writes.
  if (!isShell && !EDIT_TOOLS.includes(call.tool) && !isWritingTool(call.tool)) return undefined;
  const budget = new Budget(MAX_STEPS, call.untilMs);
  const realPath = (path: string): string => (budget.spend(COST), own.realPath?.(path) ?? path);
  const timed = { derived: [], ...own, realPath };
  try {
    const decision = isShell ? decideShell(call, timed, budget) : decideEdit(call, timed);
    // The end of a text says where it goes in a patch alone.
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
    // What git takes from its history into a project's store is reviewed.
    /^git(?: -\S+)* (?:checkout|restore)\b/.test(unit.text)
      ? []
      : writtenPaths(unit).map((touched) => ({ ...touched, unit })),
  );
  // `grep -rl x STORE | xargs sed -i`: what is written comes from what was looked at.
  const isTold = written.every(({ word, unit }) => isTouchTold(word, unit.command.cwd, own));
  return strongest([
    ...each(units, ({ command }) => [
      decideProgram(command, isUnmarked, isOwnPlace, copies),
      decideGit(command, own),
    ]),
    units.some((unit) => feedsHook(text, unit)) ? fedBy("hook") : undefined,
    ...each(written, ({ word, reach, isUnsure, unit }) => {
      const path = touch(word, unit.command.cwd, own);
      if (path !== undefined && isRemovable(path, unit, own)) return undefined;
      return isUnsure ? decideUntold(path, own) : decideWrite(path, own, bringsTree(unit) ? "below" : reach);
    }),
    ...each(units, (unit) => spokenPaths(unit).map((path) => decideUntold(path, own, unit.text))),
    ...(isTold ? [] : mentioned(text, call.home, units).map((path) => decideUntold(path, own))),
    ...each(foreign, (one) => decideForeign(one, isUnmarked, own)),
    // What ends the reading hides what comes behind it.
    blindSpots.some((reason) => /^the text (?:takes|has) /.test(reason))
      ? undecided(blindSpots.join("; "))
      : undefined,
  ]);
}

/** What heed makes anew may be taken away, but not written. */
function isRemovable(path: string, { text }: CommandUnit, own: Required<OwnDirectories>): boolean {
  return /^rm(?:dir)? /.test(text) && isWithin(own.realPath(path), own.derived);
}

/** The path of a word, as far as it is told: of one with wildcards the folder before them, of a hole what heed has there. */
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

/** A path whose wildcards lead to one of some folders, or above it, with that folder's own names in their place. */
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

/** Whether it is told of a word where it leads, as far as heed's folders go. */
function isTouchTold(word: ShellWord, cwd: string | undefined, own: OwnDirectories): boolean {
  const path = absolutePath(word.text, cwd);
  if (path === undefined || word.text.startsWith(HOLE)) return false;
  if (!path.includes(HOLE)) return !word.isMany || word.isGlob === true;
  const folder = path.slice(0, path.lastIndexOf("/", path.indexOf(HOLE)));
  return !isAbove(folder, [...own.records, ...own.stores]);
}

/** What a command names of which nobody knows what it does with its words, in parts of words too: `-oPATH`, `PATH:/x`. */
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

/** A text with what the shell at hand is known to put into it: its variables, homes by name, files for a while. */
function spelledOut(text: string, variables: Readonly<Record<string, string>>): string {
  const said = text.replace(/\$\(mktemp[^()]*\)/g, "/tmp/mktemp");
  return said.replace(/\$(?:(\w+)|\{(\w+)(?:[:%#?-][^}]*)?\})|~(\w+)(?=\/)/g, (all, plain, braced, user) => {
    const name: string = plain ?? braced ?? (user === variables["USER"] ? "HOME" : "");
    return text.includes(`${name}=`) ? all : (variables[name] ?? all);
  });
}

/** The folders that a text speaks of anywhere. */
function mentioned(text: string, home: string | undefined, units: readonly CommandUnit[]): string[] {
  const operands = units.flatMap(({ args, command }) =>
    args.operands.flatMap((word) => absolutePath(word.text, command.cwd) ?? []),
  );
  const named = text.replaceAll("~/", `${home}/`).match(/(?<![\w.])\/[\w./@+-]+/g) ?? [];
  return [...named.slice(0, MAX_TOKENS), ...operands].map((path) => path.replace(/\/[^/]*\.\w+$/, ""));
}

/** What a program of another language says of heed: a record that it may write, a hook that it may feed. */
function decideForeign(said: ForeignText, isUnmarked: boolean, own: OwnDirectories): OwnDecision | undefined {
  const { phrases, program, cwd } = said;
  if (isForHeed(said)) return undefined;
  const named = phrases.split(/[^\w./:@=+~*%-]+/, MAX_TOKENS).filter((token) => token !== "");
  return strongest([
    decideSaid(said, isUnmarked),
    ...named.map((token) => decideUntold(absolutePath(token, cwd), own, program)),
    /HEED_(?:STATE_|CONFIG_)?DIR/.test(phrases) ? unsureOf("a folder of heed's", program) : undefined,
  ]);
}

/** A program that nobody here knows, or a list of files that is not told, with a path of heed's. */
function decideUntold(path: string | undefined, own: OwnDirectories, by = "this"): OwnDecision | undefined {
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

/** Git in a store of the user's: what it brings there did not pass heed. */
function decideGit(command: ShellCommand, own: OwnDirectories): OwnDecision | undefined {
  const { words, environment, cwd = "" } = command;
  const sub = words.slice(globalOptions(words).next)[0]?.text ?? "";
  if (words[0]?.text !== "git" || !GIT_BRINGS.test(sub)) return undefined;
  const given = environment.filter(({ name }) => /^GIT_(?:DIR|WORK_TREE)$/.test(name));
  for (const place of [cwd, ...given.map(({ value }) => value.text)]) {
    if (isWithin(place, own.records)) return denied(place);
    const users = own.stores.filter((root) => !isRepositorys(root));
    // What is not in git's index, where a home or what holds it is a repository.
    const isSwept =
      (sub === "clean" ||
        (sub === "stash" && /^-\w*[ua]|^--(?:include|all)/.test(words.at(-1)?.text ?? ""))) &&
      isAbove(place, [...own.records, ...users]);
    if (isSwept || users.some((root) => isWithin(place, [root]))) return asked(`git ${sub} in ${place}`);
  }
  return undefined;
}

/** @param reach `below`: files of names that are not told, somewhere below. */
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
  // What lies in a repository is its own matter.
  const users = [...(isSwept ? lasting : own.records), ...own.stores.filter((root) => !isRepositorys(root))];
  if ((isSwept || reach === "below") && isAbove(real, users)) return unsureOf(real, "this");
  const store = own.stores.find((root) => isWithin(real, [root]));
  const relative = store === undefined ? "tests" : real.slice(store.length + 1);
  // Test cases and generated files say nothing to a model.
  if (/^tests(?:\/|$)/.test(relative)) return undefined;
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
