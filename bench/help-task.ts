import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Message } from "./past-chats.ts";

/** A coding task of SDE-bench whose deciding rule was settled in past chats. */
export interface HelpTask {
  id: string;
  /** Its folder in the data set: `build.py` writes its repository. */
  codebase: string;
  module: string;
  report: string;
  chats: Message[][];
  /** Test files below its folder, and which tests have to pass. */
  regression: string;
  hidden: string;
  passing: string[];
}

/** Reads the tasks of a checkout of SDE-bench that a chat decides, and its decoy chats. */
export function readHelpTasks(folder: string): { tasks: HelpTask[]; decoys: Message[][] } {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const tasks = names.flatMap((codebase): HelpTask[] => {
    const file = join(folder, codebase, "tasks", "main", "task.json");
    if (!existsSync(file)) return [];
    const task = JSON.parse(readFileSync(file, "utf8")) as Record<string, string> & {
      conversations?: Message[] | Message[][];
      pass_to_pass?: string[];
    };
    if (!task["source"]?.startsWith("conversation") || !task.conversations) return [];
    const [first] = task.conversations;
    return [
      {
        id: task["task_id"] ?? codebase,
        codebase,
        module: task["module"] ?? "",
        report: task["bug_report"] ?? "",
        chats: Array.isArray(first) ? (task.conversations as Message[][]) : [task.conversations as Message[]],
        regression: task["regression_test_file"] ?? "regression_test.py",
        hidden: task["hidden_test_file"] ?? "hidden_test.py",
        passing: task.pass_to_pass ?? [],
      },
    ];
  });
  const decoyFile = join(folder, "gen", "decoy_conversations.json");
  const decoys = existsSync(decoyFile)
    ? (JSON.parse(readFileSync(decoyFile, "utf8")) as { turns: Message[] }[]).map(({ turns }) => turns)
    : [];
  if (tasks.length === 0)
    throw new Error(
      `no tasks that a conversation decides in ${folder}: give --tasks, a checkout of sde-bench`,
    );
  return { tasks, decoys };
}

/** Writes a task's repository, as somebody who is asked to work on it finds it. `host`: a clone of what it is hosted in. */
export function buildRepository(folder: string, task: HelpTask, host: string | undefined, out: string): void {
  const env = { ...process.env, ...(host !== undefined && { SDEBENCH_BOLTONS_HOST: host }) };
  const built = spawnSync("python3", [join(folder, task.codebase, "build.py"), out], {
    env,
    encoding: "utf8",
  });
  if (built.status !== 0)
    throw new Error(`${task.id} cannot be built: ${(built.stderr || String(built.error)).trim()}`);
  const text = readFileSync(join(folder, task.codebase, "tasks", "main", task.regression), "utf8");
  writeFileSync(join(out, "tests", "test_regression.py"), text);
  git(out, "add", "-A");
  git(out, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "-m", "test: failing repro");
}

/**
 * Whether a solver's changes, tests left out, pass all tests in a fresh copy of the repository: those that passed, the
 * repro, and the hidden ones. Tests run without a network where that is possible (`isolated`).
 */
export function isSolved(
  folder: string,
  task: HelpTask,
  repo: string,
  pristine: string,
  isolated: boolean,
): boolean {
  const start = git(pristine, "rev-parse", "HEAD").trim();
  git(repo, "add", "-A");
  const unshown = ["--no-ext-diff", "--no-textconv"];
  const patch = git(repo, "diff", "--cached", "--binary", ...unshown, start, "--", ".", ...LEFT_OUT);
  const graded = `${repo}-graded`;
  rmSync(graded, { recursive: true, force: true });
  cpSync(pristine, graded, { recursive: true });
  if (patch !== "") git(graded, "apply", "--whitespace=nowarn", "-", patch);
  const tests = join(folder, task.codebase, "tasks", "main");
  cpSync(join(tests, task.hidden), join(graded, "tests", "test_hidden.py"));
  const files = ["test_regression.py", "test_hidden.py", ...task.passing.map((file) => basename(file))];
  const command = [
    "python3",
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    ...new Set(files.map((file) => `tests/${file}`)),
  ];
  const [program = "", ...args] = isolated ? [...ISOLATED, ...command] : command;
  mkdirSync(join(graded, ".home"));
  const env = { PATH: process.env["PATH"], HOME: join(graded, ".home"), PYTHONDONTWRITEBYTECODE: "1" };
  const run = spawnSync(program, args, { cwd: graded, env, encoding: "utf8", timeout: GRADING_MS });
  // 0: all passed; 1: some failed. The rest is no verdict.
  if (run.status === null || run.status > 1) {
    const said = `${run.stdout}${run.stderr}`.trim().split("\n").slice(-3).join(" / ");
    if (/No module named pytest/.test(said)) throw new Error("grading needs pytest: pip install pytest");
    console.error(`${task.id}: tests ended with ${run.status ?? run.signal ?? "?"}: ${said}`);
  }
  rmSync(graded, { recursive: true, force: true });
  return run.status === 0;
}

const GRADING_MS = 120_000;
/** A solver's tests count for nothing, nor does what would change how tests run. */
const LEFT_OUT = [":(exclude)tests", ":(exclude,glob)**/conftest.py", ":(exclude,glob)**/pytest.ini"];
/** A network namespace of its own: no program in it reaches anything. */
const ISOLATED = ["unshare", "--map-root-user", "--net"];

/** Whether tests can run without a network here. */
export function canIsolate(): boolean {
  return spawnSync(ISOLATED[0] ?? "", [...ISOLATED.slice(1), "true"]).status === 0;
}

function git(cwd: string, ...args: string[]): string {
  const [last, input] = args.slice(-2);
  const isFed = last === "-";
  const run = spawnSync("git", ["-c", "core.hooksPath=/dev/null", ...(isFed ? args.slice(0, -1) : args)], {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    ...(isFed && { input }),
  });
  if (run.status !== 0) throw new Error(`git ${args[0]} in ${cwd}: ${run.stderr}`);
  return run.stdout;
}
