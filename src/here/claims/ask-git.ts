import type { ClaimBreak, Machine } from "../../freshness/verdict.ts";
import { checkClaim } from "../../freshness/check-claim.ts";
import { explainBreak } from "../../freshness/explain-break.ts";
import { RepositoryHistory } from "../../freshness/repository-history.ts";
import type { WorkTree } from "../../freshness/work-tree.ts";
import { isGitMissing } from "../../machine/run-git.ts";
import { parseClaim } from "../../memory/claims/parse-claim.ts";

export interface PastOf {
  tree: WorkTree;
  machine: Machine;
  env: Readonly<Record<string, string | undefined>>;
  origin: string | undefined;
  deadlineAtMs: number;
}

const MAX_COUNTED = 1_000;

/** Asks git what became of broken claims, and how many commits touched paths since a time. Never rejects. */
export async function askHistory(
  past: PastOf,
  broken: readonly { claim: string; finding: string | undefined }[],
  counted: { paths: readonly string[]; since: string } | undefined,
): Promise<{ breaks: Map<string, ClaimBreak>; count: number | undefined; unchecked: string[] }> {
  const { tree, machine, origin } = past;
  const history = new RepositoryHistory(tree.root, past.env, past.deadlineAtMs);
  const breaks = new Map<string, ClaimBreak>();
  const unchecked: string[] = [];
  for (const { claim: text } of broken) {
    const { claim } = parseClaim(text);
    if (!claim) continue;
    const finding = await checkClaim(claim, tree, machine);
    breaks.set(text, await explainBreak(claim, finding, { tree, history, machine, origin }));
  }
  let count: number | undefined;
  if (counted) {
    try {
      const since = ["rev-list", "--count", `-n${MAX_COUNTED}`, `--since=${counted.since}`, "HEAD", "--"];
      count = Number(await history.git([...since, ...counted.paths]));
    } catch (error) {
      if (performance.now() < past.deadlineAtMs)
        unchecked.push(
          isGitMissing(error) ? "git is not here to count commits" : "commits could not be counted",
        );
    }
  }
  return { breaks, count, unchecked };
}
