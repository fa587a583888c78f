import type { HealthFinding, Remedy, HealthReport } from "../here/api/maintenance-reports.ts";
import type { SessionMap } from "../here/api/session-events.ts";
import type { RuleRecord } from "../here/api/guard-reports.ts";
import { injectedKey, type Injected } from "../here/records/receipt-log.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import type { Verdict } from "../freshness/verdict.ts";
import type { Collection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";

/** What is concluded from being told needs this much to rest on. */
const MIN_DAYS = 30;
const MIN_RECEIPTS = 20;
/** Told so often and never once cited: it takes room and helps nobody. */
const OFTEN_INJECTED = 10;
const DAY_MS = 86_400_000;

/** Injected often, and nobody ever used it. */
export function deadWeight(input: HealthInput): Section {
  const uses = input.uses();
  const withheld = whyWithheld(input) ?? (uses === 0 ? "no use is known yet" : undefined);
  if (withheld !== undefined) return withheld;
  return facts(input).flatMap((metadata) => {
    const { name } = metadata;
    const injected = injectedOf(input, metadata);
    if (injected < OFTEN_INJECTED || input.use().has(memoryKey(metadata))) return [];
    const remedies = [remedy("show", name), remedy("remove", name, { reason: "not used" })];
    return finding(name, `told ${injected} times, never used`, ...remedies);
  });
}

/** Older than what is known of the telling, and never told in it. */
export function neverSurfaced(input: HealthInput): Section {
  const withheld = whyWithheld(input);
  if (withheld !== undefined) return withheld;
  const since = input.telemetry().since ?? "";
  return facts(input).flatMap((metadata) =>
    injectedOf(input, metadata) === 0 &&
    !input.use().has(memoryKey(metadata)) &&
    (metadata.updated ?? metadata.created ?? "9") < since
      ? finding(
          metadata.name,
          `not told once since ${since.slice(0, 10)}`,
          { command: "why", args: ["A PROMPT THAT SHOULD BRING IT UP"] },
          remedy("edit", metadata.name, { trigger: "WORD" }),
        )
      : [],
  );
}

/** Why nothing is concluded from what was told; undefined when there is enough to go by. */
function whyWithheld({ telemetry, place }: HealthInput): string | undefined {
  const { since, receipts } = telemetry();
  const days = since === undefined ? 0 : (place.now().getTime() - Date.parse(since)) / DAY_MS;
  if (receipts >= MIN_RECEIPTS && days >= MIN_DAYS) return undefined;
  return `not enough data yet: ${receipts} injections in ${Math.floor(days)} days, ${MIN_RECEIPTS} in ${MIN_DAYS} are needed`;
}

/** Memories that are told when they are relevant to something; rules and episodes are told anyway. */
function facts({ collection, memories }: HealthInput): MemoryMetadata[] {
  return memories.filter((metadata) => {
    const injection = collection.types.get(metadata.type)?.injection;
    return (
      injection !== undefined && injection !== "always" && injection !== "resume" && injection !== "never"
    );
  });
}

function injectedOf({ injected, collection }: HealthInput, metadata: MemoryMetadata): number {
  return injected().get(injectedKey(collection.storeOf(metadata).kind, metadata.name))?.count ?? 0;
}

/**
 * Rules that were broken since they were last changed. What was broken before a rule got its guard, or other words, has
 * its answer; {@link RuleRecord} still counts it.
 */
export function rulesBroken({ records, memories }: HealthInput): Section {
  const changed = new Map(memories.map(({ name, updated = "" }) => [name, updated]));
  return records()
    .filter(({ name, broken }) =>
      broken.evidence.some(({ time }) => time === "" || time >= (changed.get(name) ?? "")),
    )
    .map(({ name, broken }) => {
      const [last] = broken.evidence;
      const words = `${broken.times === 1 ? "once" : `${broken.times} times`}: last on ${last?.time.slice(0, 10)}, ${last?.text}`;
      return finding(name, words, remedy("rules", name));
    });
}

/** Rules older than what is known that no call had to do with: their guard was about none, none touched their paths. */
export function rulesIdle(input: HealthInput): Section {
  const since = input.telemetry().since ?? "";
  const old = new Map(
    input.memories.flatMap(({ name, created, scope }) =>
      (created ?? "9") < since ? [[name, scope.paths]] : [],
    ),
  );
  const found = input.records().flatMap(({ name, isGuarded, injected, ...met }) => {
    const isMet = met.followed.times + met.stopped.times + met.excepted.times + met.broken.times > 0;
    const paths = old.get(name);
    if (isMet || !paths || (!isGuarded && (paths.length === 0 || injected.times > 0))) return [];
    const words = isGuarded ? "its guard was about no call" : `no tool touched ${paths.join(" or ")}`;
    const first = isGuarded ? [remedy("guard test", name)] : [];
    return finding(name, `${words} in 30 days`, ...first, remedy("remove", name, { reason: "not relevant" }));
  });
  return found.length === 0 ? found : (whyWithheld(input) ?? found);
}

/** What the sections of a health report are made from. */
export interface HealthInput {
  place: Place;
  collection: Collection;
  memories: MemoryMetadata[];
  verdicts: () => ReadonlyMap<MemoryMetadata, Verdict>;
  injected: () => Injected["byMemory"];
  telemetry: () => Omit<HealthReport["telemetry"], "uses">;
  /** How many citations and reports of use are known. */
  uses: () => number;
  use: () => ReadonlyMap<string, number>;
  /** What became of the rules that hold here. */
  records: () => readonly RuleRecord[];
  /** The map of a fresh session. */
  map: () => SessionMap;
  /** Memories that are out of reach here. */
  stranded: () => HealthFinding[];
}

/** What to do about a memory. */
export function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

/** One finding, with what can be done about it. */
export function finding(subject: string, words: string, ...remedies: Remedy[]): HealthFinding {
  return { subject, words, remedies };
}

/** What one section found, or why nothing can be concluded yet. */
export type Section = HealthFinding[] | string;
