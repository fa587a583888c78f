import { openHeed } from "../../../src/heed.ts";
import type { PageHome } from "./page-home.ts";

const DAY_MS = 86_400_000;
/** Days ago, and how many prompts on each. */
const WORKED: readonly (readonly [daysAgo: number, prompts: number])[] = [
  [25, 2],
  [22, 3],
  [19, 1],
  [17, 4],
  [12, 3],
  [9, 2],
  [5, 5],
  [3, 3],
];
const PROMPTS = [
  "where is dashboard 10 of the cache?",
  "thanks, go on",
  "look at dashboard 30 of retries in auth",
  "write the test first, please",
  "who moved logging of payments?",
];

/** What weeks of work leave: injections on many days. */
export async function pastWeeks(home: PageHome): Promise<void> {
  const today = Date.now();
  for (const [daysAgo, prompts] of WORKED) {
    const now = new Date(today - daysAgo * DAY_MS);
    const heed = openHeed({ cwd: home.project, env: home.env, now: () => now });
    const event = { session: `s-${daysAgo}`, cwd: home.project, client: "test", kind: "prompt" } as const;
    for (const prompt of PROMPTS.slice(0, prompts))
      await heed.session.answer({ ...event, prompt }, { deadlineMs: 15_000 });
    if (daysAgo % 2 === 1)
      await heed.session.answer({ ...event, kind: "stop", lastMessage: "As [heed:auth-retries-30] says." });
    await heed.close();
  }
}
