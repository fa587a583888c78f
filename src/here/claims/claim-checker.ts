import { existsSync } from "node:fs";
import { cutShown } from "../../memory/screening/find-secrets.ts";
import { dirname, join } from "node:path";
import { type Machine, type ClaimBreak, type Verdict, assessFreshness } from "../../freshness/verdict.ts";
import { isNameGone, namedClaims } from "../../freshness/named-claims.ts";
import { checkClaims, ClaimCache } from "../../freshness/claim-cache.ts";
import { WorkTree } from "../../freshness/work-tree.ts";
import { parseClaim, pathOfClaim } from "../../memory/claims/parse-claim.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { MemoryHeader, MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { findGitDirectory } from "../../machine/git-directory.ts";
import { runGit } from "../../machine/run-git.ts";
import { type Repository, isSameRepository } from "../../machine/repository-identity.ts";
import { realPathOf } from "../../machine/regular-file.ts";
import { type Collection, openCollection } from "../collection.ts";
import type { Place } from "../place.ts";
import { logTrouble } from "../trouble-log.ts";

interface KnownTree {
  tree: WorkTree;
  cache: ClaimCache;
  isShallow: boolean;
}

export type ClaimTree = (KnownTree & { repository: Repository }) | { why: string };

type Basis = "claims" | "created" | "updated" | "verified" | "scope" | "origin";
type Collected = Pick<Collection, "read" | "storeOf" | "types">;

export interface VerdictOptions {
  /** Milliseconds of `performance.now()` at which checking stops. Default: none. */
  deadlineAtMs?: number;
  /** Ask git what became of what is broken, and how many commits came since. Default: only what is known already. */
  withHistory?: boolean;
  /** With history: count commits too. Default true. */
  countsCommits?: boolean;
  /** The memory's text, asked for where it is not known what it names. Default: its claims and statement alone. */
  text?: () => Promise<string | undefined>;
}

/** So long the listing of a repository's files may take, in milliseconds: a write waits for it. */
const LISTING_MS = 4_000;
/** A repository with more files than this is not extracted in: looking its names up would take too long. */
const MAX_FILES = 500_000;

/** Measures claims at one place and moment, each once. A bundle file of its own: most memories claim nothing. */
export class ClaimChecker {
  readonly #place: Place;
  readonly #trees = new Map<string, KnownTree | undefined>();
  readonly #files = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  constructor(place: Place) {
    this.#place = place;
  }

  treeOf(memory: Pick<MemoryHeader, "scope" | "origin">, store: StoreRef): ClaimTree {
    const { repository } = this.#place;
    if (!repository) return { why: "there is no repository here" };
    const wanted = memory.scope.repo ?? memory.origin.repo;
    const isOwn = (): boolean =>
      store.kind === "project" && realPathOf(dirname(store.root)) === realPathOf(repository.root);
    if (wanted !== undefined && !isSameRepository(wanted, repository) && !isOwn())
      return { why: `its claims are about ${cutShown(wanted, 80)}, which is not here` };
    const known = this.#treeOf(repository.root);
    return known ? { ...known, repository } : { why: "the repository cannot be read" };
  }

  /** The files of a work tree about which claims are made; undefined where git cannot list them. */
  async filesOf(root: string): Promise<ReadonlySet<string> | undefined> {
    const known = this.#files.get(root);
    if (known) return known;
    const listed = this.#listFiles(root);
    this.#files.set(root, listed);
    return listed;
  }

  /** Ignored files differ by machine. */
  async #listFiles(root: string): Promise<ReadonlySet<string> | undefined> {
    const words = ["ls-files", "-c", "-o", "--exclude-standard", "-z"];
    const { env } = this.#place;
    try {
      const options = { cwd: root, env, timeoutMs: LISTING_MS, maxBytes: 128 * 1024 * 1024 };
      const known = (await runGit(words, options)).stdout
        .split("\0")
        .filter((file) => file !== "" && !file.startsWith(".heed/"));
      return known.length > MAX_FILES ? undefined : new Set(known);
    } catch {
      return undefined;
    }
  }

  #treeOf(root: string): KnownTree | undefined {
    if (this.#trees.has(root)) return this.#trees.get(root);
    let opened: KnownTree | undefined;
    try {
      const tree = new WorkTree(root);
      const directory = findGitDirectory(root);
      const isShallow = directory !== undefined && existsSync(join(directory.commonDir, "shallow"));
      opened = { tree, cache: new ClaimCache(this.#place.places.cache, tree.root), isShallow };
    } catch {
      opened = undefined;
    }
    this.#trees.set(root, opened);
    return opened;
  }

  machineOf(root: string | undefined): Machine {
    return { root, env: this.#place.env, now: this.#place.now() };
  }

  on(metadata: MemoryMetadata, collection: Collected, options: VerdictOptions = {}): Promise<Verdict> {
    const { contentHash } = metadata;
    const text = async (): Promise<string | undefined> =>
      contentHash === "" ? undefined : (await collection.read(metadata))?.body;
    const policy = collection.types.get(metadata.type);
    return this.verdictOn(metadata, collection.storeOf(metadata), policy, { text, ...options });
  }

  async verdictOn(
    memory: Pick<MemoryMetadata, Basis> & { statement?: string; contentHash?: string },
    store: StoreRef,
    policy: TypePolicy | undefined,
    options: VerdictOptions = {},
  ): Promise<Verdict> {
    const now = this.#place.now();
    const { claims } = memory;
    // What holds everywhere names nothing of this repository.
    const isAboutHere = store.kind !== "user" || memory.scope.repo !== undefined;
    if (claims.length === 0 && !isAboutHere) return assessFreshness(memory, policy, {}, now);
    const known = this.treeOf(memory, store);
    if ("why" in known) {
      const { why } = known;
      const checks = claims.map((claim) => ({ claim, state: "unchecked" as const, finding: why }));
      const unchecked = claims.length === 0 ? [] : [why];
      return assessFreshness(memory, policy, { checks, unchecked }, now);
    }
    const { repository, isShallow, tree, cache } = known;
    const { branch, head = "", root } = repository;
    const detached =
      branch === undefined && head !== "" ? `detached checkout of ${head.slice(0, 8)}` : undefined;
    const machine = this.machineOf(root);
    const deadlineAtMs = options.deadlineAtMs ?? Infinity;
    const context = { tree, cache, machine, detached, deadlineAtMs };
    const { isCut, ...checked } = await checkClaims(claims, context);
    const names = isAboutHere ? await this.#namesIn(memory, known, options.text) : [];
    const inText = names.filter((name) => !claims.includes(name));
    const named = await checkClaims(inText, context);
    const lost = named.checks.filter((check) => isNameGone(check, tree));
    const wasSeen = (claim: string): true | undefined => cache.get("seen", claim, "");
    for (const { claim, state } of named.checks)
      if (state === "kept" && claim.includes("::") && !wasSeen(claim)) cache.keep("seen", claim, "", true);
    const paths = {
      checked: [...new Set([...checked.paths.checked, ...named.paths.checked])],
      missing: [...new Set([...checked.paths.missing, ...named.paths.missing])],
    };
    const breaks = new Map<string, ClaimBreak>();
    const unknown: { claim: string; stamp: string; finding: string | undefined }[] = [];
    for (const { claim, state, finding } of [...checked.checks, ...lost]) {
      if (state !== "broken") continue;
      const stamp = `${head} ${memory.origin.commit ?? ""} ${finding ?? ""}`;
      const found = cache.get("breaks", claim, stamp);
      if (found) breaks.set(claim, found);
      else unknown.push({ claim, stamp, finding });
    }
    const since = memory.verified ?? memory.updated ?? memory.created;
    const canCount =
      !isShallow &&
      detached === undefined &&
      (paths.checked.length > 0 || isAboutHere) &&
      since !== undefined;
    const key = `${paths.checked.toSorted().join("\n")}@${since ?? ""}`;
    let count = canCount ? cache.get("commits", key, head) : undefined;
    const doesCount = canCount && count === undefined && options.countsCommits !== false;
    const hasClaims = claims.length > 0;
    const unchecked = [
      ...(hasClaims && detached ? [`HEAD is detached (${detached})`] : []),
      ...(hasClaims && isShallow ? ["a shallow clone does not show what came before"] : []),
    ];
    if (options.withHistory && head !== "" && (unknown.length > 0 || doesCount)) {
      const { askHistory } = await import("./ask-git.ts");
      const origin = memory.origin.commit;
      const answer = await askHistory(
        { tree, machine, env: this.#place.env, origin, deadlineAtMs },
        unknown,
        doesCount ? { paths: paths.checked, since } : undefined,
      );
      for (const { claim, stamp } of unknown) {
        const found = answer.breaks.get(claim);
        if (!found) continue;
        breaks.set(claim, found);
        if (found.unchecked === undefined) cache.keep("breaks", claim, stamp, found);
      }
      if (answer.count !== undefined) cache.keep("commits", key, head, answer.count);
      count ??= answer.count;
      unchecked.push(...answer.unchecked);
    }
    const commits =
      count === undefined || since === undefined ? undefined : { since: since.slice(0, 10), count };
    // Until git has been asked, what is not there may only have moved.
    if (head !== "")
      for (const { claim } of unknown)
        if (!breaks.has(claim)) breaks.set(claim, { claim, unchecked: "git was not asked" });
    // What never was here may be anything; what was seen here, or git knows to have been, is gone.
    const gone = lost
      .map((check) => ({ ...breaks.get(check.claim), ...check }))
      .filter((one) => one.since ?? one.became ?? one.moved ?? one.elsewhere ?? wasSeen(one.claim));
    const elsewhere = [...breaks].flatMap(([claim, known]) => {
      const named = known.elsewhere === undefined ? undefined : parseClaim(claim).claim;
      return (named && pathOfClaim(named)) ?? [];
    });
    // By now git has said what it only has not checked out.
    const isMissing = (path: string): boolean =>
      tree.look(path).kind === "missing" && !elsewhere.includes(path);
    paths.missing = paths.missing.filter(isMissing);
    unchecked.push(
      ...lost.flatMap(({ claim }) => {
        const named = gone.some((one) => one.claim === claim) ? undefined : parseClaim(claim).claim;
        return named?.kind === "symbol" ? [`${named.path} holds no ${named.symbol}`] : [];
      }),
    );
    const { checks } = checked;
    return assessFreshness(memory, policy, { checks, gone, breaks, paths, commits, unchecked, isCut }, now);
  }

  async #namesIn(
    { contentHash = "", statement = "" }: { contentHash?: string; statement?: string },
    { tree, cache }: KnownTree,
    text: VerdictOptions["text"],
  ): Promise<string[]> {
    const known = cache.get("names", contentHash, "");
    if (known) return known;
    const body = await text?.();
    const roots = [tree.root, this.#place.repository?.root ?? tree.root];
    const names = namedClaims(`${statement}\n\n${body ?? ""}`, tree, roots);
    if (body !== undefined && contentHash !== "") cache.keep("names", contentHash, "", names);
    return names;
  }

  save(): void {
    for (const opened of this.#trees.values()) opened?.cache.save();
  }
}

const DEFAULT_MS = 10_000;

/** Checks all memories here ahead of prompts; `countsCommits` counts commits too. Never rejects. @returns number of stale memories. */
export async function refreshVerdicts(
  place: Place,
  limitMs: number = DEFAULT_MS,
  countsCommits = true,
): Promise<number> {
  let stale = 0;
  try {
    const deadlineAtMs = performance.now() + limitMs;
    const collection = await openCollection(place);
    const checker = new ClaimChecker(place);
    try {
      for (const metadata of await collection.memoriesInTurns(undefined, deadlineAtMs)) {
        const isResume = collection.types.get(metadata.type)?.injection === "resume";
        if (metadata.status === "superseded" || isResume) continue;
        if (performance.now() > deadlineAtMs) break;
        const options = { deadlineAtMs, withHistory: true, countsCommits };
        if ((await checker.on(metadata, collection, options)).standing === "stale") stale += 1;
        // Messages that came in the meantime go first.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      checker.save();
    }
  } catch (error) {
    logTrouble("freshness", error, place.env);
  }
  return stale;
}
