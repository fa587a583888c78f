import { checkClaim } from "../../freshness/check-claim.ts";
import type { Machine } from "../../freshness/claim-check.ts";
import { explainBreak } from "../../freshness/explain-break.ts";
import { readDependencies, readScripts } from "../../freshness/manifests.ts";
import { RepositoryHistory } from "../../freshness/repository-history.ts";
import { findDefinitions } from "../../freshness/source/find-definitions.ts";
import type { WorkTree } from "../../freshness/work-tree.ts";
import { nearestNames } from "../../curate/nearest-names.ts";
import { type Claim, formatClaim } from "../../memory/claims/claim.ts";
import { repositoryFiles } from "./ask-git.ts";

/** Where the truth is looked for. */
export interface TruthContext {
  tree: WorkTree;
  machine: Machine;
  root: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** A refusal waits no longer than this for git, in milliseconds. */
const HISTORY_MS = 2_000;

/** What holds instead of a claim that is false, in words and as claims; nothing when nothing like it is there. */
export async function truthInstead(
  claim: Claim,
  { tree, machine, env }: TruthContext,
): Promise<{ words: string | undefined; claims: string[] }> {
  const finding = await checkClaim(claim, tree, machine);
  const history = new RepositoryHistory(tree.root, env, performance.now() + HISTORY_MS);
  const { became } = await explainBreak(claim, finding, { tree, history, machine, origin: undefined });
  if (became) return { words: `${became.claim} (${became.words})`, claims: [became.claim] };
  const near = (await candidates(claim, { tree, env })).map(formatClaim);
  return { words: near.length === 0 ? undefined : near.join(" or "), claims: near.length === 1 ? near : [] };
}

async function candidates(claim: Claim, { tree, env }: Pick<TruthContext, "tree" | "env">): Promise<Claim[]> {
  if (claim.isAbsent) return [];
  if ("path" in claim && tree.look(claim.path).kind === "missing") {
    const files = [...((await repositoryFiles(tree.root, env)) ?? [])];
    const name = claim.path.slice(claim.path.lastIndexOf("/") + 1);
    const same = files.filter((file) => file === name || file.endsWith(`/${name}`)).slice(0, 3);
    return (same.length > 0 ? same : nearestNames(claim.path, files)).map((path): Claim => ({
      ...claim,
      path,
    }));
  }
  if (claim.kind === "symbol") {
    const read = tree.text(claim.path);
    const definitions = "text" in read ? (findDefinitions(claim.path, read.text) ?? []) : [];
    return nearestNames(
      claim.symbol,
      definitions.map(({ name }) => name),
    ).map((symbol): Claim => ({ ...claim, symbol }));
  }
  if (claim.kind === "script") {
    const file = claim.folder === "" ? "package.json" : `${claim.folder}/package.json`;
    const read = tree.text(file);
    const scripts = "text" in read ? await readScripts(file, read.text) : new Map<string, string>();
    return scripts instanceof Map
      ? nearestNames(claim.name, [...scripts.keys()]).map((name): Claim => ({ ...claim, name }))
      : [];
  }
  if (claim.kind === "dependency") {
    const { versions } = await readDependencies(tree, claim.folder);
    if (versions.has(claim.name)) return [];
    return nearestNames(claim.name, [...versions.keys()]).map((name): Claim => ({ ...claim, name }));
  }
  return [];
}
