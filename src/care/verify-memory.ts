import { LIMITS } from "../memory/limits.ts";
import { ClaimChecker } from "../here/claims/claim-checker.ts";
import { type FoundMemory, findMemory } from "../here/reading/find-memory.ts";
import { openedStore } from "../here/opened-stores.ts";
import type { Place } from "../here/place.ts";
import { CLAIMS_GATE, becameOf, proposalsOf } from "../write/extract-claims.ts";
import { isUsersToChange, requireMayWrite } from "../write/write-consent.ts";
import { MemoryWriter } from "../write/memory-writer.ts";
import { HeedError } from "../machine/heed-error.ts";
import { checkClaim } from "../freshness/check-claim.ts";
import { type BrokenClaim, type Verdict, breakWords, unchecked } from "../freshness/verdict.ts";
import { isAnotherValue, type RepairStep, proposeRepair } from "../freshness/propose-repair.ts";
import type { Actor, MemoryMetadata, GateRefusal } from "../memory/memory.ts";
import { FORMER, parseClaim } from "../memory/claims/parse-claim.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/encode-memory.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import { handleOf } from "../memory/handle.ts";
import { shownDiff } from "../store/history/unified-diff.ts";

const MAX_NOTE_CHARS = 500;
/** A note that attests something says how it was checked, as "asked Kim" does and "ok" does not. */
const SAYS_HOW = /\S\s+\S|\S{12}/;
const GATE = "verification";

/** What a verification attests. */
export interface Attestation {
  /** Claims that hold, besides those that the memory has; they are added to it. */
  claims?: readonly string[];
  /** How it was checked, in a sentence. It alone attests a memory in which nothing can be checked by a claim. */
  note?: string;
}

/** Result of a verification. */
export type VerifyResult =
  | {
      outcome: "verified";
      metadata: MemoryMetadata;
      /** The claims that were checked and hold. */
      attested: string[];
      announcement: string;
      /** The change in the store's history. */
      change: string;
      verdict: Verdict;
    }
  | { outcome: "refused"; refusals: GateRefusal[]; verdict: Verdict };

/** Whether a repair is made, and of what. */
export interface RepairRequest {
  /** Make the repair; default false: only tell what it would be. */
  isApplied?: boolean;
  /** The hash of the proposal that was shown: exactly that is accepted. */
  ifHash?: string;
  /**
   * Without a proposal that was shown: take the code's value where the text gives another one; only a person may. Default
   * false: heed does not know which of the two is right.
   */
  takesValues?: boolean;
}

/** A repair as it is proposed, or as it was made. */
export interface RepairResult {
  /** `nothing`: no claim is broken, or of none it is known what it became. */
  outcome: "proposed" | "repaired" | "nothing";
  /** Whether the memory was changed. */
  isApplied: boolean;
  name: string;
  verdict: Verdict;
  steps: RepairStep[];
  /** Broken claims of which it is not known what they became. */
  open: string[];
  /** Unified diff of the memory's file. */
  diff: string;
  /** The content hash that the proposal is about: give it to `repair` to accept exactly this. */
  hash: string;
  /** The change in the store's history; `heed undo` takes it back. */
  change?: string;
}

/** Marks a memory as verified if all its claims and those given hold. Refused if one is false or unmeasured, or nothing was attested. */
export async function verifyMemory(
  place: Place,
  handle: string,
  attestation: Attestation,
  actor: Actor,
): Promise<VerifyResult> {
  const { claims: given, note } = attestation;
  requireMayWrite(place, actor);
  const found = await findMemory(place, handle);
  const { metadata, store } = found;
  requireWritable(found);
  const policy = place.types.get(metadata.type);
  const checker = new ClaimChecker(place);
  const { tree, machine, why: whyNone } = checker.treeOf(metadata, store);
  const refusals: GateRefusal[] = [];
  const refuse = (gate: GateRefusal["gate"], reason: string, remedy: string): number =>
    refusals.push({ gate, reason, remedy });
  const own = given ?? [];
  const isUsers = isUsersToChange(place, actor, metadata);
  if (isUsers && own.some((claim) => !metadata.claims.includes(claim)))
    refuse(
      "user-word",
      `only a person changes the claims of ${metadata.name}: it is a rule, or about them`,
      "memory_update {claims} asks them; without claims this only notes that you looked",
    );
  // Without any claim of its own it is extracted first: what its text names is what there is to check.
  const proposed =
    tree && metadata.claims.length === 0 && own.length === 0 && !isUsers
      ? await proposalsOf(checker, { statement: metadata.statement, body: found.body }, { tree, machine })
      : [];
  const attested: string[] = [];
  for (const text of [...new Set([...metadata.claims, ...own, ...proposed])].slice(0, LIMITS.claims)) {
    const reading = parseClaim(text);
    const { claim } = reading;
    // The statement is confirmed as it stands.
    if (claim?.isFormer && !isUsers) continue;
    if (!claim) {
      refuse(CLAIMS_GATE, reading.message, reading.remedy);
      continue;
    }
    const finding = tree ? await checkClaim(claim, tree, machine) : unchecked(whyNone);
    if (finding.state === "kept") {
      attested.push(reading.text);
      continue;
    }
    const truth =
      tree && finding.state === "broken" ? await becameOf(claim, finding, { tree, machine }) : undefined;
    if (!truth || truth.elsewhere !== undefined) {
      const why = truth?.elsewhere ?? finding.finding ?? "it was not measured";
      refuse(GATE, `${text} could not be checked: ${why}`, "verify it where it can be checked");
      continue;
    }
    const mend = claim.isInvariant
      ? `it says what must be: put that back in the code, or, if the requirement itself changed, heed edit ${metadata.name}`
      : metadata.claims.includes(text)
        ? `correct the memory: heed check --fix ${metadata.name}, or heed edit ${metadata.name}`
        : "state what holds";
    const holds = truth.became ? `what holds: ${truth.became.claim} (${truth.became.words}); ` : "";
    refuse(CLAIMS_GATE, `a claim is false: ${finding.finding ?? text}`, holds + mend);
  }
  const words = (note ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_NOTE_CHARS);
  if (refusals.length === 0 && attested.length === 0 && !SAYS_HOW.test(words))
    refuse(
      GATE,
      "nothing to confirm: the memory has no claim that can be checked",
      "give claims that hold (path:src/a.ts, dep:react@^18 …), or say in a note of at least two words how you checked it",
    );
  if (refusals.length > 0) {
    const verdict = await checker.verdictOn(metadata, store, policy, { withHistory: true });
    checker.save();
    return { outcome: "refused", refusals, verdict };
  }
  const had = metadata.claims.filter((text) => isUsers || !text.startsWith(FORMER));
  const claims = [...had, ...attested.filter((text) => !had.includes(text))];
  const changes: MemoryAmendment = {
    verified: isoSeconds(place.now()),
    ...(claims.join("\n") !== metadata.claims.join("\n") && { claims }),
  };
  const why = `verified: ${attested.length > 0 ? `${attested.length} ${attested.length === 1 ? "claim holds" : "claims hold"}` : "attested"}${words === "" ? "" : `; ${words}`}`;
  const written = await new MemoryWriter(place, actor).amend(found, changes, { kind: "verify", why });
  const verdict = await checker.verdictOn(written.memory.metadata, store, policy, { withHistory: true });
  checker.save();
  return {
    outcome: "verified",
    metadata: written.memory.metadata,
    attested,
    announcement: `${why} [${handleOf(metadata)}]`,
    change: written.change?.id ?? "",
    verdict,
  };
}

/**
 * Proposes (or with `isApplied` makes) the repair that git shows. A differing value is repaired only by a person who
 * was shown it or set `takesValues`. @param request `ifHash` refuses (`changed-outside`) when the memory changed
 * since it was shown.
 */
export async function repairMemory(
  place: Place,
  handle: string,
  request: RepairRequest,
  actor: Actor,
): Promise<RepairResult> {
  const found = await findMemory(place, handle);
  const { metadata, store, body } = found;
  if (request.isApplied) {
    requireMayWrite(place, actor);
    requireWritable(found);
  }
  if (request.ifHash !== undefined && request.ifHash !== metadata.contentHash)
    throw new HeedError(
      "changed-outside",
      `${metadata.file} was changed since the repair was proposed: look at it again`,
      { file: metadata.file },
    );
  const checker = new ClaimChecker(place);
  const policy = place.types.get(metadata.type);
  const verdict = await checker.verdictOn(metadata, store, policy, { withHistory: true });
  checker.save();
  const isDecided =
    !request.isApplied ||
    (actor.kind === "person" && (request.ifHash !== undefined || request.takesValues === true));
  const held = isDecided ? [] : verdict.claims.broken.filter(hasAnotherValue);
  const { changes: repaired, steps } = proposeRepair(
    { statement: metadata.statement, body, claims: metadata.claims },
    verdict.claims.broken.filter((claim) => !held.includes(claim)),
  );
  const open = verdict.claims.broken
    .filter((claim) => !claim.became || claim.isViolated || held.includes(claim))
    .map((claim) => `${claim.claim}: ${breakWords(claim)}${whyOpen(claim, held.includes(claim))}`);
  const result = { name: metadata.name, isApplied: false, verdict, steps, open, hash: metadata.contentHash };
  if (steps.length === 0) return { ...result, outcome: "nothing", diff: "" };
  const files = openedStore(place, store);
  const before = files.read(metadata.file).text ?? "";
  const changes = { ...repaired, updated: isoSeconds(place.now()) };
  if (!request.isApplied) {
    const diff = shownDiff(metadata.name, before, amendMemory(before, changes));
    return { ...result, outcome: "proposed", diff };
  }
  const reasons = [...new Set(steps.map(({ words }) => words))];
  const why = `repaired: ${reasons.join("; ")}`.slice(0, MAX_NOTE_CHARS);
  const written = await new MemoryWriter(place, actor).amend(found, changes, { kind: "repair", why });
  const after = await checker.verdictOn(written.memory.metadata, store, policy, { withHistory: true });
  const diff = shownDiff(metadata.name, before, written.after);
  return {
    ...result,
    outcome: "repaired",
    isApplied: true,
    verdict: after,
    diff,
    hash: written.memory.metadata.contentHash,
    ...(written.change && { change: written.change.id }),
  };
}

/** Which of the two values is right is for a person to say. */
export function hasAnotherValue({ claim, became, isViolated }: BrokenClaim): boolean {
  return !isViolated && became !== undefined && isAnotherValue({ was: claim, becomes: became.claim });
}

function whyOpen({ isViolated }: BrokenClaim, isForUser: boolean): string {
  if (isViolated) return "; it must be so by this memory, and is not repaired: the change is at fault";
  return isForUser ? "; a person decides which of the two is right" : "";
}

function requireWritable({ metadata, store }: FoundMemory): void {
  if (!store.isReadOnly && metadata.section === undefined) return;
  throw new HeedError(
    "read-only",
    `${store.root} belongs to another tool and is only read: edit ${metadata.file} there`,
    { store: store.id },
  );
}
