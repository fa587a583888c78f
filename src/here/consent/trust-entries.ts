import { createHash } from "node:crypto";
import { basename } from "node:path";
import { whyQuarantined, endedOn } from "./standing.ts";
import { describeWholeGuard, parseGuards } from "../../guard/parse-guards.ts";
import { type MemoryMetadata, type StoreRef, isMemoryFile } from "../../memory/memory.ts";
import { type TypeTable, needsApproval, takesForce } from "../../memory/memory-type.ts";
import { isReadInStore, parseMemoryFile } from "../../store/files/scan-store.ts";
import { unifiedDiff } from "../../store/history/unified-diff.ts";

interface Said {
  metadata: MemoryMetadata;
  text: string;
}

/** The memory of a file's text; none where the file is read for none. */
export function saidIn(store: StoreRef, types: TypeTable, file: string, text: string): Said | undefined {
  if (!isMemoryFile(basename(file)) || !isReadInStore(file)) return undefined;
  const { memory } = parseMemoryFile(store, file, text, types);
  return memory && { metadata: memory.metadata, text };
}

/** One memory of a review: a rule or guard that takes force by a trust or changes what is in force, or a fact that came. */
export interface TrustEntry {
  name: string;
  /** Relative to the store's root; of the report on a diff, to the repository's. */
  file: string;
  type: string;
  statement: string;
  change: "new" | "changed" | "removed";
  /** It is told and stops nothing. One of a repository's store is told before the review too, as data. */
  isFact: boolean;
  /** What its guards stop, in words, and what they stopped before and will not stop any more. */
  guards: string[];
  stopsNoMore: string[];
  /** A guard of it cannot be read: it does nothing. */
  hasUnreadableGuard: boolean;
  /** The whole file; of a removed rule the text that was approved. */
  text: string;
  /** For a changed one: against the approved text, which stays in force until the review. */
  diff?: string;
  /** What its text does that no memory has to: it is told only after `heed inbox confirm`, trusted or not. */
  flags: readonly string[];
  /** heed wrote this very text, and nobody else ever changed the file: by the history of the user's own store. */
  isAccounted?: boolean;
}

/** What `heed inbox trust` shows. */
export interface TrustReview {
  store: StoreRef;
  /** Rules and guards first. */
  entries: TrustEntry[];
  /** What they are, in words: `2 rules, 1 fact`. */
  says: string;
  /** What was changed outside heed of that which decides what is in force: a trust takes changed settings over. */
  changed: string[];
  /** Approved rules whose file is broken, with line and remedy: they stay in force, and no trust forgets them. */
  unreadable: string[];
  /** How many rules and guards of the store are approved as they are. */
  inForce: number;
  /** For `trust`: what was shown is what is approved. */
  token: string;
}

/** A memory as a review shows it, against what it was before; none where it is on neither side. */
export function entryOf(
  types: TypeTable,
  now: Said | undefined,
  before: Said | undefined,
  typesBefore: TypeTable = types,
): TrustEntry[] {
  const shown = now ?? before;
  if (!shown) return [];
  const { name, type, statement, file, flags = [] } = shown.metadata;
  const [guards = [], stopped = []] = [now, before].map((side) =>
    parseGuards(side?.metadata.guard).guards.map(({ guard }) => describeWholeGuard(guard)),
  );
  const entry: TrustEntry = {
    name,
    file,
    type,
    statement,
    change: !now ? "removed" : before ? "changed" : "new",
    isFact:
      !(now && takesForce(now.metadata, types)) && !(before && takesForce(before.metadata, typesBefore)),
    guards,
    stopsNoMore: stopped.filter((words) => !guards.includes(words)),
    hasUnreadableGuard: parseGuards(now?.metadata.guard).problems.length > 0,
    text: shown.text,
    flags: now ? flags : [],
  };
  const files = { before: before?.metadata.file ?? "", after: file };
  return [now && before ? { ...entry, diff: unifiedDiff(before.text, now.text, files) } : entry];
}

export function describeEntries(entries: readonly TrustEntry[]): string {
  const facts = entries.filter(({ isFact }) => isFact).length;
  const words = (count: number, noun: string): string[] =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return [...words(entries.length - facts, "rule"), ...words(facts, "fact")].join(" and ");
}

/** What differs between two states of a store, each its files' texts by path: rules and guards first. */
export function changesBetween(
  store: StoreRef,
  types: TypeTable,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): TrustEntry[] {
  return pairsBetween(store, { files: before, types }, { files: after, types })
    .filter(({ was, is }) => was?.text !== is?.text)
    .flatMap(({ was, is }) => entryOf(types, is, was))
    .sort((a, b) => Number(a.isFact) - Number(b.isFact));
}

interface StoreState {
  files: ReadonlyMap<string, string>;
  types: TypeTable;
}

/** Pairs the memories of two states by path; a moved one by its id. A second file of the same id is new. */
export function pairsBetween(
  store: StoreRef,
  ...states: [before: StoreState, after: StoreState]
): { was?: Said | undefined; is?: Said | undefined }[] {
  const [old = new Map<string, Said>(), now = new Map<string, Said>()] = states.map(({ files, types }) => {
    const all = [...files].map(([file, text]) => [file, saidIn(store, types, file, text)] as const);
    return new Map(all.flatMap(([file, said]) => (said ? [[file, said]] : [])));
  });
  const gone = new Map([...old].flatMap(([file, one]) => (now.has(file) ? [] : [[one.metadata.id, one]])));
  const pairs = [...now].map(([file, is]) => {
    const was = old.get(file) ?? gone.get(is.metadata.id);
    if (was) gone.delete(was.metadata.id);
    return { was, is };
  });
  return [...pairs, ...[...gone.values()].map((was) => ({ was, is: undefined }))];
}

/** Why a memory of a store is in force for nobody who has the store, in words; undefined where it is for some. */
export function whyNoForce(metadata: MemoryMetadata, types: TypeTable, now: Date): string | undefined {
  const policy = types.get(metadata.type);
  if (policy?.injection !== "always" && !needsApproval(policy))
    return `a memory of type ${metadata.type} is no rule`;
  if (metadata.status !== "confirmed") return `its status is ${metadata.status}`;
  const ended = endedOn(metadata, now);
  return ended === undefined ? whyQuarantined(metadata) : `it expired on ${ended}`;
}

/** Stands for all that a review shows. */
export function tokenOf(entries: readonly TrustEntry[], ...commits: string[]): string {
  const said = [...commits, ...entries.map(({ name, change, text }) => [name, change, text])];
  return createHash("sha256").update(JSON.stringify(said)).digest("hex").slice(0, 32);
}
