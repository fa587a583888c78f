import { join } from "node:path";
import { openHeed } from "../../../src/heed.ts";
import { SessionWriter } from "../../past/session-writer.ts";
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

/** What weeks of work leave: tellings on many days, episodes, conversations whose words are near to secrets. */
export async function pastWeeks(home: PageHome): Promise<void> {
  const today = Date.now();
  const dayOf = (daysAgo: number): string => new Date(today - daysAgo * DAY_MS).toISOString();
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
  for (const [name, branch, daysAgo, status, goal] of [
    ["fix-retries", "main", 9, "confirmed", "retries of the upload client end at a 401"],
    ["page-limits", "feature/limits", 3, "open", "limits of pages come from one place"],
  ] as const)
    home.remember(
      "episode",
      name,
      goal,
      `**Goal:** ${goal}\n**State:** tests pass\n**Open:** the changelog\n**Next:** ask Mara`,
      [
        `created: ${dayOf(daysAgo)}`,
        `updated: ${dayOf(daysAgo)}`,
        `status: ${status}`,
        `scope: { branch: ${branch} }`,
      ],
    );
  const said = (id: string, daysAgo: number): SessionWriter =>
    new SessionWriter(join(home.folder, ".claude/projects/p", `${id}.jsonl`), {
      session: id,
      cwd: home.project,
      now: dayOf(daysAgo),
    });
  said("aaaaaaaa-0000-4000-8000-000000000001", 9)
    .user("the upload client hammers the ingest gateway on a 401: what about retries there?")
    .says("I would retry three times with a growing delay.")
    .user("Retry only on 5xx of the ingest gateway; a 401 is final, each retry locks the account.")
    .says(
      "Settled: the upload client retries on 5xx only. The password reset in src/auth/password-reset.ts stays.",
    );
  said("aaaaaaaa-0000-4000-8000-000000000002", 3)
    .user("the token in src/auth/token-rotation.ts expires too early, the password form sends it twice")
    .says(
      "The token: config/tokens.example.yml says 3600 seconds; the form in src/ui/password-form.tsx sends it once now.",
    );
}
