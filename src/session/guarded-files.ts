import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../here/place.ts";
import { callOf, guardsInForce } from "./guard-tool-use.ts";
import { announceLater } from "../here/records/announcements.ts";
import type { HeardEvent } from "../here/records/session-events.ts";
import { type Outcome, type Situation, NOTHING } from "./situation.ts";
import { findGitDirectory, readHead } from "../machine/git-directory.ts";
import { runGit } from "../machine/run-git.ts";
import { type PathFrame, type PathTest, plainPrefix } from "../guard/entry-tests.ts";
import type { Guard } from "../guard/guard.ts";
import { isShellTool, isWritingTool } from "../guard/tools.ts";
import { defuseLine } from "../memory/shown-text.ts";
import { handleOf } from "../memory/handle.ts";
import { readRegularFile } from "../machine/regular-file.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { shellWord } from "../machine/shell-word.ts";

const MAX_GUARDED_FILES = 2000;
/** So long, in milliseconds of the processor, each time; longer where a person adds a guard. */
const MAX_LOOK_MS = 30;
const MAX_NAMED = 10;
const MAX_LOOK_BYTES = 8 * 1024 * 1024;
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

interface Look {
  root: string;
  head: { branch?: string | undefined; commit?: string | undefined };
  guards: { handle: string; isAgainstLoss: boolean }[];
  files: [path: string, size: number, mtimeMs: number, guard: number][];
  isBackground: boolean;
}

type Change = { path: string; what: "gone" | "empty" | "changed"; rule: string };

/** Whether a guard is about files alone: what it names is looked at, whatever changes it. */
function isOfFiles({ condition, duty }: Guard): boolean {
  const { paths, effect: _effect, files, ...others } = condition;
  const isAlone = Object.values(others).every(({ length }) => length === 0);
  return paths.length > 0 && isAlone && files !== "new" && duty === undefined;
}

/** What to tell a person who adds guards about more files than are looked at; undefined where they are fewer. */
export function whyNotAllLookedAt(frame: PathFrame, guards: readonly Guard[]): string | undefined {
  const files = guardedFiles(guards.filter(isOfFiles), frame, MAX_GUARDED_FILES + 1, 50 * MAX_LOOK_MS);
  if (files.length <= MAX_GUARDED_FILES) return undefined;
  return `The guard is about more than ${MAX_GUARDED_FILES.toLocaleString("en")} files: heed looks at that many before and after a call, so a script may change the rest unseen`;
}

function guardedFiles(
  guards: readonly Guard[],
  frame: PathFrame,
  most: number,
  withinMs: number,
): Look["files"] {
  const start = process.cpuUsage();
  const isLate = (): boolean => {
    const { user, system } = process.cpuUsage(start);
    return user + system > withinMs * 1000;
  };
  const found = new Map<string, Look["files"][number]>();
  for (const [at, { condition, unless }] of guards.entries()) {
    const excepted = unless.flatMap(({ paths }) => paths);
    const look = (path: string): void => {
      if (found.size >= most || isLate()) return;
      const stat = lstatSync(path, { throwIfNoEntry: false });
      if (stat?.isDirectory() === true)
        for (const name of readdirSync(path)) if (!SKIPPED.has(name)) look(join(path, name));
      const isOf = (tests: readonly PathTest[]): boolean => tests.some((test) => test.test(path, frame));
      if (stat?.isFile() === true && isOf(condition.paths) && !isOf(excepted))
        found.set(`${at} ${path}`, [path, stat.size, stat.mtimeMs, at]);
    };
    const bases = condition.paths.flatMap((test) => test.patterns(frame)).map(plainPrefix);
    for (const base of new Set(bases))
      try {
        look(base);
      } catch {
        // Goes while it is looked at, or may not be read.
      }
  }
  return [...found.values()];
}

/** Looks at the guarded files before a call of a shell, or of a tool of another server, that is about to be made. */
export function lookBeforeCall(situation: Situation, event: HeardEvent & { kind: "tool-use" }): void {
  const { tool, input } = event;
  const isOther = tool.startsWith("mcp__") && isWritingTool(tool);
  if (event.session === "" || !(isShellTool(tool) || isOther)) return;
  const rules = guardsInForce(situation).filter(({ guard }) => isOfFiles(guard));
  const frame = { ...callOf(situation, { tool, input }), roots: [situation.root] };
  const looked = rules.map(({ guard }) => guard);
  const files = guardedFiles(looked, frame, MAX_GUARDED_FILES, MAX_LOOK_MS);
  if (files.length === 0) return;
  const git = findGitDirectory(situation.root);
  const look: Look = {
    root: situation.root,
    head: git ? readHead(git) : {},
    guards: rules.map(({ metadata, guard }) => ({
      handle: handleOf(metadata),
      isAgainstLoss: guard.condition.effect === "destroys",
    })),
    files,
    isBackground: input["run_in_background"] === true,
  };
  const file = fileOf(situation.place, event);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(look), { mode: 0o600 });
}

/** Reports guarded files that the last call removed, emptied or changed, with the way back. heed puts nothing back itself. */
export async function reportChangedFiles(place: Place, event: HeardEvent): Promise<Outcome> {
  const file = fileOf(place, event);
  let look: Look;
  try {
    look = JSON.parse(readRegularFile(file, { maxBytes: MAX_LOOK_BYTES })) as Look;
  } catch {
    return NOTHING;
  }
  if (look.isBackground && event.kind === "tool-result") return NOTHING;
  const changes = look.files.flatMap((one) => changeOf(one, look.guards));
  if (changes.length > 0 || event.kind !== "stop") rmSync(file, { force: true });
  if (changes.length === 0) return NOTHING;
  const text = await wordsOf(look, changes);
  const forModel = `${text} Tell the user before you go on.`;
  // At a turn's end, and in some clients at a call's result, the model hears nothing.
  const isShown = event.kind !== "stop" && event.reach !== "none";
  if (isShown) return { context: forModel, notice: text };
  announceLater(place.places, { line: text, forModel: text, where: place.workRoot });
  return NOTHING;
}

function changeOf([path, size, mtimeMs, at]: Look["files"][number], guards: Look["guards"]): Change[] {
  const { handle: rule, isAgainstLoss } = guards[at] ?? { handle: "", isAgainstLoss: true };
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return [{ path, what: "gone", rule }];
  if (stat.size === 0 && size > 0) return [{ path, what: "empty", rule }];
  const isChanged = !isAgainstLoss && (stat.size !== size || stat.mtimeMs !== mtimeMs);
  return isChanged ? [{ path, what: "changed", rule }] : [];
}

async function wordsOf({ root, head, isBackground }: Look, changes: readonly Change[]): Promise<string> {
  const nameOf = (path: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path);
  const named = (all: readonly string[]): string => {
    const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : "";
    return defuseLine(all.slice(0, MAX_NAMED).join(", ") + more);
  };
  const pathsOf = (some: readonly Change[]): string[] => [...new Set(some.map(({ path }) => nameOf(path)))];
  const said = (["gone", "empty", "changed"] as const).flatMap((what) => {
    const paths = pathsOf(changes.filter((one) => one.what === what));
    return paths.length === 0 ? [] : [`${what}: ${named(paths)}`];
  });
  const rules = [...new Set(changes.map(({ rule }) => rule))].join(", ");
  const git = findGitDirectory(root);
  const now: Look["head"] = git ? readHead(git) : {};
  const isMoved = now.commit !== head.commit || now.branch !== head.branch;
  const moved = head.branch === now.branch ? "" : ` (${head.branch} → ${now.branch})`;
  const tracked = await trackedAt(root, head.commit, pathsOf(changes));
  const untracked = pathsOf(changes).filter((path) => tracked?.includes(path) !== true);
  const hasNone = tracked ? "git has no copy of" : "git did not say whether it has a copy of";
  const source = head.commit?.slice(0, 12) ?? "";
  const back = `heed put nothing back. What was not committed is lost; as in ${source} they come back by: `;
  return [
    `heed: guarded files (${rules}) changed during ${isBackground ? "a call in the background" : "the last call"}. ${said.join("; ")}.`,
    ...(isMoved ? [defuseLine(`HEAD moved meanwhile${moved}.`)] : []),
    ...(tracked?.length ? [back + defuseLine(restoreCommand(root, source, tracked))] : []),
    ...(untracked.length > 0 ? [`${hasNone} ${named(untracked)}.`] : []),
  ].join(" ");
}

async function trackedAt(
  cwd: string,
  commit: string | undefined,
  paths: string[],
): Promise<string[] | undefined> {
  const within = paths.filter((path) => !path.startsWith("/"));
  if (commit === undefined || within.length === 0) return [];
  try {
    const args = ["ls-tree", "-z", "--name-only", "--full-tree", commit, "--", ...within];
    return (await runGit(args, { cwd, timeoutMs: 2000 })).stdout.split("\0").filter((path) => path !== "");
  } catch {
    return undefined;
  }
}

/** The command that restores tracked files as a commit has them; of many, those missing in their folder alone. */
function restoreCommand(root: string, commit: string, paths: readonly string[]): string {
  const restore = `git restore --source=${commit} --staged --worktree`;
  if (paths.length <= MAX_NAMED)
    return `${restore} -- ${paths.map((path) => shellWord(`:/${path}`)).join(" ")}`;
  let folder = dirname(paths[0] ?? "");
  while (folder !== "." && !paths.every((path) => path.startsWith(`${folder}/`))) folder = dirname(folder);
  const missing = `git diff --name-only -z --diff-filter=D ${commit} -- ${shellWord(folder)}`;
  return `cd ${shellWord(root)} && ${missing} | ${restore} --pathspec-from-file=- --pathspec-file-nul`;
}

function fileOf({ places }: Place, { session, agentId = "" }: HeardEvent): string {
  return join(places.cache, "guarded-files", `${sha256Hex(`${session} ${agentId}`).slice(0, 32)}.json`);
}
