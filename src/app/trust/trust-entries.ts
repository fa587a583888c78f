import { createHash } from "node:crypto";
import type { TrustEntry } from "../api/setup-reports.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import type { MemoryMetadata, StoreRef } from "../../memory/memory.ts";
import { takesForce, type TypeTable } from "../../memory/memory-type.ts";
import { parseMemoryFile } from "../../store/files/scan-store.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";

/** A memory as a review shows it, against its text before. */
export function entryOf(
  metadata: MemoryMetadata,
  text: string,
  before?: { file: string; text: string },
): TrustEntry {
  const { name, type, description, flags = [], file } = metadata;
  const { guards, problems } = parseGuards(metadata.guard);
  const said = { name, type, description, flags, text, file, isAccounted: false };
  return {
    ...said,
    change: before ? "changed" : "new",
    guards: guards.map(({ guard }) => describeWholeGuard(guard)),
    hasUnreadableGuard: problems.length > 0,
    ...(before && { diff: unifiedDiff(before.text, text, { before: before.file, after: file }) }),
  };
}

/** One that is gone, with its text before. */
export function removedEntry({ name, file, text }: Pick<TrustEntry, "name" | "file" | "text">): TrustEntry {
  const empty = { type: "", description: "", guards: [], hasUnreadableGuard: false, flags: [] };
  return { ...empty, name, file, text, change: "removed", isAccounted: false };
}

/** What differs between two states of a store, each its files' texts by path: rules and guards first. */
export function changesBetween(
  store: StoreRef,
  types: TypeTable,
  ...states: [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>]
): TrustEntry[] {
  const [old, now] = states.map((files) => {
    const read = [...files].map(([file, text]) => ({
      ...parseMemoryFile(store, file, text, types).memory?.metadata,
      file,
      text,
    }));
    return new Map(
      read.flatMap((one) => ("id" in one ? [[one.id, one as MemoryMetadata & { text: string }]] : [])),
    );
  }) as [Map<string, MemoryMetadata & { text: string }>, Map<string, MemoryMetadata & { text: string }>];
  const entries = [
    ...[...now]
      .filter(([id, { text }]) => old.get(id)?.text !== text)
      .map(([id, one]) => entryOf(one, one.text, old.get(id))),
    ...[...old].filter(([id]) => !now.has(id)).map(([, one]) => ({ ...removedEntry(one), type: one.type })),
  ];
  return entries.toSorted((a, b) => Number(takesForce(b, types)) - Number(takesForce(a, types)));
}

/** Stands for all that a review shows. */
export function tokenOf(entries: readonly TrustEntry[], ...commits: string[]): string {
  const said = [...commits, ...entries.map(({ name, change, text }) => [name, change, text])];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
