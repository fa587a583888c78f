import { inboxOf } from "../../here/consent/inbox.ts";
import type { Actor, Memory } from "../../memory/memory.ts";
import { newId } from "../../memory/handle.ts";
import { parseMemory } from "../../memory/codec/parse-memory.ts";
import { contentHashOf } from "../../store/files/scan-store.ts";
import { type QueuedVersion, syncUserStore } from "../../store/sync/sync-user-store.ts";
import type { Place } from "../../here/place.ts";
import { MemoryWriter } from "../../write/memory-writer.ts";
import { keepingApprovals } from "../../here/consent/review-store.ts";
import { usersStore } from "../../write/make-store.ts";
import { listStore, readStoreRegistry } from "../../store/consent.ts";
import { realPathOf } from "../../machine/regular-file.ts";

export interface SyncReport {
  remote: string;
  pulled: number;
  pushed: number;
  /** Memories edited on both sides: both versions are kept, this many wait in the inbox. */
  queued: string[];
  /** What came, a line each, as `removed feedback/no-verify`: what was removed and rules first. */
  details: string[];
  announcement: string;
}

/** Carries the user store to a git remote and back. Of a memory edited on both sides, theirs waits in the inbox. */
export async function syncStores(
  place: Place,
  request: { remote?: string | undefined; isReadOnly?: boolean | undefined } = {},
): Promise<SyncReport> {
  const { remote, isReadOnly: isAsked = false } = request;
  const ref = await usersStore(place);
  const { unpushed } = readStoreRegistry(place.places);
  const isReadOnly = isAsked || (remote === undefined && unpushed.includes(realPathOf(ref.root)));
  const { types } = place;
  const inbox = inboxOf(place);
  const queue = (version: QueuedVersion): string => {
    const read = ({ file, text }: Omit<QueuedVersion, "kept" | "reason">): Memory | undefined =>
      parseMemory(text, { file, storeId: ref.id }, types).memory;
    const [memory, kept] = [read(version), read(version.kept)];
    if (!memory) return version.file;
    const target = kept && { id: kept.id, name: kept.name, hash: contentHashOf(version.kept.text) };
    // Under an id of its own where it is another memory than the one that stays.
    const own = kept && kept.id !== memory.id ? { ...memory, id: newId(place.now()) } : memory;
    return inbox.put(own, {
      at: place.now().toISOString(),
      reason: version.reason,
      by: { kind: "import" },
      store: ref.id,
      ...(target && { target }),
      asks: "memory",
    });
  };
  const actor: Actor = { kind: "person" };
  const writer = new MemoryWriter(place, actor);
  const sync = () =>
    writer.handOver("sync", (open) =>
      syncUserStore({
        store: open(ref),
        env: place.env,
        remote,
        isReadOnly,
        cwd: place.cwd,
        actor,
        now: () => place.now(),
        queue,
      }),
    );
  // What the user's other machine brings was said to a heed there.
  const outcome = await keepingApprovals(place, sync);
  await listStore(place.places, ref.root, "unpushed", isReadOnly);
  return { ...outcome, announcement: announce(outcome) };
}

const MAX_DETAILS = 20;

function announce({ remote, pulled, pushed, queued, details }: Omit<SyncReport, "announcement">): string {
  if (pulled + pushed + queued.length + details.length === 0)
    return `synced with ${remote}: nothing new on either side`;
  const waiting =
    queued.length === 0 ? "" : `, ${queued.length} edited on both sides and waiting in the inbox`;
  const rest = details.length - MAX_DETAILS;
  const lines = [
    `synced with ${remote}: ${pulled} came, ${pushed} went${waiting}`,
    ...details.slice(0, MAX_DETAILS),
    ...(rest > 0 ? [`and ${rest} more: heed undo --list`] : []),
  ];
  return lines.join("\n  ");
}
