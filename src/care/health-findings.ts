import type { RuleRecord } from "../session/guards/look-at-guards.ts";
import type { SessionMap } from "../session/map-here.ts";
import { bareFacts } from "../here/bare-facts.ts";
import type { Collection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { type Injected, injectedKey } from "../here/records/receipt-log.ts";
import { endedOn } from "../here/consent/standing.ts";
import { type Verdict, isLost, MANY_COMMITS } from "../freshness/verdict.ts";
import { FORMER, parseClaim } from "../memory/claims/parse-claim.ts";
import { type MemoryMetadata, memoryKey } from "../memory/memory.ts";
import { isFact } from "../memory/memory-type.ts";
import { MAX_LINE_CHARS } from "../session/inject/render-map.ts";
import { RULE_BUDGET_CHARS } from "../session/inject/render-rules.ts";
import { MAP_CHARS } from "../store/config/store-config.ts";

/** One thing that health found, with what mends it. */
export interface HealthFinding {
  /** The memory, tag or store that it is about. */
  subject: string;
  words: string;
  /** One of these, the likeliest first. */
  remedies: Remedy[];
}

export type HealthKind =
  | "broken"
  | "errors"
  | "violated"
  | "stale"
  | "claim-debt"
  | "commit-drift"
  | "dead-weight"
  | "never-surfaced"
  | "rules-idle"
  | "statements"
  | "rule-budget"
  | "stranded"
  | "expired"
  | "warnings";

/** One kind of finding. */
export interface HealthSection {
  kind: HealthKind;
  title: string;
  /** What a memory says is not so, or its file is at fault; the rest is housekeeping. */
  isWrong: boolean;
  findings: HealthFinding[];
  /** How many there are, where not all are listed. */
  count?: number;
  /** Nothing is said, and why: what it would rest on is missing. */
  withheld?: string;
  /** The section could not be made; the others could. */
  failed?: string;
}

export interface HealthReport {
  total: number;
  /** Findings of sections that are wrong, and of the others. */
  errors: number;
  warnings: number;
  byType: Record<string, number>;
  byScope: Record<string, number>;
  byTag: Record<string, number>;
  byStanding: Record<string, number>;
  sections: HealthSection[];
  /** What is said of use rests on this: since when, how many sessions' injections, how many reports. */
  telemetry: { since?: string; receipts: number; uses: number };
}

/**
 * What mends a finding: a command of heed as data, so that a terminal can print it, a page make a button of it, and a
 * model say it to the user.
 */
export interface Remedy {
  /** Default: heed. */
  program?: "git";
  /** As one types it after `heed`: `edit`, `check --fix`, `guard test`. */
  command: string;
  /** What the command is about, in its order: most often the name of a memory. What is to be filled in is in capitals. */
  args: string[];
  /** Options by their names, without dashes. */
  options?: Readonly<Record<string, string>>;
}

/** What findings are made from; what is asked for may not be there, and then throws. */
export interface HealthInput {
  place: Place;
  collection: Collection;
  memories: readonly MemoryMetadata[];
  broken: readonly HealthFinding[];
  files: (severity: "error" | "warning") => Promise<HealthFinding[]>;
  verdicts: () => Promise<ReadonlyMap<MemoryMetadata, Verdict>>;
  injected: () => Injected;
  use: () => ReadonlyMap<string, number>;
  records: () => Promise<readonly RuleRecord[]>;
  stranded: () => Promise<HealthFinding[]>;
  map: () => Promise<SessionMap>;
}

export type Section = readonly HealthFinding[] | string;

type Found = HealthFinding | readonly HealthFinding[] | undefined;

/** All kinds in the order in which they are told: what is false first, what is only large last. */
export const HEALTH_TABLE: readonly [
  HealthKind,
  string,
  (input: HealthInput) => Section | Promise<Section>,
][] = [
  ["broken", "Cannot be read: what was last good counts", ({ broken }) => broken],
  ["errors", "Errors in files", ({ files }) => files("error")],
  ["violated", "What must be so is broken in the code", byVerdict(violated)],
  ["stale", "Out of date: the code changed", byVerdict(stale)],
  ["warnings", "Warnings about files", ({ files }) => files("warning")],
  ["stranded", "On other branches and worktrees", ({ stranded }) => stranded()],
  ["commit-drift", "Many commits on their files since", byVerdict(commitDrift)],
  ["claim-debt", "Claims that cannot be read or checked", byVerdict(claimDebt)],
  ["expired", "Expired", expired],
  ["statements", "Statements that make poor lines of the map", poorStatements],
  ["rule-budget", "Rules that do not fit into a session's context", ruleBudget],
  ["dead-weight", "Injected often, never used", deadWeight],
  ["never-surfaced", "Never injected", neverSurfaced],
  ["rules-idle", "Rules that were never relevant", rulesIdle],
];

export function finding(subject: string, words: string, ...remedies: Remedy[]): HealthFinding {
  return { subject, words, remedies };
}

export function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

function byVerdict(find: (memory: MemoryMetadata, verdict: Verdict) => Found) {
  return async ({ verdicts }: HealthInput): Promise<Section> =>
    [...(await verdicts())].flatMap(([memory, verdict]) => find(memory, verdict) ?? []);
}

function violated({ name }: MemoryMetadata, { isAlarm, words }: Verdict): Found {
  return isAlarm ? finding(name, words, remedy("show", name)) : undefined;
}

function stale({ name }: MemoryMetadata, { standing, claims, words, isGone, marks }: Verdict): Found {
  const isDoubted = claims.unchecked.some(({ claim }) => claim.startsWith(FORMER));
  if (isDoubted && standing === "check")
    return finding(name, words, remedy("edit", name), remedy("check --confirm", name));
  const isTrue = standing !== "stale" && marks.length === 0;
  if (isTrue && claims.broken.every(({ isViolated }) => isViolated)) return undefined;
  const isKnown = claims.broken.some(({ became }) => became);
  const hasEnded = isGone && claims.broken.every((one) => isLost(one) || one.claim.startsWith("until:"));
  const first = isKnown ? [remedy("check --fix", name)] : hasEnded ? [remedy("remove", name)] : [];
  return finding(name, words, ...first, remedy("edit", name));
}

function commitDrift({ name }: MemoryMetadata, { commits, paths, standing }: Verdict): Found {
  if (paths.checked.length === 0 || !commits || commits.count < MANY_COMMITS || standing === "stale")
    return undefined;
  return finding(
    name,
    `${commits.count} commits on its files since ${commits.since}`,
    remedy("check --confirm", name),
  );
}

function claimDebt({ name, claims: texts }: MemoryMetadata, { claims: { unchecked } }: Verdict): Found {
  for (const reading of texts.map(parseClaim))
    if (!reading.claim) return finding(name, reading.message, remedy("edit", name));
  // What is in another repository, or not checked out, is checked there.
  const here = unchecked.filter(
    ({ claim, finding = "" }) =>
      !claim.startsWith(FORMER) &&
      !/, which is not here$|^there is no repository here$|is not checked out here/.test(finding),
  );
  if (here.length === 0) return undefined;
  const words = `${unchecked.length} of ${texts.length} claims unchecked: ${unchecked[0]?.finding ?? ""}`;
  return finding(name, words, remedy("show", name));
}

function expired({ memories, place }: HealthInput): Section {
  return memories.flatMap((metadata) => {
    const { name } = metadata;
    const ended = endedOn(metadata, place.now());
    if (ended === undefined) return [];
    const words = `expired on ${ended}: told only to who asks about it, as expired; if it goes on, it wants a later date`;
    const goesOn = remedy("edit", name, { expires: "DATE" });
    return finding(name, words, remedy("remove", name, { reason: "expired" }), goesOn);
  });
}

/** A context holds so many statements whole; models are reported to follow 150 to 200 instructions, their client's own among them. */
const MANY_RULES = 100;

function ruleBudget({ memories, collection }: HealthInput): Section {
  const rules = memories.filter(
    ({ type, scope }) => collection.types.get(type)?.injection === "always" && scope.paths.length === 0,
  );
  const found: HealthFinding[] = [];
  const add = (words: string, ...remedies: Remedy[]): number =>
    found.push(finding(`${rules.length} rules`, words, ...remedies));
  if (rules.length > MANY_RULES)
    add(
      `more than ${MANY_RULES} are in every session: too many to be followed. End those that no longer matter, limit others to paths`,
      { command: "list --rules", args: [] },
    );
  const chars = rules.reduce((sum, { statement, bodyLength }) => sum + statement.length + bodyLength, 0);
  let over = chars - RULE_BUDGET_CHARS;
  if (over <= 0) return found;
  add(
    `${chars} characters with their reasons, ${RULE_BUDGET_CHARS} fit: reasons of the least salient ones are left out`,
    { command: "list", args: [], options: { type: "feedback" } },
  );
  // As many as have to be shorter: of the others nobody needs to know.
  for (const { name, bodyLength } of rules.toSorted((a, b) => b.bodyLength - a.bodyLength)) {
    if (over <= 0) break;
    over -= bodyLength;
    found.push(finding(name, `${bodyLength} characters`, remedy("edit", name)));
  }
  return found;
}

/** Facts that are badly found: too long for a line of the map, without one where a larger map would help, without other words. */
async function poorStatements({ memories, collection, place, map }: HealthInput): Promise<Section> {
  const { lines, leftCount, budgetChars } = await map();
  const inLines = lines.reduce((sum, { handles }) => sum + handles.length, 0);
  const crowding = finding(
    `${inLines + leftCount} facts`,
    `a map of ${budgetChars} characters has a line for ${inLines} of them, and ${leftCount} have none`,
    { command: "config map", args: [String(MAP_CHARS.most)] },
  );
  const bare = bareFacts(collection, memories);
  const isCrowded = leftCount > 0 && place.found.mapChars < MAP_CHARS.most;
  const long = memories.filter(
    (memory) => memory.statement.length > MAX_LINE_CHARS && isFact(memory, collection.types),
  );
  return [
    ...(isCrowded ? [crowding] : []),
    ...bare
      .slice(0, 1)
      .map(({ name }) =>
        finding(
          `${bare.length} facts`,
          "have no aliases: add other words that a search should find them by",
          remedy("edit", name, { also: "PHRASE" }),
        ),
      ),
    ...long.map(({ name, statement: { length } }) =>
      finding(
        name,
        `its statement has ${length} characters, and a line of the map holds ${MAX_LINE_CHARS}: say what it is about, and leave the rest to the text`,
        remedy("edit", name, { statement: "ONE LINE" }),
      ),
    ),
  ];
}

const MIN_DAYS = 30;
const MIN_RECEIPTS = 20;
/** Injected so often and never once cited: it takes room and helps nobody. */
const OFTEN_INJECTED = 10;
const DAY_MS = 86_400_000;

function deadWeight(input: HealthInput): Section {
  const use = input.use();
  const withheld = whyWithheld(input) ?? (use.size === 0 ? "no use is known yet" : undefined);
  if (withheld !== undefined) return withheld;
  return relevantOnly(input).flatMap((metadata) => {
    const { name } = metadata;
    const injected = timesInjected(input, metadata);
    if (injected < OFTEN_INJECTED || use.has(memoryKey(metadata))) return [];
    const remedies = [remedy("show", name), remedy("remove", name, { reason: "not used" })];
    return finding(name, `told ${injected} times, never used`, ...remedies);
  });
}

/** Older than what is known of injections, and not once among them. */
function neverSurfaced(input: HealthInput): Section {
  const withheld = whyWithheld(input);
  if (withheld !== undefined) return withheld;
  const { since = "" } = input.injected();
  return relevantOnly(input).flatMap((metadata) => {
    const { name, updated, created = "9" } = metadata;
    const isUsed = timesInjected(input, metadata) > 0 || input.use().has(memoryKey(metadata));
    if (isUsed || (updated ?? created) >= since) return [];
    const ask = { command: "why", args: ["A PROMPT THAT SHOULD BRING IT UP"] };
    const words = `not told once since ${since.slice(0, 10)}`;
    return finding(name, words, ask, remedy("edit", name, { trigger: "WORD" }));
  });
}

function whyWithheld({ injected, place }: HealthInput): string | undefined {
  const { since, receipts } = injected();
  const days = since === undefined ? 0 : (place.now().getTime() - Date.parse(since)) / DAY_MS;
  if (receipts >= MIN_RECEIPTS && days >= MIN_DAYS) return undefined;
  return `not enough data yet: ${receipts} injections in ${Math.floor(days)} days, ${MIN_RECEIPTS} in ${MIN_DAYS} are needed`;
}

/** Memories that are injected when they are relevant to something; rules and episodes are injected anyway. */
function relevantOnly({ collection, memories }: HealthInput): MemoryMetadata[] {
  return memories.filter(({ type }) => {
    const injection = collection.types.get(type)?.injection;
    return injection !== undefined && !["always", "resume", "never"].includes(injection);
  });
}

function timesInjected({ injected, collection }: HealthInput, metadata: MemoryMetadata): number {
  const key = injectedKey(collection.storeOf(metadata).kind, metadata.name);
  return injected().byMemory.get(key)?.count ?? 0;
}

/** Rules older than what is known that no call had to do with: their guard stopped none, none touched their paths. */
async function rulesIdle(input: HealthInput): Promise<Section> {
  const { since = "" } = input.injected();
  const old = new Map(
    input.memories.flatMap(({ name, created = "9", scope }) =>
      created < since ? [[name, scope.paths]] : [],
    ),
  );
  const found = (await input.records()).flatMap(({ name, isGuarded, injected, ...met }) => {
    const isMet = met.stopped.times + met.excepted.times > 0;
    const paths = old.get(name);
    if (isMet || !paths || (!isGuarded && (paths.length === 0 || injected.times > 0))) return [];
    const words = isGuarded ? "its guard stopped no call" : `no tool touched ${paths.join(" or ")}`;
    const first = isGuarded ? [remedy("guard test", name)] : [];
    return finding(name, `${words} in 30 days`, ...first, remedy("remove", name, { reason: "not relevant" }));
  });
  return found.length === 0 ? found : (whyWithheld(input) ?? found);
}

export function telemetryOf({ injected, use }: HealthInput): HealthReport["telemetry"] {
  const telemetry = { receipts: 0, uses: 0 };
  try {
    const { since, receipts } = injected();
    Object.assign(telemetry, { ...(since !== undefined && { since }), receipts });
    telemetry.uses = [...use().values()].reduce((sum, times) => sum + times, 0);
  } catch {
    // The sections that rest on it say so.
  }
  return telemetry;
}
