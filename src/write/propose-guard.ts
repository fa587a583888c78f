import { type InboxItem, inboxOf } from "../here/consent/inbox.ts";
import { join } from "node:path";
import type { WriteResult } from "./memory-of-draft.ts";
import { findMemory } from "../here/reading/find-memory.ts";
import type { Place } from "../here/place.ts";
import { asAsked, putPending } from "./ask-user.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { HeedError } from "../machine/heed-error.ts";
import { describeWholeGuard, failedExamplesOf, parseGuards } from "../guard/parse-guards.ts";
import type { Actor, GateRefusal } from "../memory/memory.ts";
import { BrokenYaml, parseYaml } from "../memory/codec/parse-yaml.ts";
import { isoSeconds } from "../machine/read-fields.ts";
import type { TypePolicy } from "../memory/memory-type.ts";
import type { StoredMemory } from "../store/files/scan-store.ts";
import type { StoreReader, StoreWrite } from "../store/store-reader.ts";

const EXAMPLE = '{ command: git push, flags: [--force], say: "use --force-with-lease" }';
/** A guard, or ten of them, is a few hundred characters. */
const MAX_GIVEN_CHARS = 4000;

type GivenGuards = { guards: readonly unknown[] } | { refusal: GateRefusal };

/** Reads a guard, or a list of them, that a writer gives for a rule. A text is read as YAML, and so as JSON. */
export async function readGivenGuards(given: unknown, policy: TypePolicy | undefined): Promise<GivenGuards> {
  if (policy?.injection !== "always")
    return refusalOf(
      `a ${policy?.name ?? "memory"} is no rule, and only rules carry guards`,
      "leave guard out, or write the rule as feedback",
    );
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

export function refused(message: string, remedy: string): HeedError {
  return new HeedError("gate-refused", `${message}. ${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`, {
    gate: "guard",
    remedy,
  });
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

/** A person's guard is put into the rule; anybody else's waits for a person, together with a rule that waits itself. */
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
  // A guard that is there already is no change.
  const isSame = all.length === guardsOf(found.metadata.guard).length;
  const changes = isSame ? {} : { guard: value, updated: isoSeconds(place.now()) };
  return new MemoryWriter(place, actor).amend(found, changes, { kind: "guard", why });
}

export const guardsOf = (raw: unknown): readonly unknown[] =>
  raw === undefined || raw === null ? [] : Array.isArray(raw) ? (raw as unknown[]) : [raw];

/** The guards that a rule does not have yet, however they are spelled. */
function newGuards({ metadata }: StoredMemory, guards: readonly unknown[]): unknown[] {
  const meaningOf = (raw: unknown): string => JSON.stringify(parseGuards(raw).guards);
  const known = new Set(guardsOf(metadata.guard).map(meaningOf));
  return guards.filter((guard) => {
    const isNew = !known.has(meaningOf(guard));
    known.add(meaningOf(guard));
    return isNew;
  });
}

/** Lets a guard wait for a person's yes; returns what is to be said about it. */
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
  if (isDeclined) return `the user declined this guard before (${words}): it is not proposed again`;
  const { memory, target } = asAsked(found);
  const guard = added.length === 1 ? added[0] : added;
  const reason = "a guard stops tools, so only you put it into force";
  const proposal = { reason, by, store: metadata.storeId, target, flags: ["isGuard"] as const };
  const named = { ...memory, name: `guard-${metadata.name}`.slice(0, 80), guard };
  const { name, code } = putPending(place, named, proposal);
  const typed = code === "" ? "" : `they type heed yes ${code} as a prompt, or `;
  return `the guard (${words}) needs the user's approval before it stops anything: ${typed}they run heed inbox confirm ${name} in a terminal`;
}

/** Puts a guard that waited into its rule, as a person said yes to it. */
export async function confirmGuard(
  place: Place,
  { memory }: InboxItem,
  store: StoreReader,
  rule: StoredMemory,
  actor: Actor,
): Promise<WriteResult> {
  const { file, memory: written } = await putGuards(place, rule, guardsOf(memory.guard), actor);
  const { metadata } = written;
  inboxOf(place).take(memory.name, metadata.contentHash);
  const announcement = `confirmed: the guard of ${rule.metadata.name} is in force: ${guardWords(memory.guard)}`;
  return { outcome: "amended", metadata, path: join(store.ref.root, file), announcement, warnings: [] };
}
