import { type Claim, formatClaim, MAX_CLAIMS, pathOfClaim } from "../memory/claims/claim.ts";
import { parseClaim } from "../memory/claims/parse-claim.ts";
import { type Finding, type Machine, type ClaimCheck, NOT_IN_TIME } from "./claim-check.ts";
import { checkClaim } from "./check-claim.ts";
import type { ClaimCache } from "./claim-cache.ts";
import { MANIFESTS } from "./manifests.ts";
import type { Look, WorkTree } from "./work-tree.ts";

/** What claims are checked with. */
export interface ClaimContext {
  tree: WorkTree;
  machine: Machine;
  cache: ClaimCache;
  /** Of a detached HEAD: what does not hold there may hold on the branch, so that it counts as unchecked. */
  detached: string | undefined;
  /** Milliseconds of `performance.now()` at which checking stops. */
  deadlineAtMs: number;
}

/** The checks of a memory's claims, in its order. */
export interface ClaimsChecked {
  checks: ClaimCheck[];
  paths: { checked: string[]; missing: string[] };
  isCut: boolean;
}

/**
 * A file changed within this many milliseconds before it was read may change again without its times telling: such an
 * answer is not kept.
 */
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
