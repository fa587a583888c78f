import { dirname } from "node:path";
import { type TrustEntry, entryOf, pairsBetween, whyNoForce } from "../here/consent/trust-entries.ts";
import type { RevisionTree } from "../freshness/repository-history.ts";
import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import { TypeTable } from "../memory/memory-type.ts";
import { cutShown } from "../memory/screening/find-secrets.ts";
import type { Settings } from "../store/config/store-config.ts";
import { MAX_CONFIG_BYTES, parseSettings, storeConfigOf } from "../store/config/store-config.ts";
import type { Reading } from "../machine/state-file.ts";
import type { Problem } from "../machine/heed-error.ts";

interface StoreSide {
  files: ReadonlyMap<string, string>;
  types: TypeTable;
}

/** One thing that is wrong after a change; `file` is its path in the repository. */
export interface DiffFinding extends Problem {
  /** The name of the memory, where it is about one. */
  memory?: string;
  /** The claim that does not hold, and the one that holds in its place. */
  claim?: string;
  becomes?: string;
}

function warning(file: string, code: string, message: string, remedy: string): DiffFinding {
  return { file, line: 1, severity: "warning", code, message, remedy };
}

/** What is to be said of a store that comes, goes or gives way as a whole. */
export function placeFindings(
  folder: string,
  folders: readonly string[],
  trees: readonly [RevisionTree, RevisionTree],
): DiffFinding[] {
  const [was, is] = trees.map((tree) => tree.look(folder).kind);
  const where = dirname(folder);
  const outer = folders.find((one) => one !== folder && `${where}/`.startsWith(one.replace(/\.heed$/, "")));
  if (was !== "folder") {
    if (is !== "folder" || outer === undefined) return [];
    const message = `a new store: sessions below ${where} get its rules instead of those of ${outer}`;
    return [
      warning(folder, "new-store", message, `keep its memories in ${outer}, with paths in their scope`),
    ];
  }
  if (is === "folder") return [];
  const gone = warning(
    folder,
    "store-gone",
    "this removes the store, with all its rules, guards and facts",
    "put it back",
  );
  const message = "something else is in the store's place: its rules, guards and facts no longer apply";
  return [is === "missing" ? gone : { ...gone, severity: "error", code: "store-replaced", message }];
}

/** The settings of a store on each side of a change, as types and as what is to be said of their change. */
export function settingsChange(
  path: string,
  trees: readonly [RevisionTree, RevisionTree],
  known: TypeTable,
): { types: [TypeTable, TypeTable]; findings: DiffFinding[] } {
  const [was, is] = [settingsIn(trees[0], path), settingsIn(trees[1], path)];
  const [before, after] = [storeConfigOf(path, was), storeConfigOf(path, is)];
  const findings: DiffFinding[] = [...after.problems];
  const isOnBoth = trees.every((tree) => tree.look(dirname(path)).kind === "folder");
  const keys = new Set([was, is].flatMap(({ content = {} }) => Object.keys(content)));
  for (const key of is.fault || !isOnBoth ? [] : keys) {
    const [old = "", now = ""] = [was, is].map(({ content = {} }) =>
      key in content ? cutShown(JSON.stringify(content[key]), 80) : "not set",
    );
    const message = `a setting of the store changes for everybody: ${key} is ${now}, and was ${old}`;
    if (old !== now)
      findings.push(warning(path, "setting", message, "leave it out, unless everyone should have it"));
  }
  const tableOf = (types: typeof after.types): TypeTable => new TypeTable([...known.all(), ...types]);
  return { types: [tableOf(before.types), tableOf(after.types)], findings };
}

/** The text of a file on one side, or why it is not read; undefined where there is none. */
export function textIn(
  tree: RevisionTree,
  path: string,
  maxBytes: number,
): { text: string } | { why: string } | undefined {
  const read = tree.text(path);
  if ("missing" in read || !tree.files.has(path)) return undefined;
  const isTooLarge = "text" in read && Buffer.byteLength(read.text) > maxBytes;
  return isTooLarge ? { why: `it has more than ${maxBytes} bytes` } : read;
}

function settingsIn(tree: RevisionTree, path: string): Reading<Settings> {
  const read = textIn(tree, path, MAX_CONFIG_BYTES);
  if (!read) return {};
  try {
    if ("why" in read) throw new Error(read.why);
    return { content: parseSettings(read.text) };
  } catch (error) {
    return { fault: { message: error instanceof Error ? error.message : String(error) } };
  }
}

/** The rules and guards that differ between two sides, and what is said of those that are in force no more, or less. */
export function ruleChanges(
  store: StoreRef,
  before: StoreSide,
  after: StoreSide,
  now: Date,
): { rules: TrustEntry[]; findings: DiffFinding[] } {
  const findings: DiffFinding[] = [];
  const rules = pairsBetween(store, before, after).flatMap(({ was, is }): TrustEntry[] => {
    const wasHeld = was && whyNoForce(was.metadata, before.types, now) === undefined;
    const ended = is && whyNoForce(is.metadata, after.types, now);
    if (was?.text === is?.text && !(wasHeld && ended)) return [];
    if (wasHeld && is) {
      const less = ended ?? narrowed(was.metadata, is.metadata);
      const [code, words] = ended === undefined ? ["rule-narrowed", "holds less"] : ["rule-ended", "ends"];
      const { name, file } = is.metadata;
      const remedy = "put that back, unless the rule should change for everyone";
      if (less !== undefined)
        findings.push({ ...warning(file, code, `the rule ${name} ${words}: ${less}`, remedy), memory: name });
    }
    // What is in force for nobody stops nothing.
    const said = is && ended !== undefined ? { ...is, metadata: { ...is.metadata, guard: undefined } } : is;
    return entryOf(after.types, said, was, before.types).filter(({ isFact }) => !isFact);
  });
  return { rules, findings };
}

function narrowed(was: MemoryMetadata, is: MemoryMetadata): string | undefined {
  const said = ({ scope, expires = "" }: MemoryMetadata): Record<string, string> => ({
    ...Object.fromEntries(Object.entries(scope).map(([key, value]) => [key, String(value ?? "")])),
    until: expires,
  });
  const [old, now] = [said(was), said(is)];
  const changed = Object.keys({ ...old, ...now }).filter((key) => (old[key] ?? "") !== (now[key] ?? ""));
  return changed.length === 0 ? undefined : changed.map((key) => `${key} ${now[key] || "any"}`).join(", ");
}
