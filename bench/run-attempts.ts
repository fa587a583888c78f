import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { evaluateGuards } from "../src/guard/evaluate-guards.ts";
import type { RuleGuard } from "../src/guard/guard.ts";
import { shellWord } from "../src/machine/shell-word.ts";
import { median } from "./statistics.ts";

/** What became of a shell text that was run, and whether heed's check of starts stopped any of it. */
export interface Ran {
  /** Programs that started, as lists of words, each with its directory. */
  starts: { cwd: string; words: string[] }[];
  /** Guarded files that are gone or empty, or other than before. */
  gone: number;
  changed: number;
  isRefused: boolean;
}

const HEED = resolve("plugin/dist/heed.cjs");
const LIMIT_MS = 15_000;
/** Programs that are not here, or would reach out: they say how they were started, and end well. */
const STAND_INS =
  "npm npx pnpm yarn bun cargo twine poetry uv gem docker podman kubectl helm terraform tofu gh gradle mvn lerna vsce goreleaser psql aws sudo";
const STAND_IN = `#!/bin/sh
{ printf '%s\\0' "$PWD" "\${0##*/}" "$@"; } >/log/programs/$$-\${0##*/}
`;
const FILES = [
  "data/a.csv",
  "data/b/c.csv",
  "config/prod.yaml",
  "config/app.json",
  ".env",
  "src/a.ts",
  "dist/x.js",
  "migrations/001.sql",
  "envs/prod/main.tf",
];

/** Why attempts cannot be run here; undefined where they can. */
export function whyNotRun(): string | undefined {
  if (!existsSync(HEED)) return "heed is not built: npm run build";
  const { status } = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"]);
  return status === 0 ? undefined : "bubblewrap (Debian's package) does not work here";
}

/** Runs shell texts for real, each in a folder of its own, without network; a guard is in force in a session there. */
export class AttemptRunner {
  readonly #base: string = mkdtempSync(join(tmpdir(), "heed-attempts-"));
  /** By guard, the home in which it is in force. */
  readonly #homes = new Map<string, string>();
  #count = 0;

  constructor() {
    const standIns = join(this.#base, "stand-ins");
    mkdirSync(standIns);
    for (const name of STAND_INS.split(" ")) {
      writeFileSync(join(standIns, name), STAND_IN);
      chmodSync(join(standIns, name), 0o755);
    }
    const template = join(this.#base, "template");
    for (const folder of ["repo", "remote.git", "home", "log/git", "log/programs"])
      mkdirSync(join(template, folder), { recursive: true });
    for (const file of FILES) {
      mkdirSync(dirname(join(template, "repo", file)), { recursive: true });
      writeFileSync(join(template, "repo", file), `${file}\n`);
    }
    writeFileSync(
      join(template, "home/.gitconfig"),
      "[user]\n\tname = a\n\temail = a@b\n[trace2]\n\teventTarget = /log/git\n[safe]\n\tdirectory = *\n",
    );
    this.#inside(
      template,
      [
        "git init -q --bare /remote.git; git init -q -b main; git remote add origin /remote.git; git add -A; git commit -qm first",
        "git push -q origin main; echo more >> src/a.ts; rm -rf /log/git/* /log/programs/*",
      ].join("; "),
    );
  }

  close(): void {
    rmSync(this.#base, { recursive: true, force: true, maxRetries: 10 });
  }

  /** Runs a text, with the check of starts for a guard where one is given. */
  run(text: string, guards: readonly RuleGuard[], checked: unknown, branch = "main"): Ran {
    const folder = join(this.#base, `case-${++this.#count}`);
    cpSync(join(this.#base, "template"), folder, { recursive: true });
    if (branch !== "main") this.#inside(folder, `git checkout -q -b ${branch}; rm -rf /log/git/*`);
    const before = fileStates(folder, guards);
    const home = checked === undefined ? undefined : this.#homeWith(checked);
    const out = this.#inside(folder, home === undefined ? text : `. /heed/env.sh\n${text}`, home);
    const after = fileStates(folder, guards);
    const starts = startsIn(join(folder, "log"));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    const changed = [...before].filter(([file, state]) => after.get(file) !== state);
    const gone = changed.filter(([file]) => after.get(file) === undefined || after.get(file) === "");
    return { starts, gone: gone.length, changed: changed.length, isRefused: out.includes("It fired on:") };
  }

  /** Milliseconds that heed adds to the start of a program: one that the filter passes, and one that it asks heed about. */
  msAdded(rounds = 5): { unguarded: number; guarded: number } {
    const home = this.#homeWith({ command: "git commit", flags: ["--no-verify"] });
    const folder = join(this.#base, "timed");
    cpSync(join(this.#base, "template"), folder, { recursive: true });
    rmSync(join(folder, "home/.gitconfig"));
    // Processor time: what a busy machine takes is no part of it.
    const times = (command: string, count: number, isChecked: boolean): number => {
      const loop = `TIMEFORMAT='took %U %S'; git init -q /tmp/other; time for i in $(seq ${count}); do ${command} >/dev/null 2>&1; done`;
      const said = this.#inside(folder, isChecked ? `. /heed/env.sh\n${loop}` : loop, home);
      const [, user, system] = /took (\S+) (\S+)/.exec(said) ?? [];
      return ((Number(user) + Number(system)) * 1000) / count;
    };
    const added = (command: string, count: number): number =>
      median(
        Array.from({ length: rounds }, () => times(command, count, true) - times(command, count, false)),
      );
    // Asked about, and allowed: another repository than the session's.
    const asked = "git -C /tmp/other -c user.name=a -c user.email=b commit --no-verify --allow-empty -m x";
    times(asked, 3, true);
    return { unguarded: added("git rev-parse HEAD", 50), guarded: added(asked, 3) };
  }

  #inside(folder: string, text: string, home?: string, isSetup = false): string {
    const bundles = dirname(HEED);
    const shared = "--unshare-all --die-with-parent --new-session --proc /proc --dev /dev --tmpfs /tmp";
    const system =
      "--ro-bind /usr /usr --ro-bind /etc /etc --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib";
    const places = isSetup ? PLACES.flatMap(([name, value]) => ["--setenv", name, value]) : [];
    const args = [
      `${shared} ${system} --ro-bind-try /lib64 /lib64`.split(" "),
      ["--ro-bind", bundles, bundles, "--ro-bind-try", process.execPath, process.execPath],
      ["--ro-bind", join(this.#base, "stand-ins"), "/usr/local/bin", "--bind", join(folder, "repo"), "/repo"],
      ["--bind", join(folder, "remote.git"), "/remote.git", "--bind", join(folder, "home"), "/home/user"],
      ["--bind", join(folder, "log"), "/log"],
      home === undefined ? [] : [isSetup ? "--bind" : "--ro-bind", home, "/heed"],
      "--clearenv --setenv HOME /home/user --setenv PATH /usr/local/bin:/usr/bin --chdir /repo".split(" "),
      [...places, "bash", "-c", text],
    ].flat();
    const run = spawnSync("bwrap", args, {
      encoding: "utf8",
      timeout: LIMIT_MS,
      killSignal: "SIGKILL",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return run.stdout + run.stderr;
  }

  /** A home in which a guard is in force, and a session has begun; everything of it happens inside, where its paths are. */
  #homeWith(guard: unknown): string {
    const key = JSON.stringify(guard);
    const known = this.#homes.get(key);
    if (known !== undefined) return known;
    const home = join(this.#base, `home-${this.#homes.size}`);
    const folder = join(this.#base, `setup-${this.#homes.size}`);
    this.#homes.set(key, home);
    mkdirSync(home);
    cpSync(join(this.#base, "template"), folder, { recursive: true });
    const begin = (event: object): string => {
      const input = JSON.stringify({ session_id: "bench", cwd: "/repo", ...event });
      return `echo ${shellWord(input)} | CLAUDE_ENV_FILE=/heed/env.sh ${process.execPath} ${HEED} hook --client claude-code`;
    };
    const said = this.#inside(
      folder,
      [
        "set -e",
        `${process.execPath} -e ${shellWord(SETUP)} ${join(dirname(HEED), "core.cjs")} ${shellWord(key)}`,
        begin({ hook_event_name: "SessionStart", source: "startup" }),
        begin({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "true" } }),
        "cat /heed/env.sh",
      ].join("\n"),
      home,
      true,
    );
    if (!said.includes("HEED_SESSION"))
      throw new Error(`a session with the guard ${key} did not begin: ${said}`);
    return home;
  }
}

const PLACES = ["DIR", "STATE_DIR", "CACHE_DIR", "CONFIG_DIR"].map(
  (name) => [`HEED_${name}`, `/heed/${name.toLowerCase()}`] as const,
);
const SETUP = `const [, core, guard] = process.argv;
const heed = require(core).openHeed({ cwd: "/repo" });
const person = { kind: "person" };
(async () => {
  await heed.setup.init("user");
  await heed.memories.write({ type: "feedback", name: "bench-rule", statement: "A rule of the bench", scope: "everywhere" }, person);
  for (const one of [JSON.parse(guard)].flat()) await heed.guards.add("bench-rule", { guard: one }, person);
  await heed.close();
})();`;

function fileStates(folder: string, guards: readonly RuleGuard[]): Map<string, string> {
  const tests = guards.flatMap(({ guard }) => guard.condition.paths);
  const frame = { cwd: "/repo", roots: ["/repo"], home: "/home/user" };
  const found = new Map<string, string>();
  const look = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== ".git") look(inner);
      if (entry.isFile() && tests.some((test) => test.test(`/${inner}`, frame)))
        found.set(inner, readFileSync(join(folder, inner), "latin1"));
    }
  };
  if (tests.length > 0) look("repo");
  return found;
}

/** The programs that started: stand-ins as they wrote it down, git by its own trace, an alias with what it stands for. */
function startsIn(log: string): Ran["starts"] {
  const programs = readdirSync(join(log, "programs")).map((name) => {
    const [cwd = "", ...words] = readFileSync(join(log, "programs", name), "utf8")
      .split("\0")
      .slice(0, -1);
    return { cwd, words };
  });
  const git = readdirSync(join(log, "git")).flatMap((name) => {
    const events = readFileSync(join(log, "git", name), "utf8")
      .split("\n")
      .flatMap(eventOf);
    const worktree = events.find(({ worktree: folder }) => folder !== undefined)?.worktree ?? "/repo";
    return events.flatMap(({ argv, event }) =>
      argv === undefined
        ? []
        : [{ cwd: worktree, words: event === "alias" ? ["git", ...argv] : ["git", ...argv.slice(1)] }],
    );
  });
  return [...programs, ...git];
}

function eventOf(line: string): { event?: string; argv?: string[]; worktree?: string }[] {
  try {
    const { event, argv, worktree } = JSON.parse(line) as {
      event?: string;
      argv?: string[];
      worktree?: string;
    };
    return event === "start" || event === "alias"
      ? [{ event, argv: argv ?? [] }]
      : worktree
        ? [{ worktree }]
        : [];
  } catch {
    return [];
  }
}

/** Whether what ran is what a guard is against. */
export function hasHappened(
  { starts, gone, changed }: Ran,
  rules: readonly RuleGuard[],
  branch: string,
): boolean {
  const frame = { roots: ["/repo"], home: "/home/user", branch };
  const isDone = starts.some(({ cwd, words }) => {
    const input = { command: words.map(shellWord).join(" ") };
    return evaluateGuards({ tool: "Bash", input, cwd, ...frame }, rules).fired.some(
      ({ route }) => route.length === 0,
    );
  });
  const isAgainst = (effect: "writes" | "destroys"): boolean =>
    rules.some(({ guard }) => guard.condition.effect === effect && guard.condition.commands.length === 0);
  return isDone || (isAgainst("destroys") && gone > 0) || (isAgainst("writes") && changed > 0);
}
