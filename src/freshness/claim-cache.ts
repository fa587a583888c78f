import { LIMITS } from "../memory/limits.ts";
import { join } from "node:path";
import { asRecord } from "../machine/read-fields.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import {
  type Finding,
  type ClaimBreak,
  type Machine,
  type ClaimCheck,
  NOT_IN_TIME,
  unchecked,
} from "./verdict.ts";
import { readRegularFile } from "../machine/regular-file.ts";
import { sha256Hex } from "../machine/sha256.ts";
import { type Claim, formatClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { checkClaim, filesOf } from "./check-claim.ts";
import type { Look, WorkTree } from "./work-tree.ts";

/** A cache that has grown past this is not read but begun again. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The form of the file; another one is not read. Raise it when the meaning of a claim or finding changes. */
const FORM = 10;

interface Kept {
  /** The finding on a claim, while its files are as they were. */
  finding: Finding;
  /** What git knew about a broken claim, at the same commit and for the same finding. */
  break: ClaimBreak;
  commits: number;
  /** What the text of a memory names, by the hash of its file. */
  names: string[];
  /** A symbol that a text names was found here once: where it is not any more, it is gone. */
  seen: true;
}

/** Findings on the claims of one work tree, kept between processes. Derived; concurrent writers lose at most answers. */
export class ClaimCache {
  readonly #file: string;
  /** By kind and key; the stamp is what the answer rests on: states of files, or the commit of HEAD. */
  readonly #entries: Map<string, { stamp: string; value: unknown }>;
  #isChanged = false;

  /** `cache` is heed's cache directory, `root` the real path of the work tree. */
  constructor(cache: string, root: string) {
    this.#file = join(cache, "freshness", `${sha256Hex(root).slice(0, 24)}.json`);
    this.#entries = readCache(this.#file);
  }

  get<Kind extends keyof Kept>(kind: Kind, key: string, stamp: string): Kept[Kind] | undefined {
    const entry = this.#entries.get(`${kind} ${key}`);
    // Only `keep` puts values in.
    return entry?.stamp === stamp ? (entry.value as Kept[Kind]) : undefined;
  }

  keep<Kind extends keyof Kept>(kind: Kind, key: string, stamp: string, value: Kept[Kind]): void {
    this.#entries.set(`${kind} ${key}`, { stamp, value });
    this.#isChanged = true;
  }

  /** Writes what was added. Never throws: a cache that cannot be kept costs time only. */
  save(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const text = JSON.stringify({ form: FORM, entries: Object.fromEntries(this.#entries) });
    try {
      writeFileAtomic(this.#file, text, { isDurable: false, mode: 0o600 });
    } catch {
      // The next process finds it out again.
    }
  }
}

function readCache(file: string): Map<string, { stamp: string; value: unknown }> {
  try {
    const value = asRecord(JSON.parse(readRegularFile(file, { maxBytes: MAX_BYTES })));
    const entries = value?.["form"] === FORM ? asRecord(value["entries"]) : undefined;
    // Written by save; an entry edited by hand that lacks a stamp is never asked for.
    return new Map(Object.entries(entries ?? {})) as Map<string, { stamp: string; value: unknown }>;
  } catch {
    return new Map();
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

/** A file changed this short a time before it was read may change again with the same times: its answer is not kept. */
const RACY_MS = 200;
/** Reading and parsing is about this fast in the worst case: a file that would outlast the deadline is not begun. */
const CHARS_PER_MS = 2_000;

/** Checks claims, each from the cache where its files are as they were. */
export async function checkClaims(claims: readonly string[], context: ClaimContext): Promise<ClaimCheck[]> {
  const { detached } = context;
  const checks: ClaimCheck[] = [];
  for (const [i, text] of claims.entries()) {
    const reading = parseClaim(text);
    const found =
      i >= LIMITS.claims
        ? unchecked(`at most ${LIMITS.claims} claims of a memory are checked`)
        : reading.claim
          ? await findingOn(reading.claim, context)
          : unchecked(reading.message);
    const isBroken = detached !== undefined && found.state === "broken";
    checks.push({ claim: text, ...(isBroken ? unchecked(`${found.finding} in this ${detached}`) : found) });
  }
  return checks;
}

async function findingOn(claim: Claim, context: ClaimContext): Promise<Finding> {
  const { tree, machine, cache, deadlineAtMs } = context;
  const files = filesOf(claim);
  const left = deadlineAtMs - performance.now();
  if (left <= 0 && !claim.isFormer) return unchecked(NOT_IN_TIME);
  const looks = files.map((file) => tree.look(file));
  // A look decides what only names a path that is there.
  if (claim.isFormer || (claim.kind === "path" ? looks[0]?.kind !== "missing" : files.length === 0))
    return checkClaim(claim, tree, machine);
  const stamp = looks.map((look, i) => stampOf(look, () => tree.absenceStamp(files[i] ?? ""))).join("|");
  const text = formatClaim(claim);
  const known = cache.get("finding", text, stamp);
  if (known) return known;
  const states = looks.flatMap((look) => ("state" in look ? look.state : []));
  if (states.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / CHARS_PER_MS > left)
    return unchecked(NOT_IN_TIME);
  await tree.settle(files, { env: machine.env, timeoutMs: left });
  const finding = await checkClaim(claim, tree, machine);
  const since = Date.now() - RACY_MS;
  if (states.every(({ mtimeMs, ctimeMs }) => Math.max(mtimeMs, ctimeMs) <= since))
    cache.keep("finding", text, stamp, finding);
  return finding;
}

function stampOf(look: Look, absence: () => string): string {
  if (look.kind === "missing") return absence();
  return look.kind === "barred" ? look.why : Object.values(look.state).join();
}
