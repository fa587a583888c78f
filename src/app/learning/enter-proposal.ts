import { Inbox } from "../../curate/inbox.ts";
import { likenessOf, NEAR } from "../../curate/similarity.ts";
import { holdsSubstance } from "../../curate/users-words.ts";
import type { Actor } from "../../memory/actor.ts";
import { oneLine } from "../../capture/text/one-line.ts";
import type { MemoryDraft } from "../../memory/memory-draft.ts";
import type { ProposalReport } from "../api/learning-reports.ts";
import type { GateRefusal } from "../../memory/gate-refusal.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import { openCollection } from "../place/collection.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { memoryOfDraft } from "../writing/memory-of-draft.ts";
import { nameFor } from "../writing/name-of-draft.ts";
import { propose } from "../writing/propose-memory.ts";
import { enterStore } from "../writing/write-pipeline.ts";
import type { FoundMemory } from "../place/find-memory.ts";
import { chooseStore } from "../writing/choose-store.ts";
import { readTwins } from "./beside-twins.ts";
import type { WriteResult } from "../api/written-memory.ts";

/** How turns are proposed. */
export interface ProposeOptions {
  session: string;
  client: string;
  /** Only tell what would be proposed. */
  isRehearsal?: boolean;
}

/** A draft on its way into the inbox, and where it comes from. */
export interface Entering {
  /** ISO time at which it was said; empty when nothing tells. */
  time: string;
  quote: string;
  waitsFor: string | undefined;
  isConfirmed: boolean;
  options: ProposeOptions;
  current?: FoundMemory;
  /**
   * They asked for it to be kept in so many words, and heed heard it or read it in a transcript: its likeness to others
   * does not lose it.
   */
  outright?: "heard" | "read";
  /** What it does to a memory that is there, for the episode. */
  about?: string;
  /** What the user has to say before it can count, as a question. */
  asks?: string;
}

/** Brings a draft through the gates into the inbox, or into its store when it has the user's word. */
export async function enterProposal(
  place: Place,
  draft: MemoryDraft,
  entering: Entering,
): Promise<ProposalReport> {
  const { time, quote, waitsFor, isConfirmed, options, current } = entering;
  const { type, description } = draft;
  const { about } = entering;
  const told = {
    type,
    description,
    quote,
    time,
    ...(about !== undefined && { about }),
    ...(entering.asks !== undefined && { asks: entering.asks }),
  };
  if (options.isRehearsal) return { ...told, outcome: "proposed", detail: "" };
  const twin =
    current || isConfirmed ? undefined : waitingTwin(place, draft, entering.outright !== undefined);
  if (twin !== undefined) return { ...told, outcome: "known", detail: `waits already as ${twin}` };
  const actor: Actor = { kind: "hook", client: options.client, session: options.session };
  const policy = place.types.get(type);
  const chosen = current ? { store: current.store } : await chooseStore(place, draft, policy);
  if ("refusal" in chosen)
    return {
      ...told,
      outcome: entering.outright !== undefined ? "refused" : "known",
      detail: chosen.refusal.reason,
    };
  const enter = async (given: MemoryDraft, waits: string | undefined): Promise<WriteResult> =>
    enterStore(place, {
      draft: given,
      actor,
      store: openedStore(place, chosen.store),
      isConfirmed,
      ...(current && { current }),
      ...(waits !== undefined && { waitsFor: waits }),
      why: `the user said: "${oneLine(quote, 120)}"`,
    });
  const result = await enter(draft, waitsFor);
  if (entering.outright === undefined || result.outcome !== "refused")
    return { ...told, ...outcomeOf(result) };
  const twins = readTwins(result.refusals, description, entering.outright);
  if (twins === undefined) {
    const report = outcomeOf(result);
    return report.outcome === "refused"
      ? {
          ...told,
          ...(await holdBack(place, draft, actor, openedStore(place, chosen.store), result.refusals)),
        }
      : { ...told, ...report };
  }
  if (twins.kind === "known") return { ...told, outcome: "known", detail: `heed:${twins.name}` };
  const reason =
    twins.kind === "otherwise"
      ? `it says otherwise than heed:${twins.name} ("${oneLine(twins.description, 120)}")`
      : waitsFor;
  const kept = await enter({ ...draft, relation: { kind: "distinct", to: twins.name } }, reason);
  return { ...told, ...outcomeOf(kept), beside: { how: twins.kind, handle: `heed:${twins.name}` } };
}

/**
 * What a gate refuses of what the user asked to keep is not lost: it waits as they said it, with what the gate says. Only
 * a secret is kept nowhere.
 */
async function holdBack(
  place: Place,
  draft: MemoryDraft,
  actor: Actor,
  store: StoreReader,
  refusals: readonly GateRefusal[],
): Promise<Pick<ProposalReport, "outcome" | "detail" | "asks">> {
  const reason = refusals.map((one) => one.reason).join("; ");
  const policy = place.types.get(draft.type);
  if (!policy || refusals.some(({ gate }) => gate === "secret"))
    return { outcome: "refused", detail: reason };
  const taken = (await openCollection(place)).cards().map(({ name }) => name);
  const name = nameFor(draft.description, (made) => taken.includes(made));
  const repository = await place.learnRepository();
  const kept = { ...draft, name };
  const memory = memoryOfDraft(kept, { now: place.now(), actor, store: store.ref, policy, repository });
  const held = { memory, draft: kept, actor, store, current: undefined, changes: undefined, reason };
  return { ...outcomeOf(await propose(place, held)), asks: `it cannot count as it was said: ${reason}.` };
}

function outcomeOf(result: WriteResult): Pick<ProposalReport, "outcome" | "detail"> {
  if (result.outcome === "pending") return { outcome: "proposed", detail: result.name };
  if (result.outcome === "refused") {
    const isKnown = result.refusals.every(({ gate }) => gate === "duplicate");
    const detail = result.refusals.map(({ reason, remedy }) => (isKnown ? reason : `${reason}; ${remedy}`));
    return { outcome: isKnown ? "known" : "refused", detail: detail.join("; ") };
  }
  return { outcome: result.outcome === "unchanged" ? "known" : "saved", detail: `heed:${result.card.name}` };
}

/**
 * The item of the inbox that says the same: what is said twice is asked about once. Of what the user asked to keep, it
 * has to say all.
 */
function waitingTwin(
  place: Place,
  { type, description }: MemoryDraft,
  isSaidOutright = false,
): string | undefined {
  return new Inbox(place.places, place.types)
    .list()
    .filter(({ memory, proposal }) => memory.type === type && proposal.target === undefined)
    .find(({ memory }) => {
      const isTwin = likenessOf({ description }, memory) >= NEAR;
      return isTwin && (!isSaidOutright || holdsSubstance(memory.description, description, 0.99));
    })?.memory.name;
}
