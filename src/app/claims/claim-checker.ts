import { existsSync } from "node:fs";
import { cutShown } from "../../screening/find-secrets.ts";
import { dirname, join } from "node:path";
import type { Machine, ClaimBreak, Verdict } from "../../freshness/verdict.ts";
import { assessFreshness, NOTHING_MEASURED } from "../../freshness/verdict.ts";
import { type ClaimsChecked, checkClaims, ClaimCache } from "../../freshness/claim-cache.ts";
import { WorkTree } from "../../freshness/work-tree.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { MemoryHeader, StoreRef } from "../../memory/memory.ts";
import { findGitDirectory } from "../../git/git-directory.ts";
import { type Repository, isSameRepository } from "../../git/repository-identity.ts";
import { realPathOf } from "../../platform/regular-file.ts";
import type { Place } from "../place/place.ts";

interface KnownTree {
  tree: WorkTree;
  cache: ClaimCache;
}

/** What claims are checked against, or why they cannot be. */
export type ClaimTree = (KnownTree & { repository: Repository; isShallow: boolean }) | { why: string };

/** What a verdict rests on of a memory. */
export type MeasuredMemory = Pick<
  MemoryHeader,
  "claims" | "created" | "updated" | "verified" | "scope" | "origin"
> & { description?: string };

/** How much a verdict may cost. */
export interface VerdictOptions {
  /** Milliseconds of `performance.now()` at which checking stops. Default: none. */
  deadlineAtMs?: number;
  /** Ask git what became of what is broken, and how many commits came since. Default: only what is known already. */
  withHistory?: boolean;
  /** With history: count commits too. Default true. */
  countsCommits?: boolean;
}

/**
 * Measures claims at one place at one moment: what it looked at once it does not look at again. The hot bundles load it
 * as a file of its own, since most of what they tell claims nothing.
 */
export class ClaimChecker {
  readonly #place: Place;
  readonly #trees = new Map<string, KnownTree | undefined>();
  readonly #files = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  constructor(place: Place) {
    this.#place = place;
  }

  /** The repository that a memory's claims are about, if it is the one at hand. */
  treeOf(memory: Pick<MemoryHeader, "scope" | "origin">, store: StoreRef): ClaimTree {
    const { repository } = this.#place;
    if (!repository) return { why: "there is no repository here" };
    const wanted = memory.scope.repo ?? memory.origin.repo;
    const isOwn = store.kind === "project" && realPathOf(dirname(store.root)) === realPathOf(repository.root);
    if (!isOwn && wanted !== undefined && !isSameRepository(wanted, repository))
      return { why: `its claims are about ${cutShown(wanted, 80)}, which is not here` };
    const known = this.#treeOf(repository.root);
    if (!known) return { why: "the repository cannot be read" };
    const directory = findGitDirectory(repository.root);
    return {
      ...known,
      repository,
      isShallow: directory !== undefined && existsSync(join(directory.commonDir, "shallow")),
    };
  }

  /** The files of a work tree about which claims are made; undefined where git cannot list them. */
  async filesOf(root: string): Promise<ReadonlySet<string> | undefined> {
    const known = this.#files.get(root);
    if (known) return known;
    const { repositoryFiles } = await import("./ask-git.ts");
    const listed = repositoryFiles(root, this.#place.env);
    this.#files.set(root, listed);
    return listed;
  }

  #treeOf(root: string): KnownTree | undefined {
    if (this.#trees.has(root)) return this.#trees.get(root);
    let opened: KnownTree | undefined;
    try {
      const tree = new WorkTree(root);
      opened = { tree, cache: new ClaimCache(this.#place.places.cache, tree.root) };
    } catch {
      opened = undefined;
    }
    this.#trees.set(root, opened);
    return opened;
  }

  /** What claims that are about the machine are checked against. */
  machineOf(root: string | undefined): Machine {
    return { root, env: this.#place.env, now: this.#place.now() };
  }

  /** The verdict on a memory. Never rejects. */
  async verdictOn(
    memory: MeasuredMemory,
    store: StoreRef,
    policy: TypePolicy | undefined,
    options: VerdictOptions = {},
  ): Promise<Verdict> {
    const now = this.#place.now();
    const { claims } = memory;
    if (claims.length === 0) return assessFreshness(memory, policy, NOTHING_MEASURED, now);
    const found = this.treeOf(memory, store);
    if ("why" in found) {
      const { why } = found;
      const checks = claims.map((claim) => ({ claim, state: "unchecked" as const, finding: why }));
      return assessFreshness(memory, policy, { ...NOTHING_MEASURED, checks, unchecked: [why] }, now);
    }
    const { repository, isShallow, tree, cache } = found;
    const detached =
      repository.branch === undefined && repository.head !== undefined
        ? `detached checkout of ${repository.head.slice(0, 8)}`
        : undefined;
    const machine = this.machineOf(repository.root);
    const checked = await checkClaims(claims, {
      tree,
      cache,
      machine,
      detached,
      deadlineAtMs: options.deadlineAtMs ?? Infinity,
    });
    const unchecked = [
      ...(detached ? [`HEAD is detached (${detached})`] : []),
      ...(isShallow ? ["a shallow clone does not show what came before"] : []),
    ];
    const past = {
      ...checked,
      repository,
      isShallow,
      isDetached: detached !== undefined,
      machine,
      tree,
      cache,
    };
    const history = await this.#past(memory, past, options);
    return assessFreshness(
      memory,
      policy,
      { ...checked, ...history, unchecked: [...unchecked, ...history.unchecked] },
      now,
    );
  }

  /** Keeps what was found out. */
  save(): void {
    for (const opened of this.#trees.values()) opened?.cache.save();
  }

  async #past(
    memory: Pick<MemoryHeader, "created" | "updated" | "verified" | "origin">,
    seen: ClaimsChecked & {
      repository: Repository;
      isShallow: boolean;
      isDetached: boolean;
      machine: Machine;
      tree: WorkTree;
      cache: ClaimCache;
    },
    options: VerdictOptions,
  ): Promise<{
    breaks: Map<string, ClaimBreak>;
    commits: { since: string; count: number } | undefined;
    unchecked: string[];
  }> {
    const { cache, repository, checks, paths } = seen;
    const head = repository.head ?? "";
    const breaks = new Map<string, ClaimBreak>();
    const unknown: { claim: string; stamp: string; finding: string | undefined }[] = [];
    for (const { claim, state, finding } of checks) {
      if (state !== "broken") continue;
      const stamp = `${head} ${memory.origin.commit ?? ""} ${finding ?? ""}`;
      const found = cache.breakOf(claim, stamp);
      if (found) breaks.set(claim, found);
      else unknown.push({ claim, stamp, finding });
    }
    const since = memory.verified ?? memory.updated ?? memory.created;
    const canCount =
      !seen.isShallow && !seen.isDetached && head !== "" && paths.checked.length > 0 && since !== undefined;
    const key = `${paths.checked.toSorted().join("\n")}@${since ?? ""}`;
    let count = canCount ? cache.commits(key, head) : undefined;
    const unchecked: string[] = [];
    const doesCount = canCount && count === undefined && options.countsCommits !== false;
    if (options.withHistory && head !== "" && (unknown.length > 0 || doesCount)) {
      const { askHistory } = await import("./ask-git.ts");
      const answer = await askHistory(
        {
          ...seen,
          env: this.#place.env,
          origin: memory.origin.commit,
          deadlineAtMs: options.deadlineAtMs ?? Infinity,
        },
        unknown,
        doesCount ? { paths: paths.checked, since } : undefined,
      );
      const at = Date.now();
      for (const { claim, stamp } of unknown) {
        const found = answer.breaks.get(claim);
        if (!found) continue;
        breaks.set(claim, found);
        if (found.unchecked === undefined) cache.keepBreak(claim, stamp, found, at);
      }
      if (answer.count !== undefined) cache.keepCommits(key, head, answer.count, at);
      count ??= answer.count;
      unchecked.push(...answer.unchecked);
    }
    return {
      breaks,
      commits: count === undefined || since === undefined ? undefined : { since: since.slice(0, 10), count },
      unchecked,
    };
  }
}
