import { join } from "node:path";
import type { Confirmation } from "../here/api/inbox.ts";
import type { WriteResult } from "../here/api/written-memory.ts";
import type { Place } from "../here/place.ts";
import { approvalOf } from "./ask-user.ts";
import { isPersonal } from "./write-consent.ts";
import { MemoryWriter } from "./memory-writer.ts";
import {
  askAgain,
  changedBounds,
  confirmWaiting,
  findWaitingMemory,
  inboxOf,
  isFixed,
  itemOf,
  rejectWaiting,
  statusWithYes,
  storeOf,
  targetOf,
} from "./pending-items.ts";
import { confirmGuard, guardsOf, withGuards } from "./propose-guard.ts";
import { enterStore, noteWrite } from "./write-pipeline.ts";
import { needsPerson } from "./gates/text-gates.ts";
import { codeOf, codeOfItem } from "../here/proposal-code.ts";
import { nearestNames } from "../memory/nearest-names.ts";
import { HeedError } from "../machine/heed-error.ts";
import { type Actor, type MemoryDraft, draftOf, type Memory } from "../memory/memory.ts";
import { handleOf, plainHandle, shortNameOf } from "../memory/handle.ts";

/** Approves what waits. Persons only, by whichever door: a model's claim that the user agreed can be checked by nobody. */
export async function confirmMemory(
  place: Place,
  handle: string,
  { edited = {}, code }: Confirmation,
  actor: Actor,
): Promise<WriteResult> {
  const requireShown = (now: string, file: string): void => {
    if (code !== undefined && code !== now)
      throw new HeedError("changed-outside", `${handle} was replaced since it was shown: look at it again`, {
        file,
      });
  };
  const isProposed = inboxOf(place).get(plainHandle(handle)) !== undefined;
  const waiting = isProposed ? undefined : await findWaitingMemory(place, handle);
  if (waiting) {
    requireUser(actor, "approves", waiting.metadata.name);
    requireShown(codeOf(waiting.metadata.contentHash), waiting.metadata.file);
    return confirmWaiting(place, waiting);
  }
  const item = itemOf(place, handle);
  const { memory, proposal } = item;
  requireUser(actor, "approves", memory.name, codeOfItem(item));
  requireWholeText(actor, memory);
  requireShown(codeOfItem(item), memory.name);
  const store = storeOf(place, item);
  const current = targetOf(store, item);
  if (isFixed(proposal) && Object.keys(edited).length > 0)
    throw new HeedError(
      "invalid-input",
      `${memory.name} asks whether ${current?.metadata.name ?? "a memory"} still counts: there is no text in it to put right. Confirm or reject it.`,
      { argument: "confirmation.edited" },
    );
  if (proposal.flags.includes("isRemoval") && current) {
    const why = `forgotten: ${proposal.reason}`;
    const { memory: removed, file } = await new MemoryWriter(place, actor).remove(current.metadata, {
      kind: "remove",
      why,
    });
    inboxOf(place).take(memory.name, removed.metadata.contentHash);
    noteWrite(place, actor, current);
    return {
      outcome: "amended",
      metadata: removed.metadata,
      path: join(store.ref.root, file),
      announcement: `forgotten: ${current.metadata.description} [${handleOf(current.metadata)}]; bring it back with: heed remove --restore ${shortNameOf(current.metadata)}`,
      warnings: [],
    };
  }
  if (proposal.flags.includes("isGuard") && current) return confirmGuard(place, item, store, current, actor);
  const draft: MemoryDraft = {
    ...draftOf(memory),
    status: statusWithYes(memory),
    // What was concluded about the user is their own word from now on, on their other machines too.
    ...(memory.source === "inferred" &&
      isPersonal(place.types.get(memory.type)) && { source: "instructed" as const }),
    ...edited,
  };
  const result = await enterStore(place, {
    draft,
    actor,
    store,
    ...(current && { current, also: changedBounds(memory, current) }),
    proposed: memory,
    isConfirmed: true,
    why: "confirmed",
  });
  if (result.outcome === "refused" || result.outcome === "pending") return result;
  const guarded = await withGuards(place, result, guardsOf(memory.guard), actor);
  inboxOf(place).take(memory.name, result.metadata.contentHash);
  return {
    ...guarded,
    announcement: result.announcement.replace(/^(?:remembered|changed|unchanged)/, "confirmed"),
  };
}

function requireUser(actor: Actor, does: "approves" | "drops", name: string, code?: string): void {
  if (actor.kind === "person") return;
  const remedy =
    code === undefined
      ? `The user runs heed inbox ${does === "approves" ? "confirm" : "reject"} ${name} in a terminal`
      : `${approvalOf(code)}. In a terminal: heed inbox ${does === "approves" ? "confirm" : "reject"} ${name}`;
  throw new HeedError("gate-refused", `only the user ${does} ${name}. ${remedy}`, {
    gate: "user-word",
    remedy,
  });
}

/** What speaks to a model instead of telling it something is approved where all of its text can be read. */
function requireWholeText({ door }: Actor, memory: Memory): void {
  if ((door !== "dialog" && door !== "formula") || !needsPerson(memory)) return;
  const remedy = `read it first: heed show ${memory.name}, then heed inbox confirm ${memory.name}, in a terminal`;
  throw new HeedError(
    "gate-refused",
    `${memory.name} is quarantined, as its text may speak to a model: ${remedy}`,
    { gate: "hostile", remedy },
  );
}

/** Puts what a person dropped back to what waits, and what they said of another tool's statement. */
export async function restorePending(place: Place, handle: string, actor: Actor): Promise<void> {
  const name = plainHandle(handle);
  if (actor.kind !== "person")
    throw new HeedError("gate-refused", `the user dropped ${name}: only they bring it back`, {
      gate: "user-word",
    });
  if (inboxOf(place).bringBack(name) || (await askAgain(place, handle))) return;
  throw new HeedError("not-found", `nothing of the name ${name} was dropped from the inbox`, {
    handle,
    suggestions: nearestNames(
      name,
      inboxOf(place)
        .listRejected()
        .map(({ memory }) => memory.name),
    ),
  });
}

/** Drops a pending memory for good. */
export async function rejectMemory(
  place: Place,
  handle: string,
  reason: string,
  actor: Actor,
): Promise<void> {
  const isProposed = inboxOf(place).get(plainHandle(handle)) !== undefined;
  const waiting = isProposed ? undefined : await findWaitingMemory(place, handle);
  if (waiting) {
    requireUser(actor, "drops", waiting.metadata.name);
    rejectWaiting(place, waiting, reason, actor);
    return;
  }
  const item = itemOf(place, handle);
  requireUser(actor, "drops", item.memory.name, codeOfItem(item));
  inboxOf(place).reject(item.memory.name, { reason, actor, at: place.now() });
}
