import type { HealthKind, HealthReport, HealthSection } from "../here/api/maintenance-reports.ts";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { readRuleRecords } from "../session/guards/rule-records.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { type Injected, readInjected } from "../here/records/receipt-log.ts";
import { brokenState } from "../here/trust/approve-texts.ts";
import { readUse } from "../here/records/use-log.ts";
import { checkStores } from "./check-stores.ts";
import { finding, type HealthInput, type Section } from "./health-use.ts";
import { problemWords } from "../machine/problem.ts";
import { repositoryLabel } from "../machine/known-repositories.ts";
import { printMap } from "../session/map-here.ts";
import { strandedMemories } from "./stranded.ts";
import { HEALTH_SECTIONS } from "./health-sections.ts";
import { NOT_CHECKED, type Verdict } from "../freshness/verdict.ts";
import type { MemoryMetadata } from "../memory/memory.ts";

/** What a memory says is not so, or its file is at fault. */
const WRONG: ReadonlySet<HealthKind> = new Set(["broken", "errors", "violated", "stale"]);
/** So many findings of a kind are listed; the title says how many there are. */
const MAX_FINDINGS = 20;
/** Verdicts with git behind them take their time: past this many milliseconds the rest is told without. */
const VERDICTS_MS = 20_000;

/** What is wrong with the memories of this place, each finding with the command that mends it. */
export async function healthOf(place: Place): Promise<HealthReport> {
  const collection = await openCollection(place, { thoroughness: "full" });
  const memories = collection.memories().filter(({ status }) => status !== "superseded");
  const broken = (await brokenState(place, collection)).map((problem) =>
    finding(problem.file, problemWords(problem)),
  );
  const parts = {
    telemetry: await attempt(place, "telemetry", () => readInjected(place.places)),
    use: await attempt(place, "use", () => readUse(place.places)),
    verdicts: await attempt(place, "verdicts", () => verdictsOn(place, collection, memories)),
    stranded: await attempt(place, "branches", () => strandedMemories(place, memories)),
    map: await attempt(place, "map", () => printMap(place)),
    records: await attempt(place, "rules", async () => (await readRuleRecords(place)).rules),
  };
  // What could not be had costs the sections that rest on it, which say so.
  const injected = (): Injected["byMemory"] => parts.telemetry().byMemory;
  const uses = (): number => [...parts.use().values()].reduce((sum, times) => sum + times, 0);
  const input: HealthInput = { ...parts, place, collection, memories, injected, uses };
  const files = await attempt(place, "files", () => checkStores(place));
  // What says already why a file cannot be read is not said twice.
  const inFiles = (wanted: "error" | "warning") => (): Section =>
    files()
      .stores.flatMap(({ problems }) => problems)
      .filter(
        ({ severity, message }) =>
          severity === wanted && !broken.some(({ words }) => words.includes(message)),
      )
      .flatMap((problem) => finding(problem.file, problemWords(problem)));
  const sections = [
    section(input, "broken", "Cannot be read: what was last good counts", () => broken),
    section(input, "errors", "Errors in files", inFiles("error")),
    section(input, "warnings", "Warnings about files", inFiles("warning")),
    ...HEALTH_SECTIONS.map(([kind, title, make]) => section(input, kind, title, make)),
  ];
  const countIn = (isWrong: boolean): number =>
    sections.reduce(
      (sum, one) => sum + (one.isWrong === isWrong ? (one.count ?? one.findings.length) : 0),
      0,
    );
  return {
    total: memories.length,
    errors: countIn(true),
    warnings: countIn(false),
    byType: count(memories.map(({ type }) => type)),
    byScope: count(memories.map(({ scope, storeId }) => scopeWord(scope.repo, collection, storeId, place))),
    byTag: count(memories.flatMap(({ tags }) => tags)),
    byStanding: count(orElse(() => [...input.verdicts().values()], []).map(standingWord)),
    sections,
    telemetry: telemetryIn(input),
  };
}

/** Makes a part of the report; where that fails, asking for it throws, at each section that does. */
async function attempt<T>(place: Place, what: string, make: () => T | Promise<T>): Promise<() => T> {
  try {
    const made = await make();
    return () => made;
  } catch (error) {
    logTrouble(`health ${what}`, error, place.env);
    return () => {
      throw error;
    };
  }
}

function orElse<T>(make: () => T, other: T): T {
  try {
    return make();
  } catch {
    return other;
  }
}

function telemetryIn(input: HealthInput): HealthReport["telemetry"] {
  const { since, receipts } = orElse((): ReturnType<HealthInput["telemetry"]> => input.telemetry(), {
    receipts: 0,
  });
  return { ...(since !== undefined && { since }), receipts, uses: orElse(input.uses, 0) };
}

function section(
  input: HealthInput,
  kind: HealthKind,
  title: string,
  make: (input: HealthInput) => Section,
): HealthSection {
  const none = { kind, title, isWrong: WRONG.has(kind), findings: [] };
  try {
    const found = make(input);
    if (typeof found === "string") return { ...none, withheld: found };
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
