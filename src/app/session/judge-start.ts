import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { ProgramStart } from "../api/guard-reports.ts";
import type { Place } from "../place/place.ts";
import { readSession } from "../records/session-state.ts";
import { callOf, guardsInForce, reasonOf } from "./guard-tool-use.ts";
import { startingCalls } from "./program-starts.ts";
import { wayOut } from "./rule-on-call.ts";
import { lookAround, modeOf } from "./situation.ts";
import { findGitDirectory } from "../../git/git-directory.ts";
import { evaluateGuards } from "../../guard/evaluate-guards.ts";
import { GuardSet } from "../../guard/guard.ts";
import { guardsOfStarts } from "../../guard/start-filter.ts";
import { globalOptions } from "../../guard/shell/read-arguments.ts";
import { knownWord } from "../../guard/shell/shell-command.ts";
import { startsFolder } from "../../platform/places.ts";
import { realPathOf } from "../../platform/regular-file.ts";
import { shellWord } from "../../platform/shell-word.ts";

/** A session of which nothing was heard for so long counts as ended without a word. */
const SILENT_MS = 12 * 3_600_000;
/** Git is asked for at most so long, each time. */
const ASK_MS = 500;
/** Beyond so many files of a commit the rest is not looked at. */
const MAX_FILES = 500;
const MAX_REASONS = 3;

/**
 * Why a program may not start, for whoever started it; undefined where it may. Judged by its real words, environment and
 * directory, as the text of a call is; guards on git only in the session's own repository. Writes nothing.
 */
export async function judgeStart(place: Place, start: ProgramStart): Promise<string | undefined> {
  const { session, words, cwd, env } = start;
  const calls = startingCalls(place.places, session);
  const now = place.now();
  if (!calls || calls.isAllowed || now.getTime() - calls.time > SILENT_MS) return undefined;
  const state = readSession(place.places, session);
  const mode = modeOf(state, place);
  if (mode === "off") return undefined;
  const situation = await lookAround(place, state, mode, 1000);
  const rules = guardsOfStarts(guardsInForce(situation)?.all ?? []);
  const command =
    words[0] === "git" ? asGitRuns(start, place, situation.root, rules.some(hasPaths)) : [words];
  const names = new Set(rules.flatMap(({ guard }) => guard.condition.env.map(({ name }) => name)));
  const given = Object.entries(env).filter(
    ([name]) => names.has(name) || /^GIT_(?:DIR|CONFIG_(?:KEY|VALUE)_\d+)$/.test(name),
  );
  const assigned = given.map(([name, value = ""]) => `${name}=${shellWord(value)} `).join("");
  for (const one of command) {
    const use = { tool: "Bash", input: { command: assigned + one.map(shellWord).join(" ") } };
    const { fired } = evaluateGuards({ ...callOf(situation, use), cwd }, new GuardSet(rules));
    const stopping = fired.filter(({ action }) => action !== "warn").slice(0, MAX_REASONS);
    if (stopping.length === 0) continue;
    const reasons = await Promise.all(stopping.map((guard) => reasonOf(guard, situation)));
    return [
      ...reasons,
      wayOut(calls.calls.at(-1)?.code, undefined),
      "Typed with `!`, a command is checked as well: the user runs it in a terminal of their own.",
    ].join("\n\n");
  }
  return undefined;
}

const hasPaths = ({
  guard: { condition },
}: {
  guard: { condition: { paths: readonly unknown[] } };
}): boolean => condition.paths.length > 0;

/**
 * What git would do, asked of git itself: nothing is judged in another repository than the session's; an alias is given
 * with its text; what is added or committed is named. None of these questions runs a hook.
 */
function asGitRuns(
  { words, cwd, env, isAlias }: ProgramStart,
  { places }: Place,
  root: string,
  asksFiles: boolean,
): (readonly string[])[] {
  const { next } = globalOptions(words.map(knownWord));
  const options = words.slice(1, next);
  const [name = "", ...rest] = words.slice(next);
  const bin = join(startsFolder(places), "bin");
  const PATH = env["PATH"]
    ?.split(":")
    .filter((folder) => folder !== bin)
    .join(":");
  const ask = (...args: readonly string[]): string => {
    try {
      const how = {
        cwd,
        env: { ...env, PATH },
        timeout: ASK_MS,
        stdio: ["ignore", "pipe", "ignore"] as const,
      };
      return execFileSync("git", [...options, ...args], { ...how, stdio: [...how.stdio] }).toString();
    } catch {
      return "";
    }
  };
  const own = findGitDirectory(root)?.commonDir;
  const [common = "", top = ""] = ask(
    "rev-parse",
    "--path-format=absolute",
    "--git-common-dir",
    "--show-toplevel",
  ).split("\n");
  if (own !== undefined && realPathOf(own) !== realPathOf(common)) return [];
  const alias = isAlias ? ask("config", "--get", `alias.${name}`).trim() : "";
  const called = alias === "" ? words : ["git", "-c", `alias.${name}=${alias}`, ...words.slice(1)];
  if (!asksFiles) return [called];
  const hasAll = rest.some((word) => /^(?:-[a-zA-Z]*a[a-zA-Z]*|--all)$/.test(word));
  const files =
    name === "add" || name === "stage"
      ? Array.from(ask("add", "-n", ...rest).matchAll(/^(?:add|remove) '(.*)'$/gm), ([, file = ""]) => file)
      : name === "commit"
        ? (ask("diff", "--name-only", "--cached") + (hasAll ? ask("diff", "--name-only") : ""))
            .split("\n")
            .filter((file) => file !== "")
        : [];
  return [
    called,
    ...(files.length > 0 ? [["git", "-C", top, name, "--", ...files.slice(0, MAX_FILES)]] : []),
  ];
}
