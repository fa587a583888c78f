import { join } from "node:path";
import { asRecord } from "../memory/codec/read-fields.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import type { Finding, ClaimBreak } from "./claim-check.ts";
import { readRegularFile } from "../platform/regular-file.ts";
import { sha256Hex } from "../platform/sha256.ts";

/** So many answers are kept of one work tree; the oldest go first. */
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
