import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionEvent } from "../api/session-events.ts";
import type { Place } from "../place/place.ts";
import { type GuardInForce, callOf, guardsInForce } from "./guard-tool-use.ts";
import { type EventOutcome, NOTHING, type Situation } from "./situation.ts";
import { findGitDirectory, readHead } from "../../git/git-directory.ts";
import { runGit } from "../../git/run-git.ts";
import { type PathFrame, plainPrefix } from "../../guard/entry-tests.ts";
import type { Guard } from "../../guard/guard.ts";
import { isWritingTool, SHELL_TOOLS } from "../../guard/tools.ts";
import { defuseLine } from "../../inject/delimit.ts";
import { handleOf } from "../../memory/handle.ts";
import { sha256Hex } from "../../platform/sha256.ts";
import { shellWord } from "../../platform/shell-word.ts";

/** So many guarded files are looked at before and after a call. */
const MAX_GUARDED_FILES = 2000;
/** So long, in milliseconds, each time. */
const MAX_LOOK_MS = 30;
/** So many files are named in a message. */
const MAX_NAMED = 10;
/** Folders with files that others make. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Guarded files as they were before a call. */
interface Look {
  root: string;
  /** HEAD of the repository: branch and commit. */
  head: { branch?: string | undefined; commit?: string | undefined };
  guards: { handle: string; isAgainstLoss: boolean }[];
  files: [path: string, size: number, mtimeMs: number, guard: number][];
  /** The call goes on after its result. */
  isBackground: boolean;
}

type Change = { path: string; what: "gone" | "empty" | "changed"; rule: string };

/** The guards that are about files alone: what they name is looked at, whatever changes it. */
function guardsOfFiles(situation: Situation): GuardInForce[] {
  return (guardsInForce(situation)?.all ?? []).filter(({ guard: { condition, duty } }) => {
    const { paths, effect: _effect, files, ...others } = condition;
    const isAlone = Object.values(others).every(({ length }) => length === 0);
    return paths.length > 0 && isAlone && files !== "new" && duty === undefined;
  });
}

/** The files that a guard is about, up to the limits. */
function guardedFiles(
  guard: Guard,
  frame: PathFrame,
  { untilMs, most }: { untilMs: number; most: number },
): { path: string; size: number; mtimeMs: number }[] {
  const { paths } = guard.condition;
  const excepted = guard.unless.flatMap((one) => one.paths);
  const found = new Map<string, { path: string; size: number; mtimeMs: number }>();
  const isFull = (): boolean => found.size >= most || performance.now() > untilMs;
  const look = (path: string): void => {
    if (isFull()) return;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true)
      for (const name of readdirSync(path)) if (!SKIPPED.has(name)) look(join(path, name));
    const isMeant =
      stat?.isFile() === true &&
      paths.some((test) => test.test(path, frame)) &&
      !excepted.some((test) => test.test(path, frame));
    if (isMeant) found.set(path, { path, size: stat.size, mtimeMs: stat.mtimeMs });
  };
  const bases = new Set(paths.flatMap((test) => test.patterns(frame)).map(plainPrefix));
  for (const base of bases)
    try {
      look(base);
    } catch {
      // Goes while it is looked at, or may not be read.
    }
  return [...found.values()];
}

/** Looks at the guarded files before a call of a shell, or of a tool of another server, that is about to be made. */
export function lookBeforeCall(situation: Situation, event: SessionEvent & { kind: "tool-use" }): void {
  const { tool, input } = event;
  const isOther = tool.startsWith("mcp__") && isWritingTool(tool);
  if (event.session === "" || !(SHELL_TOOLS.has(tool) || isOther)) return;
  const guards = guardsOfFiles(situation);
  if (guards.length === 0) return;
  const frame = callOf(situation, { tool, input });
  const untilMs = performance.now() + MAX_LOOK_MS;
  const files: Look["files"] = [];
  for (const [at, { guard }] of guards.entries()) {
    const most = MAX_GUARDED_FILES - files.length;
    for (const { path, size, mtimeMs } of guardedFiles(guard, frame, { untilMs, most }))
      files.push([path, size, mtimeMs, at]);
  }
  if (files.length === 0) return;
  const git = findGitDirectory(situation.root);
  const look: Look = {
    root: situation.root,
    head: git ? readHead(git) : {},
    guards: guards.map(({ metadata, guard }) => ({
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

/**
 * What became of the guarded files since the call before: those that are gone, empty or changed, told to model and user with
 * the command that brings each tracked one back. heed puts nothing back: only the user knows what was meant. At its result, a call in the background goes on: it is looked at with the next event.
 */
export async function reportChangedFiles(place: Place, event: SessionEvent): Promise<EventOutcome> {
  const file = fileOf(place, event);
  let look: Look;
  try {
    look = JSON.parse(readFileSync(file, "utf8")) as Look;
  } catch {
    return NOTHING;
  }
  if (look.isBackground && event.kind === "tool-result") return NOTHING;
  rmSync(file, { force: true });
  const changes = look.files.flatMap((one) => changeOf(one, look.guards));
  if (changes.length === 0) return NOTHING;
  const text = await wordsOf(look, changes);
  return { ...NOTHING, answer: { context: `${text} Tell the user before you go on.`, notice: text } };
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
  const named = (paths: readonly string[]): string =>
    defuseLine(
      paths.slice(0, MAX_NAMED).map(nameOf).join(", ") +
        (paths.length > MAX_NAMED ? ` and ${paths.length - MAX_NAMED} more` : ""),
    );
  const said = (["gone", "empty", "changed"] as const).flatMap((what) => {
    const paths = changes.filter((one) => one.what === what).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${what}: ${named(paths)}`];
  });
  const rules = [...new Set(changes.map(({ rule }) => rule))].join(", ");
  const git = findGitDirectory(root);
  const now: Look["head"] = git ? readHead(git) : {};
  const isMoved = now.commit !== head.commit || now.branch !== head.branch;
  const within = changes.map(({ path }) => nameOf(path)).filter((path) => !path.startsWith("/"));
  const tracked = head.commit === undefined ? [] : await trackedAt(root, head.commit, within);
  const untracked = changes.map(({ path }) => path).filter((path) => !tracked.includes(nameOf(path)));
  const source = head.commit?.slice(0, 12) ?? "";
  const moved = head.branch === now.branch ? "" : ` (${head.branch} → ${now.branch})`;
  return [
    `heed: guarded files (${rules}) were changed by ${isBackground ? "a call in the background" : "this call"}. ${said.join("; ")}.`,
    ...(isMoved ? [defuseLine(`It moved HEAD${moved}.`)] : []),
    ...(tracked.length > 0
      ? [
          `heed put nothing back. What was not committed is lost; as in ${source} they come back by: ` +
            defuseLine(restoreCommand(root, source, tracked)),
        ]
      : []),
    ...(untracked.length > 0 ? [`git has no copy of ${named(untracked)}.`] : []),
  ].join(" ");
}

/** The files that a commit has, of some by their paths in the repository. */
async function trackedAt(cwd: string, commit: string, paths: readonly string[]): Promise<string[]> {
  try {
    const args = ["ls-tree", "-z", "--name-only", "--full-tree", commit, "--", ...paths];
    return (await runGit(args, { cwd, timeoutMs: 2000 })).stdout.split("\0").filter((path) => path !== "");
  } catch {
    return [];
  }
}

/**
 * The command that brings tracked files back as a commit has them, from anywhere in the repository. More than a few are
 * those that are missing in their folder: a folder restored as a whole would lose what else was changed in it.
 */
function restoreCommand(root: string, commit: string, paths: readonly string[]): string {
  const restore = `git restore --source=${commit} --staged --worktree`;
  if (paths.length <= MAX_NAMED)
    return `${restore} -- ${paths.map((path) => shellWord(`:/${path}`)).join(" ")}`;
  let folder = dirname(paths[0] ?? "");
  while (folder !== "." && !paths.every((path) => path.startsWith(`${folder}/`))) folder = dirname(folder);
  const missing = `git diff --name-only -z --diff-filter=D ${commit} -- ${shellWord(folder)}`;
  return `cd ${shellWord(root)} && ${missing} | ${restore} --pathspec-from-file=- --pathspec-file-nul`;
}

function fileOf({ places }: Place, { session, agentId = "" }: SessionEvent): string {
  return join(places.cache, "guarded-files", `${sha256Hex(`${session} ${agentId}`).slice(0, 32)}.json`);
}
