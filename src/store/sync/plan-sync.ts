import { setYamlValue } from "../../memory/codec/edit-yaml.ts";
import { parseYaml } from "../../memory/codec/read-yaml.ts";
import { memoryIdIn, MAX_FILE_BYTES } from "../files/scan-store.ts";
import { mergeLines } from "../history/unified-diff.ts";
import { fold } from "../stored-files.ts";
import { CONFIG_FILE } from "../config/store-config.ts";
import { TOMBSTONE_FOLDER } from "../files/tombstone.ts";

export type SyncSide = ReadonlyMap<string, string>;

interface Version {
  file: string;
  text: string;
}

/** A version, and where it stood, that waits for the user's word: of a memory changed on two sides, or whose place is taken. */
export interface QueuedVersion extends Version {
  /** What stays in the store under the same id or name. */
  kept: Version;
  reason: string;
}

export interface SyncPlan {
  files: Map<string, string | null>;
  queued: QueuedVersion[];
  pulled: number;
  pushed: number;
  /** Files that are no memory or no configuration over there any more: they stay as they were. */
  refused: string[];
}

/**
 * Merges two sides memory by memory, matched by id, else by path. Edited on both: ours stays, theirs is queued; an edit
 * outlives a removal and is queued. Without a base the two were made apart.
 */
export function planSync(base: SyncSide, ours: SyncSide, remote: SyncSide): SyncPlan {
  const refused = [...remote].flatMap(([file, text]) => (isBroken(file, text, base.get(file)) ? [file] : []));
  const theirs = new Map([...remote].filter(([file]) => !refused.includes(file) || base.has(file)));
  for (const file of refused) if (base.has(file)) theirs.set(file, base.get(file) ?? "");
  const [inBase, inOurs, inTheirs] = [versionsByKey(base), versionsByKey(ours), versionsByKey(theirs)];
  const queued: QueuedVersion[] = [];
  const result = new Map<string, string>();
  const incoming: { version: Version; own: Version | undefined }[] = [];
  for (const key of new Set([...inOurs.keys(), ...inTheirs.keys(), ...inBase.keys()])) {
    const [own, other] = [inOurs.get(key), inTheirs.get(key)];
    const version = isSame(own, other) ? own : mergeVersions(inBase.get(key), own, other, queued);
    // What is here already keeps its place; what comes in takes one that is free.
    if (version && isSame(version, own)) result.set(version.file, version.text);
    else if (version) incoming.push({ version, own });
  }
  const taken = new Map([...result.keys()].map((file) => [fold(file), file]));
  for (const { version, own } of incoming) {
    const occupant = taken.get(fold(version.file));
    const isOwnFree = own !== undefined && !taken.has(fold(own.file));
    if (occupant === undefined || isOwnFree) {
      const file = occupant === undefined || !own ? version.file : own.file;
      result.set(file, version.text);
      taken.set(fold(file), file);
      continue;
    }
    const kept = { file: occupant, text: result.get(occupant) ?? "" };
    if (!isLikelyDuplicate(kept.text, version.text))
      queued.push({ ...version, kept, reason: "made on two sides under one name" });
  }
  const merged = versionsByKey(result);
  const changesOf = (side: ReadonlyMap<string, Version>): number =>
    [...new Set([...side.keys(), ...merged.keys()])].filter((key) => !isSame(side.get(key), merged.get(key)))
      .length;
  addOtherFiles(base, ours, theirs, result);
  const files = new Map<string, string | null>();
  for (const [file, text] of result) if (ours.get(file) !== text) files.set(file, text);
  for (const file of ours.keys()) if (!result.has(file)) files.set(file, null);
  return { files, queued, pulled: changesOf(inOurs), pushed: refused.length + changesOf(inTheirs), refused };
}

/** Whether a text of the other side cannot follow what was there: torn, in conflict, emptied, or too large to be read. */
function isBroken(file: string, text: string, before: string | undefined): boolean {
  if (text.length > MAX_FILE_BYTES) return true;
  if (isMemoryFile(file)) return memoryIdIn(before ?? "") !== undefined && memoryIdIn(text) === undefined;
  try {
    if (file === CONFIG_FILE) parseYaml(text);
    return false;
  } catch {
    return true;
  }
}

function mergeVersions(
  base: Version | undefined,
  ours: Version | undefined,
  theirs: Version | undefined,
  queued: QueuedVersion[],
): Version | undefined {
  if (isSame(ours, base)) return theirs;
  if (isSame(theirs, base)) return ours;
  if (isRemoved(ours) !== isRemoved(theirs)) {
    const [living, removed] = isRemoved(ours) ? [theirs, ours] : [ours, theirs];
    if (removed && living?.text === base?.text) return removed;
    if (living) queued.push({ ...living, kept: living, reason: removedReason(removed === ours) });
    return living;
  }
  // Two removals differ in time and reason alone: there is nothing to ask.
  if (!ours || !theirs || isRemoved(ours)) return ours ?? theirs;
  const file = base && ours.file === base.file ? theirs.file : ours.file;
  if (base && ours.text === base.text) return { file, text: theirs.text };
  if (theirs.text !== base?.text && !isLikelyDuplicate(ours.text, theirs.text))
    queued.push({ ...theirs, kept: { file, text: ours.text }, reason: "edited on two sides" });
  return { file, text: ours.text };
}

function removedReason(isRemovedHere: boolean): string {
  const [removed, edited] = isRemovedHere ? ["here", "there"] : ["there", "here"];
  return `removed ${removed} and edited ${edited}: the edit is kept; remove the memory again if it is no longer wanted`;
}

/** Memories of a side by id; by path where a memory has none, or where two files give the same one. */
function versionsByKey(side: SyncSide): Map<string, Version> {
  const counts = new Map<string, number>();
  const memories = [...side].filter(([file]) => isMemoryFile(file));
  const ids = new Map(memories.map(([file, text]) => [file, memoryIdIn(text)]));
  for (const id of ids.values()) if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  return new Map(
    memories.map(([file, text]) => {
      const id = ids.get(file);
      return [id !== undefined && counts.get(id) === 1 ? `id ${id}` : `file ${file}`, { file, text }];
    }),
  );
}

/** The configuration is merged by lines, ours stays where that fails; of what is ignored nothing is dropped: it would be pushed. */
function addOtherFiles(base: SyncSide, ours: SyncSide, theirs: SyncSide, result: Map<string, string>): void {
  for (const file of new Set([...ours.keys(), ...theirs.keys()])) {
    if (isMemoryFile(file)) continue;
    const [b, o, t] = [base.get(file), ours.get(file), theirs.get(file)];
    const text =
      o === b ? t : t === b ? o : o === undefined || t === undefined ? (o ?? t) : merge(file, b, o, t);
    if (text !== undefined) result.set(file, text);
  }
}

function merge(file: string, base: string | undefined, ours: string, theirs: string): string {
  const more = theirs.split("\n").filter((line) => !ours.split("\n").includes(line));
  if (file !== CONFIG_FILE) return [ours.replace(/\n$/, ""), ...more, ""].join("\n");
  if (base !== undefined) return mergeLines(base, ours, theirs) ?? ours;
  // Two stores that were made apart become one: the remote's identity, so that any number of machines agree.
  const id = /^store:[ \t]*(\S+)/m.exec(theirs)?.[1];
  return id === undefined ? ours : setYamlValue(ours, ["store"], id);
}

/** Whether two versions differ in nothing that anybody said: ids and times apart. */
function isLikelyDuplicate(one: string, other: string): boolean {
  const said = (text: string): string =>
    text.replace(/^[ \t]*(?:id|created|updated|verified):.*\n/gm, "").trim();
  return said(one) === said(other);
}

function isMemoryFile(file: string): boolean {
  return /\.(md|markdown)$/i.test(file);
}

function isRemoved(version: Version | undefined): boolean {
  return version?.file.startsWith(`${TOMBSTONE_FOLDER}/`) ?? true;
}

function isSame(a: Version | undefined, b: Version | undefined): boolean {
  return a?.file === b?.file && a?.text === b?.text;
}
