import { mkdtempSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHeed } from "../src/heed.ts";
import type { Figure } from "./figure.ts";
import { GUARD_CASES } from "./guard-cases.ts";
import { type ShellCall, TRANSCRIPT_WRITERS, writeTranscript } from "./past-transcripts.ts";
import { SeededRandom } from "./seeded-random.ts";
import { median } from "./statistics.ts";

const DAY_MS = 86_400_000;
const CALLS_A_TURN = 8;
const TURNS = 25;
/** One in so many calls is what the guard stops. */
const ONE_IN = 100;
const ROUNDS = 5;
const PERSON = { kind: "person" } as const;
const GUARD = "{ command: git push, flags: [--force] }";
/** A dialog waits this long. */
const DIALOG_MS = 500;

/**
 * How fast a guard is tried on past calls, from the transcripts to the report: `--sessions N` (default 40) of each of six
 * clients, 200 calls each, of the commands of bench/guard-cases.txt and everyday ones.
 */
export async function run(args: string[]): Promise<Figure[]> {
  const { values } = parseArgs({ args, options: { sessions: { type: "string", default: "40" } } });
  const perClient = Number(values.sessions);
  const home = mkdtempSync(join(tmpdir(), "heed-replay-"));
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  const heed = openHeed({
    cwd: project,
    env: { HOME: home, HEED_DIR: join(home, "memory"), PATH: process.env["PATH"] },
  });
  try {
    await heed.setup.init("user");
    const description = "never force-push here";
    await heed.memories.write(
      { type: "feedback", name: "no-force", description, scope: "everywhere" },
      PERSON,
    );
    const written = writeAll(home, project, perClient);
    const rates: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      const replay = await heed.guards.replay("no-force", { guard: GUARD, withinMs: 600_000 });
      const seconds = (performance.now() - startedAt) / 1000;
      if (replay.calls !== written.calls || replay.stopped < written.stopped)
        throw new Error(`${replay.calls} calls and ${replay.stopped} stops of ${JSON.stringify(written)}`);
      rates.push(replay.calls / seconds);
      console.error(replay.summary);
    }
    const startedAt = performance.now();
    const cut = await heed.guards.replay("no-force", { guard: GUARD, withinMs: DIALOG_MS });
    const dialogMs = performance.now() - startedAt;
    await heed.guards.add("no-force", { guard: GUARD }, PERSON);
    const recordsAt = performance.now();
    await heed.guards.records({ withinMs: 600_000 });
    const recordSeconds = (performance.now() - recordsAt) / 1000;
    return [
      {
        name: "calls_per_second",
        value: median(rates),
        unit: "calls/s",
        n: written.calls * ROUNDS,
        note: "six clients",
      },
      { name: "calls_in_dialog", value: cut.calls, unit: "calls", n: 1, note: `within ${DIALOG_MS} ms` },
      { name: "dialog_ms", value: dialogMs, unit: "ms", n: 1 },
      {
        name: "record_calls_per_second",
        value: written.calls / recordSeconds,
        unit: "calls/s",
        n: written.calls,
      },
    ];
  } finally {
    await heed.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

const EVERYDAY = [
  "npm test",
  "git status",
  "ls -la src",
  "rg -n TODO src",
  "cat package.json",
  "git push origin main",
];

function writeAll(home: string, cwd: string, perClient: number): { calls: number; stopped: number } {
  const random = new SeededRandom(1);
  const cases = GUARD_CASES.flatMap(({ kind, calls }) => (kind === "harmless" ? calls : [])).flatMap(
    ({ input }) => (typeof input["command"] === "string" ? [input["command"]] : []),
  );
  let stopped = 0;
  let count = 0;
  const call = (): ShellCall => {
    const hasFailed = random.below(10) === 0;
    if (++count % ONE_IN === 0) {
      stopped += 1;
      return { command: "git push --force origin main", hasFailed };
    }
    return { command: random.pick(random.below(3) === 0 ? cases : EVERYDAY) ?? "ls", hasFailed };
  };
  const now = Date.now();
  for (const client of Object.keys(TRANSCRIPT_WRITERS))
    for (let i = 0; i < perClient; i++)
      writeTranscript(home, client, {
        session: `${client}-${String(i).padStart(8, "0")}`,
        cwd,
        startMs: now - DAY_MS - i * 3_600_000 * 12,
        turns: Array.from({ length: TURNS }, (_, turn) => ({
          said: `do part ${turn} of the work`,
          calls: Array.from({ length: CALLS_A_TURN }, call),
        })),
      });
  return { calls: count, stopped };
}
