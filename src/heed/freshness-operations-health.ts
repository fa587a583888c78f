import type { Verdict } from "../freshness/verdict.ts";
import type { MemoryCard } from "../memory/memory-card.ts";
import type { Collection } from "./collection.ts";
import { openCollection } from "./collection.ts";
import type { HealthKind, HealthReport, HealthSection } from "./freshness-api.ts";
import { FreshnessDesk, verdictOnCard } from "./freshness-desk.ts";
import type { Section, Ward } from "./health-sections.ts";
import { HEALTH_SECTIONS } from "./health-sections.ts";
import { readReceipts } from "./receipt-log.ts";
import { logTrouble } from "./trouble-log.ts";
import type { MemoryUse } from "./use-log.ts";
import { readUse } from "./use-log.ts";
import type { Workspace } from "./workspace.ts";

/** So many receipts are looked at, the newest ones. */
const MAX_RECEIPTS = 5_000;
/** So many findings of a kind are listed; the title says how many there are. */
const MAX_FINDINGS = 20;
/** Verdicts with git behind them take their time: past this many milliseconds the rest is told without. */
const VERDICTS_MS = 20_000;

/** What is wrong with the memories of this place, each finding with the command that settles it. */
export async function healthOf(workspace: Workspace): Promise<HealthReport> {
  const collection = await openCollection(workspace, { thoroughness: "full" });
  const cards = collection.cards().filter(({ status }) => status !== "superseded");
  const telemetry = await attempt(workspace, "telemetry", () => telemetryOf(workspace));
  const use =
    (await attempt(workspace, "use", () => readUse(workspace.places))) ?? new Map<string, MemoryUse>();
  const uses = [...use.values()].reduce(
    (sum, one) => sum + one.cited + one.applied + one.ignored + one.contradicted + one.corrected,
    0,
  );
  const verdicts =
    (await attempt(workspace, "verdicts", () => verdictsOn(workspace, collection, cards))) ??
    new Map<MemoryCard, Verdict>();
  const ward: Ward = {
    workspace,
    collection,
    cards,
    verdicts,
    told: telemetry?.told ?? new Map<string, number>(),
    telemetry: {
      ...(telemetry?.since !== undefined && { since: telemetry.since }),
      receipts: telemetry?.receipts ?? 0,
      uses,
    },
    use,
  };
  return {
    total: cards.length,
    byType: count(cards.map(({ type }) => type)),
    byScope: count(cards.map(({ scope, storeId }) => scopeWord(scope.repo, collection, storeId))),
    byTag: count(cards.flatMap(({ tags }) => tags)),
    byStanding: count([...verdicts.values()].map(({ standing }) => standing)),
    sections: HEALTH_SECTIONS.map(([kind, title, make]) => section(ward, kind, title, make)),
    telemetry: ward.telemetry,
  };
}

/** What a report can do without: when it cannot be had, the rest is told all the same. */
async function attempt<T>(
  workspace: Workspace,
  what: string,
  make: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    logTrouble(`health ${what}`, error, workspace.env);
    return undefined;
  }
}

/** How often each memory was told, by store kind and name, as far as receipts are kept. */
function telemetryOf({ places }: Workspace): { told: Map<string, number>; since?: string; receipts: number } {
  const receipts = readReceipts(places, MAX_RECEIPTS);
  const told = new Map<string, number>();
  for (const { decisions } of receipts)
    for (const { name, store, form } of decisions)
      if (form !== "none") told.set(`${store}:${name}`, (told.get(`${store}:${name}`) ?? 0) + 1);
  const since = receipts.at(-1)?.time;
  return { told, ...(since !== undefined && { since }), receipts: receipts.length };
}

function section(ward: Ward, kind: HealthKind, title: string, make: (ward: Ward) => Section): HealthSection {
  try {
    const { findings, withheld } = make(ward);
    const more = findings.length > MAX_FINDINGS ? ` (${MAX_FINDINGS} of ${findings.length})` : "";
    return {
      kind,
      title: title + more,
      findings: findings.slice(0, MAX_FINDINGS),
      ...(withheld !== undefined && { withheld }),
    };
  } catch (error) {
    logTrouble(`health ${kind}`, error, ward.workspace.env);
    return { kind, title, findings: [], failed: error instanceof Error ? error.message : String(error) };
  }
}

async function verdictsOn(
  workspace: Workspace,
  collection: Collection,
  cards: readonly MemoryCard[],
): Promise<Map<MemoryCard, Verdict>> {
  const desk = new FreshnessDesk(workspace);
  const verdicts = new Map<MemoryCard, Verdict>();
  const deadlineAtMs = performance.now() + VERDICTS_MS;
  for (const card of cards) {
    // Past the deadline files are still looked at, git is not asked any more.
    const withHistory = performance.now() < deadlineAtMs;
    verdicts.set(card, await verdictOnCard(desk, card, collection, { withHistory }));
  }
  desk.save();
  return verdicts;
}

function scopeWord(repo: string | undefined, collection: Collection, storeId: string): string {
  if (repo !== undefined) return repo;
  return collection.readers.length > 0 && storeId !== "user" && isProject(collection, storeId)
    ? "this repository"
    : "everywhere";
}

function isProject(collection: Collection, storeId: string): boolean {
  const card = collection.cards().find((other) => other.storeId === storeId);
  return card !== undefined && collection.storeOf(card).kind === "project";
}

function count(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}
