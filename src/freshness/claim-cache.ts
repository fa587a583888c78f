import { LIMITS } from "../memory/limits.ts";
import { join } from "node:path";
import { asRecord } from "../machine/read-fields.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { type Finding, type ClaimBreak, type Machine, type ClaimCheck, NOT_IN_TIME } from "./verdict.ts";
import { readRegularFile } from "../machine/regular-file.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { type Claim, formatClaim, pathOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { checkClaim, filesOf } from "./check-claim.ts";
import type { Look, WorkTree } from "./work-tree.ts";

/** A cache that has grown past this is not read but begun again. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The form of the file; another one is not read. Raise it when the meaning of a claim or finding changes. */
const FORM = 9;

interface Kept {
  /** The finding on a claim, while its files are as they were. */
  findings: Finding;
  /** What git knew about a broken claim, at the same commit and for the same finding. */
  breaks: ClaimBreak;
  commits: number;
  /** What the text of a memory names, by the hash of its file. */
  names: string[];
  /** A symbol that a text names was found here once: where it is not any more, it is gone. */
  seen: true;
}

interface Entry {
  /** What the answer rests on: states of files, or the commit of HEAD. */
  stamp: string;
  value: unknown;
}

type CacheFile = Record<keyof Kept, Record<string, Entry>>;

const EMPTY = (): CacheFile => ({ findings: {}, breaks: {}, commits: {}, names: {}, seen: {} });

/** Findings on the claims of one work tree, kept between processes. Derived; concurrent writers lose at most answers. */
export class ClaimCache {
  readonly #file: string;
  readonly #kept: CacheFile;
  #isChanged = false;

  /** `cache` is heed's cache directory, `root` the real path of the work tree. */
  constructor(cache: string, root: string) {
    const name = sha256Hex(root).slice(0, 24);
    this.#file = join(cache, "freshness", `${name}.json`);
    this.#kept = readCache(this.#file);
  }

  get<Part extends keyof Kept>(part: Part, key: string, stamp: string): Kept[Part] | undefined {
    const entry = Object.hasOwn(this.#kept[part], key) ? this.#kept[part][key] : undefined;
    // Only `keep` puts values in.
    return entry?.stamp === stamp ? (entry.value as Kept[Part]) : undefined;
  }

  keep<Part extends keyof Kept>(part: Part, key: string, stamp: string, value: Kept[Part]): void {
    const entries: Record<string, Entry> = this.#kept[part];
    entries[key] = { stamp, value };
    this.#isChanged = true;
  }

  /** Writes what was added. Never throws: a cache that cannot be kept costs time only. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
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
    const parts = Object.keys(EMPTY()).map((part) => [part, asRecord(value?.[part])] as const);
    if (value?.["form"] !== FORM || parts.some(([, part]) => !part)) return EMPTY();
    // Written by save; an entry edited by hand that lacks a stamp is never asked for.
    return Object.fromEntries(parts) as unknown as CacheFile;
  } catch {
    return EMPTY();
  }
}

interface ClaimContext {
  tree: WorkTree;
  machine: Machine;
  cache: ClaimCache;
  /** Set for a detached HEAD: what does not hold there may hold on the branch, so it counts as unchecked. */
  detached: string | undefined;
  deadlineAtMs: number;
}

export interface ClaimsChecked {
  checks: ClaimCheck[];
  paths: { checked: string[]; missing: string[] };
  isCut: boolean;
}

/** A file changed this short a time before it was read may change again with the same times: its answer is not kept. */
const RACY_MS = 200;
/** Reading and parsing is about this fast in the worst case: a file that would outlast the deadline is not begun. */
const CHARS_PER_MS = 2_000;

const TOO_MANY = { claim: undefined, message: `at most ${LIMITS.claims} claims of a memory are checked` };

/** Checks claims, each from the cache where its files are as they were. */
export async function checkClaims(claims: readonly string[], context: ClaimContext): Promise<ClaimsChecked> {
  const checks: ClaimCheck[] = [];
  const checked = new Set<string>();
  const missing = new Set<string>();
  let isCut = false;
  for (const [i, text] of claims.entries()) {
    const reading = i < LIMITS.claims ? parseClaim(text) : TOO_MANY;
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
      if (finding.state === "broken" && context.tree.look(path).kind === "missing") missing.add(path);
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
  if (claim.isFormer) return checkClaim(claim, tree, machine);
  const files = filesOf(claim);
  const left = deadlineAtMs - performance.now();
  if (left <= 0) return undefined;
  const looks = files.map((file) => tree.look(file));
  // A look decides what only names a path that is there.
  if (claim.kind === "path" ? looks[0]?.kind !== "missing" : files.length === 0)
    return checkClaim(claim, tree, machine);
  const stamp = files.map((file) => stampOf(tree.look(file), tree, file)).join("|");
  const text = formatClaim(claim);
  const known = cache.get("findings", text, stamp);
  if (known) return known;
  const size = looks.reduce((sum, look) => sum + (look.kind === "file" ? look.state.sizeBytes : 0), 0);
  if (size / CHARS_PER_MS > left) return undefined;
  await tree.settle(files, { env: machine.env, timeoutMs: left });
  const finding = await checkClaim(claim, tree, machine);
  const now = Date.now();
  if (looks.every((look) => !isRacy(look, now))) cache.keep("findings", text, stamp, finding);
  return finding;
}

function stampOf(look: Look, tree: WorkTree, file: string): string {
  if (look.kind === "missing") return tree.absenceStamp(file);
  if (look.kind === "barred") return look.why;
  const { mtimeMs, ctimeMs, sizeBytes, inode } = look.state;
  return `${mtimeMs},${ctimeMs},${sizeBytes},${inode}`;
}

function isRacy(look: Look, now: number): boolean {
  return "state" in look && now - Math.max(look.state.mtimeMs, look.state.ctimeMs) < RACY_MS;
}
