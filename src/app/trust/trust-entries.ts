import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { TrustEntry } from "../api/setup-reports.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { type MemoryMetadata, type StoreRef, isMemoryFile } from "../../memory/memory.ts";
import { takesForce, type TypeTable } from "../../memory/memory-type.ts";
import { parseMemoryFile } from "../../store/files/scan-store.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";

/** A memory with the text of its file. */
interface Said {
  metadata: MemoryMetadata;
  text: string;
}

/** What the text of a file says; undefined when that is no memory. */
export function saidIn(store: StoreRef, types: TypeTable, file: string, text: string): Said | undefined {
  const { memory } = parseMemoryFile(store, file, text, types);
  return memory && { metadata: memory.metadata, text };
}

/** A memory as a review shows it, against what it was before; none where it is on neither side. */
export function entryOf(types: TypeTable, now: Said | undefined, before: Said | undefined): TrustEntry[] {
  const shown = now ?? before;
  if (!shown) return [];
  const { name, type, description, file, flags = [] } = shown.metadata;
  const [guards = [], stopped = []] = [now, before].map((side) =>
    parseGuards(side?.metadata.guard).guards.map(({ guard }) => describeWholeGuard(guard)),
  );
  const entry: TrustEntry = {
    name,
    file,
    type,
    description,
    change: !now ? "removed" : before ? "changed" : "new",
    isFact: ![now, before].some((side) => side && takesForce(side.metadata, types)),
    guards,
    stopsNoMore: stopped.filter((words) => !guards.includes(words)),
    hasUnreadableGuard: parseGuards(now?.metadata.guard).problems.length > 0,
    text: shown.text,
    flags: now ? flags : [],
    isAccounted: false,
  };
  const files = { before: before?.metadata.file ?? "", after: file };
  return [now && before ? { ...entry, diff: unifiedDiff(before.text, now.text, files) } : entry];
}

/** What a review is about, in words. */
export function describeEntries(entries: readonly TrustEntry[]): string {
  const facts = entries.filter(({ isFact }) => isFact).length;
  const words = (count: number, noun: string): string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return [...words(entries.length - facts, "rule"), ...words(facts, "fact")].join(", ");
}

/** What differs between two states of a store, each its files' texts by path: rules and guards first. */
export function changesBetween(
  store: StoreRef,
  types: TypeTable,
  ...states: [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>]
): TrustEntry[] {
  const [old = new Map<string, Said>(), now = new Map<string, Said>()] = states.map((files) => {
    const memories = [...files].filter(([file]) => isMemoryFile(basename(file)) && !/(?:^|\/)\./.test(file));
    const said = memories.flatMap(([file, text]) => saidIn(store, types, file, text) ?? []);
    return new Map(said.map((one) => [one.metadata.id, one]));
  });
  return [...new Set([...now.keys(), ...old.keys()])]
    .filter((id) => now.get(id)?.text !== old.get(id)?.text)
    .flatMap((id) => entryOf(types, now.get(id), old.get(id)))
    .sort((a, b) => Number(a.isFact) - Number(b.isFact));
}

/** Stands for all that a review shows. */
export function tokenOf(entries: readonly TrustEntry[], ...commits: string[]): string {
  const said = [...commits, ...entries.map(({ name, change, text }) => [name, change, text])];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
