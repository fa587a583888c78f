import { type Proposal, codeOfItem, inboxOf } from "../here/consent/inbox.ts";
import { join } from "node:path";
import { cutText } from "../memory/shown-text.ts";
import { ruleTexts } from "../here/consent/rule-text.ts";
import type { WriteResult, Write } from "./memory-of-draft.ts";
import { openCollection } from "../here/collection.ts";
import { type FoundMemory, findMemory } from "../here/reading/find-memory.ts";
import type { Place } from "../here/place.ts";
import { isHeadless, readSession } from "../here/records/session-state.ts";
import { coversHere } from "../here/consent/standing.ts";
import { HeedError, refusedBy } from "../machine/heed-error.ts";
import type { Actor, MemoryMetadata, Memory, StoreKind, GateRefusal } from "../memory/memory.ts";
import { type MemoryAmendment, amendMemory } from "../memory/codec/encode-memory.ts";
import { localDay, isoSeconds } from "../machine/read-fields.ts";
import { quotingUser, withoutUserQuotations } from "../memory/codec/sections.ts";
import { handleOf, readOnlyWords, shortNameOf, STORE_WORDS } from "../memory/handle.ts";
import { type TypePolicy, isPersonal } from "../memory/memory-type.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import { shownDiff } from "../store/history/unified-diff.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { describeWholeGuard, failedExamplesOf, parseGuards } from "../guard/parse-guards.ts";
import { BrokenYaml, parseYaml } from "../memory/codec/front-matter.ts";
import type { StoreWrite } from "../store/history/change-record.ts";

function putPending(
  place: Place,
  memory: Memory,
  proposal: Omit<Proposal, "at">,
): Record<"name" | "code", string> {
  const inbox = inboxOf(place);
  const name = inbox.put(memory, { at: place.now().toISOString(), ...proposal });
  const item = inbox.get(name);
  return { name, code: item ? codeOfItem(item) : "" };
}

/** A stored memory as a question about it waits in the inbox: without what only its file says. */
function asAsked({ metadata, body }: Pick<StoredMemory, "metadata" | "body">): {
  memory: Memory;
  target: NonNullable<Proposal["target"]>;
} {
  const { storeId: _s, file: _f, mtimeMs: _m, sizeBytes: _b, bodyLength: _l, ...rest } = metadata;
  const { contentHash: hash, ...header } = rest;
  return { memory: { ...header, body }, target: { id: header.id, name: header.name, hash } };
}

/** The refusal for whoever wants a memory gone that only the user ends: the wish waits. `data.waits` has its code. */
export function askToForget(
  place: Place,
  found: FoundMemory,
  { reason, line, actor }: { reason: string; line: string | undefined; actor: Actor },
): HeedError {
  const { name, guard } = found.metadata;
  const handle = handleOf(found.metadata);
  const { id, kind, isReadOnly } = found.store;
  if (isReadOnly) return new HeedError("read-only", readOnlyWords(found.store), { store: id });
  const where = kind === "user" ? "" : ` from ${STORE_WORDS[kind]}`;
  const { memory, target } = asAsked(found);
  const text = withoutUserQuotations(memory.body);
  const body = line === undefined ? text : quotingUser(text, line, localDay(place.now()));
  const why = `a model asks to remove it${where}: ${reason}`;
  const proposal = { reason: why, by: actor, store: id, target, asks: "removal" as const };
  const { code } = putPending(place, { ...memory, body, name: `forget-${name}` }, proposal);
  const [gate, remedy] = [guard === undefined ? "user-word" : "guard", approvalOf(code, actor)] as const;
  const message = `only a person ends ${handle}: its removal${where} now needs approval. ${remedy}`;
  return new HeedError("gate-refused", message, { gate, remedy, waits: code });
}

export function announceRemoved(metadata: MemoryMetadata): string {
  return `removed: ${metadata.statement} [${handleOf(metadata)}]; not so? type: heed undo ${shortNameOf(metadata)}`;
}

/** How the user approves what waits: a model that asks them itself would only be told a yes that nobody can check. */
export function approvalOf(code: string, { client }: Pick<Actor, "client"> = {}, isUserless = false): string {
  if (client === "script")
    return `Answer by \`heed inbox\` in a terminal, or by \`heed yes ${code}\` or \`heed no ${code}\` as a prompt`;
  if (isUserless) return "Nobody can answer in this run: list it in your last message";
  return `The user answers in a dialog of heed's where one is shown, by \`heed inbox\` in a terminal, or by typing \`heed yes ${code}\` or \`heed no ${code}\` as a prompt`;
}

const MAX_STATEMENT_CHARS = 120;

/** One line that announces a change to the user, with the store where it is not theirs alone: `remembered as a rule (feedback): never use … [heed:no-verify]`. */
export function announce(
  verb: "remembered" | "changed" | "unchanged" | "confirmed",
  metadata: MemoryMetadata | Memory,
  policy: TypePolicy | undefined,
  store: StoreKind,
): string {
  const where = store === "user" ? "" : ` in ${STORE_WORDS[store]}`;
  return `${verb}${asWhat(policy)}${where} (${metadata.type}): ${cut(metadata.statement)} [${handleOf(metadata)}]`;
}

/** One line that announces what came by the user's quoted words: with their line, what it said before, and how it is undone. */
export function announceQuoted(
  metadata: Memory,
  policy: TypePolicy | undefined,
  before?: MemoryMetadata,
): string {
  const named = { name: (before ?? metadata).name, statement: metadata.statement };
  const { whole } = ruleTexts({ metadata, body: metadata.body });
  const isReworded = before && before.statement !== metadata.statement;
  const old = isReworded ? `; before: "${before.statement}"` : "";
  const undone = before ? "undo" : "forget";
  return `${before ? "changed" : "kept"}${asWhat(policy)}: ${whole} [${handleOf(named)}]${old}; not so? type: heed ${undone} ${shortNameOf(named)}`;
}

function announcePending(memory: Memory, code: string, reason: string, store: StoreKind): string {
  const where = store === "user" ? "" : `, for ${STORE_WORDS[store]}`;
  return `needs your approval (${memory.type}${where}): ${cut(memory.statement)} - ${reason}; type: heed yes ${code}, or heed no ${code}`;
}

function asWhat(policy: TypePolicy | undefined): string {
  if (policy?.injection === "always") return " as a rule";
  return isPersonal(policy) ? " about you" : "";
}

const cut = (text: string): string => cutText(text.replace(/\s+/g, " ").trim(), MAX_STATEMENT_CHARS);

/** A write that has passed the gates and waits for the user's approval, with its guards. */
interface Held extends Pick<Write, "actor" | "store" | "current" | "guards"> {
  memory: Memory;
  changes?: MemoryAmendment | undefined;
  reason: string;
}

export async function propose(
  place: Place,
  { memory: wanted, actor, store, current, changes, reason, guards }: Held,
): Promise<WriteResult> {
  const { metadata } = current ?? {};
  const status = changes?.status === "superseded" ? changes.status : "provisional";
  const memory: Memory = { ...wanted, ...(guards && { guard: guards }), status };
  const coverOf = current ? undefined : await coversHere(place, await openCollection(place));
  const same = coverOf?.(memory, store.ref.id);
  // As where its file was changed past heed: the approved text says it, and is in force.
  if (same) {
    const announcement = announce("unchanged", same, place.types.get(same.type), store.ref.kind);
    const path = join(store.ref.root, same.file);
    return { outcome: "unchanged", metadata: same, path, announcement, warnings: [] };
  }
  const target = current && asAsked(current).target;
  const proposal = { reason, by: actor, store: store.ref.id, target, asks: "memory" as const };
  const { name, code } = putPending(place, memory, proposal);
  const text = metadata && store.read(metadata.file).text;
  return {
    outcome: "pending",
    name,
    code,
    announcement: announcePending(memory, code, reason, store.ref.kind),
    reason: `${reason}: it needs approval and is not in force. ${approvalOf(code, actor, isHeadless(readSession(place.places, actor.session ?? "")))}`,
    ...(text !== undefined &&
      changes && { diff: shownDiff(metadata?.name ?? name, text, amendMemory(text, changes)) }),
  };
}

const EXAMPLE = '{ command: git push, flags: [--force], say: "use --force-with-lease" }';
const MAX_GIVEN_CHARS = 4000;

type GivenGuards = { guards: readonly unknown[] } | { refusal: GateRefusal };

export async function readGivenGuards(given: unknown, policy: TypePolicy | undefined): Promise<GivenGuards> {
  if (policy?.injection !== "always") return refusalOf(...noRule(policy));
  let value = given;
  if (typeof given === "string") {
    if (given.length > MAX_GIVEN_CHARS)
      return refusalOf("the guard is too long", `${MAX_GIVEN_CHARS} characters at most`);
    try {
      value = parseYaml(given);
    } catch (error) {
      if (!(error instanceof BrokenYaml)) throw error;
      return refusalOf(`the guard is no valid YAML or JSON: ${error.words}`, `for example ${EXAMPLE}`);
    }
  }
  const guards = Array.isArray(value) ? (value as unknown[]) : [value];
  const { guards: read, problems } = parseGuards(guards);
  const [problem = (await failedExamplesOf(guards))[0]] = problems;
  if (problem) return refusalOf(problem.message, `${problem.remedy}; for example ${EXAMPLE}`);
  return read.length > 0 ? { guards } : refusalOf("there is no guard in it", `for example ${EXAMPLE}`);
}

function noRule(policy: TypePolicy | undefined): [reason: string, remedy: string] {
  const reason = `a ${policy?.name ?? "memory"} is no rule, and only rules carry guards`;
  return [reason, "leave guard out, or write the rule as feedback"];
}

export function requireRule(policy: TypePolicy | undefined): void {
  if (policy?.injection !== "always") throw refused(...noRule(policy));
}

export function refused(message: string, remedy: string): HeedError {
  return refusedBy("guard", `${message}. ${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`, remedy);
}

function refusalOf(reason: string, remedy: string): { refusal: GateRefusal } {
  return { refusal: { gate: "guard", reason, remedy } };
}

export function guardWords(raw: unknown): string {
  return parseGuards(raw)
    .guards.map(({ guard }) => describeWholeGuard(guard))
    .join("; ");
}

type Written = Extract<WriteResult, { metadata: unknown }>;

export async function withGuards(
  place: Place,
  result: Written,
  guards: readonly unknown[],
  actor: Actor,
): Promise<Written> {
  if (guards.length === 0) return result;
  const found = await findMemory(place, result.metadata.id);
  if (actor.kind === "person") {
    const written = await putGuards(place, found, guards, actor);
    const isChanged = written.before !== written.after;
    const outcome = result.outcome === "unchanged" && isChanged ? "amended" : result.outcome;
    return { ...result, outcome, metadata: written.memory.metadata };
  }
  return { ...result, warnings: [...result.warnings, proposeGuards(place, found, guards, actor)] };
}

export async function putGuards(
  place: Place,
  found: StoredMemory,
  guards: readonly unknown[],
  actor: Actor,
): Promise<StoreWrite> {
  const all = [...guardsOf(found.metadata.guard), ...newGuards(found, guards)];
  const [problem] = parseGuards(all).problems;
  if (problem) throw refused(problem.message, problem.remedy);
  const value = all.length === 1 ? all[0] : all;
  const why = `guard ${found.metadata.name}: ${guardWords(guards)}`;
  const isSame = all.length === guardsOf(found.metadata.guard).length;
  const changes = isSame ? {} : { guard: value, updated: isoSeconds(place.now()) };
  return new MemoryWriter(place, actor).amend(found, changes, { kind: "guard", why });
}

export const guardsOf = (raw: unknown): readonly unknown[] =>
  raw === undefined || raw === null ? [] : Array.isArray(raw) ? (raw as unknown[]) : [raw];

function newGuards({ metadata }: StoredMemory, guards: readonly unknown[]): unknown[] {
  const meaningOf = (raw: unknown): string => JSON.stringify(parseGuards(raw).guards);
  const byMeaning = new Map(guards.map((guard) => [meaningOf(guard), guard]));
  for (const known of guardsOf(metadata.guard)) byMeaning.delete(meaningOf(known));
  return [...byMeaning.values()];
}

export function proposeGuards(
  place: Place,
  found: StoredMemory,
  guards: readonly unknown[],
  by: Actor,
): string {
  const { metadata } = found;
  const added = newGuards(found, guards);
  if (added.length === 0) return `${metadata.name} has this guard already`;
  const words = guardWords(added);
  const isDeclined = inboxOf(place)
    .listRejected()
    .some(({ memory, target }) => target === metadata.id && guardWords(memory.guard) === words);
  if (isDeclined) return `this guard was declined before (${words}): it is not proposed again`;
  const { memory, target } = asAsked(found);
  const guard = added.length === 1 ? added[0] : added;
  const reason = "only you add a guard, since it stops tools";
  const proposal = { reason, by, store: metadata.storeId, target, asks: "guard" as const };
  const named = { ...memory, name: `guard-${metadata.name}`.slice(0, 80), guard };
  const { name, code } = putPending(place, named, proposal);
  const typed = code === "" ? "" : `heed yes ${code} as a prompt, or `;
  return `the guard (${words}) stops nothing until a person approves it: ${typed}heed inbox confirm ${name} in a terminal`;
}
