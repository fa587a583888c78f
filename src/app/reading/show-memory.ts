import { join } from "node:path";
import { Inbox } from "../../curate/inbox.ts";
import type { Actor } from "../../memory/actor.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { redactSecrets } from "../../screening/redact-secrets.ts";
import { MAX_FILE_BYTES } from "../../store/files/scan-store.ts";
import { withIoErrors } from "../../platform/io-failure.ts";
import { whereItHolds } from "../../recall/scope.ts";
import { needsOwnersWord, needsWord, readUserWords, whyHeldBack } from "../trust/user-words.ts";
import type { Collection } from "../place/collection.ts";
import { openCollection } from "../place/collection.ts";
import { FreshnessChecker, verdictOnCard } from "../claims/freshness-checker.ts";
import { memoryNotes } from "./memory-notes.ts";
import { heldCard, redactedCard } from "./find-memories.ts";
import { isHeldFrom, whyData, withheld } from "../trust/why-data.ts";
import type { ShowOptions, ShownFile, ShownMemory } from "../api/shown-memory.ts";
import { resolveHandle } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import { plainHandle } from "../../memory/handle.ts";
import { readRegularFile } from "../../platform/regular-file.ts";

/** A memory is shown without what git knows about its claims when that takes longer, in milliseconds. */
const VERDICT_MS = 5_000;

/**
 * One memory in full, as its file says now; of none that handle fits, one that waits in the inbox. The text of one that
 * is held back is shown to a person alone.
 */
export async function showMemory(
  place: Place,
  handle: string,
  { store, reader }: ShowOptions = {},
): Promise<ShownMemory> {
  const collection = await openCollection(place, { thoroughness: "full" });
  try {
    return await showStored(place, collection, { handle, store, reader });
  } catch (error) {
    const isUnknown = error instanceof HeedError && error.code === "not-found";
    const pending = isUnknown && store === undefined ? showPending(place, handle, reader) : undefined;
    if (!pending) throw error;
    return pending;
  }
}

/**
 * The file of a memory as it is, front matter included, without secrets.
 *
 * @throws HeedError `gate-refused` when its text is held back from this reader; those of `showMemory`.
 */
export async function showFile(place: Place, handle: string, options: ShowOptions = {}): Promise<ShownFile> {
  const shown = await showMemory(place, handle, options);
  const { path, card } = shown;
  if (shown.isHeld === true)
    throw new HeedError(
      "gate-refused",
      `the text of ${card.name} is held back until a person has released it: ${shown.notes.join("; ")}`,
      { gate: "hostile", remedy: `a person reads it and runs heed confirm ${card.name}, in a terminal` },
    );
  return {
    path,
    text: redactSecrets(
      withIoErrors("read", path, () => readRegularFile(path, { maxBytes: MAX_FILE_BYTES })),
    ),
  };
}

async function showStored(
  place: Place,
  collection: Collection,
  { handle, store, reader }: { handle: string; store: string | undefined; reader: Actor | undefined },
): Promise<ShownMemory> {
  const found = resolveHandle(collection, handle, store);
  const { card, body } = (await collection.read(found)) ?? { card: found, body: "" };
  const owner = collection.storeOf(card);
  const isWordNeeded = needsWord(card, collection);
  const userWord = isWordNeeded ? readUserWords(place.places).get(card.contentHash) : undefined;
  const notes = memoryNotes(card, owner, {
    here: place.here(),
    policy: collection.types.get(card.type),
    now: place.now(),
    userWord,
    isOwnersWordNeeded: needsOwnersWord(owner, collection.types.get(card.type), card),
  });
  const reason = whyData(place, collection)(card);
  if (reason !== undefined && owner.isTrusted) notes.push(reason);
  const change = inboxOf(place)
    .list()
    .find(({ proposal }) => proposal.target?.id === card.id && proposal.store === card.storeId);
  if (change) notes.push(`a change of it waits for the user's word as ${change.memory.name}: heed inbox`);
  const isHeld = reader?.kind !== "person" && userWord !== "confirmed" && whyHeldBack(card) !== undefined;
  const checker = new FreshnessChecker(place);
  const verdict = await verdictOnCard(checker, isHeld ? { ...card, claims: [] } : card, collection, {
    withHistory: true,
    deadlineAtMs: performance.now() + VERDICT_MS,
  });
  checker.save();
  return {
    card: {
      ...(isHeld ? heldCard(card) : redactedCard(card)),
      ...(reason !== undefined && { whyData: reason }),
    },
    body: isHeld ? "" : redactSecrets(body),
    store: owner,
    path: join(owner.root, card.file),
    holdsIn: whereItHolds(card, owner.kind, collection.types.get(card.type)),
    notes,
    verdict,
    isPending: false,
    ...(isWordNeeded && userWord !== "confirmed" && { isUnsaid: true as const }),
    ...(isHeld && { isHeld }),
  };
}

function showPending(place: Place, handle: string, reader: Actor | undefined): ShownMemory | undefined {
  const inbox = inboxOf(place);
  const item = inbox.get(plainHandle(handle));
  if (!item) return undefined;
  const { memory, proposal } = item;
  const isHeld = isHeldFrom(reader, memory);
  const { body, ...header } = isHeld ? withheld(memory) : memory;
  const file = inbox.fileOf(memory.name);
  const { stores } = place;
  const store = stores.find(({ id }) => id === proposal.store) ?? {
    id: proposal.store,
    kind: "user",
    root: place.places.userStore,
    isTrusted: true,
    isReadOnly: false,
  };
  return {
    card: {
      ...header,
      storeId: store.id,
      file: "",
      mtimeMs: Date.parse(proposal.at),
      sizeBytes: 0,
      contentHash: "",
      bodyLength: body.length,
    },
    body,
    store,
    path: file,
    notes: [
      `${proposal.reason}: it waits for the user's word and is told to nobody. heed confirm ${memory.name}, or heed reject ${memory.name}`,
    ],
    holdsIn: whereItHolds(memory, store.kind, place.types.get(memory.type)),
    isPending: true,
    ...(isHeld && { isHeld }),
  };
}

function inboxOf(place: Place): Inbox {
  return new Inbox(place.places, place.types);
}
