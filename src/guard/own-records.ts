import type { GuardCall } from "./guard-call.ts";
import { callUnitOf, shellTextOf } from "./guard-call.ts";
import { commandUnit } from "./guard-unit.ts";
import { isMemoryFile } from "../memory/memory-file.ts";
import { readShell } from "./shell/read-shell.ts";
import { absolutePath } from "./shell/run-context.ts";
import type { ShellCommand } from "./shell/shell-command.ts";
import { isKnown } from "./shell/shell-word.ts";
import { EDIT_TOOLS, SHELL_TOOLS } from "./tool-names.ts";
import { writtenPaths } from "./written-paths.ts";

/** Directories of heed's, absolute, with forward slashes, each under all of its names. */
export interface OwnDirectories {
  /** What heed knows of the user's word: inbox, sessions, approvals, settings. */
  records: readonly string[];
  /** Stores whose memories take force. */
  stores: readonly string[];
}

/** What a model's call would do to what only the user decides. */
export interface OwnDecision {
  action: "deny" | "ask";
  reason: string;
}

const ASK_USER = "Only the user may decide that: ask them to run it in a terminal of their own.";
/** Files of the program, by the names under which it is called. */
const PROGRAM = /^(?:heed|(?:heed|hook|cli|mcp|core)\.cjs)$/;
/** Takes the marks by which a command line knows that an agent runs it: an empty value of any of them. */
const UNMARKS =
  /\bunset\b|\bexport\s+-n\b|\bexec\s+-\w*c|\benv(?=[^;&|\n]{0,200}\s(?:-(?:\s|\w{0,9}[iu])|--unset|--ignore-environment))/;
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
  if (!EDIT_TOOLS.includes(call.tool)) return undefined;
  return strongest(callUnitOf(call).paths.map(({ text }) => decideWrite(absolutePath(text, call.cwd), own)));
}

function decideShell(call: GuardCall, own: OwnDirectories): OwnDecision | undefined {
  const text = shellTextOf(call);
  if (text === undefined) return undefined;
  const isUnmarked = UNMARKS.test(text);
  return strongest(
    readShell(text, call).commands.flatMap((command) => [
      decideProgram(command, isUnmarked, own),
      ...writesOf(command).map((path) => decideWrite(path, own)),
    ]),
  );
}

function writesOf(command: ShellCommand): (string | undefined)[] {
  // git moves memories with everything else of a working tree; what it brings into force is reviewed.
  const words = command.words[0]?.text === "git" ? command.writes : writtenPaths(commandUnit(command));
  return words.filter(isKnown).map(({ text }) => absolutePath(text, command.cwd));
}

/** A command of heed's that only a person may give. */
function decideProgram(
  { words, environment }: ShellCommand,
  isUnmarked: boolean,
  own: OwnDirectories,
): OwnDecision | undefined {
  const at = words.slice(0, 3).findIndex(({ text }) => PROGRAM.test(text.split("/").at(-1) ?? ""));
  if (at < 0 || (at > 0 && !/^(?:node|nodejs|bun|deno)(?:\d*)$/.test(words[0]?.text ?? ""))) return undefined;
  const state = environment.findLast(({ name }) => name === "HEED_STATE_DIR");
  // Another place than the user's: somebody tries heed out.
  if (state && isKnown(state.value) && !isWithin(state.value.text, own.records)) return undefined;
  const program = words[at]?.text.split("/").at(-1) ?? "";
  const given = words.slice(at + 1).map(({ text }) => text);
  const names = given.filter((word) => !word.startsWith("-"));
  const [sub = program.replace(".cjs", "")] = names;
  const feeds = sub === "hook" || sub === "mcp";
  if (feeds)
    return {
      action: "deny",
      reason: `heed ${sub} is called by the client alone: what it is told counts as what the user did.`,
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

function decideWrite(path: string | undefined, own: OwnDirectories): OwnDecision | undefined {
  if (path === undefined) return undefined;
  if (isWithin(path, own.records))
    return {
      action: "deny",
      reason: `${path} is one of heed's records of what the user said and approved; a model does not write them. ${ASK_USER}`,
    };
  const store = own.stores.find((root) => isWithin(path, [root]));
  if (store === undefined) return undefined;
  // Test cases and generated files say nothing to a model.
  const relative = path.slice(store.length + 1);
  if (relative !== "config.yaml" && !isMemoryFile(relative.split("/").at(-1) ?? "")) return undefined;
  return {
    action: "ask",
    reason: `${path} is a memory file, and a rule in it is in force as soon as it is written. Use memory_write or memory_update, which check it; an edit of the file needs the user's word.`,
  };
}

function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith("/") ? root : `${root}/`));
}

function strongest(decisions: readonly (OwnDecision | undefined)[]): OwnDecision | undefined {
  return decisions.find((decision) => decision?.action === "deny") ?? decisions.find((decision) => decision);
}
