import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { TrustEntry } from "../api/setup-reports.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { type MemoryMetadata, type StoreRef, isMemoryFile } from "../../memory/memory.ts";
import { takesForce, type TypeTable } from "../../memory/memory-type.ts";
import { parseMemoryFile } from "../../store/files/scan-store.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";

/** A memory as a review shows it, against its text before. */
export function entryOf(
  metadata: MemoryMetadata,
  text: string,
  types: TypeTable,
  before?: { file: string; text: string },
): TrustEntry {
  const { name, type, description, flags = [], file } = metadata;
  const { guards, problems } = parseGuards(metadata.guard);
  const said = { name, type, description, flags, text, file, isAccounted: false };
  return {
    ...said,
    change: before ? "changed" : "new",
    isFact: !takesForce(metadata, types),
    guards: guards.map(({ guard }) => describeWholeGuard(guard)),
    hasUnreadableGuard: problems.length > 0,
    ...(before && { diff: unifiedDiff(before.text, text, { before: before.file, after: file }) }),
  };
}

/** One that is gone, with its text before. */
export function removedEntry({ name, file, text }: Pick<TrustEntry, "name" | "file" | "text">): TrustEntry {
  const empty = {
    type: "",
    description: "",
    guards: [],
    hasUnreadableGuard: false,
    flags: [],
    isFact: false,
  };
  return { ...empty, name, file, text, change: "removed", isAccounted: false };
}

/** What a review is about, in words. */
export function describeEntries(entries: readonly TrustEntry[]): string {
  const facts = entries.filter(({ isFact }) => isFact).length;
  const counts = [
    [entries.length - facts, "rule"],
    [facts, "fact"],
  ] as const;
  const named = counts.filter(([count]) => count > 0);
  return named.map(([count, noun]) => `${count} ${noun}${count === 1 ? "" : "s"}`).join(", ");
}

/** What differs between two states of a store, each its files' texts by path: rules and guards first. */
export function changesBetween(
  store: StoreRef,
  types: TypeTable,
  ...states: [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>]
): TrustEntry[] {
  const [old, now] = states.map((files) => {
    const memories = [...files].filter(([file]) => isMemoryFile(basename(file)) && !/(?:^|\/)\./.test(file));
    const read = memories.map(([file, text]) => ({
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
      .map(([id, one]) => entryOf(one, one.text, types, old.get(id))),
    ...[...old]
      .filter(([id]) => !now.has(id))
      .map(([, one]) => ({
        ...removedEntry(one),
        type: one.type,
        description: one.description,
        isFact: !takesForce(one, types),
      })),
  ];
  return entries.toSorted((a, b) => Number(a.isFact) - Number(b.isFact));
}

/** Stands for all that a review shows. */
export function tokenOf(entries: readonly TrustEntry[], ...commits: string[]): string {
  const said = [...commits, ...entries.map(({ name, change, text }) => [name, change, text])];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
