import type { Machine } from "../../freshness/claim-check.ts";
import type { ClaimBreak } from "../../freshness/claim-break.ts";
import { explainBreak } from "../../freshness/explain-break.ts";
import { RepositoryHistory } from "../../freshness/repository-history.ts";
import type { WorkTree } from "../../freshness/work-tree.ts";
import { parseClaim } from "../../memory/claims/parse-claim.ts";
import { isGitMissing } from "../../git/run-git.ts";

/** Where the past is asked for. */
export interface PastOf {
  tree: WorkTree;
  machine: Machine;
  env: Readonly<Record<string, string | undefined>>;
  /** The commit at which the memory was written. */
  origin: string | undefined;
  deadlineAtMs: number;
}

/** Commits are counted up to this many: more of them say no more. */
const MAX_COUNTED = 1_000;

/** Asks git what became of broken claims, and how many commits touched paths since a time. Never rejects. */
export async function askHistory(
  past: PastOf,
  broken: readonly { claim: string; finding: string | undefined }[],
  counted: { paths: readonly string[]; since: string } | undefined,
): Promise<{ breaks: Map<string, ClaimBreak>; count: number | undefined; unmeasured: string[] }> {
  const { tree, machine, origin } = past;
  const history = new RepositoryHistory(tree.root, past.env, past.deadlineAtMs);
  const breaks = new Map<string, ClaimBreak>();
  const unmeasured: string[] = [];
  for (const { claim: text } of broken) {
    const { claim } = parseClaim(text);
    if (!claim) continue;
    const { checkClaim } = await import("../../freshness/check-claim.ts");
    const finding = await checkClaim(claim, tree, machine);
    breaks.set(text, await explainBreak(claim, finding, { tree, history, machine, origin }));
  }
  let count: number | undefined;
  if (counted) {
    try {
      count = (await history.commitsOn(counted.paths, MAX_COUNTED, counted.since)).length;
    } catch (error) {
      unmeasured.push(
        isGitMissing(error) ? "git is not here to count commits" : "commits could not be counted",
      );
    }
  }
  return { breaks, count, unmeasured };
}
