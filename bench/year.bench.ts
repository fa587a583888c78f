import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHeed, type SessionEvent } from "../src/heed.ts";
import { syntheticQueries } from "./corpus.ts";
import { writeCorpus } from "./corpus-files.ts";
import type { Figure } from "./figure.ts";
import { median } from "./statistics.ts";

const MEMORIES = 500;
const DAY_MS = 86_400_000;
const WEEK = 7;

type Part = SessionEvent extends infer One
  ? One extends unknown
    ? Omit<One, "session" | "cwd" | "client">
    : never
  : never;

/**
 * A year of one person in the library: what heed keeps afterwards, and what a prompt takes in its last week beside its
 * first. `--days N` (default 365), `--sessions N` a day (10), `--prompts N` a session (30).
 */
export async function run(args: string[]): Promise<Figure[]> {
  const number = (value: string): { type: "string"; default: string } => ({ type: "string", default: value });
  const options = { days: number("365"), sessions: number("10"), prompts: number("30") };
  const { values } = parseArgs({ args, options });
  const [days, sessions, prompts] = [values.days, values.sessions, values.prompts].map(Number) as [
    number,
    number,
    number,
  ];
  const home = mkdtempSync(join(tmpdir(), "heed-year-"));
  const cwd = join(home, "project");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeCorpus(join(home, "memory"), MEMORIES);
  const queries = syntheticQueries(1_000, 6);
  let now = Date.UTC(2026, 0, 1, 9);
  const heed = openHeed({
    cwd,
    env: {
      HOME: home,
      HEED_DIR: join(home, "memory"),
      HEED_STATE_DIR: join(home, "state"),
      HEED_CACHE_DIR: join(home, "cache"),
      HEED_CONFIG_DIR: join(home, "config"),
    },
    now: () => new Date(now),
    isResident: true,
  });
  const costs: { day: number; promptMs: number; startMs: number }[] = [];
  let most = 0;
  try {
    for (let day = 0; day < days; day++) {
      for (let at = 0; at < sessions; at++) {
        const session = `d${day}-s${at}`;
        const answer = async (event: Part): Promise<number> => {
          now += 60_000;
          const before = process.cpuUsage();
          await heed.session.answer(
            { session, cwd, client: "claude-code", ...event },
            { deadlineMs: 60_000 },
          );
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1000;
        };
        const startMs = await answer({ kind: "session-start", source: "startup" });
        const promptsMs: number[] = [];
        for (let i = 0; i < prompts; i++) {
          const prompt = queries[(day * 7 + at * 31 + i) % queries.length] ?? "";
          promptsMs.push(await answer({ kind: "prompt", prompt }));
        }
        await answer({ kind: "stop", lastMessage: "done" });
        await answer({ kind: "session-end", reason: "other" });
        costs.push({ day, promptMs: median(promptsMs), startMs });
      }
      now = Date.UTC(2026, 0, 1, 9) + (day + 1) * DAY_MS;
      if (day % 30 === 0) most = Math.max(most, bytesBelow(join(home, "state")));
    }
    const { cost } = await heed.setup.status();
    await heed.close();
    const state = bytesBelow(join(home, "state"));
    const [first, last] = [
      costs.filter(({ day }) => day < WEEK),
      costs.filter(({ day }) => day >= days - WEEK),
    ];
    const ratio = (of: "promptMs" | "startMs"): Figure => {
      const [before, after] = [first, last].map((week) => median(week.map((one) => one[of])));
      const note = "milliseconds of processor time in the first week";
      return {
        name: `last_week_${of.replace("Ms", "_ms")}`,
        value: after ?? null,
        unit: "ms CPU",
        n: last.length,
        baseline: before ?? 0,
        note,
      };
    };
    const megabytes = (name: string, bytes: number): Figure => ({
      name,
      value: bytes / 1e6,
      unit: "MB",
      n: days * sessions,
    });
    return [
      megabytes("state_mb", state),
      megabytes("state_mb_most", Math.max(most, state)),
      megabytes("cache_mb", bytesBelow(join(home, "cache"))),
      {
        name: "session_chars",
        value: cost === undefined ? null : Number(/\d+/.exec(cost)?.[0]),
        unit: "characters",
        n: prompts,
        baseline: 0,
        note: `of one session beside none; ${cost ?? ""}`,
      },
      ratio("promptMs"),
      ratio("startMs"),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
