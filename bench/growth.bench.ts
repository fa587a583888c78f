import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { TemporaryHeed } from "../test/home/temporary-heed.ts";
import { writeCorpus } from "./corpus-files.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./statistics.ts";

const HEED = resolve("plugin/dist/heed.cjs");
const SIZES = [200, 2_000, 20_000];
const LARGE = 200_000;
/** A tick of the system's account of children. */
const TICK_MS = 10;
const SLOW_MS = 2_000;

/** What each command is called with, in this order: the first makes the index, later ones find what earlier ones wrote. */
const COMMANDS: Readonly<Record<string, (words: string) => readonly string[]>> = {
  reindex: () => ["doctor", "--reindex"],
  status: () => ["doctor", "--quick"],
  search: (words) => ["search", words],
  list: () => ["list", "--json"],
  map: () => ["why", "--map"],
  rules: () => ["list", "--rules"],
  inbox: () => ["inbox"],
  why: (words) => ["why", words],
  check_files_first: () => ["check", "files"],
  check_files: () => ["check", "files"],
  check_health: () => ["check", "health"],
  check: () => ["check"],
  tidy: () => ["check", "--fix"],
  doctor: () => ["doctor"],
  log_first: () => ["undo", "--list"],
  log: () => ["undo", "--list"],
  export: () => ["export", "--format", "json"],
  write: () => [
    ..."write --type reference --name grown".split(" "),
    "the ledger: https://ledger.example.com/g",
  ],
  show: () => ["show", "grown"],
  edit: () => ["edit", "grown", "--tag", "growth"],
  verify: () => ["check", "--confirm", "grown", "--note", "looked today"],
  rename: () => ["edit", "grown", "--name", "outgrown"],
  remove: () => ["remove", "outgrown", "--reason", "done"],
  undo: () => ["undo"],
};

const EVENTS: Readonly<Record<string, (words: string) => Readonly<Record<string, unknown>>>> = {
  start: () => ({ hook_event_name: "SessionStart", source: "startup" }),
  prompt: (words) => ({ hook_event_name: "UserPromptSubmit", prompt: words }),
  tool: () => ({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "npm test" } }),
  failure: (words) => ({
    hook_event_name: "PostToolUseFailure",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    error: words,
  }),
  subagent: () => ({ hook_event_name: "SubagentStart", agent_type: "general", agent_id: "a1" }),
  stop: () => ({ hook_event_name: "Stop" }),
  end: () => ({ hook_event_name: "SessionEnd", reason: "other" }),
};

/**
 * Seconds of processor time of each command and event as a process of its own, with all that it starts, beside an empty script, over stores of
 * 200, 2,000 and 20,000 memories, and the exponent between the first and the last. `--all` adds 200,000, `--only NAME,…`.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({
    args,
    options: { all: { type: "boolean", default: false }, only: { type: "string" } },
  });
  if (process.platform !== "linux") throw new Error("the processor time of children is told by Linux alone");
  const only = values.only?.split(",");
  const sizes = values.all ? [...SIZES, LARGE] : SIZES;
  const costs = new Map<string, Map<number, Cost>>();
  for (const size of sizes)
    for (const [name, cost] of await costsAt(size, only))
      costs.set(name, (costs.get(name) ?? new Map<number, Cost>()).set(size, cost));
  return [...costs].flatMap(([name, bySize]) => figuresOf(name, bySize));
}

interface Cost {
  cpuMs: number;
  wallMs: number;
  n: number;
}

function figuresOf(name: string, costs: ReadonlyMap<number, Cost>): Figure[] {
  const figures = [...costs].map(([size, { cpuMs, wallMs, n }]): Figure => {
    const note = `${(wallMs / 1000).toFixed(2)} s by the clock`;
    return figure(`${name}_${size}`, cpuMs / 1000, "s CPU", n, { note });
  });
  const sizes = [...costs.keys()];
  return [
    ...figures,
    ...sizes.slice(1).map((size, i): Figure => {
      const from = sizes[i] ?? 1;
      const [less, more] = [from, size].map((one) => Math.max(TICK_MS, costs.get(one)?.cpuMs ?? 0));
      const value = Math.log((more ?? 1) / (less ?? 1)) / Math.log(size / from);
      return figure(`${name}_exponent_${from}_${size}`, value, "power", 1);
    }),
  ];
}

async function costsAt(size: number, only: readonly string[] | undefined): Promise<Map<string, Cost>> {
  const place = new TemporaryHeed({ PATH: process.env["PATH"] ?? "" });
  const { project: cwd, userStore } = place;
  // How long claims are checked is what users have.
  const { HEED_RECHECK_MS: _, ...env } = place.env;
  try {
    const words = writeCorpus(userStore, size).join(" ");
    const costs = new Map<string, Cost>();
    const measure = (name: string, rounds: number, call: readonly string[], input?: () => object): void => {
      const isWanted = only === undefined || only.includes(name) || name === "reindex";
      const all: { cpuMs: number; wallMs: number }[] = [];
      for (let round = isWanted ? 0 : rounds; round < rounds; round++) {
        const [cpuMs, wallMs] = [childrenMs(), performance.now()];
        const { status, stderr } = spawnSync(process.execPath, call, {
          cwd,
          env,
          input: input ? JSON.stringify(input()) : "",
          encoding: "utf8",
          maxBuffer: 2 ** 30,
        });
        // A check that finds something refuses.
        if (status !== 0 && status !== 1) throw new Error(`${call.join(" ")}: ${stderr.slice(0, 500)}`);
        all.push({ cpuMs: childrenMs() - cpuMs, wallMs: performance.now() - wallMs });
        if ((all[0]?.cpuMs ?? 0) > SLOW_MS) break;
      }
      const middle = (of: "cpuMs" | "wallMs"): number => median(all.map((one) => one[of]));
      if (isWanted) costs.set(name, { cpuMs: middle("cpuMs"), wallMs: middle("wallMs"), n: all.length });
    };
    const changes = new Set(
      "reindex check_files_first log_first write edit verify rename remove undo".split(" "),
    );
    measure("empty", 5, ["-e", ""]);
    for (const [name, call] of Object.entries(COMMANDS))
      measure(name, changes.has(name) ? 1 : 3, [HEED, ...call(words)]);
    let sessions = 0;
    for (const [name, event] of Object.entries(EVENTS))
      measure(name, 3, [HEED, "hook"], () => {
        if (name === "start") sessions++;
        return { session_id: `s${sessions}`, cwd, ...event(words) };
      });
    return costs;
  } finally {
    await place.remove();
  }
}

function childrenMs(): number {
  const [, after = ""] = readFileSync("/proc/self/stat", "utf8").split(") ");
  const fields = after.split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
