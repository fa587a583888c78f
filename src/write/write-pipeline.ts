import type { Actor, GateRefusal, Memory, MemoryDraft, MemoryMetadata } from "../memory/memory.ts";
import { memoryIn, memoryKey } from "../memory/memory.ts";
import { inboxOf } from "../here/consent/inbox.ts";
import { join } from "node:path";
import { type WriteResult, type Write, amendmentOfDraft, memoryOfDraft, nameFor } from "./memory-of-draft.ts";
import type { ClaimChecker } from "../here/claims/claim-checker.ts";
import type { Place } from "../here/place.ts";
import { logTrouble } from "../here/trouble-log.ts";
import { announceLater } from "../here/records/announcements.ts";
import type { InjectedMemory, QuotedPassage } from "../here/records/session-state.ts";
import { injectedAs, readSession, recordSession } from "../here/records/session-state.ts";
import { covers, standingNote, endedOn } from "../here/consent/standing.ts";
import { extractClaims } from "./extract-claims.ts";
import { announce, announceQuoted, propose } from "./ask-user.ts";
import { type Checked, type Stock, checkDraft, holdsBeside, stockOf } from "./gate-context.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { isPersonal } from "../memory/memory-type.ts";
import { isSameStatement, repeatsText } from "./gates/near-memories.ts";
import { HeedError } from "../machine/heed-error.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/encode-memory.ts";
import { hasReason, missingAsks, withParts } from "../memory/codec/sections.ts";
import { isShortFor, plainHandle, readOnlyWords, slugOf } from "../memory/handle.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { shownDiff } from "../store/history/unified-diff.ts";
import type { StoreReader } from "../store/store-reader.ts";

export async function enterStore(place: Place, given: Write): Promise<WriteResult> {
  const { actor, store } = given;
  const { id, isReadOnly } = store.ref;
  if (isReadOnly) throw new HeedError("read-only", readOnlyWords(store.ref), { store: id });
  await place.learnRepository();
  const stock = await stockOf(place, store);
  const write = await resolveTarget(place, given, stock);
  const { current } = write;
  const checked = await check(place, write, stock);
  if (Array.isArray(checked)) return { outcome: "refused", refusals: checked };
  const { memory, changes, near, waits } = checked;
  if (current && changes && Object.keys(changes).length === 0 && write.text === undefined) {
    // The answer tells of a memory in force: should it go, its session is told.
    noteInForce(place, write, current);
    return resultOf(place, "unchanged", current, store, checked.warnings);
  }
  const policy = place.types.get(memory.type);
  const isOfFact = policy?.injection !== "always" && !isPersonal(policy);
  const isReworded = changes?.statement !== undefined;
  const isRestated = isOfFact ? isReworded : !changes || isReworded || changes.body !== undefined;
  // Recorded before the write, and told while it is so: a write that the user cannot be told of waits.
  const isAnnounced = waits.length === 0 && checked.door === "quote" && isRestated;
  if (isAnnounced && !tellUser(place, write, memory))
    waits.push("heed could not record the line that tells the user of it");
  if (waits.length > 0) noteWrite(place, actor);
  const result =
    waits.length > 0
      ? await propose(place, { ...write, memory, changes, reason: waits.join("; ") })
      : await commit(place, write, checked);
  // `commit` notes its own.
  if (waits.length > 0 && result.outcome === "unchanged") noteInForce(place, write, result);
  return near.length === 0 || result.outcome === "refused" ? result : { ...result, near };
}

async function resolveTarget(place: Place, given: Write, { collection, memories }: Stock): Promise<Write> {
  const { name, statement, links } = given.draft;
  const holds = (metadata: MemoryMetadata): boolean =>
    metadata.status !== "superseded" &&
    endedOn(metadata, place.now()) === undefined &&
    holdsBeside(place, metadata, given.store.ref.kind);
  const namesake = given.current
    ? undefined
    : // Whoever gives a name means the memory of that name, wherever it holds.
      (memories.find((one) => name !== undefined && slugOf(one.name) === slugOf(name)) ??
      memories.find((one) => isSameStatement(one.statement, statement) && holds(one)));
  const current = given.current ?? (namesake && (await collection.read(namesake)));
  if (current?.metadata.section !== undefined) {
    const { name: section, file, storeId: store } = current.metadata;
    const message = `${section} is one section of ${file}, which another tool owns: edit the file itself`;
    throw new HeedError("read-only", message, { store });
  }
  // A link by a short handle leads to the name, which stays when the statement changes.
  const named = links?.map((one) => {
    const target = memories.find((other) => isShortFor(plainHandle(one.to), other.name));
    return { ...one, to: target?.name ?? one.to };
  });
  const draft = { ...given.draft, ...(named && { links: named }) };
  const isSaidAgain =
    namesake !== undefined &&
    current !== undefined &&
    namesake.name !== slugOf(name ?? "") &&
    repeatsText(draft, memoryIn(current));
  return { ...given, current, draft: isSaidAgain ? saidAgain(draft, current) : draft };
}

function saidAgain(
  { statement: _same, reason, how, ...draft }: MemoryDraft,
  { metadata: { statement }, body }: StoredMemory,
): MemoryDraft {
  const text = withParts(body, { reason, how });
  return { ...draft, statement, body: text, ...(text !== body && { reason }) };
}

export interface Ready extends Checked {
  memory: Memory;
  changes: MemoryAmendment | undefined;
}

/** What a write becomes, or why it is refused: gates, claims and identity. Writes nothing. */
export async function check(
  place: Place,
  write: Write,
  stock: Stock,
  checker?: ClaimChecker,
): Promise<Ready | GateRefusal[]> {
  const { current, proposed } = write;
  const checked = await checkDraft(place, write, stock);
  if (Array.isArray(checked)) return checked;
  const { claims: _declared, ...draft } = checked.draft;
  const policy = place.types.get(draft.type);
  // Of an undeclared type that the memory had before the gates say nothing.
  if (!policy) return [{ gate: "schema", reason: "no type", remedy: "give one" }];
  const passed = { ...write, draft: checked.draft };
  const { claims, refusals, warnings } = await extractClaims(place, passed, policy, checker);
  if (refusals.length > 0) return refusals;
  // A made name is made of what is stored: the user's line may have taken the statement's place.
  const name =
    current?.metadata.name ?? draft.name ?? proposed?.name ?? ownName(place, write, stock, draft.statement);
  const final = { ...write, draft: { ...draft, name, ...(claims && { claims }) } };
  return {
    ...checked,
    draft: final.draft,
    warnings: [...checked.warnings, ...warnings],
    memory: memoryOfDraft(place, final, policy, checked),
    changes: current && amendmentOfDraft(place, { ...final, current }, policy, checked),
  };
}

function ownName(place: Place, { store }: Write, { collection }: Stock, statement: string): string {
  const taken = new Set([
    ...collection.memories().map((metadata) => metadata.name),
    ...store.listTombstones().map(({ memory }) => memory.metadata.name),
    ...inboxOf(place)
      .listRejected()
      .map(({ memory }) => memory.name),
  ]);
  return nameFor(statement, (made) => taken.has(made));
}

async function commit(place: Place, write: Write, checked: Ready): Promise<WriteResult> {
  const { actor, store, current, text } = write;
  const { memory, changes, warnings, by } = checked;
  const writer = new MemoryWriter(place, actor);
  if (!current || !changes) {
    const why = write.why ?? memory.statement;
    const created = await writer.create(store.ref, memory, { kind: "write", why });
    noteInForce(place, write, created.memory, by);
    return resultOf(place, "written", created.memory, store, warnings);
  }
  const edit =
    text === undefined ? changes : amendMemory(text, changesOfText(changes, checked.draft, write.draft));
  const fields = Object.keys(changes).filter((key) => key !== "updated");
  const amended = await writer.amend(current, edit, { kind: "write", why: `changed ${fields.join(", ")}` });
  noteInForce(place, write, amended.memory, by);
  if (amended.before === amended.after) return resultOf(place, "unchanged", amended.memory, store, warnings);
  const diff = shownDiff(amended.memory.metadata.name, amended.before ?? "", amended.after);
  return { ...resultOf(place, "amended", amended.memory, store, warnings), diff };
}

function changesOfText(
  { claims, origin, updated }: MemoryAmendment,
  passed: MemoryDraft,
  typed: MemoryDraft,
): MemoryAmendment {
  const regated = (["body", "statement", "tags", "expires"] as const)
    .filter((field) => passed[field] !== typed[field])
    .map((field) => [field, passed[field]]);
  const changed = [...regated, ...Object.entries({ claims, origin, updated })];
  return Object.fromEntries(changed.filter(([, value]) => value)) as MemoryAmendment;
}

/** Notes what was written for its session, and takes proposals of the same out of the inbox: they need no answer any more. */
function noteInForce(
  place: Place,
  { actor, store, proposed }: Write,
  written: Pick<StoredMemory, "metadata">,
  by?: QuotedPassage,
): void {
  if (endedOn(written.metadata, place.now()) !== undefined) return noteWrite(place, actor, written, { by });
  const form = place.types.get(written.metadata.type)?.injection === "always" ? "rule" : "line";
  noteWrite(place, actor, written, { form, by });
  const inbox = inboxOf(place);
  for (const { memory, proposal } of inbox.list()) {
    const isSame = !proposal.target && proposal.store === store.ref.id && covers(written.metadata, memory);
    if (isSame && memory.id !== proposed?.id) inbox.take(memory.name, written.metadata.contentHash);
  }
}

/** Leaves the line that tells the user of what came into force by their quoted words; whether it could be recorded. */
function tellUser(place: Place, { store: { ref }, current }: Write, memory: Memory): boolean {
  const before = current?.metadata;
  const about = {
    key: memoryKey({ storeId: ref.id, id: (before ?? memory).id }),
    description: memory.statement,
  };
  const line = announceQuoted(memory, place.types.get(memory.type), before);
  try {
    announceLater(place.places, { line, about, where: place.workRoot });
    return true;
  } catch (error) {
    logTrouble("an announcement", error, place.env);
    return false;
  }
}

function resultOf(
  place: Place,
  outcome: "written" | "amended" | "unchanged",
  { metadata, body }: StoredMemory,
  { ref }: StoreReader,
  warnings: string[],
): Extract<WriteResult, { metadata: unknown }> {
  const verb = { written: "remembered", amended: "changed", unchanged: "unchanged" } as const;
  const policy = place.types.get(metadata.type);
  const lacksReason = policy?.needs.includes("grounds") && !hasReason(body);
  const lacked = policy ? missingAsks({ ...metadata, body }, policy) : "";
  const missing = lacksReason ? "; no reason was given" : lacked === "" ? "" : `; missing: ${lacked}`;
  const said = announce(verb[outcome], metadata, policy, ref.kind) + (outcome === "written" ? missing : "");
  return {
    outcome,
    metadata,
    path: join(ref.root, metadata.file),
    announcement: said + standingNote(ref, metadata, place.now()),
    warnings,
  };
}

/** Notes a model's write, or a typed removal, in the session's log: nobody is told what they just said or heard. */
export function noteWrite(
  { places, now, env }: Place,
  { kind, door, session, agent }: Actor,
  written?: Pick<StoredMemory, "metadata">,
  { form = "none", by }: { form?: InjectedMemory["form"]; by?: QuotedPassage | undefined } = {},
): void {
  const isSaid = kind === "model" || (door === "formula" && form === "none");
  if (!isSaid || session === undefined || agent !== undefined) return;
  const memories = written ? [injectedAs(written.metadata, form)] : [];
  try {
    if (readSession(places, session).isKnown)
      recordSession(places, session, [
        { kind: "wrote", time: now().toISOString(), memories, ...(by && { by }) },
      ]);
  } catch (error) {
    logTrouble("the session's log", error, env);
  }
}
