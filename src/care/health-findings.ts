import { printMap } from "../session/map-here.ts";
import { bareFacts } from "../here/bare-facts.ts";
import type { Collection } from "../here/collection.ts";
import type { Place } from "../here/place.ts";
import { endedOn } from "../here/consent/standing.ts";
import { type Verdict, isLost, MANY_COMMITS } from "../freshness/verdict.ts";
import { FORMER, parseClaim } from "../memory/claims/parse-claim.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
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
  files: (severity: "error" | "warning") => Promise<HealthFinding[]>;
  verdicts: () => Promise<ReadonlyMap<MemoryMetadata, Verdict>>;
}

type Found = HealthFinding | readonly HealthFinding[] | undefined;

export function finding(subject: string, words: string, ...remedies: Remedy[]): HealthFinding {
  return { subject, words, remedies };
}

export function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

export function byVerdict(find: (memory: MemoryMetadata, verdict: Verdict) => Found) {
  return async ({ verdicts }: HealthInput): Promise<HealthFinding[]> =>
    [...(await verdicts())].flatMap(([memory, verdict]) => find(memory, verdict) ?? []);
}

export function brokenNorm({ name }: MemoryMetadata, { isAlarm, words }: Verdict): Found {
  return isAlarm ? finding(name, words, remedy("show", name)) : undefined;
}

export function outOfDate(
  { name }: MemoryMetadata,
  { standing, claims, words, isGone, marks }: Verdict,
): Found {
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

export function commitDrift({ name }: MemoryMetadata, { commits, paths, standing }: Verdict): Found {
  if (paths.checked.length === 0 || !commits || commits.count < MANY_COMMITS || standing === "stale")
    return undefined;
  return finding(
    name,
    `${commits.count} commits on its files since ${commits.since}`,
    remedy("check --confirm", name),
  );
}

export function claimDebt(
  { name, claims: texts }: MemoryMetadata,
  { claims: { unchecked } }: Verdict,
): Found {
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

export function overdue({ memories, place }: HealthInput): HealthFinding[] {
  return memories.flatMap((metadata) => {
    const { name } = metadata;
    const ended = endedOn(metadata, place.now());
    if (ended === undefined) return [];
    const words = `expired on ${ended}: shown only when a prompt asks about it, as expired; if it still applies, give it a later date`;
    const goesOn = remedy("edit", name, { expires: "DATE" });
    return finding(name, words, remedy("remove", name, { reason: "expired" }), goesOn);
  });
}

/** A context holds so many statements whole; models are reported to follow 150 to 200 instructions, their client's own among them. */
const MANY_RULES = 100;

export function ruleBudget({ memories, collection }: HealthInput): HealthFinding[] {
  const rules = memories.filter(
    ({ type, scope }) => collection.types.get(type)?.injection === "always" && scope.paths.length === 0,
  );
  const found: HealthFinding[] = [];
  const add = (words: string, ...remedies: Remedy[]): number =>
    found.push(finding(`${rules.length} rules`, words, ...remedies));
  if (rules.length > MANY_RULES)
    add(
      `more than ${MANY_RULES} are in every session, too many to follow: remove those that no longer matter, limit others to paths`,
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
export async function poorStatements({ memories, collection, place }: HealthInput): Promise<HealthFinding[]> {
  const { lines, leftCount, budgetChars } = await printMap(place);
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
        `its statement has ${length} characters, and a map line shows ${MAX_LINE_CHARS}: say what it is about, and put the rest in the text`,
        remedy("edit", name, { statement: "ONE LINE" }),
      ),
    ),
  ];
}
