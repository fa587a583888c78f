import type { GuardCall } from "./guard-call.ts";
import { callUnitOf, shellTextOf } from "./guard-call.ts";
import type { CommandUnit } from "./guard-unit.ts";
import { commandUnits } from "./guard-unit.ts";
import { isMemoryFile } from "../memory/memory-file.ts";
import { mayMeet } from "./path-test.ts";
import { readShell } from "./shell/read-shell.ts";
import { absolutePath } from "./shell/run-context.ts";
import { globalOptions } from "./shell/run-git.ts";
import type { ForeignText, ShellCommand } from "./shell/shell-command.ts";
import type { ShellWord } from "./shell/shell-word.ts";
import { HOLE, isKnown, knownWord } from "./shell/shell-word.ts";
import { EDIT_TOOLS, SHELL_TOOLS } from "./tool-names.ts";
import type { TouchedPath } from "./touched-path.ts";
import { writtenPaths } from "./written-paths.ts";

/** Directories of heed's, absolute, with forward slashes, each under all of its names. */
export interface OwnDirectories {
  /** What heed knows of the user's word: inbox, sessions, approvals, settings. */
  records: readonly string[];
  /** Stores whose memories take force. */
  stores: readonly string[];
  /** What a path leads to, behind links. */
  realPath?: (path: string) => string;
}

/** What a model's call would do to what only the user decides. */
export interface OwnDecision {
  action: "deny" | "ask";
  reason: string;
}

const ASK_USER = "Only the user may decide that: ask them to run it in a terminal of their own.";
/** Files of the program, by the names under which it is called. */
const PROGRAM = /^(?:heed|(?:heed|hook|cli|mcp|core)\.cjs)$/;
const JS_RUNTIME = /^(?:node|nodejs|bun|deno|tsx)\d*$/;
/** Takes the marks by which a command line knows that an agent runs it: an empty value of any of them. */
const UNMARKS =
  /\bunset\b|\b(?:declare|typeset|export|local)\s+\+x|\bexport\s+-n\b|\bexec\s+-\w*c|\benv(?=[^;&|\n]{0,200}\s(?:-(?:\s|\w{0,9}[iu])|--uns|--ign))/;
/** A tool of an MCP server by its name: it writes, unless it says that it reads. */
const WRITING_TOOL =
  /^mcp__(?!\w*heed\w*__)\w+__(?!\w*(?:read|get|list|search|find|stat|info|view|tree|exists|show|count|diff|grep))/i;
/** Subcommands of git that change files of a working tree. */
const GIT_BRINGS = new Set(
  "apply am checkout switch reset restore rm mv clean pull merge rebase cherry-pick revert stash read-tree checkout-index worktree update-index bisect".split(
    " ",
  ),
);
const MAX_TOKENS = 2000;
/** Variables that lead heed to other records, and to another store of the user's: the first that is given counts. */
const RECORDS_BY = ["HEED_STATE_DIR", "XDG_STATE_HOME", "HOME"];
const STORE_BY = ["HEED_DIR", "XDG_DATA_HOME", "HOME"];
const MARKS = /^(?:CLAUDECODE|CODEX_|CURSOR_AGENT|GEMINI_CLI|OPENCODE|COPILOT_|\w+_ACTIVE$|AI_AGENT|AGENT$)/;

/**
 * Keeps a model from giving the user's word in the user's place: by writing heed's records with its own tools, by feeding
 * a hook with turns that nobody typed, by a command of heed's with the marks of its shell taken away. Memories of stores
 * that take force are asked about: written by heed's own tools they pass its gates, and an edited file does not.
 *
 * Undefined: the call does nothing of that, as far as can be told without running it.
 */
export function decideOwnCall(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  if (SHELL_TOOLS.has(call.tool)) return decideShell(call, own);
  // Of a tool that is not known only its name says whether it writes.
  if (!EDIT_TOOLS.includes(call.tool) && !WRITING_TOOL.test(call.tool)) return undefined;
  return strongest(
    callUnitOf(call).paths.map(({ word, reach }) =>
      decideWrite(absolutePath(word.text, call.cwd), own, reach),
    ),
  );
}

function decideShell(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  const text = shellTextOf(call);
  if (text === undefined) return undefined;
  const isUnmarked = UNMARKS.test(text);
  const { commands, foreign } = readShell(text, call);
  const units = commands.flatMap((command) => commandUnits(command));
  const written = units.map((unit) => ({
    unit,
    // What git takes from its history into a project's store is reviewed.
    paths: isReviewedByGit(unit) ? [] : writtenPaths(unit),
  }));
  // `grep -rl x STORE | xargs sed -i`: what is written comes from what was looked at.
  const isTold = written.every(({ unit, paths }) =>
    paths.every(({ word }) => isTouchTold(word, unit.command.cwd)),
  );
  const named = isTold
    ? []
    : units.flatMap((unit) => unit.args.operands.map((word) => touch(word, unit.command.cwd)));
  return strongest([
    ...units.flatMap(({ command }) => [
      decideProgram(command, isUnmarked, own),
      decideGit(command, own),
      decideLink(command, own),
    ]),
    ...written.flatMap(({ unit, paths }) =>
      paths.map(({ word, reach, isUnsure }) => {
        const path = touch(word, unit.command.cwd);
        if (isUnsure) return decideUntold(path, own);
        return decideWrite(path, own, reach) ?? (bringsTree(unit) ? decideBrought(path, own) : undefined);
      }),
    ),
    ...named.map((path) => decideUntold(path, own)),
    ...foreign.map((one) => decideForeign(one, isUnmarked, own)),
  ]);
}

function isReviewedByGit({ command, args }: CommandUnit): boolean {
  return command.words[0]?.text === "git" && /^(?:checkout|restore)$/.test(args.operands[0]?.text ?? "");
}

/** The path of a word; of one with wildcards the folder before them. */
function touch(word: ShellWord, cwd: string | undefined): string | undefined {
  const path = absolutePath(word.text, cwd);
  const isAny = word.isGlob === true && mayMeet(word.text.split("/").at(-1) ?? "", "*.md");
  return path === undefined || !isAny ? path : path.replace(/\/[^/]*[*?[{\0].*$/, "/*");
}

function isTouchTold(word: ShellWord, cwd: string | undefined): boolean {
  const path = absolutePath(word.text, cwd);
  return path !== undefined && !path.includes(HOLE) && (!word.isMany || word.isGlob === true);
}

/** What a program of another language says of heed: a record that it may write, a hook that it may feed. */
function decideForeign(
  { text, phrases, program, cwd }: ForeignText,
  isUnmarked: boolean,
  own: OwnDirectories,
): OwnDecision | undefined {
  const [tokens = [], named = []] = [text, phrases].map((said) => said.split(/[^\w./:@=+~*%-]+/, MAX_TOKENS));
  // A script that a runtime is given by its path was looked at as a command.
  const isScript = JS_RUNTIME.test(program) && !/(?:^|\s)(?:-[ep]|--eval|--print)/.test(text);
  const at = isScript ? -1 : tokens.findIndex((token) => PROGRAM.test(token.split("/").at(-1) ?? ""));
  const words = tokens.slice(at, at + 20).map(knownWord);
  const asProgram = at < 0 ? undefined : decideProgram({ words, environment: [], cwd }, isUnmarked, own);
  return strongest([
    asProgram,
    ...named.map((token) => decideUntold(absolutePath(token, cwd), own, program)),
  ]);
}

/** A program that nobody here knows, or a list of files that is not told, with a path of heed's. */
function decideUntold(
  path: string | undefined,
  own: OwnDirectories,
  program = "this",
): OwnDecision | undefined {
  if (path === undefined) return undefined;
  const isFolder = !/\.\w+$/.test(path);
  if (decideWrite(path, own, isFolder ? "some" : "file") === undefined) return undefined;
  return unsureOf(path, program);
}

function unsureOf(path: string, program: string): OwnDecision {
  return {
    action: "ask",
    reason: `heed cannot tell whether ${program} writes ${path}, where heed keeps its records and memories. ${ASK_USER}`,
  };
}

function bringsTree({ command, args }: CommandUnit): boolean {
  return (
    /^(?:(?:bsd)?tar|unzip|7z|cpio|rsync)$/.test(command.words[0]?.text ?? "") ||
    args.operands.slice(0, -1).some(({ text }) => text.endsWith("/."))
  );
}

/** What an archive or a tree of files brings into a folder above has names of its own; a repository's is its own matter. */
function decideBrought(path: string | undefined, own: OwnDirectories): OwnDecision | undefined {
  if (path === undefined || path.includes(HOLE)) return undefined;
  const roots = [...own.records, ...own.stores.filter((root) => !root.endsWith("/.heed"))];
  const real = (own.realPath?.(path) ?? path).replace(/\/\*$/, "");
  return roots.some((root) => isWithin(root, [real])) ? unsureOf(real, "this") : undefined;
}

/** Git in a store of the user's: what it brings there did not pass heed. */
function decideGit({ words, cwd }: ShellCommand, own: OwnDirectories): OwnDecision | undefined {
  if (words[0]?.text !== "git" || cwd === undefined) return undefined;
  const sub = words.slice(globalOptions(words).next)[0]?.text ?? "";
  if (!GIT_BRINGS.has(sub)) return undefined;
  if (isWithin(cwd, own.records)) return denied(cwd);
  const isStore = own.stores.some((root) => isWithin(cwd, [root]) && !root.endsWith("/.heed"));
  return isStore ? asked(`git ${sub} in ${cwd}`) : undefined;
}

/** A link to heed's folders: what is written by its name is not seen as heed's. */
function decideLink({ words, cwd }: ShellCommand, own: OwnDirectories): OwnDecision | undefined {
  if (words[0]?.text !== "ln") return undefined;
  const paths = words.slice(1).flatMap((word) => touch(word, cwd) ?? []);
  const path = paths.find((one) => isWithin(one, [...own.records, ...own.stores]));
  return path === undefined ? undefined : asked(`a link to ${path}`);
}

/** A command of heed's that only a person may give. */
function decideProgram(
  { words, environment, cwd }: Pick<ShellCommand, "words" | "environment" | "cwd">,
  isUnmarked: boolean,
  own: OwnDirectories,
): OwnDecision | undefined {
  const at = words.findIndex(({ text }) => PROGRAM.test(text.split("/").at(-1) ?? ""));
  if (at < 0 || (at > 0 && !JS_RUNTIME.test(words[0]?.text ?? ""))) return undefined;
  const placeBy = (names: readonly string[]): ShellWord | undefined =>
    names
      .map((name) => environment.findLast((one) => one.name === name)?.value)
      .find((value) => value !== undefined && value.text !== "");
  const [records, store] = [placeBy(RECORDS_BY), placeBy(STORE_BY)];
  const areRecordsMoved = records !== undefined && !isOwnPlace(records, cwd, own);
  const isStoreMoved = store !== undefined && isKnown(store) && !isOwnPlace(store, cwd, own);
  // Somebody tries heed out, over memories of its own.
  if (isStoreMoved && areRecordsMoved) return undefined;
  const program = words[at]?.text.split("/").at(-1) ?? "";
  const given = words.slice(at + 1).map(({ text }) => text);
  const names = given.filter((word) => !word.startsWith("-"));
  const [sub = program.replace(".cjs", "")] = names;
  const feeding = [program.replace(".cjs", ""), sub].find((name) => name === "hook" || name === "mcp");
  if (feeding !== undefined)
    return {
      action: "deny",
      reason: `heed ${feeding} is called by the client alone: what it is told counts as what the user did.`,
    };
  if (areRecordsMoved)
    return {
      action: "ask",
      reason: `this runs heed ${sub} over the user's memories with other records of what they said. ${ASK_USER}`,
    };
  const isUnnamed = environment.some(
    ({ name, value }) => MARKS.test(name) && /^(?:0|false)?$/.test(value.text),
  );
  if (isUnmarked || isUnnamed)
    return {
      action: "ask",
      reason: `this runs heed ${sub} without the marks by which it tells a model's command from the user's. ${ASK_USER}`,
    };
  return undefined;
}

/** Whether a variable leads to a place of the user's own. */
function isOwnPlace(value: ShellWord, cwd: string | undefined, own: OwnDirectories): boolean {
  const path = isKnown(value) ? absolutePath(value.text, cwd) : undefined;
  if (path === undefined) return false;
  const [real, roots] = [own.realPath?.(path) ?? path, [...own.records, ...own.stores]];
  return isWithin(real, roots) || roots.some((root) => isWithin(root, [real]));
}

function decideWrite(
  path: string | undefined,
  own: OwnDirectories,
  reach: TouchedPath["reach"] = "file",
): OwnDecision | undefined {
  if (path === undefined || path.includes(HOLE)) return undefined;
  const real = own.realPath?.(path) ?? path;
  if (isWithin(real, own.records)) return denied(real);
  const isAbove = (root: string): boolean => isWithin(root, [real.replace(/\/\*$/, "")]);
  if (reach === "tree" && own.records.some(isAbove)) return denied(real);
  if (reach === "tree" && own.stores.some(isAbove)) return asked(`${real}, which holds memories,`);
  const store = own.stores.find((root) => isWithin(real, [root]));
  if (store === undefined) return undefined;
  const relative = real.slice(store.length + 1);
  // Test cases and generated files say nothing to a model.
  const name = relative.split("/").at(-1) ?? "";
  if (reach === "some" || name === "*" || (reach === "tree" && !/^tests(?:\/|$)/.test(relative)))
    return asked(`${real}, where memories lie,`);
  return relative === "config.yaml" || isMemoryFile(name) ? asked(`the memory file ${real}`) : undefined;
}

function denied(path: string): OwnDecision {
  return {
    action: "deny",
    reason: `${path} belongs to heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`,
  };
}

function asked(what: string): OwnDecision {
  return {
    action: "ask",
    reason: `this writes ${what} and passes heed by, which checks what becomes a memory. Use memory_write or memory_update; anything else there needs the user's word.`,
  };
}

function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`));
}

function strongest(decisions: readonly (OwnDecision | undefined)[]): OwnDecision | undefined {
  return decisions.find((decision) => decision?.action === "deny") ?? decisions.find((decision) => decision);
}
