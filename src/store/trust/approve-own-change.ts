import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { takesForce, type TypeTable } from "../../memory/memory-type.ts";
import { Approvals, changeApprovals, type ApprovedText } from "./approvals.ts";
import type { ChangeRecord } from "../history/change-record.ts";
import { parseMemoryFile } from "../files/scan-store.ts";
import type { StoreState } from "../config/store-config.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";

/**
 * Approves a rule that was written here through heed: it passed the gates. A change of an unreviewed rule is
 * not approved unless a person made it, and a new name never is: it shows nothing of the text.
 */
export function approveOwnChange(
  { ref, state, types }: { ref: StoreRef; state: StoreState; types: TypeTable },
  { files, actor }: Pick<ChangeRecord, "files" | "actor">,
): void {
  if (ref.kind === "attached" || !ref.isTrusted) return;
  const approvals = new Approvals(state);
  const isPerson = actor.kind === "person";
  const read = (file: string, text: string | null): MemoryMetadata | undefined =>
    text === null ? undefined : parseMemoryFile(ref, plain(file), text, types).memory?.metadata;
  const changes = files.map(({ file, before, after }) => {
    return { file, text: after, before: read(file, before), after: read(file, after) };
  });
  const live = changes.filter(({ file }) => file === plain(file));
  const [names = [], newNames = []] = (["before", "after"] as const).map((side) =>
    live.flatMap((change) => change[side]?.name ?? []).sort(),
  );
  const isRename =
    names.length > 0 && names.length === newNames.length && names.some((name, i) => name !== newNames[i]);
  const idsAfter = (some: typeof changes): Set<string> =>
    new Set(some.flatMap(({ after }) => after?.id ?? []));
  const [kept, left] = [idsAfter(changes), idsAfter(live)];
  const before = new Map(changes.flatMap(({ before: old }) => (old ? [[old.id, old] as const] : [])));
  const isUnreviewed = (metadata: MemoryMetadata): boolean =>
    takesForce(metadata, types) && !approvals.has(metadata.id, metadata.contentHash);
  // A file that nobody gave an id has another one by another name.
  const isGoneUnreviewed = [...before.values()].some((old) => !kept.has(old.id) && isUnreviewed(old));
  const approved = live.flatMap(({ file, text, after }): ApprovedText[] => {
    if (text === null || !after || !takesForce(after, types)) return [];
    const old = before.get(after.id);
    if ((old ? isUnreviewed(old) : isGoneUnreviewed) && (!isPerson || isRename)) return [];
    return [{ id: after.id, name: after.name, hash: after.contentHash, file, text }];
  });
  const forgotten = changes.flatMap(({ file, text, before: old, after }) => {
    // What a person removes through heed is gone by their word; what is no rule any more is not held by its approved text.
    const isRemoved = isPerson && text === null && file === plain(file) && !left.has(old?.id ?? "");
    const id = isRemoved ? old?.id : after && !takesForce(after, types) ? after.id : undefined;
    return id !== undefined && approvals.fileOf(id) !== "" ? [id] : [];
  });
  if (approved.length + forgotten.length > 0) changeApprovals(state, { approved, forgotten });
}

/** A tombstone's path as that of the memory that it was. */
function plain(file: string): string {
  return file.replace(`${TOMBSTONE_FOLDER}/`, "");
}
