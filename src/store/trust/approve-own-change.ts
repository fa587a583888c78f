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
  const read = (file: string, text: string) =>
    parseMemoryFile(ref, plain(file), text, types).memory?.metadata;
  const before = new Map(
    files.flatMap(({ file, before: text }) => {
      const metadata = text === null ? undefined : read(file, text);
      return metadata ? [[metadata.id, metadata] as const] : [];
    }),
  );
  const namesIn = (side: "before" | "after"): string[] =>
    files
      .flatMap(({ file, [side]: text }) =>
        text === null || file !== plain(file) ? [] : [read(file, text)?.name ?? ""],
      )
      .sort();
  const [names, newNames] = [namesIn("before"), namesIn("after")];
  const isRename =
    names.length > 0 && names.length === newNames.length && names.some((name, i) => name !== newNames[i]);
  const approvals = new Approvals(state);
  const kept = new Set(
    files.flatMap(({ file, after }) => (after === null ? [] : (read(file, after)?.id ?? []))),
  );
  // A file that nobody gave an id has another one by another name.
  const gone = [...before.values()].filter(({ id }) => !kept.has(id));
  const isUnreviewed = (metadata: MemoryMetadata): boolean =>
    takesForce(metadata, types) && !approvals.has(metadata.id, metadata.contentHash);
  const approved = files.flatMap(({ file, after }): ApprovedText[] => {
    const metadata = after === null || file !== plain(file) ? undefined : read(file, after);
    if (after === null || !metadata || !takesForce(metadata, types)) return [];
    const old = before.get(metadata.id);
    const wasUnreviewed = old ? isUnreviewed(old) : gone.some(isUnreviewed);
    if (wasUnreviewed && (actor.kind !== "person" || isRename)) return [];
    return [{ id: metadata.id, name: metadata.name, hash: metadata.contentHash, file, text: after }];
  });
  // What a person removes through heed is gone by their word: they need not be told of it.
  const left = new Set(
    files.flatMap(({ file, after }) =>
      file === plain(file) && after !== null ? (read(file, after)?.id ?? []) : [],
    ),
  );
  const forgotten = (actor.kind === "person" ? files : []).flatMap(({ file, before: text, after }) => {
    const id = after === null && text !== null && file === plain(file) ? read(file, text)?.id : undefined;
    return id === undefined || left.has(id) || !approvals.ids().includes(id) ? [] : [id];
  });
  // What a change of heed's made no rule any more is not held by its approved text.
  for (const { file, after } of files) {
    const metadata = after === null ? undefined : read(file, after);
    if (metadata && !takesForce(metadata, types) && approvals.fileOf(metadata.id))
      forgotten.push(metadata.id);
  }
  if (approved.length + forgotten.length > 0) changeApprovals(state, { approved, forgotten });
}

/** A tombstone's path as that of the memory that it was. */
function plain(file: string): string {
  return file.replace(`${TOMBSTONE_FOLDER}/`, "");
}
