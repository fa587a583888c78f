import { cutShown } from "../../screening/cut-shown.ts";
import type { InboxItem, Proposal } from "../../curate/inbox.ts";
import { Inbox } from "../../curate/inbox.ts";
import { nearestNames } from "../../curate/nearest-names.ts";
import { HeedError } from "../../errors/heed-error.ts";
import type { Actor } from "../../memory/actor.ts";
import { amendMemory } from "../../memory/codec/amend-memory.ts";
import { quotationsIn } from "../../memory/codec/quotation.ts";
import { plainHandle } from "../../memory/handle.ts";
import type { StoredMemory } from "../../store/files/scan-store.ts";
import { shownDiff } from "../../store/history/unified-diff.ts";
import type { StoreReader } from "../../store/store-reader.ts";
import type { PendingItem } from "../api/inbox.ts";
import { openedStore } from "../place/opened-stores.ts";
import type { Place } from "../place/place.ts";
import { isHeldFrom, withheld } from "../trust/held-text.ts";
import { guardsOf, guardWords } from "./propose-guard.ts";
import { asPendingItem, listWaitingMemories } from "./waiting-memories.ts";

/** What waits for the user's word: proposals, the oldest first, then statements in other tools' directories. */
export async function listPending(
  place: Place,
  { reader }: { reader?: Actor | undefined } = {},
): Promise<PendingItem[]> {
  const items: PendingItem[] = [];
  for (const item of inboxOf(place).list()) {
    const { memory, proposal } = item;
    const { name, type, body } = memory;
    const [quote] = quotationsIn(body);
    const diff = await pendingDiff(place, item);
    const guard = guardWords(memory.guard);
    if (reader?.kind === "person") inboxOf(place).noteShown(name, place.now());
    items.push({
      name,
      description: describeItem(item),
      type,
      body,
      reason: proposal.reason,
      proposedAt: proposal.at,
      // The words by which it was given are no reason to take it away.
      ...(quote !== undefined && !isFixed(proposal) && { quote }),
      ...((memory.scope.repo ?? memory.origin.repo) !== undefined && {
        repo: memory.scope.repo ?? memory.origin.repo,
      }),
      ...(proposal.target && { target: proposal.target.name }),
      ...(diff !== undefined && { diff }),
      ...(isFixed(proposal) && { isFixed: true }),
      ...(guard !== "" && { guard }),
    });
  }
  items.push(...(await listWaitingMemories(place)).map(asPendingItem));
  return items.map((item) => {
    if (!isHeldFrom(reader, item)) return item;
    const { diff: _, guard: _guard, quote: _quote, ...rest } = withheld(item);
    return rest;
  });
}

function describeItem({ memory: { description, guard }, proposal: { flags } }: InboxItem): string {
  if (flags.includes("isRemoval")) return `to be forgotten: ${description}`;
  return flags.includes("isGuard") ? `guard for "${description}": ${guardWords(guard)}` : description;
}

/** Whether it asks for a yes or no alone: about a removal, a guard, or a memory that another supersedes. */
export function isFixed({ flags }: Proposal): boolean {
  return flags.includes("isRemoval") || flags.includes("isSuperseded") || flags.includes("isGuard");
}

/** So many of what waits are named to who asked for something else. */
const MAX_NAMED = 5;

/** What waits in the inbox of this machine. */
export function inboxOf(place: Place): Inbox {
  return new Inbox(place.places, place.types);
}

/**
 * The item of a name or handle.
 *
 * @throws HeedError `not-found`, with what is called nearly so.
 */
export function itemOf(place: Place, handle: string): InboxItem {
  const inbox = inboxOf(place);
  const wanted = plainHandle(handle);
  const item = inbox.get(wanted);
  if (item) return item;
  const names = inbox.list().map(({ memory }) => memory.name);
  const suggestions = nearestNames(wanted, names);
  const shown = suggestions.length > 0 ? suggestions : names.slice(-MAX_NAMED);
  throw new HeedError(
    "not-found",
    `nothing called "${cutShown(wanted, 80)}" waits for the user's word${shown.length === 0 ? "" : `; what waits: ${shown.join(", ")}`}`,
    { handle, suggestions },
  );
}

/**
 * The store that an item belongs to.
 *
 * @throws HeedError `no-store` where it is not at hand.
 */
export function storeOf(place: Place, { memory, proposal }: InboxItem): StoreReader {
  const { stores } = place;
  const ref = stores.find(({ id }) => id === proposal.store);
  if (!ref)
    throw new HeedError(
      "no-store",
      `the store of ${memory.name} is not here: confirm it in the repository in which it was proposed`,
      { store: proposal.store },
    );
  return openedStore(place, ref);
}

/**
 * The memory that an item would change; undefined for one that would be new.
 *
 * @throws HeedError `changed-outside` when it is not as it was proposed on.
 */
export function targetOf(store: StoreReader, { memory, proposal }: InboxItem): StoredMemory | undefined {
  const { target } = proposal;
  if (!target) return undefined;
  const current = store.list().memories.find(({ card }) => card.id === target.id);
  if (current?.card.contentHash === target.hash) return current;
  const { name } = memory;
  throw new HeedError(
    "changed-outside",
    `${target.name} was ${current ? "changed" : "removed"} since ${name} was proposed: look at both, then reject ${name} or write it anew`,
    { file: current?.card.file ?? target.name },
  );
}

async function pendingDiff(place: Place, { memory, proposal }: InboxItem): Promise<string | undefined> {
  const ref = place.stores.find(({ id }) => id === proposal.store);
  if (!ref || !proposal.target) return undefined;
  const store = openedStore(place, ref);
  const current = store.list().memories.find(({ card }) => card.id === proposal.target?.id);
  const text = current && store.read(current.card.file).text;
  if (!current || text === undefined) return undefined;
  const { type, description, body, tags } = memory;
  const changes = proposal.flags.includes("isGuard")
    ? { guard: [...guardsOf(current.card.guard), ...guardsOf(memory.guard)] }
    : { type, description, body, tags };
  return shownDiff(current.card.name, text, amendMemory(text, changes));
}
