import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findTranscripts } from "../src/past/transcripts/find-transcripts.ts";
import { readSessionOn } from "../src/past/transcripts/read-session.ts";
import { openHeed } from "../src/heed.ts";
import { type Figure, rateFigure } from "./figure.ts";
import { type HelpTask, buildRepository, canIsolate, isSolved, readHelpTasks } from "./help-task.ts";
import { CHATS, type Message, heedFolders, writeChats } from "./past-chats.ts";
import { median, signTest } from "./statistics.ts";

const ARMS = ["none", "grep", "heed", "placebo"] as const;
type Arm = (typeof ARMS)[number];

/** How one try at a task went. */
interface Try {
  isSolved: boolean;
  /** Characters of the prompt, and of all that the solver read. */
  chars: number;
}

const USAGE = `it solves tasks with and without heed. Say which, and by what:
  --tasks DIR    a checkout of github.com/vectorize-io/sde-bench
  --host DIR     a clone of github.com/mahmoud/boltons (default: $SDEBENCH_BOLTONS_HOST)
  --solver CMD   a shell command that solves a task with your model, and costs what your model costs: it reads the
                 prompt on standard input and edits the repository that it is started in, such as
                 'claude -p --permission-mode bypassPermissions'
  --keep DIR     without a solver: only prepares repositories, homes and prompts there; no model is called
What it measures and needs: docs/measurements.md, "npm run bench -- help"`;

/**
 * What history is worth: the tasks of SDE-bench (github.com/vectorize-io/sde-bench) whose rule was settled in a past chat,
 * each solved by a command, once in each arm, and graded by hidden tests. Every arm has the same home with the chats of all
 * tasks among the decoys; they differ in the prompt: the bug report alone (`none`), with a note where the chats lie
 * (`grep`), with what heed adds at the start and on the prompt (`heed`), with the same amount that heed adds for a task of
 * another package (`placebo`).
 *
 * `--tasks DIR`: a checkout; its `build.py` programs are run. `--host DIR`: a clone of boltons (default:
 * $SDEBENCH_BOLTONS_HOST). `--solver CMD`: a shell command that gets the prompt on standard input, works in the repository
 * that is its directory, and finds heed as $HEED_CLI (`$HEED_CLI history --session ID`, `$HEED_CLI mcp`) and its folders in HEED_DIR
 * and so on, in the arm `heed` alone. What it reads is counted by the transcript that its client leaves below $HOME; one
 * without may append it to the file $HELP_READ. `--only A,B`, `--arms A,B`, `--decoys N`, `--timeout SECONDS` (default 900).
 * `--keep DIR` keeps repositories, homes and prompts; without a solver they are only prepared there.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      tasks: { type: "string" },
      host: { type: "string" },
      solver: { type: "string" },
      only: { type: "string" },
      arms: { type: "string", default: ARMS.join(",") },
      decoys: { type: "string" },
      timeout: { type: "string", default: "900" },
      keep: { type: "string" },
    },
  });
  const { solver } = values;
  if (values.tasks === undefined || (solver === undefined && values.keep === undefined))
    throw new Error(USAGE);
  const { tasks: all, decoys } = readHelpTasks(resolve(values.tasks));
  const only = values.only?.split(",");
  const tasks = all.filter(({ id, codebase }) => only?.some((one) => one === id || one === codebase) ?? true);
  const arms = ARMS.filter((arm) => values.arms.split(",").includes(arm));
  if (tasks.length === 0 || arms.length === 0)
    throw new Error(
      `nothing to do: --only takes ${all.map(({ id }) => id).join(", ")}; --arms ${ARMS.join(", ")}`,
    );
  const chats = [
    ...decoys.slice(0, Number(values.decoys ?? decoys.length)),
    ...tasks.flatMap((task) => task.chats),
  ];
  const work = values.keep === undefined ? mkdtempSync(join(tmpdir(), "heed-help-")) : resolve(values.keep);
  const folder = resolve(values.tasks);
  const isolated = canIsolate();
  if (!isolated)
    console.error("tests are graded with a network: no network namespace can be made here (unshare)");
  const tries = new Map<Arm, Map<string, Try>>(arms.map((arm) => [arm, new Map()]));
  try {
    for (const task of tasks) {
      const pristine = join(work, task.id, "pristine");
      mkdirSync(join(work, task.id), { recursive: true });
      buildRepository(folder, task, values.host && resolve(values.host), pristine);
      for (const arm of arms) {
        const desk = await prepare(join(work, task.id, arm), { task, arm, tasks, chats, pristine });
        if (solver === undefined) continue;
        solve(desk, solver, { task, arm, timeoutMs: Number(values.timeout) * 1000 });
        const chars = charsRead(desk);
        const solved = isSolved(folder, task, desk.repo, pristine, isolated);
        tries.get(arm)?.set(task.id, { isSolved: solved, chars });
        console.error(`${task.id} ${arm}: ${solved ? "solved" : "not solved"}, ${chars} characters`);
        // The next arm must not find what this one made.
        if (values.keep === undefined) rmSync(join(work, task.id, arm), { recursive: true, force: true });
      }
    }
  } finally {
    if (values.keep === undefined) rmSync(work, { recursive: true, force: true });
  }
  if (solver === undefined)
    return [{ name: "prepared", value: tasks.length * arms.length, unit: "count", n: tasks.length }];
  return [
    ...figuresOf(tries, tasks),
    { name: "graded_without_network", value: Number(isolated), unit: "0 or 1", n: 1 },
  ];
}

function figuresOf(tries: ReadonlyMap<Arm, ReadonlyMap<string, Try>>, tasks: readonly HelpTask[]): Figure[] {
  const figures = [...tries].flatMap(([arm, of]): Figure[] => [
    rateFigure(`solved_${arm}`, [...of.values()].filter((one) => one.isSolved).length, of.size, "share"),
    {
      name: `chars_read_${arm}`,
      value: median([...of.values()].map(({ chars }) => chars)),
      unit: "chars",
      n: of.size,
    },
  ]);
  const heed = tries.get("heed");
  const others = [...tries].filter(([arm]) => arm !== "heed");
  if (!heed) return figures;
  const pairs = others.flatMap(([arm, of]): Figure[] => {
    const isWon = (a: typeof of, b: typeof of): number =>
      tasks.filter(({ id }) => a.get(id)?.isSolved === true && b.get(id)?.isSolved === false).length;
    const [won, lost] = [isWon(heed, of), isWon(of, heed)];
    return [
      { name: `heed_alone_solved_against_${arm}`, value: won, unit: "tasks", n: tasks.length },
      { name: `${arm}_alone_solved_against_heed`, value: lost, unit: "tasks", n: tasks.length },
      {
        name: `sign_test_p_against_${arm}`,
        value: signTest(won, lost),
        unit: "p",
        n: won + lost,
        note: "one-sided",
      },
    ];
  });
  return [...figures, ...pairs];
}

/** Where a solver works. */
interface Desk {
  home: string;
  repo: string;
  prompt: string;
  read: string;
}

interface Setting {
  task: HelpTask;
  arm: Arm;
  tasks: readonly HelpTask[];
  chats: readonly (readonly Message[])[];
  pristine: string;
}

async function prepare(folder: string, { task, arm, tasks, chats, pristine }: Setting): Promise<Desk> {
  const desk = {
    home: join(folder, "home"),
    repo: join(folder, "repo"),
    prompt: "",
    read: join(folder, "read.txt"),
  };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(desk.home, "heed", "memory"), { recursive: true });
  cpSync(pristine, desk.repo, { recursive: true });
  writeChats(desk.home, desk.repo, chats);
  const isHeeds = arm === "heed" || arm === "placebo";
  const own = isHeeds ? await heedAdds(desk, task.report) : { start: "", prompt: "" };
  let added = own;
  if (arm === "grep")
    added = {
      start: "",
      prompt: `Past conversations about this project are kept in ${join(desk.home, CHATS)}, one JSON record a line.`,
    };
  if (arm === "placebo") {
    const other = tasks.find(({ module }) => module !== task.module)?.report ?? chats[0]?.[0]?.text ?? "";
    const text = (await heedAdds(desk, other)).prompt || "No past conversation is known about this. ";
    added = {
      ...own,
      prompt: text.repeat(Math.ceil(own.prompt.length / text.length)).slice(0, own.prompt.length),
    };
  }
  // What heed made of the chats is in reach in its own arm alone.
  if (arm !== "heed") rmSync(join(desk.home, "heed"), { recursive: true, force: true });
  desk.prompt = [added.start, task.report, added.prompt].filter((part) => part !== "").join("\n\n");
  writeFileSync(join(folder, "prompt.txt"), desk.prompt);
  return desk;
}

/** What a client's model would get from heed's hooks, at the start of a session and with a prompt. */
async function heedAdds({ home, repo }: Desk, report: string): Promise<{ start: string; prompt: string }> {
  const env = { PATH: process.env["PATH"], HOME: home, ...heedFolders(home) };
  const heed = openHeed({ cwd: repo, env });
  const about = { session: `help-${report.length}`, cwd: repo, client: "claude-code" };
  try {
    await heed.conversations.search({ readMs: 60_000 });
    const limits = { deadlineMs: 15_000 };
    const start = await heed.session.answer({ ...about, kind: "session-start", source: "startup" }, limits);
    const prompt = await heed.session.answer({ ...about, kind: "prompt", prompt: report }, limits);
    return { start: start.context ?? "", prompt: prompt.context ?? "" };
  } finally {
    await heed.close();
  }
}

function solve(
  desk: Desk,
  solver: string,
  { task, arm, timeoutMs }: { task: HelpTask; arm: Arm; timeoutMs: number },
): void {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith("HEED_"));
  const env = {
    ...Object.fromEntries(others),
    HOME: desk.home,
    HELP_TASK: task.id,
    HELP_ARM: arm,
    HELP_READ: desk.read,
    ...(arm === "heed" && { ...heedFolders(desk.home), HEED_CLI: resolve("plugin/dist/heed.cjs") }),
  };
  const run = spawnSync("/bin/sh", ["-c", solver], {
    cwd: desk.repo,
    env,
    input: desk.prompt,
    encoding: "utf8",
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  // What it changed until then is graded all the same.
  if (run.status !== 0)
    console.error(
      `${task.id} ${arm}: the solver ended with ${run.status ?? run.signal ?? String(run.error)}: ${run.stderr.slice(-300)}`,
    );
}

/** Characters of the prompt, of what tools answered in transcripts that came since, and of what the solver says it read. */
function charsRead({ home, prompt, read }: Desk): number {
  let chars = prompt.length + (existsSync(read) ? readFileSync(read, "utf8").length : 0);
  for (const { file } of findTranscripts({ HOME: home })) {
    if (basename(file).startsWith("00000000-0000-4000-8000-")) continue;
    readSessionOn({ offsets: {}, format: "" }, file, (event) => {
      if (event.kind === "result") chars += event.text.length;
    });
  }
  return chars;
}
