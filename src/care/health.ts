import {
  type HealthReport,
  type HealthSection,
  type HealthFinding,
  type HealthKind,
  type HealthInput,
  byVerdict,
  claimDebt,
  brokenNorm,
  commitDrift,
  finding,
  outOfDate,
  overdue,
  poorStatements,
  ruleBudget,
} from "./health-findings.ts";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { brokenState } from "../here/consent/review-store.ts";
import { type CheckReport, checkStores } from "./check-stores.ts";
import { strandedMemories } from "./stranded.ts";
import { problemWords } from "../machine/heed-error.ts";
import { repositoryLabel } from "../machine/repository-identity.ts";
import { type Verdict, NOT_CHECKED } from "../freshness/verdict.ts";
import type { MemoryMetadata } from "../memory/memory.ts";

const WRONG: ReadonlySet<HealthKind> = new Set(["broken", "errors", "violated", "stale"]);
const MAX_FINDINGS = 20;
/** Verdicts with git behind them take their time: past this many milliseconds the rest is told without. */
const VERDICTS_MS = 20_000;

/** All kinds in the order in which they are told: what is false first, what is only large last. */
const TABLE: readonly [
  HealthKind,
  string,
  (input: HealthInput) => HealthFinding[] | Promise<HealthFinding[]>,
][] = [
  ["broken", "Cannot be read: the last good version applies", broken],
  ["errors", "Errors in files", ({ files }) => files("error")],
  ["violated", "The code breaks a requirement", byVerdict(brokenNorm)],
  ["stale", "Out of date: the code changed", byVerdict(outOfDate)],
  ["warnings", "Warnings about files", ({ files }) => files("warning")],
  ["stranded", "On other branches and worktrees", ({ place, memories }) => strandedMemories(place, memories)],
  ["commit-drift", "Many commits on their files since", byVerdict(commitDrift)],
  ["claim-debt", "Claims that cannot be read or checked", byVerdict(claimDebt)],
  ["expired", "Expired", overdue],
  ["statements", "Facts that are hard to find", poorStatements],
  ["rule-budget", "Rules that do not fit into a session's context", ruleBudget],
];

/** What to look at besides the files. */
export interface CheckRequest {
  /** Also what `health` tells. Default false. */
  withHealth?: boolean;
}

/** Every problem of every file, and with `withHealth` what is wrong besides. */
export async function checkAll(
  place: Place,
  request: CheckRequest = {},
): Promise<CheckReport & { health?: HealthReport }> {
  const files = await checkStores(place);
  return request.withHealth === true ? { ...files, health: await healthOf(place, files) } : files;
}

/** What is wrong with the memories of this place, each finding with the command that mends it. `known`: what its files say. */
export async function healthOf(place: Place, known?: CheckReport): Promise<HealthReport> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const memories = collection.memories().filter(({ status }) => status !== "superseded");
  const checked = once(async () => {
    const told = (await broken({ place, collection })).map(({ words }) => words);
    // What says already why a file cannot be read is not said twice.
    const isNew = ({ message }: { message: string }): boolean =>
      !told.some((words) => words.includes(message));
    return (known ?? (await checkStores(place))).stores.flatMap(({ problems }) => problems.filter(isNew));
  });
  const input: HealthInput = {
    place,
    collection,
    memories,
    files: async (wanted) =>
      (await checked())
        .filter(({ severity }) => severity === wanted)
        .map((problem) => finding(problem.file, problemWords(problem))),
    verdicts: once(() => verdictsOn(place, collection, memories)),
  };
  const sections: HealthSection[] = [];
  for (const row of TABLE) sections.push(await sectionOf(input, ...row));
  const countIn = (isWrong: boolean): number =>
    sections
      .filter((one) => one.isWrong === isWrong)
      .reduce((sum, { count, findings }) => sum + (count ?? findings.length), 0);
  const verdicts = await input.verdicts().catch(() => new Map<MemoryMetadata, Verdict>());
  return {
    total: memories.length,
    errors: countIn(true),
    warnings: countIn(false),
    byType: count(memories.map(({ type }) => type)),
    byScope: count(memories.map(({ scope, storeId }) => scopeWord(scope.repo, collection, storeId, place))),
    byTag: count(memories.flatMap(({ tags }) => tags)),
    byStanding: count([...verdicts.values()].map(standingWord)),
    sections,
  };
}

async function broken({
  place,
  collection,
}: Pick<HealthInput, "place" | "collection">): Promise<HealthFinding[]> {
  const problems = await brokenState(place, collection);
  return problems.map((problem) => finding(problem.file, problemWords(problem)));
}

function once<T>(make: () => T): () => T {
  let made: [T] | undefined;
  return () => (made ??= [make()])[0];
}

async function sectionOf(
  input: HealthInput,
  ...[kind, title, find]: (typeof TABLE)[number]
): Promise<HealthSection> {
  const none = { kind, title, isWrong: WRONG.has(kind), findings: [] };
  try {
    const found = await find(input);
    if (found.length <= MAX_FINDINGS) return { ...none, findings: found };
    const [findings, count] = [found.slice(0, MAX_FINDINGS), found.length];
    return { ...none, title: `${title} (${MAX_FINDINGS} of ${count})`, findings, count };
  } catch (error) {
    logTrouble(`health ${kind}`, error, input.place.env);
    return { ...none, failed: error instanceof Error ? error.message : String(error) };
  }
}
async function verdictsOn(
  place: Place,
  collection: Collection,
  memories: readonly MemoryMetadata[],
): Promise<Map<MemoryMetadata, Verdict>> {
  const checker = new ClaimChecker(place);
  const verdicts = new Map<MemoryMetadata, Verdict>();
  const deadlineAtMs = performance.now() + VERDICTS_MS;
  for (const metadata of memories) {
    // Past the deadline files are still looked at, git is not asked any more.
    const withHistory = performance.now() < deadlineAtMs;
    verdicts.set(metadata, await checker.on(metadata, collection, { withHistory }));
  }
  checker.save();
  return verdicts;
}

function standingWord({ standing, words }: Verdict): string {
  return words === NOT_CHECKED ? "nothing to check" : standing;
}

function scopeWord(
  repo: string | undefined,
  collection: Collection,
  storeId: string,
  { places, repository }: Place,
): string {
  if (repo !== undefined) return repositoryLabel(repo, places, repository?.gitDir);
  const isProject = collection.stores.some(({ id, kind }) => id === storeId && kind === "project");
  return isProject ? "this repository" : "everywhere";
}

function count(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
