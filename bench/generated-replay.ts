import { checkClaim } from "../src/freshness/check-claim.ts";
import type { Machine } from "../src/freshness/verdict.ts";
import { explainBreak } from "../src/freshness/explain-break.ts";
import { proposeClaims } from "../src/freshness/propose-claims.ts";
import { RepositoryHistory } from "../src/freshness/repository-history.ts";
import { WorkTree } from "../src/freshness/work-tree.ts";
import { parseClaim } from "../src/memory/claims/parse-claim.ts";
import { memoryOf, type Fact } from "./freshness-facts.ts";
import { type Named, namedSignals, type Replay } from "./freshness-replay.ts";
import { git } from "./git-objects.ts";
import { GeneratedHistory } from "./history-generator.ts";
import { SeededRandom } from "./seeded-random.ts";

const CALENDAR_DAYS = 30;

interface Written {
  facts: Fact[];
  memory: Named;
  claims: string[];
  commit: string;
  day: number;
  paths: Map<string, number>;
}

/** Writes memories about a made-up history and looks at them again and again as it goes on. */
export async function replayGenerated(
  seed: number,
  { memories = 60, rounds = 4, commits = 12 }: { memories?: number; rounds?: number; commits?: number } = {},
): Promise<Replay> {
  const random = new SeededRandom(seed);
  const history = new GeneratedHistory(random);
  const replay: Replay = { outcomes: [], renames: [] };
  try {
    const written = await writeAll(history, memories, random);
    for (let round = 0; round < rounds; round++) {
      history.goOn(commits);
      await lookAgain(history, written, replay);
    }
  } finally {
    history.remove();
  }
  return replay;
}

async function writeAll(history: GeneratedHistory, count: number, random: SeededRandom): Promise<Written[]> {
  const tree = new WorkTree(history.root);
  const files = new Set(git(history.root, ["ls-files"]).trim().split("\n"));
  const commit = git(history.root, ["rev-parse", "HEAD"]).trim();
  const written: Written[] = [];
  for (let i = 0; i < count; i++) {
    const facts = Array.from({ length: 1 + random.below(3) }, () => history.fact());
    const context = { tree, machine: machineOf(history), roots: [history.root], files };
    const memory = memoryOf(facts, random);
    const claims = await proposeClaims(memory, context);
    written.push({ facts, memory, claims, commit, day: history.day, paths: history.paths() });
  }
  return written;
}

async function lookAgain(
  history: GeneratedHistory,
  written: readonly Written[],
  replay: Replay,
): Promise<void> {
  const tree = new WorkTree(history.root);
  const machine = machineOf(history);
  const past = new RepositoryHistory(history.root, process.env);
  const head = git(history.root, ["rev-parse", "HEAD"]).trim();
  for (const { facts, memory, claims, commit, day, paths: before } of written) {
    let isFlagged = false;
    for (const stated of claims) {
      const { claim } = parseClaim(stated);
      if (!claim) continue;
      const finding = await checkClaim(claim, tree, machine);
      if (finding.state !== "broken") continue;
      isFlagged = true;
      if (!("path" in claim) || tree.look(claim.path).kind !== "missing") continue;
      const id = before.get(claim.path);
      const to = id === undefined ? undefined : history.pathOf(id);
      const bare = parseClaim(`path:${claim.path}`).claim;
      if (to === undefined || !bare) continue;
      const found = await explainBreak(bare, finding, { tree, history: past, machine, origin: commit });
      const proposed = found.became && parseClaim(found.became.claim).claim;
      replay.renames.push({
        from: claim.path,
        to,
        proposed: proposed && "path" in proposed ? proposed.path : undefined,
      });
    }
    const paths = [...new Set(facts.flatMap((fact) => ("path" in fact ? [fact.path] : [])))];
    const changed =
      git(history.root, ["diff", "--name-only", "--no-renames", commit, head, "--", ...paths]).trim() !== "";
    replay.outcomes.push({
      isStale: facts.some((fact) => !history.isTrue(fact)),
      signals: {
        claims: isFlagged,
        ...(await namedSignals(memory, { tree, history: past, machine, origin: commit })),
        file: changed,
        commits: git(history.root, ["rev-list", "-n1", `${commit}..${head}`, "--", ...paths]).trim() !== "",
        calendar: history.day - day > CALENDAR_DAYS,
      },
      facts,
      claims,
      where: `day ${day} to ${history.day}`,
    });
  }
}

function machineOf(history: GeneratedHistory): Machine {
  return { root: history.root, env: process.env, now: new Date() };
}
