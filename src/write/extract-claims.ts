import { LIMITS } from "../memory/limits.ts";
import type { GateRefusal, MemoryHeader, MemoryDraft } from "../memory/memory.ts";
import { isSameText, memoryIn } from "../memory/memory.ts";
import { checkClaim } from "../freshness/check-claim.ts";
import { isNameGone, namedClaims, proposeClaims } from "../freshness/claims-of-text.ts";
import type { WorkTree } from "../freshness/work-tree.ts";
import { type Claim, FORMER, lastName, pathOfClaim, parseClaim } from "../memory/claims/parse-claim.ts";
import { withoutQuotations } from "../memory/codec/sections.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import { type Write, memoryOfDraft } from "./memory-of-draft.ts";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { explainBreak } from "../freshness/explain-break.ts";
import { RepositoryHistory } from "../freshness/repository-history.ts";
import { type ClaimBreak, type Finding, type Machine, unchecked } from "../freshness/verdict.ts";
import type { Place } from "../here/place.ts";

interface ClaimsInText {
  refusals: GateRefusal[];
  warnings: string[];
  claims: string[] | undefined;
}

export const CLAIMS_GATE = "claims";

/** The claims of a draft: declared ones must hold, those of its text are added when they hold, broken ones that it no longer names go. */
export async function extractClaims(
  place: Place,
  write: Write,
  policy: TypePolicy,
  checker: ClaimChecker = new ClaimChecker(place),
): Promise<ClaimsInText> {
  const { draft, current, store, proposed } = write;
  const about = current?.metadata ?? proposed ?? memoryOfDraft(place, write, policy);
  const had = (current?.metadata ?? proposed)?.claims ?? [];
  const isStatementNew = current?.metadata.statement !== draft.statement.trim();
  const given = draft.claims ?? had.filter((text) => !isStatementNew || !text.startsWith(FORMER));
  const isTextNew = !current || !isSameText(memoryIn(current), draft);
  if (!isTextNew && draft.claims === undefined) return { refusals: [], warnings: [], claims: undefined };
  // What applies everywhere makes no claims about the repository in which it was said.
  const isOfPlace =
    draft.scope !== "everywhere" &&
    (store.ref.kind === "project" || about.scope.repo !== undefined || policy.reach === "repository");
  const { tree, machine, why } = checker.treeOf(about, store.ref);
  const refusals: GateRefusal[] = [];
  const warnings: string[] = [];
  const kept: string[] = [];
  for (const text of given) {
    const isDeclared = !had.includes(text);
    const reading = parseClaim(text);
    if (!reading.claim) {
      if (isDeclared) refusals.push({ gate: CLAIMS_GATE, reason: reading.message, remedy: reading.remedy });
      else kept.push(text);
      continue;
    }
    const finding = tree ? await checkClaim(reading.claim, tree, machine) : unchecked(why);
    const isBroken = finding.state === "broken";
    if (!isDeclared) {
      if (!isBroken || isNamed(text, draft)) kept.push(text);
      continue;
    }
    const truth = tree && isBroken ? await becameOf(reading.claim, finding, { tree, machine }) : undefined;
    if (truth && truth.elsewhere === undefined) {
      refusals.push(refusalOf(finding.finding ?? "it does not hold", truth));
      continue;
    }
    kept.push(reading.text);
    if (finding.state !== "kept")
      warnings.push(`${reading.text} was not checked: ${truth?.elsewhere ?? finding.finding}`);
  }
  let found: string[] = [];
  if (isTextNew && tree && isOfPlace) {
    const roots = [tree.root, machine.root ?? tree.root];
    const named = namedClaims(`${draft.statement}\n\n${draft.body}`, tree, roots);
    const paths: string[] = [];
    for (const name of named) {
      const { claim } = parseClaim(name);
      if (claim?.kind === "path") paths.push(claim.path);
      if (claim?.kind !== "symbol") continue;
      if (isNameGone({ claim: name, ...(await checkClaim(claim, tree, machine)) }, tree))
        warnings.push(`${claim.path} holds no ${claim.symbol}`);
    }
    await tree.settle(paths, machine);
    const missing = paths.filter((path) => tree.look(path).kind === "missing");
    if (missing.length > 0)
      warnings.push(`${missing.length} of ${paths.length} paths in it are missing: ${missing.join(", ")}`);
    found = await proposalsOf(checker, draft, { tree, machine });
  }
  // What the writer says must be so is not claimed once more as what is.
  const isNews = (text: string): boolean =>
    !kept.includes(`must:${text}`) && (given.includes(text) || !had.includes(text));
  const claims = [...new Set([...kept, ...found.filter(isNews)])].slice(0, LIMITS.claims);
  const isSame = claims.length === had.length && claims.every((text, i) => text === had[i]);
  return { refusals, warnings, claims: isSame && current ? undefined : claims };
}

/** The claims that a text makes about a repository and that hold now; none where its files cannot be listed. */
export async function proposalsOf(
  checker: ClaimChecker,
  memory: Pick<MemoryHeader, "statement"> & { body: string },
  { tree, machine }: { tree: WorkTree; machine: Machine },
): Promise<string[]> {
  const files = await checker.filesOf(tree.root);
  const roots = [machine.root ?? tree.root, tree.root];
  return files ? proposeClaims(memory, { tree, machine, roots, files }) : [];
}

function refusalOf(finding: string, { became }: Pick<ClaimBreak, "became">): GateRefusal {
  return {
    gate: CLAIMS_GATE,
    reason: `a declared claim is false: ${finding}`,
    remedy: became
      ? `state what is true: ${became.claim} (${became.words})`
      : "leave it out, or state what is true",
    ...(became && { proposal: { claims: [became.claim] } }),
  };
}

function isNamed(text: string, { statement, body }: MemoryDraft): boolean {
  const { claim } = parseClaim(text);
  if (!claim) return true;
  const whole = `${statement}\n${withoutQuotations(body)}`;
  const path = pathOfClaim(claim);
  const words = [path, path?.slice(path.lastIndexOf("/") + 1)];
  if (claim.kind === "symbol") words.push(lastName(claim.symbol));
  else if (claim.kind === "config") words.push(claim.keys.at(-1));
  else if (claim.kind === "literal") words.push(claim.literal);
  else if ("name" in claim) words.push(claim.name);
  return words.some((word = "") => word !== "" && whole.includes(word));
}

const HISTORY_MS = 2_000;

/** What a broken claim became by git, or why nothing of it can be told here. */
export async function becameOf(
  claim: Claim,
  finding: Finding,
  { tree, machine }: { tree: WorkTree; machine: Machine },
): Promise<ClaimBreak> {
  const history = new RepositoryHistory(tree.root, machine.env, performance.now() + HISTORY_MS);
  return explainBreak(claim, finding, { tree, history, machine });
}
