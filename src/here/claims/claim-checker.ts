import { existsSync } from "node:fs";
import { cutShown } from "../../memory/screening/find-secrets.ts";
import { dirname, join } from "node:path";
import {
  type ClaimBreak,
  type ClaimCheck,
  type Machine,
  NOT_IN_TIME,
  type Verdict,
  assessFreshness,
  unchecked,
} from "../../freshness/verdict.ts";
import type { explainBreak } from "../../freshness/explain-break.ts";
import type { RepositoryHistory } from "../../freshness/repository-history.ts";
import { isNameGone, namedClaims } from "../../freshness/claims-of-text.ts";
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

/** The work tree that claims are about, or why there is none. */
export type ClaimTree = { machine: Machine } & (
  | (KnownTree & { repository: Repository; why?: undefined })
  | { tree?: undefined; why: string }
);

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
    const machine = this.machineOf(repository?.root);
    if (!repository) return { machine, why: "there is no repository here" };
    const wanted = memory.scope.repo ?? memory.origin.repo;
    const isOwn = (): boolean =>
      store.kind === "project" && realPathOf(dirname(store.root)) === realPathOf(repository.root);
    if (wanted !== undefined && !isSameRepository(wanted, repository) && !isOwn())
      return { machine, why: `its claims are about ${cutShown(wanted, 80)}, which is not here` };
    const known = this.#treeOf(repository.root);
    return known ? { ...known, machine, repository } : { machine, why: "the repository cannot be read" };
  }

  /** The files of a work tree about which claims are made: ignored ones differ by machine. Undefined where git cannot list them. */
  async filesOf(root: string): Promise<ReadonlySet<string> | undefined> {
    const known = this.#files.get(root);
    if (known) return known;
    const words = ["ls-files", "-c", "-o", "--exclude-standard", "-z"];
    const options = { cwd: root, env: this.#place.env, timeoutMs: LISTING_MS, maxBytes: 128 * 1024 * 1024 };
    const listed = runGit(words, options).then(({ stdout }) => {
      const files = stdout.split("\0").filter((file) => file !== "" && !file.startsWith(".heed/"));
      return files.length > MAX_FILES ? undefined : new Set(files);
    });
    const files = listed.catch(() => undefined);
    this.#files.set(root, files);
    return files;
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
      // It cannot be read.
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
    if (!known.tree) {
      const { why } = known;
      const checks = claims.map((claim) => ({ claim, ...unchecked(why) }));
      return assessFreshness(memory, policy, { checks, unchecked: checks.length > 0 ? [why] : [] }, now);
    }
    const { repository, isShallow, tree, cache, machine } = known;
    const { branch, head = "" } = repository;
    const { deadlineAtMs = Infinity, withHistory = false } = options;
    const detached =
      branch === undefined && head !== "" ? `detached checkout of ${head.slice(0, 8)}` : undefined;
    const context = { tree, cache, machine, detached, deadlineAtMs };
    const checks = await checkClaims(claims, context);
    const names = isAboutHere ? await this.#namesIn(memory, known, options.text) : [];
    const named = await checkClaims(
      names.filter((name) => !claims.includes(name)),
      context,
    );
    const lost = named.filter((check) => isNameGone(check, tree));
    const wasSeen = (claim: string): boolean => cache.get("seen", claim, "") === true;
    for (const { claim, state } of named)
      if (state === "kept" && claim.includes("::") && !wasSeen(claim)) cache.keep("seen", claim, "", true);
    let past: Past | undefined;
    const asksGit = withHistory && head !== "";
    const openPast = async (): Promise<Past> =>
      (past ??= await loadPast(tree.root, this.#place.env, deadlineAtMs));
    // Until git has been asked, what is not there may only have moved.
    const breaks = new Map<string, ClaimBreak>();
    const { commit: origin } = memory.origin;
    for (const check of [...checks, ...lost]) {
      const { claim } = parseClaim(check.claim);
      if (!claim || check.state !== "broken" || head === "") continue;
      const stamp = `${head} ${origin ?? ""} ${check.finding ?? ""}`;
      let found = cache.get("break", check.claim, stamp);
      // What was moved or changed without a commit does so again without one.
      const isOpen = found?.since === undefined && (found?.moved ?? found?.became) !== undefined;
      if (asksGit && (!found || isOpen)) {
        const { explainBreak, history } = await openPast();
        found = await explainBreak(claim, check, { tree, history, machine, origin });
        if (found.unchecked === undefined) cache.keep("break", check.claim, stamp, found);
      }
      breaks.set(check.claim, found ?? { unchecked: "git was not asked" });
    }
    const inTime = [...checks, ...named].filter(({ finding }) => finding !== NOT_IN_TIME);
    const pathsOf = (some: readonly ClaimCheck[]): string[] => [
      ...new Set(some.flatMap(({ claim }) => pathOf(claim) ?? [])),
    ];
    const elsewhere = pathsOf(inTime.filter(({ claim }) => breaks.get(claim)?.elsewhere !== undefined));
    const missing = pathsOf(inTime.filter(({ state }) => state === "broken")).filter(
      (path) => tree.look(path).kind === "missing" && !elsewhere.includes(path),
    );
    const paths = { checked: pathsOf(inTime), missing };
    // What never was here may be anything; what was seen here, or git knows to have been, is gone.
    const gone = lost
      .map((check) => ({ ...breaks.get(check.claim), ...check }))
      .filter((one) => one.since ?? one.became ?? one.moved ?? one.elsewhere ?? wasSeen(one.claim));
    const reasons = lost.flatMap(({ claim: text }) => {
      const { claim } = parseClaim(text);
      const isKnown = claim?.kind !== "symbol" || gone.some((one) => one.claim === text);
      return isKnown ? [] : [`${claim.path} holds no ${claim.symbol}`];
    });
    if (claims.length > 0 && detached) reasons.push(`HEAD is detached (${detached})`);
    if (claims.length > 0 && isShallow) reasons.push("a shallow clone does not show what came before");
    const since = memory.verified ?? memory.updated ?? memory.created;
    const canCount =
      !isShallow &&
      detached === undefined &&
      (paths.checked.length > 0 || isAboutHere) &&
      since !== undefined;
    const key = `${paths.checked.toSorted().join("\n")}@${since ?? ""}`;
    let count = canCount ? cache.get("commits", key, head) : undefined;
    if (canCount && count === undefined && asksGit && options.countsCommits !== false) {
      const { history } = await openPast();
      count = await history.countSince(since, paths.checked).catch(() => undefined);
      if (count !== undefined) cache.keep("commits", key, head, count);
      else if (performance.now() < deadlineAtMs) reasons.push("commits could not be counted");
    }
    const commits =
      count === undefined || since === undefined ? undefined : { since: since.slice(0, 10), count };
    const isCut = checks.some(({ finding }) => finding === NOT_IN_TIME);
    const measured = { checks, gone, breaks, paths, commits, unchecked: reasons, isCut };
    return assessFreshness(memory, policy, measured, now);
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

interface Past {
  explainBreak: typeof explainBreak;
  history: RepositoryHistory;
}

/** What asks git is loaded where git is asked. */
async function loadPast(...where: ConstructorParameters<typeof RepositoryHistory>): Promise<Past> {
  const { explainBreak } = await import("../../freshness/explain-break.ts");
  const { RepositoryHistory } = await import("../../freshness/repository-history.ts");
  return { explainBreak, history: new RepositoryHistory(...where) };
}

function pathOf(text: string): string | undefined {
  const { claim } = parseClaim(text);
  return claim && pathOfClaim(claim);
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
