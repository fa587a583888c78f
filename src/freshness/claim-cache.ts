import { join } from "node:path";
import { asRecord } from "../memory/codec/read-fields.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import { type Finding, type ClaimBreak, type Machine, type ClaimCheck, NOT_IN_TIME } from "./verdict.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { sha256Hex } from "../platform/sha256.ts";
import type { Claim } from "../memory/claims/parse-claim.ts";
import { formatClaim, MAX_CLAIMS, pathOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { checkClaim } from "./check-claim.ts";
import { MANIFESTS } from "./manifests.ts";
import type { Look, WorkTree } from "./work-tree.ts";

const MAX_ENTRIES = 5_000;
/** A cache that has grown past this is not read but begun again. */
const MAX_BYTES = 8 * 1024 * 1024;
/** The form of the file; another one is not read. Raise it when the meaning of a claim or finding changes. */
const FORM = 3;

interface Entry {
  /** What the answer rests on: states of files, or the commit of HEAD. */
  stamp: string;
  /** When it was made, in milliseconds. */
  at: number;
}

interface CacheFile {
  findings: Record<string, Entry & { finding: Finding }>;
  breaks: Record<string, Entry & { found: ClaimBreak }>;
  commits: Record<string, Entry & { count: number }>;
}

const EMPTY = (): CacheFile => ({ findings: {}, breaks: {}, commits: {} });

/**
 * What was found out about the claims on one work tree, kept between processes. Derived: when it is gone or broken, all
 * is found out again. Two processes that write it at once may lose each other's answers, never anything else.
 */
export class ClaimCache {
  readonly #file: string;
  #kept: CacheFile;
  #isChanged = false;

  /** `cache` is heed's cache directory, `root` the real path of the work tree. */
  constructor(cache: string, root: string) {
    const name = sha256Hex(root).slice(0, 24);
    this.#file = join(cache, "freshness", `${name}.json`);
    this.#kept = readCache(this.#file);
  }

  /** An answer that rests on the same states of files. */
  finding(claim: string, stamp: string): Finding | undefined {
    const entry = own(this.#kept.findings, claim);
    return entry?.stamp === stamp ? entry.finding : undefined;
  }

  keepFinding(claim: string, stamp: string, finding: Finding, at: number): void {
    this.#kept.findings[claim] = { stamp, at, finding };
    this.#isChanged = true;
  }

  /** What git knew about a broken claim, at the same commit and for the same finding. */
  breakOf(claim: string, stamp: string): ClaimBreak | undefined {
    const entry = own(this.#kept.breaks, claim);
    return entry?.stamp === stamp ? entry.found : undefined;
  }

  keepBreak(claim: string, stamp: string, found: ClaimBreak, at: number): void {
    this.#kept.breaks[claim] = { stamp, at, found };
    this.#isChanged = true;
  }

  /** Commits counted at the same HEAD. */
  commits(key: string, head: string): number | undefined {
    const entry = own(this.#kept.commits, key);
    return entry?.stamp === head ? entry.count : undefined;
  }

  keepCommits(key: string, head: string, count: number, at: number): void {
    this.#kept.commits[key] = { stamp: head, at, count };
    this.#isChanged = true;
  }

  /** Writes what was added. Never throws: a cache that cannot be kept costs time only. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const { findings, breaks, commits } = this.#kept;
    this.#kept = { findings: newest(findings), breaks: newest(breaks), commits: newest(commits) };
    try {
      writeFileAtomic(this.#file, JSON.stringify({ form: FORM, ...this.#kept }), {
        isDurable: false,
        mode: 0o600,
      });
    } catch {
      // The next process finds it out again.
    }
  }
}

function readCache(file: string): CacheFile {
  try {
    const value = asRecord(JSON.parse(readRegularFile(file, { maxBytes: MAX_BYTES })));
    const [findings, breaks, commits] = [value?.["findings"], value?.["breaks"], value?.["commits"]].map(
      asRecord,
    );
    if (value?.["form"] !== FORM || !findings || !breaks || !commits) return EMPTY();
    // Written by save; an entry edited by hand that lacks a stamp is never asked for.
    return { findings, breaks, commits } as unknown as CacheFile;
  } catch {
    return EMPTY();
  }
}

function own<T>(record: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function newest<T extends Entry>(record: Record<string, T>): Record<string, T> {
  const entries = Object.entries(record);
  if (entries.length <= MAX_ENTRIES) return record;
  return Object.fromEntries(entries.sort((a, b) => b[1].at - a[1].at).slice(0, MAX_ENTRIES));
}

interface ClaimContext {
  tree: WorkTree;
  machine: Machine;
  cache: ClaimCache;
  /** Set for a detached HEAD: what does not hold there may hold on the branch, so it counts as unchecked. */
  detached: string | undefined;
  deadlineAtMs: number;
}

/** The checks of a memory's claims, in its order. */
export interface ClaimsChecked {
  checks: ClaimCheck[];
  paths: { checked: string[]; missing: string[] };
  isCut: boolean;
}

/** A file changed this short a time before it was read may change again with the same times: its answer is not kept. */
const RACY_MS = 200;
/** Reading and parsing is about this fast in the worst case: a file that would outlast the deadline is not begun. */
const CHARS_PER_MS = 2_000;

const TOO_MANY = { claim: undefined, message: `of one memory ${MAX_CLAIMS} claims are checked at most` };

/** Checks claims, each from the cache where its files are as they were. */
export async function checkClaims(claims: readonly string[], context: ClaimContext): Promise<ClaimsChecked> {
  const checks: ClaimCheck[] = [];
  const checked = new Set<string>();
  const missing = new Set<string>();
  let isCut = false;
  for (const [i, text] of claims.entries()) {
    const reading = i < MAX_CLAIMS ? parseClaim(text) : TOO_MANY;
    if (!reading.claim) {
      checks.push({ claim: text, state: "unchecked", finding: reading.message });
      continue;
    }
    const { claim } = reading;
    const finding = await oneFinding(claim, context);
    if (finding === undefined) {
      isCut = true;
      checks.push({ claim: text, state: "unchecked", finding: NOT_IN_TIME });
      continue;
    }
    const path = pathOfClaim(claim);
    if (path !== undefined) {
      checked.add(path);
      if (context.tree.look(path).kind === "missing" && !claim.isAbsent) missing.add(path);
    }
    checks.push({ claim: text, ...attached(finding, context) });
  }
  return { checks, paths: { checked: [...checked], missing: [...missing] }, isCut };
}

function attached(finding: Finding, { detached }: ClaimContext): Finding {
  if (detached === undefined || finding.state !== "broken") return finding;
  return { state: "unchecked", finding: `${finding.finding ?? "it does not hold"} in this ${detached}` };
}

async function oneFinding(claim: Claim, context: ClaimContext): Promise<Finding | undefined> {
  const { tree, machine, cache, deadlineAtMs } = context;
  const files = filesOf(claim);
  const left = deadlineAtMs - performance.now();
  if (left <= 0) return undefined;
  if (files.length === 0) return checkClaim(claim, tree, machine);
  const looks = files.map((file) => tree.look(file));
  const stamp = looks.map(stampOf).join("|");
  const text = formatClaim(claim);
  const known = cache.finding(text, stamp);
  if (known) return known;
  const size = looks.reduce((sum, look) => sum + (look.kind === "file" ? look.state.sizeBytes : 0), 0);
  if (size / CHARS_PER_MS > left) return undefined;
  const finding = await checkClaim(claim, tree, machine);
  const now = Date.now();
  if (looks.every((look) => !isRacy(look, now))) cache.keepFinding(text, stamp, finding, now);
  return finding;
}

/** The files whose text decides a claim; none for what a look or a name decides. */
function filesOf(claim: Claim): string[] {
  switch (claim.kind) {
    case "symbol":
    case "literal":
    case "value":
    case "config":
      return [claim.path];
    case "script":
      return [inFolder(claim.folder, "package.json")];
    case "dependency":
      return MANIFESTS.map((name) => inFolder(claim.folder, name));
    default:
      return [];
  }
}

function inFolder(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

function stampOf(look: Look): string {
  if (look.kind === "missing") return "-";
  if (look.kind === "barred") return look.why;
  const { mtimeMs, ctimeMs, sizeBytes, inode } = look.state;
  return `${mtimeMs},${ctimeMs},${sizeBytes},${inode}`;
}

function isRacy(look: Look, now: number): boolean {
  return "state" in look && now - Math.max(look.state.mtimeMs, look.state.ctimeMs) < RACY_MS;
}
