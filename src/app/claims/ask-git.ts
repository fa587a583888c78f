import type { ClaimBreak, Machine } from "../../freshness/verdict.ts";
import { checkClaim } from "../../freshness/check-claim.ts";
import { explainBreak } from "../../freshness/explain-break.ts";
import { RepositoryHistory } from "../../freshness/repository-history.ts";
import type { WorkTree } from "../../freshness/work-tree.ts";
import { isGitMissing } from "../../git/run-git.ts";
import { parseClaim, type Claim, formatClaim } from "../../memory/claims/parse-claim.ts";
import { readDependencies, readScripts } from "../../freshness/manifests.ts";
import { findDefinitions } from "../../freshness/source/find-definitions.ts";
import { nearestNames } from "../../curate/nearest-names.ts";

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
      count = (await history.commitsOn(counted.paths, MAX_COUNTED, counted.since)).length;
    } catch (error) {
      unchecked.push(
        isGitMissing(error) ? "git is not here to count commits" : "commits could not be counted",
      );
    }
  }
  return { breaks, count, unchecked };
}

/** So long the listing of a repository's files may take, in milliseconds: a write waits for it. */
const LISTING_MS = 4_000;
/** A repository with more files than this is not extracted in: looking its names up would take too long. */
const MAX_FILES = 500_000;

/**
 * The files that git knows in a work tree or would take in: what is ignored (build output, installed packages, local
 * settings) is different on the next machine, and no claim is made about it. Undefined where git cannot tell.
 */
export async function repositoryFiles(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string> | undefined> {
  const history = new RepositoryHistory(root, env, performance.now() + LISTING_MS);
  try {
    const output = await history.git(["ls-files", "-c", "-o", "--exclude-standard", "-z"], {
      maxBytes: 128 * 1024 * 1024,
    });
    const files = output.split("\0").filter((file) => file !== "" && !file.startsWith(".heed/"));
    return files.length > MAX_FILES ? undefined : new Set(files);
  } catch {
    return undefined;
  }
}

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
