import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Place } from "../here/place.ts";
import { modeHere } from "../here/user-config.ts";
import { readSession } from "../here/records/session-state.ts";
import { callOf, guardsInForce, reasonOf } from "./guard-tool-use.ts";
import { startingCalls } from "./program-starts.ts";
import { howToAllow } from "./decide-stopped-call.ts";
import { openSituation } from "./situation.ts";
import { findGitDirectory } from "../machine/git-directory.ts";
import { evaluateGuards } from "../guard/evaluate-guards.ts";
import { guardsOfStarts } from "../guard/start-filter.ts";
import { globalOptions } from "../guard/shell/read-arguments.ts";
import { knownWord } from "../guard/shell/shell-command.ts";
import { startsFolder } from "../machine/places.ts";
import { realPathOf } from "../machine/regular-file.ts";
import { shellWord } from "../machine/shell-word.ts";

/** A session of which nothing was heard for so long counts as ended without a word. */
const SILENT_MS = 12 * 3_600_000;
const ASK_MS = 500;
const MAX_FILES = 500;
const MAX_REASONS = 3;

export interface ProgramStart {
  session: string;
  /** Its name and arguments. */
  words: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  /** The first word behind git's own options is none of git's commands. */
  isAlias: boolean;
}

const MAX_MS = 1500;

/** Why a program may not start, by its real words, environment and directory; undefined where it may. Writes nothing. */
export async function judgeStart(place: Place, start: ProgramStart): Promise<string | undefined> {
  const { session, words, cwd, env } = start;
  const calls = startingCalls(place.places, session);
  if (!calls || calls.isAllowed || place.now().getTime() - calls.time > SILENT_MS) return undefined;
  place.call.deadlineAtMs = performance.now() + MAX_MS;
  const state = readSession(place.places, session);
  if (modeHere(place, state.mode) === "off") return undefined;
  const situation = await openSituation(place, state);
  const rules = guardsOfStarts(guardsInForce(situation));
  const conditions = rules.map(({ guard }) => guard.condition);
  const asksFiles = conditions.some(({ paths }) => paths.length > 0);
  const commands = words[0] === "git" ? asGitRuns(start, place, situation.root, asksFiles) : [words];
  const names = new Set(conditions.flatMap((condition) => condition.env.map(({ name }) => name)));
  const assigned = Object.entries(env)
    .filter(([name]) => names.has(name) || /^GIT_(?:DIR|CONFIG_(?:KEY|VALUE)_\d+)$/.test(name))
    .map(([name, value = ""]) => `${name}=${shellWord(value)} `);
  for (const command of commands) {
    const text = assigned.join("") + command.map(shellWord).join(" ");
    const call = { ...callOf(situation, { tool: "Bash", input: { command: text } }), cwd };
    const { fired } = evaluateGuards(call, rules);
    if (fired.length === 0) continue;
    const reasons = await Promise.all(fired.slice(0, MAX_REASONS).map((one) => reasonOf(one, situation)));
    const typed =
      "Typed with `!`, a command is checked as well: the user runs it in a terminal of their own.";
    return [...reasons, howToAllow(calls.code, undefined), typed].join("\n\n");
  }
  return undefined;
}

/** What git would do, asked of git without running a hook; nothing in another repository than the session's. */
function asGitRuns(
  { words, cwd, env, isAlias }: ProgramStart,
  { places }: Place,
  root: string,
  asksFiles: boolean,
): (readonly string[])[] {
  const { next } = globalOptions(words.map(knownWord));
  const options = [...words.slice(1, next), "-c", "core.fsmonitor=false"];
  const [name = "", ...rest] = words.slice(next);
  const bin = join(startsFolder(places), "bin");
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder !== bin);
  const how = { cwd, env: { ...env, PATH: folders.join(":") }, timeout: ASK_MS };
  const ask = (...args: readonly string[]): string[] => {
    try {
      const said = execFileSync("git", [...options, ...args], {
        ...how,
        stdio: ["ignore", "pipe", "ignore"],
      });
      return said.toString().split("\n");
    } catch {
      return [];
    }
  };
  const own = findGitDirectory(root)?.commonDir;
  const where = ["--path-format=absolute", "--git-common-dir", "--show-toplevel"];
  const [common = "", top = ""] = ask("rev-parse", ...where);
  if (own !== undefined && realPathOf(own) !== realPathOf(common)) return [];
  const [alias = ""] = isAlias ? ask("config", "--get", `alias.${name}`) : [];
  // A shell takes it apart as git does, which hands on what follows it.
  const lead = ["git", ...words.slice(1, next).map(shellWord), ""].join(" ");
  const meant = alias.startsWith("!") ? alias.slice(1) : lead + alias;
  const called = alias === "" ? words : ["sh", "-c", [meant, ...rest.map(shellWord)].join(" ")];
  const isAdd = /^(?:add|stage)$/.test(name) && !rest.some((word) => ASKS_BACK.test(word));
  const isAll = rest.some((word) => /^(?:-[a-zA-Z]*a|--all$)/.test(word));
  const found = !asksFiles
    ? []
    : isAdd
      ? ask("add", "-n", ...rest).map((line) => /^(?:add|remove) '(.*)'$/.exec(line)?.[1] ?? "")
      : name === "commit"
        ? ["--cached", ...(isAll ? ["HEAD"] : [])].flatMap((what) => ask("diff", "--name-only", what))
        : [];
  const files = found.filter((file) => file !== "").slice(0, MAX_FILES);
  return [called, ...(files.length > 0 ? [["git", "-C", top, name, "--", ...files]] : [])];
}

const ASKS_BACK = /^(?:-[a-zA-Z]*[eip]|--(?:edit|interactive|patch))/;
