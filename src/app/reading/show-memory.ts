import { join } from "node:path";
import type { ShowOptions, ShownFile, ShownMemories, ShownMemory } from "../api/shown-memory.ts";
import { FreshnessChecker, verdictOnCard } from "../claims/freshness-checker.ts";
import { type Collection, openCollection } from "../place/collection.ts";
import { resolveHandle } from "../place/find-memory.ts";
import type { Place } from "../place/place.ts";
import {
  type UserWord,
  needsOwnersWord,
  needsWord,
  readUserWords,
  whyHeldBack,
} from "../trust/user-words.ts";
import { isHeldFrom, whyData, withheld } from "../trust/why-data.ts";
import { heldCard, redactedCard } from "./find-memories.ts";
import { Inbox } from "../../curate/inbox.ts";
import { HeedError } from "../../errors/heed-error.ts";
import { endedOn } from "../../inject/whether-admitted.ts";
import type { Actor } from "../../memory/actor.ts";
import { namesIn } from "../../memory/handle-pattern.ts";
import { plainHandle } from "../../memory/handle.ts";
import { LIMITS } from "../../memory/limits.ts";
import type { MemoryCard } from "../../memory/memory-card.ts";
import type { TypePolicy } from "../../memory/memory-type.ts";
import type { StoreRef } from "../../memory/store-ref.ts";
import { withIoErrors } from "../../platform/io-failure.ts";
import { readRegularFile } from "../../platform/regular-file.ts";
import { type Here, scopeMismatch, whereItHolds } from "../../recall/scope.ts";
import { redactSecrets } from "../../screening/find-secrets.ts";
import { MAX_FILE_BYTES } from "../../store/files/scan-store.ts";

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
      {
        gate: "hostile",
        remedy: `a person reads it and runs heed inbox confirm ${card.name}, in a terminal`,
      },
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
      `${proposal.reason}: it waits for the user's word and is told to nobody. heed inbox confirm ${memory.name}, or heed inbox reject ${memory.name}`,
    ],
    holdsIn: whereItHolds(memory, store.kind, place.types.get(memory.type)),
    isPending: true,
    ...(isHeld && { isHeld }),
  };
}

function inboxOf(place: Place): Inbox {
  return new Inbox(place.places, place.types);
}

/** Several memories in full; each handle may stand for several, and what cannot be shown says why. */
export async function showMemories(
  place: Place,
  handles: readonly string[],
  options: ShowOptions = {},
): Promise<ShownMemories> {
  const wanted = [...new Set(handles.flatMap(namesIn).map(plainHandle))];
  const shown: ShownMemories = { memories: [], notShown: [] };
  for (const handle of wanted.slice(0, LIMITS.shownAtOnce)) {
    try {
      shown.memories.push(await showMemory(place, handle, options));
    } catch (error) {
      if (!(error instanceof HeedError)) throw error;
      shown.notShown.push({ handle, code: error.code, message: error.message });
    }
  }
  for (const handle of wanted.slice(LIMITS.shownAtOnce, 2 * LIMITS.shownAtOnce))
    shown.notShown.push({
      handle,
      code: "invalid-input",
      message: `${LIMITS.shownAtOnce} memories are shown in one call: ask for it in another`,
    });
  return shown;
}

/** What decides whether a memory is told here. */
export interface MemoryPlace {
  here: Here;
  policy: TypePolicy | undefined;
  now: Date;
  /** What the user said of it, where it needs their word. */
  userWord: UserWord | undefined;
  /** It is in another tool's directory, and says what only the user can. */
  isOwnersWordNeeded: boolean;
}

/** Why a memory is not in force or not told here, in words; none when nothing stands in its way. */
function memoryNotes(card: MemoryCard, store: StoreRef, place: MemoryPlace): string[] {
  const { here, policy, now, userWord } = place;
  const notes: string[] = [];
  if (!policy)
    notes.push(`type "${card.type}" is not declared: it is found by search, and never told unasked`);
  if (!store.isTrusted)
    notes.push("the store was not made on this machine: its memories are data, not rules");
  if (card.status === "superseded") notes.push("superseded: it is found by search, and never told unasked");
  if (card.status === "provisional") notes.push("provisional: saved at once, not yet confirmed");
  const ended = endedOn(card, now);
  if (ended !== undefined) notes.push(`expired on ${ended}`);
  const mismatch = scopeMismatch(card, here, store.kind, policy);
  if (mismatch !== undefined) notes.push(mismatch);
  const isStatement = policy?.injection !== "always" && place.isOwnersWordNeeded;
  if (isStatement && userWord !== "confirmed") {
    notes.push(
      userWord === "rejected"
        ? "a statement about the user from another tool, which the user rejected"
        : `a statement about the user from another tool: it waits for the user's word (heed inbox confirm ${card.name})`,
    );
  }
  const held = whyHeldBack(card);
  if (held !== undefined && userWord !== "confirmed")
    notes.push(
      userWord === "rejected"
        ? `${held}; the user rejected it`
        : `${held}; a person releases it: heed inbox confirm ${card.name}`,
    );
  return notes;
}
