import { createHash } from "node:crypto";
import { spawnSync } from "node:child_process";
import { closeSync, cpSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Heed, HeedError, openHeed, type ShownMemory } from "../src/heed.ts";
import { namesInFolder, readOrEmpty, statIfThere } from "../src/machine/regular-file.ts";
import { type Arm, ARMS } from "./paired-verdict.ts";

/** One task in one arm. Its folder does not say which: whoever answers it should not know. */
export interface Run {
  task: string;
  arm: Arm;
  folder: string;
  prompt: string;
  /** Whether the task was solved; null: the run gave no answer; undefined: there is no result yet. */
  solved: boolean | null | undefined;
}

/** The paired runs of an evaluation. */
export interface Plan {
  memory: ShownMemory;
  tasks: string;
  runs: Run[];
  leftOut: { task: string; why: string }[];
}

const MAX_TASKS = 200;
const BOUNDS = { maxBytes: 200_000 };
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Plans four runs for each task `FOLDER/tasks/TASK/prompt.md`, and reads the results that are there. Writes nothing.
 *
 * @throws HeedError `invalid-input` for a folder without tasks or in a repository, a placebo that is too short, and a result that says nothing.
 */
export async function planRuns(
  heed: Heed,
  { name, folder, placebo }: { name: string; folder: string; placebo: string },
): Promise<Plan> {
  for (let at = folder; at !== dirname(at); at = dirname(at))
    if (existsSync(join(at, ".git")) || existsSync(join(at, ".heed")))
      throw invalid(`runs would read what ${at} says to agents: give a folder outside of a repository`);
  const tasks = join(folder, "tasks");
  const promptOf = (task: string): string => readOrEmpty(join(tasks, task, "prompt.md"), BOUNDS).trim();
  const names = namesInFolder(tasks).filter((task) => /^[\w.-]{1,80}$/.test(task) && promptOf(task) !== "");
  if (names.length === 0)
    throw invalid(`${tasks} has no task: write TASK/prompt.md there, and what it starts from in TASK/files`);
  const memory = await heed.memories.show(name, { reader: { kind: "person" } });
  const { metadata, body } = memory;
  const text = body.startsWith(metadata.statement) ? body : `${metadata.statement}\n\n${body}`;
  if (placebo.length < text.length)
    throw invalid(
      `the placebo has ${placebo.length} of ${text.length} characters: give a file with a text of another project`,
      "placebo",
    );
  const said = await saidAt(heed, metadata.id);
  const plan: Plan = { memory, tasks, runs: [], leftOut: [] };
  for (const task of names.sort().slice(0, MAX_TASKS)) {
    const from = readOrEmpty(join(tasks, task, "from"), BOUNDS).trim();
    const { session, commit } = metadata.origin;
    if (said.includes(flat(promptOf(task))) || (from !== "" && [session, commit].includes(from))) {
      plan.leftOut.push({ task, why: "the memory came from it" });
      continue;
    }
    const version = metadata.contentHash.slice(0, 8);
    const shift = createHash("sha256").update(`${version} ${task}`).digest()[0]!;
    for (let number = 0; number < ARMS.length; number++) {
      const arm = ARMS[(number + shift) % ARMS.length]!;
      const lead = { start: text, placebo: placebo.slice(0, text.length) }[arm as string];
      const prompt = `${lead === undefined ? "" : `From earlier work:\n\n${lead}\n\n`}${promptOf(task)}\n`;
      const at = join(folder, "runs", `${metadata.id}-${version}`, task, String(number + 1));
      plan.runs.push({ task, arm, folder: at, prompt, solved: resultIn(at, prompt) });
    }
  }
  return plan;
}

/** What was said in the session that a memory came from, as far as it is kept here. */
async function saidAt({ conversations }: Heed, memory: string): Promise<string> {
  const about = { memory, from: 0, limit: 1000, readMs: 10_000 };
  const shown = await conversations.show(about).catch(() => undefined);
  return (shown?.passages ?? []).map(({ text }) => flat(text)).join("\n");
}

const flat = (text: string): string => text.replace(/\s+/g, " ").trim();

function resultIn(folder: string, prompt: string): boolean | null | undefined {
  const file = join(folder, "result.json");
  if (!statIfThere(file)) return undefined;
  if (readOrEmpty(join(folder, "prompt.md"), BOUNDS) !== prompt)
    throw invalid(`the prompt of ${folder} changed since it was answered: remove that folder`);
  const [, solved] = /"solved"\s*:\s*(true|false|null)\b/.exec(readOrEmpty(file, BOUNDS)) ?? [];
  if (solved === undefined) throw invalid(`${file} needs {"solved": true}, false, or null for no answer`);
  return solved === "null" ? null : solved === "true";
}

/** The variables by which heed works over a run's own home. */
function homeOf({ folder }: Run): Variables {
  const parts = ["", "_STATE", "_CACHE", "_CONFIG"];
  return Object.fromEntries(parts.map((part) => [`HEED${part}_DIR`, join(folder, `heed${part}`)]));
}

/** Writes what a run needs: a copy of the task's files in `work`, a home of heed with the memory or without, the prompt. */
export async function prepareRun(run: Run, plan: Plan, env: Variables): Promise<void> {
  const [work, prompt] = [join(run.folder, "work"), join(run.folder, "prompt.md")];
  if (existsSync(prompt)) return;
  mkdirSync(work, { recursive: true, mode: 0o700 });
  const files = join(plan.tasks, run.task, "files");
  if (existsSync(files)) cpSync(files, work, { recursive: true, verbatimSymlinks: true });
  const heed = openHeed({ cwd: work, env: { ...env, ...homeOf(run) } });
  await heed.setup.init("user");
  if (run.arm === "with") {
    const { metadata, body } = plan.memory;
    const { type, name, statement, tags, trigger, aliases, scope } = metadata;
    const kept = { type, name, statement, body, tags, trigger, aliases, keepsRelativeDates: true };
    const reach = scope.paths.length > 0 ? { paths: scope.paths } : ("everywhere" as const);
    const result = await heed.memories.write({ ...kept, scope: reach }, { kind: "person" });
    if (result.outcome !== "written") throw invalid(`a run cannot have ${name}: ${JSON.stringify(result)}`);
  }
  await heed.close();
  // Last: a run that has its prompt has all the rest.
  writeFileSync(prompt, run.prompt);
}

/**
 * Makes one run by commands of the user's own command line, and writes its result; nothing that a task or a memory says is
 * executed. `run` gets the prompt on standard input, in a copy of the task's files. `check`, which alone is told where the
 * task lies, exits with 0 where it is solved; without it `run` does. A command that failed or took too long gave no answer.
 */
export function makeRun(
  one: Run,
  plan: Plan,
  { run, check, minutes }: { run: string; check?: string | undefined; minutes: number },
  env: Variables,
): boolean | null {
  const exitOf = (command: string, input: string, output: string, more: Variables = {}): number | null => {
    // A file, no pipe: what a command leaves behind would hold that open.
    const file = openSync(join(one.folder, output), "w", 0o600);
    const stdio: ("pipe" | number)[] = ["pipe", file, file];
    const at = { cwd: join(one.folder, "work"), env: { ...env, ...homeOf(one), ...more } };
    const bounds = { timeout: minutes * 60_000, killSignal: "SIGKILL" } as const;
    const { status } = spawnSync(command, { ...at, ...bounds, input, shell: true, stdio });
    closeSync(file);
    return status;
  };
  const ran = exitOf(run, one.prompt, "output.txt");
  const task = { HEED_TASK: join(plan.tasks, one.task) };
  const exit = check === undefined || ran !== 0 ? ran : exitOf(check, "", "check.txt", task);
  // From 126 on nothing ran: not found, not executable, ended by a signal.
  const isAnswered = exit !== null && exit < 126 && (check === undefined || ran === 0);
  const solved = isAnswered ? exit === 0 : null;
  writeFileSync(join(one.folder, "result.json"), `${JSON.stringify({ version: 1, solved, exit })}\n`);
  return solved;
}

function invalid(message: string, argument = "FOLDER"): HeedError {
  return new HeedError("invalid-input", message, { argument });
}
