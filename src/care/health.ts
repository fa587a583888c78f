import { existsSync } from "node:fs";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { type Collection, openCollection } from "../here/collection.ts";
import { bareFacts } from "../here/bare-facts.ts";
import type { Place } from "../here/place.ts";
import { brokenState } from "../here/consent/review-store.ts";
import { endedOn } from "../here/consent/standing.ts";
import { type CheckReport, checkStores } from "./check-stores.ts";
import { type Problem, problemWords } from "../machine/heed-error.ts";
import { countWords } from "../machine/read-fields.ts";
import { FORMER } from "../memory/claims/parse-claim.ts";
import { type Verdict, NOT_CHECKED } from "../freshness/verdict.ts";
import { RepositoryHistory } from "../freshness/repository-history.ts";
import type { MemoryMetadata } from "../memory/memory.ts";
import { RULE_BUDGET_CHARS } from "../session/rules-here.ts";

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
  | "warnings"
  | "stranded"
  | "expired"
  | "aliases"
  | "rule-budget";

/** One kind of finding. */
export interface HealthSection {
  kind: HealthKind;
  title: string;
  /** What a memory says is not so, or its file is at fault; the rest is housekeeping. */
  isWrong: boolean;
  /** The first of them. */
  findings: HealthFinding[];
  /** How many there are. */
  count: number;
}

export interface HealthReport {
  total: number;
  /** Findings of sections that are wrong, and of the others. */
  errors: number;
  warnings: number;
  byType: Record<string, number>;
  byStanding: Record<string, number>;
  sections: HealthSection[];
}

/**
 * What mends a finding: a command of heed as data, so that a terminal can print it, a page make a button of it, and a
 * model say it to the user.
 */
export interface Remedy {
  /** As one types it after `heed`: `edit`, `check --fix`, `guard test`. */
  command: string;
  /** What the command is about, in its order: most often the name of a memory. What is to be filled in is in capitals. */
  args: string[];
  /** Options by their names, without dashes. */
  options?: Readonly<Record<string, string>>;
}

/** What findings are made from. */
interface HealthInput {
  place: Place;
  collection: Collection;
  memories: readonly MemoryMetadata[];
  broken: readonly Problem[];
  files: readonly Problem[];
  verdicts: ReadonlyMap<MemoryMetadata, Verdict>;
}

/** In the order in which they are told: what is false first, what is only large last. */
const TABLE: readonly (readonly [
  kind: HealthKind,
  title: string,
  isWrong: boolean,
  find: (input: HealthInput) => HealthFinding[] | Promise<HealthFinding[]>,
])[] = [
  ["broken", "Cannot be read: the last good version applies", true, ({ broken }) => broken.map(ofFile)],
  ["errors", "Errors in files", true, ({ files }) => files.filter(isError).map(ofFile)],
  ["violated", "The code breaks a requirement", true, brokenNorms],
  ["stale", "Out of date: the code changed", true, outOfDate],
  [
    "warnings",
    "Warnings about files",
    false,
    ({ files }) => files.filter((one) => !isError(one)).map(ofFile),
  ],
  ["stranded", "On other branches and worktrees", false, strandedMemories],
  ["expired", "Expired", false, overdue],
  ["aliases", "Facts that other words do not find", false, withoutAliases],
  ["rule-budget", "Rules that do not fit into a session's context", false, ruleBudget],
];

const MAX_FINDINGS = 20;
/** Past this many milliseconds git is not asked any more. */
const VERDICTS_MS = 20_000;

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
  const broken = await brokenState(place, collection);
  const told = broken.map(problemWords);
  const checked = known ?? (await checkStores(place));
  const verdicts = await verdictsOn(place, collection, memories);
  // What says already why a file cannot be read is not said twice.
  const files = [checked, ...checked.stores]
    .flatMap(({ problems }) => problems)
    .filter(({ message }) => !told.some((words) => words.includes(message)));
  const input: HealthInput = { place, collection, memories, broken, files, verdicts };
  const sections: HealthSection[] = [];
  for (const [kind, title, isWrong, find] of TABLE) {
    const found = await find(input);
    sections.push({ kind, title, isWrong, findings: found.slice(0, MAX_FINDINGS), count: found.length });
  }
  const countIn = (wanted: boolean): number =>
    sections.reduce((sum, { isWrong, count }) => sum + (isWrong === wanted ? count : 0), 0);
  return {
    total: memories.length,
    errors: countIn(true),
    warnings: countIn(false),
    byType: countWords(memories.map(({ type }) => type)),
    byStanding: countWords(
      [...verdicts.values()].map(({ standing, words }) =>
        words === NOT_CHECKED ? "nothing to check" : standing,
      ),
    ),
    sections,
  };
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
    const withHistory = performance.now() < deadlineAtMs;
    verdicts.set(metadata, await checker.on(metadata, collection, { withHistory }));
  }
  checker.save();
  return verdicts;
}

function finding(subject: string, words: string, ...remedies: Remedy[]): HealthFinding {
  return { subject, words, remedies };
}

function remedy(command: string, name: string, options?: Remedy["options"]): Remedy {
  return { command, args: [name], ...(options && { options }) };
}

const isError = ({ severity }: Problem): boolean => severity === "error";
const ofFile = (problem: Problem): HealthFinding => finding(problem.file, problemWords(problem));

function brokenNorms({ verdicts }: HealthInput): HealthFinding[] {
  return [...verdicts].flatMap(([{ name }, { isAlarm, words }]) =>
    isAlarm ? [finding(name, words, remedy("show", name))] : [],
  );
}

function outOfDate({ verdicts }: HealthInput): HealthFinding[] {
  return [...verdicts].flatMap(([{ name }, { standing, claims, words, isGone, marks }]) => {
    const { broken, unchecked } = claims;
    if (standing === "check" && unchecked.some(({ claim }) => claim.startsWith(FORMER)))
      return [finding(name, words, remedy("edit", name), remedy("check --confirm", name))];
    const isTrue = standing !== "stale" && marks.length === 0;
    if (isTrue && broken.every(({ isViolated }) => isViolated)) return [];
    const isKnown = broken.some(({ became }) => became);
    const hasEnded = isGone && broken.every(({ claim, isLost }) => isLost || claim.startsWith("until:"));
    const first = isKnown ? [remedy("check --fix", name)] : hasEnded ? [remedy("remove", name)] : [];
    return [finding(name, words, ...first, remedy("edit", name))];
  });
}

function overdue({ memories, place }: HealthInput): HealthFinding[] {
  return memories.flatMap((metadata) => {
    const { name } = metadata;
    const ended = endedOn(metadata, place.now());
    if (ended === undefined) return [];
    const words = `expired on ${ended}: shown only when a prompt asks about it, as expired; if it still applies, give it a later date`;
    const goesOn = remedy("edit", name, { expires: "DATE" });
    return [finding(name, words, remedy("remove", name, { reason: "expired" }), goesOn)];
  });
}

function withoutAliases({ memories, collection }: HealthInput): HealthFinding[] {
  const bare = bareFacts(collection, memories);
  return bare.slice(0, 1).map(({ name }) => {
    const words = "have no aliases: add other words that a search should find them by";
    return finding(`${bare.length} facts`, words, remedy("edit", name, { also: "PHRASE" }));
  });
}

function ruleBudget({ memories, collection }: HealthInput): HealthFinding[] {
  const rules = memories.filter(
    ({ type, scope }) => collection.types.get(type)?.injection === "always" && scope.paths.length === 0,
  );
  const chars = rules.reduce((sum, { statement, bodyLength }) => sum + statement.length + bodyLength, 0);
  if (chars <= RULE_BUDGET_CHARS) return [];
  const words = `${chars} characters with their reasons, ${RULE_BUDGET_CHARS} fit: reasons of the least salient ones are left out`;
  const list = { command: "list", args: [], options: { type: "feedback" } };
  return [finding(`${rules.length} rules`, words, list)];
}

/** Held to a branch or worktree that is not at hand. It may be elsewhere: only of a merged branch removal is offered. */
async function strandedMemories({ place, memories }: HealthInput): Promise<HealthFinding[]> {
  if (place.repository?.head === undefined) return [];
  const here = place.here();
  const held = memories.filter(({ scope: { branch, worktree, repo }, origin }) => {
    const of = repo ?? origin.repo;
    if (of !== undefined && !here.isRepositoryHere(of)) return false;
    return (branch !== undefined && branch !== here.branch) || isAbsent(worktree);
  });
  if (held.length === 0) return [];
  const asked = ["for-each-ref", "--merged=HEAD", "--format=%(refname)", "refs/heads", "refs/remotes"];
  // Without git nothing is known to be merged: the other findings stand.
  const output = await new RepositoryHistory(place.workRoot, place.env).git(asked).catch(() => "");
  const merged = new Set(
    output.split("\n").map((ref) => ref.replace(/^refs\/(?:heads|remotes\/[^/]+)\//, "")),
  );
  return held.map(({ name, scope: { branch = "", worktree, paths } }) => {
    const isMerged = !isAbsent(worktree) && merged.has(branch);
    const where = isAbsent(worktree)
      ? `in the worktree ${worktree}, which is not there now`
      : `on the branch ${branch}${isMerged ? ", which is merged" : ""}`;
    const widen = remedy("edit --no-branch", name, paths.length > 0 ? { path: paths.join(",") } : {});
    return finding(name, `holds only ${where}`, widen, ...(isMerged ? [remedy("remove", name)] : []));
  });
}

const isAbsent = (worktree: string | undefined): boolean => worktree !== undefined && !existsSync(worktree);
