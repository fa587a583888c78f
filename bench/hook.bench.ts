import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { measureResidentPrompt } from "./resident-prompt.ts";
import { median } from "./statistics.ts";
import { StdioServer } from "./stdio-server.ts";

const HEED = resolve("plugin/dist/heed.cjs");
/** A server loads itself and tries prompts after its first answer. */
const WARM_UP_MS = 4000;
const SIZES = { "2k": 2_000, "20k": 20_000, "200k": 200_000 };

/**
 * What heed costs as a fresh process against an empty Node script (CPU time), and what the plugin adds to the time from prompt to request in the real client. `--large` adds 200,000 memories, `--rounds N` (default 15).
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: {
      large: { type: "boolean", default: false },
      rounds: { type: "string", default: "15" },
      "no-client": { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds);
  const figures: Figure[] = [];
  for (const [label, size] of Object.entries(SIZES)) {
    if (size > 20_000 && !values.large) continue;
    figures.push(...(await measureCold(label, size, rounds)));
  }
  return values["no-client"] ? figures : [...figures, ...(await measureResidentPrompt(SIZES["2k"]))];
}

async function measureCold(label: string, size: number, rounds: number): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), "heed-hook-"));
  const project = join(home, "project");
  mkdirSync(project);
  const env = {
    HOME: home,
    HEED_DIR: join(home, "memory"),
    HEED_STATE_DIR: join(home, "state"),
    HEED_CACHE_DIR: join(home, "cache"),
  };
  try {
    const words = writeCorpus(join(home, "memory"), size);
    const reindexed = spawnSync(process.execPath, [HEED, "doctor", "--reindex"], {
      cwd: project,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    if (reindexed.status !== 0) throw new Error(`heed doctor --reindex: ${reindexed.stderr}`);
    const empty = join(home, "empty.cjs");
    writeFileSync(empty, "");
    const query = words.join(" ");
    const event = { hook_event_name: "UserPromptSubmit", session_id: "bench", cwd: project, prompt: query };
    // A prompt in a session whose start was answered, as nearly all are.
    const start = { ...event, hook_event_name: "SessionStart", source: "startup" };
    spawnSync(process.execPath, [HEED, "hook"], {
      cwd: project,
      env: { ...process.env, ...env },
      input: JSON.stringify(start),
    });
    const commands: TimedCommand[] = [
      { name: "empty", args: [empty] },
      { name: "search", args: [HEED, "search", "--json", "--cwd", project, query], env },
      { name: "hook", args: [HEED, "hook"], input: JSON.stringify(event), env },
    ];
    const costs = timeCommands(commands, rounds);
    const served = await timeServed(commands, rounds, { project, env });
    return [
      ratioFigure(`cold_ratio_served_${label}`, served, "hook", rounds),
      ratioFigure(`cold_search_ratio_${label}`, costs, "search", rounds),
      ratioFigure(`cold_ratio_${label}`, costs, "hook", rounds),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The same hook while a server of the same heed is alive, whose processor time counts as the hook's. */
async function timeServed(
  commands: readonly TimedCommand[],
  rounds: number,
  { project, env }: { project: string; env: Record<string, string> },
): Promise<Map<string, number>> {
  const server = new StdioServer([HEED, "mcp"], { cwd: project, env: { ...process.env, ...env } });
  try {
    await server.begin();
    await sleep(WARM_UP_MS);
    const { pid } = server;
    const serverMs = (): number =>
      Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
    const asked = commands.filter(({ name }) => name !== "search");
    return timeCommands(asked, rounds, { elsewhereMs: serverMs, pauseMs: 300 });
  } finally {
    await server.end();
  }
}

function ratioFigure(name: string, costs: ReadonlyMap<string, number>, command: string, n: number): Figure {
  const bare = costs.get("empty") ?? Number.NaN;
  const own = costs.get(command) ?? Number.NaN;
  return {
    name,
    value: own / bare,
    unit: "x",
    n,
    baseline: 1,
    note: `${own.toFixed(0)} ms CPU against ${bare.toFixed(0)}`,
  };
}

/** A command to time; all are run by the same Node. */
interface TimedCommand {
  name: string;
  args: readonly string[];
  input?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Times commands in turns (a, b, a, b, …), so that a noisy machine hits all alike, and returns the medians by name.
 * CPU time is written by a preloaded script at exit: it counts Node's own start, and the script costs all the same.
 */
function timeCommands(
  commands: readonly TimedCommand[],
  rounds: number,
  { elsewhereMs, pauseMs = 0 }: { elsewhereMs?: () => number; pauseMs?: number } = {},
): Map<string, number> {
  const folder = mkdtempSync(join(tmpdir(), "heed-bench-"));
  const report = join(folder, "cpu");
  const preload = join(folder, "preload.cjs");
  writeFileSync(
    preload,
    `process.on("exit", () => { const c = process.cpuUsage(); require("node:fs").writeFileSync(${JSON.stringify(report)}, String((c.user + c.system) / 1000)); });`,
  );
  const costs = new Map<string, number[]>(commands.map(({ name }) => [name, []]));
  const { NODE_EXTRA_CA_CERTS: _, ...cleanEnv } = process.env;
  try {
    for (let round = -1; round < rounds; round++) {
      for (const { name, args, input, env } of commands) {
        const before = elsewhereMs?.() ?? 0;
        const result = spawnSync(process.execPath, ["--require", preload, ...args], {
          input: input ?? "",
          env: { ...cleanEnv, ...env },
          encoding: "utf8",
          timeout: 60_000,
        });
        if (result.status !== 0)
          throw new Error(`${name} ended with ${result.status}: ${result.stderr.slice(0, 500)}`);
        // What comes after the answer counts, too.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
        const cpuMs = Number(readFileSync(report, "utf8")) + (elsewhereMs?.() ?? 0) - before;
        // The first round warms the file cache and does not count.
        if (round >= 0) costs.get(name)?.push(cpuMs);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return new Map([...costs].map(([name, list]) => [name, median(list)]));
}
