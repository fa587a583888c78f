import {
  type Claim,
  FORMER,
  formatClaim,
  lastName,
  parseClaim,
  pathOfClaim,
  valueOfClaim,
} from "../memory/claims/parse-claim.ts";
import { changedAroundQuotations } from "../memory/codec/sections.ts";
import type { BrokenClaim } from "./verdict.ts";

export interface RepairedText {
  statement: string;
  body: string;
  claims: string[];
}

export interface RepairStep {
  was: string;
  becomes: string;
  /** `src/a.ts was renamed to src/b.ts`, with the commit where it is known. */
  words: string;
  since?: { commit: string; date: string } | undefined;
}

/** The text with each broken claim as it holds now, quotations aside. What must be so is never repaired: there the code is at fault. */
export function proposeRepair(
  memory: RepairedText,
  broken: readonly BrokenClaim[],
): { text: RepairedText; changes: Partial<RepairedText>; steps: RepairStep[] } {
  let { statement, body } = memory;
  const steps: RepairStep[] = [];
  const claims: string[] = [];
  // What the text alone names is no claim of the memory.
  for (const text of new Set([...memory.claims, ...broken.map(({ claim }) => claim)])) {
    const isOwn = memory.claims.includes(text);
    const found = broken.find(({ claim, isViolated }) => claim === text && !isViolated);
    if (!found?.became) {
      if (isOwn) claims.push(text);
      continue;
    }
    const { claim: next, words } = found.became;
    steps.push({ was: text, becomes: next, words, since: found.since });
    if (isOwn && !claims.includes(next)) claims.push(next);
    const path = pathIn(next);
    for (const [old, fresh] of replacements(text, next)) {
      const replace = (part: string): string => replaceOutsidePath(part, old, fresh, path);
      statement = replace(statement);
      body = changedAroundQuotations(body, replace);
    }
  }
  // A statement that says the value in words of its own stays in doubt until somebody looks at it.
  if (statement === memory.statement && !claims.some((claim) => claim.startsWith(FORMER)))
    claims.push(...steps.filter(isAnotherValue).map(({ was }) => FORMER + was));
  const changes = {
    ...(statement !== memory.statement && { statement }),
    ...(body !== memory.body && { body }),
    ...(steps.some(({ was }) => memory.claims.includes(was)) && { claims }),
  };
  return { text: { statement, body, claims }, changes, steps };
}

/** What a claim names is where it was, and has another value. */
export function isAnotherValue({ was, becomes }: Pick<RepairStep, "was" | "becomes">): boolean {
  const [old, fresh] = [parseClaim(was).claim, parseClaim(becomes).claim];
  const value = old && valueOfClaim(old);
  return value !== undefined && fresh !== undefined && value !== valueOfClaim(fresh);
}

const OPERATORS = "@|=| = |: |:| is | is `|` is `|` = `|`: `|` to `|` is | to ".split("|");

/** The words in which the text may name what changed, the longest first. */
function replacements(was: string, becomes: string): [string, string][] {
  const [old, fresh] = [parseClaim(was).claim, parseClaim(becomes).claim];
  if (!old || !fresh) return [];
  const of = (part: (claim: Claim) => string): [string, string] => [part(old), part(fresh)];
  const pathOf = (claim: Claim): string => pathOfClaim(claim) ?? "";
  const fileOf = (claim: Claim): string => /[^/]*\.[^/]*$/.exec(pathOf(claim))?.[0] ?? "";
  const valued = (claim: Claim, operator: string): string => {
    const [name, value] = [nameIn(claim), valueOfClaim(claim)];
    return name === "" || value === undefined ? "" : name + operator + value;
  };
  return [
    of(formatClaim),
    of(pathOf),
    of(fileOf),
    ...OPERATORS.map((operator) => of((claim) => valued(claim, operator))),
    of(nameIn),
    of((claim) => lastName(nameIn(claim))),
  ].filter(([from, to]) => from !== "" && to !== "" && from !== to);
}

function nameIn(claim: Claim): string {
  if (claim.kind === "symbol") return claim.symbol;
  return claim.kind === "config" ? claim.keys.join(".") : "name" in claim ? claim.name : "";
}

function pathIn(text: string): string {
  const { claim } = parseClaim(text);
  return (claim && pathOfClaim(claim)) ?? "";
}

/** A symbol may be called as its file is: the file's name is not the symbol's. */
function replaceOutsidePath(text: string, old: string, fresh: string, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/[./]/.test(old) || !name.includes(old)) return replaceWord(text, old, fresh);
  return text
    .split(name)
    .map((part) => replaceWord(part, old, fresh))
    .join(name);
}

/** Where a word, and where a path begins and ends: `./src/a.ts` names it, `lib/src/a.ts` and `a.ts.orig` name something else. */
const WORD_EDGES = [/(?<![\p{L}\p{N}_$@-])/uy, /(?![\p{L}\p{N}_$-])/uy] as const;
const PATH_EDGES = [
  /(?<![\p{L}\p{N}_$@-])(?<![\p{L}\p{N}_)\]][./])(?<!\.\.\/)/uy,
  /(?![\p{L}\p{N}_$-]|[./][\p{L}\p{N}_])/uy,
] as const;

/** Replaces whole occurrences only, not those inside a longer word or path. */
function replaceWord(text: string, old: string, fresh: string): string {
  const [before, after] = /[./]/.test(old) ? PATH_EDGES : WORD_EDGES;
  const isEdge = (edge: RegExp, at: number): boolean => {
    edge.lastIndex = at;
    return edge.test(text);
  };
  const [isLed, isTailed] = [/^[\p{L}\p{N}_$.@]/u.test(old), /[\p{L}\p{N}_$]$/u.test(old)];
  return text.replaceAll(old, (word, at: number) =>
    (!isLed || isEdge(before, at)) && (!isTailed || isEdge(after, at + word.length)) ? fresh : word,
  );
}
