import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionEvent } from "../here/records/session-events.ts";
import type { Place } from "../here/place.ts";
import { type OwnedCall, type StoppedCall, drawCode, grantOf, allowableCall } from "./decide-stopped-call.ts";
import { guardsInForce } from "./guard-tool-use.ts";
import { type Outcome, type Situation, NOTHING } from "./situation.ts";
import { runGit } from "../machine/run-git.ts";
import { guardedPrograms, guardsOfStarts, startFilter } from "../guard/start-filter.ts";
import { isShellTool } from "../guard/tools.ts";
import { namesInFolder, readOrEmpty, readRegularFile } from "../machine/regular-file.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { type Places, homeOf, liveFile, startsFolder } from "../machine/places.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { shellWord } from "../machine/shell-word.ts";

const BOUNDS = { maxBytes: 1024 * 1024 };
/** Where a program is no longer looked for: heed's own folders. */
const MARK = ".heed-starts";
/** What a session that ended without a word leaves is removed after a week. */
const LEFT_MS = 7 * 24 * 3_600_000;

/** The file of a guarded program. What fails lets the program start as if heed were not there. */
const PROGRAM = `#!/bin/sh
# Written by heed: while a session lives, guarded commands of this program are asked about. heed uninit takes it out.
heed_p=\${0##*/} heed_ask=
heed_f=\${0%/*}/../live/\${HEED_SESSION:-\${CODEX_THREAD_ID:-none}}
if [ -r "$heed_f" ]; then
  . "$heed_f"
  if [ "$heed_ask" ]; then
    heed_judge "$heed_ask" "$heed_p" "$@" </dev/null >&2 2>/dev/null
    case $? in
      0) ;;
      126) exit 126 ;;
      *) { echo "$heed_p" >"$heed_f.failed"; } 2>/dev/null ;;
    esac
  fi
fi
set -f
IFS=: heed_r=
for heed_x in $PATH; do
  heed_x=\${heed_x:-.}/$heed_p
  if [ ! -x "$heed_x" ] || [ ! -f "$heed_x" ] || [ -e "\${heed_x%/*}/${MARK}" ]; then continue; fi
  # A copy of this file looks behind its own folder, so that two do not call each other.
  if [ "$heed_x" -ef "$0" ]; then heed_r=; continue; fi
  heed_r=\${heed_r:-$heed_x}
  if [ -e "\${0%/*}/${MARK}" ]; then break; fi
done
if [ "$heed_r" ]; then exec "$heed_r" "$@"; fi
echo "$heed_p: command not found" >&2
exit 127
`;

/** What each bash that is no terminal reads first: the user's own such file, and the folder first in PATH again. */
const bashFile = (bin: string): string => `# Written by heed; heed uninit takes it out.
if [ "$HEED_BASH_ENV" ]; then
  eval "heed_e=\\"$HEED_BASH_ENV\\""
  if [ -r "$heed_e" ]; then . "$heed_e"; fi
  unset heed_e
fi
case $PATH in ${shellWord(bin)}:*) ;; *) PATH=${shellWord(bin)}:$PATH ;; esac
`;

/** At a session's start: what its shells need, for Claude Code in the file that it reads before each command. */
export async function beginStarts(
  situation: Situation,
  { session, client }: Pick<SessionEvent, "session" | "client">,
): Promise<void> {
  const { places, env } = situation.place;
  const live = liveFile(places, session);
  if (live === undefined) return;
  const folder = startsFolder(places);
  const bin = join(folder, "bin");
  write(join(bin, MARK), "");
  write(join(folder, "bash-env.sh"), bashFile(bin));
  for (const left of namesInFolder(dirname(live)).map((name) => join(dirname(live), name)))
    if (Date.now() - statSync(left).mtimeMs > LEFT_MS) rmSync(left, { force: true });
  const programs = await keepStarts(situation, session);
  const file = env["CLAUDE_ENV_FILE"];
  if (client !== "claude-code" || !file) return;
  const bash = shellWord(join(folder, "bash-env.sh"));
  const functions = programs.map((program) => {
    const path = shellWord(join(bin, program));
    return `function ${program} { if [ -x ${path} ]; then ${path} "$@"; else command ${program} "$@"; fi; }`;
  });
  const lines = [
    `export HEED_SESSION=${session} PATH=${shellWord(bin)}:"$PATH"`,
    `[ "$BASH_ENV" = ${bash} ] || export HEED_BASH_ENV="$BASH_ENV" BASH_ENV=${bash}`,
    functions.join("; "),
  ];
  // Replaced whole: the client keeps the file over a resume.
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
}

/** Writes a session's filter and its programs' files where its guards changed. Returns the programs. */
async function keepStarts(situation: Situation, session: string): Promise<string[]> {
  const { place, root } = situation;
  const { places, env, workspace } = place;
  const live = liveFile(places, session);
  const rules = guardsOfStarts(guardsInForce(situation));
  if (live === undefined || workspace.program === undefined) return [];
  if (rules.length === 0) {
    rmSync(live, { force: true });
    return [];
  }
  const bin = join(startsFolder(places), "bin");
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder !== bin);
  const programs = guardedPrograms(rules).filter((name) =>
    folders.some((folder) => existsSync(join(folder, name))),
  );
  const conditions = rules.map(({ guard }) => [guard.action, guard.condition]);
  const mark = `# ${sha256Hex(JSON.stringify([workspace.program, root, programs, conditions]))}\n`;
  if (readOrEmpty(live, BOUNDS).startsWith(mark)) return programs;
  for (const name of programs) {
    write(join(bin, name), PROGRAM);
    chmodSync(join(bin, name), 0o700);
  }
  const { stdout } = await runGit(["--list-cmds=main,others"], { cwd: root, timeoutMs: 2000 });
  const own = stdout.split(/\s+/).filter((word) => /^[\w.+-]+$/.test(word));
  const judge = judgeFunction(place, workspace.program, [session, root]);
  writeFileAtomic(live, mark + judge + startFilter(rules, own), { mode: 0o600, isDurable: false });
  return programs;
}

/** How a program's file asks heed, with heed's places as they are in the session, whatever the program is given. */
function judgeFunction({ places, env }: Place, program: string, of: readonly string[]): string {
  const kept = {
    HOME: homeOf(env),
    HEED_DIR: places.userStore,
    HEED_STATE_DIR: places.state,
    HEED_CONFIG_DIR: places.config,
    HEED_CACHE_DIR: places.cache,
    HEED_MODE: env["HEED_MODE"] ?? "",
    NODE_OPTIONS: "",
  };
  const set = Object.entries(kept).map(([name, value]) => `${name}=${shellWord(value)}`);
  const [node, heed, ...about] = [process.execPath, program, ...of].map(shellWord);
  const ask = [...set, node, heed, "hook", "--start", ...about, '"$@"'].join(" ");
  return `heed_judge() { [ ! -x ${node} ] || [ ! -r ${heed} ] || ${ask}; }\n`;
}

/** At a session's end: its programs start as if heed were not there. */
export function endStarts({ places }: Place, session: string): void {
  const live = liveFile(places, session);
  for (const file of live === undefined ? [] : [live, `${live}.calls`, `${live}.failed`])
    rmSync(file, { force: true });
}

export interface StartingCalls {
  time: number;
  /** Of the newest call; absent where the user cannot be shown all of it. */
  code?: string | undefined;
  isAllowed: boolean;
  /** Those that can still be allowed, the newest last. */
  calls: (StoppedCall & { hash: string })[];
}
const MAX_CALLS = 20;

/** Notes a shell call's code; `isAllowed`: the user let it pass, and so what it starts. A start itself writes nothing. */
export async function beginCall(situation: Situation, call: OwnedCall, isAllowed: boolean): Promise<Outcome> {
  const { place, session } = situation;
  const live = liveFile(place.places, call.session);
  if (live === undefined || !isShellTool(call.tool)) return NOTHING;
  if ((await keepStarts(situation, call.session)).length === 0) return NOTHING;
  const now = place.now();
  const shown = allowableCall(call, place.cwd);
  const before = startingCalls(place.places, call.session)?.calls ?? [];
  const code = before.find(({ hash }) => hash === shown?.hash)?.code ?? drawCode();
  const calls = before.filter((one) => one.code !== code).slice(1 - MAX_CALLS);
  if (shown) calls.push({ ...shown, code, rule: STARTED });
  const allowedBy = shown && grantOf(session, code, now);
  const file: StartingCalls = {
    time: now.getTime(),
    code: shown && code,
    isAllowed: isAllowed || allowedBy !== undefined,
    calls,
  };
  writeFileAtomic(`${live}.calls`, JSON.stringify(file), { mode: 0o600, isDurable: false });
  if (!shown || allowedBy === undefined) return NOTHING;
  const about = { rule: "heed:program-start", name: STARTED, text: shown.text };
  return {
    notice: `heed: what this call starts may pass once, as you allowed (${code}): ${shown.text}`,
    records: [{ kind: "guarded", time: now.toISOString(), ...about, code, allowedBy }],
  };
}

const STARTED = "a guard of a program that it starts";

/** What {@link beginCall} left; undefined without a session, or where it cannot be read. */
export function startingCalls(places: Places, session: string): StartingCalls | undefined {
  try {
    return JSON.parse(readRegularFile(`${liveFile(places, session)}.calls`, BOUNDS)) as StartingCalls;
  } catch {
    return undefined;
  }
}

/** Tells the user, once, of the program that started unchecked since the last event. */
export function tellUnchecked({ places }: Place, session: string): string {
  const file = `${liveFile(places, session)}.failed`;
  const program = readOrEmpty(file, BOUNDS).trim().slice(0, 40);
  rmSync(file, { force: true });
  return `heed: ${program} started unchecked, as heed gave no answer about it in time (heed doctor)`;
}

function write(file: string, text: string): void {
  if (existsSync(file) && readOrEmpty(file, BOUNDS) === text) return;
  writeFileAtomic(file, text, { mode: 0o600, isDurable: false });
}
