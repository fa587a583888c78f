import { CALENDAR_DAYS, lookAgain, type Replay, type Truth, writeAbout } from "./freshness-replay.ts";
import { git } from "./git-objects.ts";
import { GeneratedHistory } from "./history-generator.ts";
import { SeededRandom } from "./seeded-random.ts";

const [MEMORIES, ROUNDS, COMMITS] = [60, 4, 12];

/** Writes memories about a made-up history and looks at them again and again as it goes on. */
export async function replayGenerated(seed: number): Promise<Replay> {
  const random = new SeededRandom(seed);
  const history = new GeneratedHistory(random);
  const { root, day } = history;
  const replay: Replay = { outcomes: [], renames: [] };
  try {
    const origin = git(root, ["rev-parse", "HEAD"]).trim();
    const truth = truthSince(history, origin);
    const written = await writeAbout(root, MEMORIES, random, async () =>
      Array.from({ length: 1 + random.below(3) }, () => history.fact()),
    );
    for (let round = 0; round < ROUNDS; round++) {
      history.goOn(COMMITS);
      await lookAgain(written, { root, origin, where: `day ${day} to ${history.day}`, replay }, truth);
    }
  } finally {
    history.remove();
  }
  return replay;
}

/** What is so in a made-up history at any later time, of what was so now, at a commit. */
export function truthSince(history: GeneratedHistory, origin: string): Truth {
  const [before, day] = [history.paths(), history.day];
  const saysOf = (command: string, range: string, paths: readonly string[]): boolean =>
    git(history.root, [...command.split(" "), range, "--", ...paths]).trim() !== "";
  return {
    isTrue: async (fact) => history.isTrue(fact),
    async movedTo(path) {
      const id = before.get(path);
      return id === undefined ? undefined : history.pathOf(id);
    },
    signals: (paths) => ({
      file: saysOf("diff --name-only --no-renames", origin, paths),
      commits: saysOf("rev-list -n1", `${origin}..HEAD`, paths),
      calendar: history.day - day > CALENDAR_DAYS,
    }),
  };
}
