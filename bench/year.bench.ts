import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openHeed } from "../src/heed.ts";
import { type EventPart, TemporaryHeed } from "../test/home/temporary-heed.ts";
import { syntheticQueries } from "./corpus.ts";
import { writeCorpus } from "./corpus-files.ts";
import { type Figure, figure } from "./figure.ts";
import { median } from "./statistics.ts";

const MEMORIES = 500;
const DAY_MS = 86_400_000;
const WEEK = 7;

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
  const place = new TemporaryHeed();
  writeCorpus(place.userStore, MEMORIES);
  const queries = syntheticQueries(1_000, 6);
  let now = Date.UTC(2026, 0, 1, 9);
  const { project: cwd, env } = place;
  const heed = openHeed({ cwd, env, now: () => new Date(now), isResident: true });
  const costs: { day: number; promptMs: number; startMs: number }[] = [];
  let most = 0;
  try {
    for (let day = 0; day < days; day++) {
      for (let at = 0; at < sessions; at++) {
        const session = `d${day}-s${at}`;
        const answer = async (event: EventPart): Promise<number> => {
          now += 60_000;
          const before = process.cpuUsage();
          await place.event({ session, client: "claude-code", ...event }, heed);
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
      if (day % 30 === 0) most = Math.max(most, bytesBelow(place.state));
    }
    const { cost } = await heed.setup.status();
    await heed.close();
    const state = bytesBelow(place.state);
    const [first, last] = [
      costs.filter(({ day }) => day < WEEK),
      costs.filter(({ day }) => day >= days - WEEK),
    ];
    const ratio = (of: "promptMs" | "startMs"): Figure => {
      const [before, after] = [first, last].map((week) => median(week.map((one) => one[of])));
      const more = { baseline: before ?? 0, note: "milliseconds of processor time in the first week" };
      return figure(`last_week_${of.replace("Ms", "_ms")}`, after ?? null, "ms CPU", last.length, more);
    };
    const megabytes = (name: string, bytes: number): Figure =>
      figure(name, bytes / 1e6, "MB", days * sessions);
    return [
      megabytes("state_mb", state),
      megabytes("state_mb_most", Math.max(most, state)),
      megabytes("cache_mb", bytesBelow(join(place.home, "cache"))),
      figure(
        "session_chars",
        cost === undefined ? null : Number(/\d+/.exec(cost)?.[0]),
        "characters",
        prompts,
        {
          baseline: 0,
          note: `of one session beside none; ${cost ?? ""}`,
        },
      ),
      ratio("promptMs"),
      ratio("startMs"),
    ];
  } finally {
    await place.remove();
  }
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
