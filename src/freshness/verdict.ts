import { valueOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import type { MemoryHeader } from "../memory/memory.ts";
import type { WorkTree } from "./work-tree.ts";

/** Whether a memory may be relied on: as far as was measured it holds, somebody should look, or something in it is false. */
export type Standing = "fresh" | "check" | "stale";

/** A claim that does not hold, with what git knows about it as far as it was asked. */
export type BrokenClaim = ClaimCheck &
  ClaimBreak & {
    /** It says what must be, and something else is there: the code is at fault, not the memory. Never repaired. */
    isViolated?: boolean;
  };

export interface Verdict {
  standing: Standing;
  /** A few words for a line: `stale: src/a.ts was renamed to src/b.ts in 3f2a1c9`. */
  words: string;
  recommendation: string;
  calendar: {
    /** `never` verified; `stale` or `fresh` by the date of the verification. */
    status: "never" | "stale" | "fresh";
    verified?: string | undefined;
    /** Days since it was verified, or written where it never was; absent when the file has no date. */
    ageDays?: number | undefined;
    /** After how many days its type asks for a check; null: never by itself. */
    checkAfterDays: number | null;
    isDue: boolean;
  };
  signals: Signals;
  /** The paths that it names, in claims or text. */
  paths: { checked: string[]; missing: string[] };
  /** Commits since it was verified or written, on those paths or, without any, in the repository; undefined: not counted. */
  commits?: { since: string; count: number } | undefined;
  marks: string[];
  /** What is not known: where a file is that is not here, whether the statement holds with another value. */
  doubts: string[];
  /** What a line says of it: what moved or is gone; empty where there is nothing to say. */
  mark: string;
  claims: { kept: string[]; broken: BrokenClaim[]; unchecked: ClaimCheck[] };
  /** What could not be measured, in words; with anything here the standing is never `fresh`. */
  unchecked: string[];
  /** It has claims, and of none is known that it holds, here or where its subject moved. */
  isGone: boolean;
  /** Something breaks what it says must be so: it is told first. */
  isAlarm: boolean;
  isCut: boolean;
}

interface Measured {
  checks: readonly ClaimCheck[];
  gone: readonly BrokenClaim[];
  breaks: ReadonlyMap<string, ClaimBreak>;
  paths: Verdict["paths"];
  commits: Verdict["commits"];
  unchecked: readonly string[];
  isCut: boolean;
}

/** Commits on its paths that ask for a check: in `npm run bench -- freshness` fewer are mostly false alarms. */
const MANY_COMMITS = 20;

const DAY_MS = 86_400_000;

/** Puts together what was measured. Commits only ever ask for a check; broken claims make it stale. The calendar is a date, and no finding. */
export function assessFreshness(
  memory: Pick<MemoryHeader, "created" | "updated" | "verified"> & Partial<Pick<MemoryHeader, "origin">>,
  policy: Pick<TypePolicy, "checkAfterDays" | "injection"> | undefined,
  measured: Partial<Measured>,
  now: Date,
): Verdict {
  const calendar = calendarOf(memory, policy?.checkAfterDays, now);
  const { breaks, gone = [], commits, unchecked = [], isCut = false } = measured;
  const { paths = { checked: [], missing: [] } } = measured;
  const checks = (measured.checks ?? []).map((check) => unlessAway(check, breaks?.get(check.claim)));
  const doubted = [...checks.filter(({ isTold }) => isTold), ...gone.filter(({ elsewhere }) => elsewhere)];
  const doubts = [...new Set(doubted.map(breakWords))];
  const marks = gone.filter(({ elsewhere }) => !elsewhere).map(breakWords);
  const kept = checks.filter(({ state }) => state === "kept").map(({ claim }) => claim);
  const open = checks.filter(({ state }) => state === "unchecked");
  const broken = checks
    .filter(({ state }) => state === "broken")
    .map((check): BrokenClaim => {
      const broken: BrokenClaim = { ...breaks?.get(check.claim), ...check };
      return isViolation(broken) ? { ...broken, isViolated: true } : broken;
    });
  // What moved and is the same where it is now needs its new address, and is told meanwhile.
  const lost = broken.filter((one) => !one.isViolated && !isMove(one));
  // A rule holds until the user ends it: a claim that no person gave does not.
  const isRule = policy?.injection === "always" && (memory.origin?.actor ?? "person") !== "person";
  const isStale = lost.length > 0 && !isRule;
  const found = open.map(({ finding }) => finding ?? "not measured");
  const reasons = [...new Set([...unchecked, ...found])].filter((reason) => !doubts.includes(reason));
  const hasManyCommits = paths.checked.length > 0 && commits !== undefined && commits.count >= MANY_COMMITS;
  const isMeasured = kept.length > 0 || (memory.verified !== undefined && !calendar.isDue);
  const standing: Standing = isStale
    ? "stale"
    : broken.length + marks.length + doubts.length > 0 ||
        hasManyCommits ||
        reasons.length > 0 ||
        isCut ||
        !isMeasured
      ? "check"
      : "fresh";
  const verdict = {
    standing,
    calendar,
    signals: {
      calendar: calendar.status,
      paths: { named: paths.checked.length, missing: paths.missing.length },
      commits: commits?.count,
    },
    paths,
    commits,
    marks,
    doubts: doubts.length > 1 ? [`${doubts[0]}, and ${doubts.length - 1} more`] : doubts,
    claims: { kept, broken, unchecked: open },
    unchecked: reasons,
    isGone:
      checks.length > 0 &&
      (isStale ? lost.length : 0) + checks.filter(({ isTold }) => isTold).length === checks.length,
    isAlarm: broken.some(({ isViolated }) => isViolated),
    isCut,
  };
  const words = wordsOf(verdict, hasManyCommits);
  return { ...verdict, words, mark: markOf(verdict, words), recommendation: recommendationOf(verdict) };
}

/** So much of the evidence is in a line. */
const MAX_MARK_CHARS = 160;

function markOf({ claims: { broken }, marks, doubts, paths, isAlarm }: Unworded, words: string): string {
  const places = broken.map((one) => (isMove(one) ? placeOf(one.became?.claim ?? "") : undefined));
  if (!isAlarm && broken.length > 0 && !places.includes(undefined))
    return `now ${[...new Set(places)].slice(0, 2).join(", ")}`;
  const said = broken.length > 0 ? words : [...marks, ...doubts, ...countOf(paths)].join("; ");
  // Never in the middle of a path.
  return said.length <= MAX_MARK_CHARS
    ? said
    : `${said.slice(0, MAX_MARK_CHARS).replace(/[\s,;:]*\S*$/, "")}…`;
}

/** A claim without its kind and value: `src/b.ts::MAX_ITEMS`. */
function placeOf(text: string): string {
  return text.replace(/^(?:must:)?(?:path|config):/, "").replace(/=.*$/, "");
}

function countOf({ checked, missing }: Verdict["paths"]): string[] {
  return missing.length === 0 ? [] : [`${missing.length} of ${checked.length} paths missing`];
}

/** How fresh a memory is, as figures: by the calendar, by the paths that it names, by commits since. */
export interface Signals {
  calendar: Verdict["calendar"]["status"];
  paths: { named: number; missing: number };
  /** Commits since it was verified or written, on its paths or, without any, in the repository; absent: not counted. */
  commits?: number | undefined;
}

/** What is not here is not false where git has it elsewhere, or did not say. */
function unlessAway(check: ClaimCheck, known: ClaimBreak | undefined): ClaimCheck {
  const unsaid =
    check.isAway && known?.unchecked ? `${check.finding ?? ""}, and ${known.unchecked}` : undefined;
  const why = known?.elsewhere ?? unsaid;
  if (check.state !== "broken" || why === undefined) return check;
  return { claim: check.claim, state: "unchecked", isTold: true, finding: why };
}

/** The subject is elsewhere, and what the claim says of it holds there. */
function isMove({ claim, became }: BrokenClaim): boolean {
  const [was, is] = [claim, became?.claim ?? ""].map((text) => parseClaim(text).claim);
  return was?.kind === is?.kind && was && is ? valueOfClaim(was) === valueOfClaim(is) : false;
}

/** It says what must be, and its subject is there and otherwise. */
function isViolation(broken: BrokenClaim): boolean {
  const { claim } = parseClaim(broken.claim);
  const isOtherwise = claim?.isAbsent || broken.actual !== undefined || broken.became !== undefined;
  return claim?.isInvariant === true && isOtherwise && !isMove(broken);
}

function isAllLost({ isGone, claims }: Unworded): boolean {
  return isGone && claims.broken.length > 0 && claims.broken.every(({ isLost }) => isLost);
}

function calendarOf(
  { created, updated = created, verified }: Pick<MemoryHeader, "created" | "updated" | "verified">,
  checkAfterDays: number | null = null,
  now: Date,
): Verdict["calendar"] {
  const days = Math.floor((now.getTime() - Date.parse(verified ?? updated ?? "")) / DAY_MS);
  const ageDays = Number.isNaN(days) ? undefined : Math.max(0, days);
  const isDue = checkAfterDays !== null && (ageDays === undefined || ageDays > checkAfterDays);
  const status = verified === undefined ? "never" : isDue ? "stale" : "fresh";
  return { status, verified, ageDays, checkAfterDays, isDue };
}

type Unworded = Omit<Verdict, "words" | "mark" | "recommendation">;

function wordsOf(verdict: Unworded, hasManyCommits: boolean): string {
  const { standing, calendar, claims, commits, marks, doubts, paths, unchecked, isCut } = verdict;
  const violated = claims.broken.find(({ isViolated }) => isViolated);
  if (violated)
    return `ALARM: ${breakWords(violated)}, and must be as this memory says: the change is at fault, not the memory`;
  const [first] = claims.broken.toSorted((a, b) => Number(isMove(a)) - Number(isMove(b)));
  if (first) {
    const more = claims.broken.length > 1 ? `, and ${claims.broken.length - 1} more` : "";
    if (isMove(first)) return `check: ${breakWords(first)}${more}; its contents still match`;
    const others = claims.kept.length === 1 ? "its other claim" : `its ${claims.kept.length} other claims`;
    const rest = claims.kept.length > 0 ? `; the rest holds: ${others}` : "";
    const unknown =
      first.unchecked === undefined || first.became || first.actual
        ? ""
        : "; heed has not looked yet where it went";
    return `${standing}: ${isAllLost(verdict) ? "everything it refers to is gone: " : ""}${breakWords(first)}${more}${unknown}${rest}`;
  }
  if (standing === "fresh") {
    const many = claims.kept.length === 1 ? "its claim holds" : `its ${claims.kept.length} claims hold`;
    const holds = claims.kept.length > 0 ? many : `verified ${calendar.verified?.slice(0, 10)}`;
    return `fresh: ${[holds, ...countOf(paths)].join("; ")}`;
  }
  const why = [
    ...marks,
    ...doubts,
    ...countOf(paths),
    ...(isCut ? [NOT_IN_TIME] : []),
    ...unchecked
      .filter((reason) => reason !== NOT_IN_TIME)
      .slice(0, 1)
      .map((reason) => `unchecked: ${reason}`),
    ...(commits && hasManyCommits ? [`${commits.count} commits on its files since`] : []),
  ];
  return why.length > 0 ? `check: ${why.join("; ")}` : NOT_CHECKED;
}

/** The words about what nothing is known of, which is no reason to look. */
export const NOT_CHECKED = "not checked: nothing in it can be checked against the code";

/** A broken claim in words, with the commit and what it became. */
export function breakWords({ claim, finding, since, became, moved, elsewhere }: BrokenClaim): string {
  const what = became?.words ?? moved ?? elsewhere ?? finding ?? claim;
  return since ? `${what} (${since.commit.slice(0, 8)}, ${since.date})` : what;
}

function recommendationOf(verdict: Unworded): string {
  const { standing, claims, unchecked, isAlarm } = verdict;
  if (isAlarm)
    return "tell the user at once: put back what must be so; only if the requirement itself changed, correct the memory with heed edit";
  if (standing !== "stale" && claims.broken.length > 0)
    return claims.broken.every(isMove)
      ? "rely on it at the new place; heed check --fix writes that down"
      : "the rule holds until the user ends it: show them what changed";
  if (standing === "stale") {
    if (claims.broken.some(({ became }) => became)) return "repair it: heed check --fix shows the change";
    return isAllLost(verdict)
      ? "what it tells of is gone: repair it with heed edit, or remove it"
      : "do not rely on the broken part; correct it with heed edit, or remove the memory";
  }
  if (standing === "fresh") return "rely on it";
  if (unchecked.length > 0) return "part of it could not be checked here: verify it before relying on it";
  if (claims.kept.length > 0) return "its claims hold; look whether the rest does, then heed check --confirm";
  return "look whether it still holds, then heed check --confirm";
}

export interface ClaimCheck {
  claim: string;
  state: "kept" | "broken" | "unchecked";
  /** For a broken one what is the case instead; for an unchecked one why. In words, without a full stop. */
  finding?: string;
  /** What the subject is now, where it has a value: the text that a repaired claim would state. */
  actual?: string | undefined;
  /** No file that it is about is here: it may be gone, moved or on another branch. */
  isAway?: true;
  /** Of an unchecked one: a line of the memory says so. */
  isTold?: true;
}

/** Result of a check, before it is known whose claim it is. */
export type Finding = Omit<ClaimCheck, "claim">;

export const KEPT: Finding = { state: "kept" };
export const unchecked = (finding: string): Finding => ({ state: "unchecked", finding });
export const broken = (finding: string, actual?: string): Finding => ({ state: "broken", finding, actual });

/** Files to check against: a work tree, or a commit. */
export interface Tree extends Pick<WorkTree, "text">, Partial<Pick<WorkTree, "settle">> {
  look(path: string): { kind: "file" | "folder" | "missing" } | { kind: "barred"; why: string };
}

export interface Machine {
  /** Directory inside the repository whose branches count; undefined: there is none. */
  root: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  now: Date;
}

/** What git knows about a broken claim. */
export interface ClaimBreak {
  /** The commit since which it does not hold; absent: not committed yet, or not known. */
  since?: { commit: string; date: string } | undefined;
  became?: { claim: string; words: string } | undefined;
  /** What became of its file, in words, when nothing took its place or the claim does not hold there either. */
  moved?: string | undefined;
  /** A commit took its file away, and nothing came in its place. */
  isLost?: true;
  /** Where it is instead of here, in words: nothing is wrong with it. */
  elsewhere?: string;
  unchecked?: string;
}

/** The finding on a claim for which there was no time. */
export const NOT_IN_TIME: string = "not re-checked in time";
