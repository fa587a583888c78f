import { join } from "node:path";
import type { SaidTurn } from "../../curate/said-turn.ts";
import { weighQuote } from "../../curate/confirming-turn.ts";
import { hostileGate, needsPerson } from "../../curate/hostile-gate.ts";
import type { InboxItem } from "../../curate/inbox.ts";
import { nearestNames } from "../../curate/nearest-names.ts";
import type { Actor } from "../../memory/actor.ts";
import { peopleIn } from "../../memory/about-user.ts";
import type { Memory } from "../../memory/memory.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import { draftOf } from "../../memory/memory-draft.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { readSession, recentUserTurns } from "../records/session-state.ts";
import type { Place } from "../place/place.ts";
import { askAgain, confirmWaiting, findWaitingMemory, rejectWaiting } from "./waiting-memories.ts";
import { inboxOf, isFixed, itemOf, storeOf, targetOf } from "./pending-items.ts";
import { MemoryWriter } from "./memory-writer.ts";
import { confirmGuard, guardsOf, withGuards } from "./propose-guard.ts";
import { enterStore } from "./write-pipeline.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { Confirmation } from "../api/inbox.ts";
import type { WriteResult } from "../api/written-memory.ts";

/** Gives a pending memory the user's word: a person by doing so, a model by quoting what the user said after it. */
export async function confirmMemory(
  place: Place,
  handle: string,
  confirmation: Confirmation,
  actor: Actor,
): Promise<WriteResult> {
  const waiting = inboxOf(place).get(plainHandle(handle))
    ? undefined
    : await findWaitingMemory(place, handle);
  if (waiting) return confirmWaiting(place, waiting, actor);
  const item = itemOf(place, handle);
  const { memory, proposal } = item;
  if (actor.kind !== "person" && needsPerson(memory))
    return {
      outcome: "refused",
      refusals: [
        {
          gate: hostileGate.name,
          reason: proposal.reason,
          remedy: `a person has to read and release it: heed show ${memory.name}, then heed confirm ${memory.name}, in a terminal`,
        },
      ],
    };
  if (actor.kind !== "person") {
    const { description, body } = memory;
    const isRemoval = proposal.flags.includes("isRemoval");
    const name = isRemoval ? (proposal.target?.name ?? memory.name) : memory.name;
    const turns: SaidTurn[] = actor.kind === "model" ? recentUserTurns(place.places, actor.session) : [];
    const weighed = weighQuote(
      confirmation.quote,
      turns,
      { name, description, body, at: proposal.at },
      {
        askedAt: askedAt(place.places, item, actor.session),
        closings: actor.session === undefined ? [] : readSession(place.places, actor.session).closings,
        mustNameIt: actor.session === undefined,
        isRemoval,
      },
    );
    if (!weighed.isGiven)
      return {
        outcome: "refused",
        refusals: [{ gate: "user-word", reason: weighed.reason, remedy: weighed.remedy }],
      };
  }
  const store = storeOf(place, item);
  const current = targetOf(store, item);
  if (isFixed(proposal) && Object.keys(confirmation.edited ?? {}).length > 0)
    throw new HeedError(
      "invalid-input",
      `${memory.name} asks whether ${current?.card.name ?? "a memory"} still counts: there is no text in it to put right. Confirm or reject it.`,
      { argument: "confirmation.edited" },
    );
  if (proposal.flags.includes("isRemoval") && current) {
    const why = `forgotten: ${proposal.reason}`;
    const { memory: removed, file } = await new MemoryWriter(place, actor).remove(current.card, {
      kind: "remove",
      why,
    });
    inboxOf(place).take(memory.name, removed.card.contentHash);
    return {
      outcome: "amended",
      card: removed.card,
      path: join(store.ref.root, file),
      announcement: `forgotten: ${current.card.description} [heed:${current.card.name}]; bring it back with: heed restore ${current.card.name}`,
      warnings: [],
    };
  }
  if (proposal.flags.includes("isGuard") && current) return confirmGuard(place, item, store, current, actor);
  if (proposal.flags.includes("isSuperseded") && current)
    return supersede(place, item, store, current, actor);
  const flags = Object.fromEntries(proposal.flags.map((flag) => [flag, true]));
  const draft: MemoryDraft = {
    ...draftOf(memory),
    status: "confirmed",
    // What was concluded about the user is their own word from now on, on their other machines too.
    ...(memory.source === "inferred" && isPersonal(place, memory) && { source: "instructed" as const }),
    ...flags,
    ...editedBy(actor, confirmation),
  };
  const result = await enterStore(place, {
    draft,
    actor,
    store,
    ...(current && { current }),
    proposed: memory,
    isConfirmed: true,
    why: actor.kind === "person" ? "confirmed" : `confirmed: "${(confirmation.quote ?? "").slice(0, 120)}"`,
  });
  if (result.outcome === "refused" || result.outcome === "pending") return result;
  const guarded = await withGuards(place, result, guardsOf(memory.guard), actor);
  inboxOf(place).take(memory.name, result.card.contentHash);
  return {
    ...guarded,
    announcement: result.announcement.replace(/^(?:remembered|changed|unchanged)/, "confirmed"),
  };
}

function isPersonal({ types }: Place, { type, description, body }: Memory): boolean {
  return (
    types.get(type)?.needs.includes("confirmation") === true || peopleIn(`${description}\n${body}`).length > 0
  );
}

/** What a person puts right before it counts; a model's confirmation is of what the user was asked about, as it stands. */
function editedBy(actor: Actor, { edited = {} }: Confirmation): Partial<MemoryDraft> {
  if (actor.kind === "person") return edited;
  if (Object.keys(edited).length === 0) return {};
  throw new HeedError(
    "gate-refused",
    "only a person edits what is being confirmed: confirm it as it stands, or write another memory",
    { gate: "user-word" },
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

/** When the user was asked about an item in this session: when it was proposed there, or when it was put to them. */
function askedAt(places: Place["places"], { memory, proposal }: InboxItem, session?: string): string[] {
  if (session === undefined) return [];
  const { asked } = readSession(places, session);
  const times = asked.filter(({ names }) => names.includes(memory.name)).map(({ time }) => time);
  return proposal.by.session === session ? [proposal.at, ...times] : times;
}

/** Marks the target as superseded, with its old wording, and links the newer memory to it. */
async function supersede(
  place: Place,
  { memory }: InboxItem,
  store: StoreReader,
  current: StoredMemory,
  actor: Actor,
): Promise<WriteResult> {
  const { name } = current.card;
  const writer = new MemoryWriter(place, actor);
  const newer = memory.links.find(({ rel }) => rel === "related")?.to ?? "";
  const changes = { status: "superseded" as const, body: memory.body };
  const why = newer === "" ? "superseded" : `superseded by ${newer}`;
  const written = await writer.amend(current, changes, { kind: "supersede", why });
  const other = store.list().memories.find(({ card }) => card.id === newer || card.name === newer);
  if (other) {
    const links = [...other.card.links, { rel: "supersedes" as const, to: name }];
    await writer.amend(other, { links }, { kind: "supersede", why: `supersedes ${name}` });
  }
  inboxOf(place).take(memory.name, written.memory.card.contentHash);
  return {
    outcome: "amended",
    card: written.memory.card,
    path: join(store.ref.root, written.file),
    announcement: `superseded: ${current.card.description} [heed:${name}]${other ? `; heed:${other.card.name} holds` : ""}`,
    warnings: [],
  };
}

/** Drops a pending memory for good. */
export async function rejectMemory(
  place: Place,
  handle: string,
  reason: string,
  actor: Actor,
): Promise<void> {
  const waiting = inboxOf(place).get(plainHandle(handle))
    ? undefined
    : await findWaitingMemory(place, handle);
  if (waiting) {
    rejectWaiting(place, waiting, reason, actor);
    return;
  }
  inboxOf(place).reject(itemOf(place, handle).memory.name, { reason, actor, at: place.now() });
}
