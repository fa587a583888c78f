import { join } from "node:path";
import type { Place } from "../here/place.ts";
import { whyQuarantined } from "../here/consent/standing.ts";
import { readUserWords } from "../store/consent.ts";
import { SUMMARY_ALONE, isSummaryAlone } from "../write/gates/schema-gate.ts";
import { relativeWordsIn } from "../write/gates/text-gates.ts";
import { type Problem, reportTo } from "../machine/problem.ts";
import { failedExamplesOf, parseGuards } from "../guard/parse-guards.ts";
import { splitFrontMatter, toLf, lineOfKey } from "../memory/codec/front-matter.ts";
import { missingAsks, missingNeeds } from "../memory/codec/type-needs.ts";
import { plainHandle } from "../memory/handle.ts";
import { LIMITS } from "../memory/limits.ts";
import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import { type TypePolicy, TypeTable } from "../memory/memory-type.ts";
import { MAX_OWN_FILE_BYTES, isOpenToOthers, readOrEmpty } from "../machine/regular-file.ts";
import { cutShown, findSecrets } from "../memory/screening/find-secrets.ts";
import { CONFIG_FILE, readStoreConfig } from "../store/config/store-config.ts";
import { type StoreScan, type StoredMemory, listMemoryFiles, scanStore } from "../store/files/scan-store.ts";

/** What `heed check` found in one store. */
export interface CheckReport {
  stores: { store: StoreRef; files: number; memories: number; problems: Problem[] }[];
  errors: number;
  warnings: number;
}

/** Every problem of every store that holds here, with file, line and remedy. Reads all files, changes none. */
export async function checkStores(place: Place): Promise<CheckReport> {
  const scans = place.stores.map((store) => ({ store, scan: scanStore(store, typesOf(place, store)) }));
  // A link may point into another store: a project's memory to one of the user's.
  const known = handlesIn(scans.flatMap(({ scan }) => scan.memories));
  const report: CheckReport = { stores: [], errors: 0, warnings: 0 };
  for (const { store, scan } of scans) {
    // Where a file is gone since the scan its lines do not matter either.
    const texts = new Map(
      listMemoryFiles(store.root).map((file) => [
        file,
        readOrEmpty(join(store.root, file), { maxBytes: MAX_OWN_FILE_BYTES }),
      ]),
    );
    const settings = readStoreConfig(store.root, place.places).problems;
    scan.problems.push(...settings.map((problem) => ({ ...problem, file: CONFIG_FILE })));
    const problems = await checkStore(place, scan, texts, { store, known });
    problems.push(...openFolders(place, store));
    report.stores.push({ store, files: texts.size, memories: scan.memories.length, problems });
    report.errors += problems.filter(({ severity }) => severity === "error").length;
    report.warnings += problems.filter(({ severity }) => severity === "warning").length;
  }
  return report;
}

function openFolders({ places }: Place, store: StoreRef): Problem[] {
  if (store.kind !== "user") return [];
  return [store.root, places.state].filter(isOpenToOthers).map((folder) => ({
    file: folder === store.root ? "." : folder,
    severity: "warning",
    code: "permissions",
    message: `other users of this machine may look into ${folder}`,
    remedy: `chmod 700 ${folder}`,
  }));
}

/** The types of a store's files: what it declares counts for reading them before the store is approved here. */
export function typesOf({ types, places }: Place, { root, isTrusted }: StoreRef): TypeTable {
  return isTrusted ? types : new TypeTable([...types.all(), ...readStoreConfig(root, places).types]);
}

interface StoreCheck {
  store: StoreRef;
  known?: KnownHandles;
  types?: TypeTable;
}

export async function checkStore(
  place: Place,
  scan: StoreScan,
  texts: ReadonlyMap<string, string>,
  { store, known = handlesIn(scan.memories), types = typesOf(place, store) }: StoreCheck,
): Promise<Problem[]> {
  const { places, now } = place;
  const words = readUserWords(places);
  const textOf = (file: string): string => texts.get(file) ?? "";
  const problems = [...scan.problems];
  for (const memory of scan.memories) {
    const policy = types.get(memory.metadata.type);
    const held = whyQuarantined(memory.metadata);
    if (held !== undefined && words.get(memory.metadata.contentHash) !== "confirmed")
      problems.push({
        file: memory.metadata.file,
        severity: "warning",
        code: "hostile",
        message: `${held}: it is told to nobody`,
        remedy: `read it, then release it (heed inbox confirm ${memory.metadata.name}) or remove it`,
      });
    const isForeign = store.kind === "attached" || memory.metadata.section !== undefined;
    const failed = await failedExamplesOf(memory.metadata.guard);
    const text = textOf(memory.metadata.file);
    problems.push(...checkMemory(memory, { policy, isForeign, now: now(), text, failed }));
  }
  for (const [file, text] of texts) problems.push(...checkSecrets(file, text));
  const lineOf = (metadata: MemoryMetadata, key: string): number =>
    metadata.section === undefined ? lineOfKey(splitFrontMatter(textOf(metadata.file)), key) : 1;
  const memories = scan.memories.map(({ metadata }) => metadata);
  for (const key of ["name", "id"] as const) problems.push(...findDuplicates(memories, key, lineOf));
  for (const metadata of memories) problems.push(...findBrokenLinks(metadata, known, lineOf));
  return problems.sort((a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0));
}

/** A hand edit passes no gate. Tells the kind of a secret, never its value. */
function checkSecrets(file: string, text: string): Problem[] {
  return findSecrets(text).map(({ kind, start }) => ({
    file,
    line: text.slice(0, start).split("\n").length,
    severity: "error",
    code: "secret",
    message: `there is a secret in it (${kind}): it is redacted where heed shows the memory, but the file and its history hold it`,
    remedy:
      "take it out with `heed scrub`, which removes it everywhere, and replace it at the service that gave it",
  }));
}

const MAX_DATES = 5;

interface MemoryCheck {
  policy: TypePolicy | undefined;
  /** Another tool writes these files by its own rules: what heed's types ask for is a warning there. */
  isForeign: boolean;
  now: Date;
  text: string;
  /** The examples of its guards that fail. Default: none. */
  failed?: readonly Pick<Problem, "code" | "message" | "remedy">[];
}

/** What is wrong with one memory beyond how its file is written. */
export function checkMemory({ metadata, body }: StoredMemory, check: MemoryCheck): Problem[] {
  const { policy, isForeign, now, text, failed = [] } = check;
  const split = splitFrontMatter(text);
  // A section of a file has no front matter of its own: its problems are told at the line of its first words.
  const bodyLine = lineOfBody(text, body, split.bodyLine);
  const lineOf = (key: string): number => (metadata.section === undefined ? lineOfKey(split, key) : bodyLine);
  const problems: Problem[] = [];
  const report = reportTo(problems, metadata.file);
  const warn = (code: string, key: string, message: string, remedy: string): void =>
    report("warning", code, lineOf(key), message, remedy);
  const { length } = metadata.description;
  if (length > LIMITS.descriptionChars)
    warn(
      "long-description",
      "description",
      `the description has ${length} characters, ${LIMITS.descriptionChars} at most fit on one line of context`,
      "say it shorter; the rest belongs in the text",
    );
  const [message = "", remedy = ""] = SUMMARY_ALONE.split(": ");
  if (isSummaryAlone({ ...metadata, body }, policy)) warn("summary-alone", "description", message, remedy);
  for (const { code, message, remedy } of [...parseGuards(metadata.guard).problems, ...failed])
    report("error", code, lineOf("guard"), message, remedy);
  if (policy && policy.injection !== "always" && metadata.guard !== undefined)
    warn(
      "guard-on-no-rule",
      "guard",
      `a memory of type ${policy.name} has a guard, and only rules stop anything`,
      "write the rule as feedback, or remove the guard",
    );
  if (!policy || metadata.status === "superseded") return problems;
  for (const { need, words, remedy } of missingNeeds({ ...metadata, body }, policy)) {
    const message = `a memory of type ${policy.name} needs ${words}, and there is none`;
    report(
      isForeign ? "warning" : "error",
      `missing-${need}`,
      need === "trigger" ? lineOf("type") : bodyLine,
      message,
      remedy,
    );
  }
  const lacked = missingAsks({ ...metadata, body }, policy);
  if (lacked !== "")
    warn(
      "missing-parts",
      "type",
      `a memory of type ${policy.name} is better with ${lacked}`,
      "add what is known of it",
    );
  if (policy.needs.includes("absolute-dates")) {
    const day = (metadata.updated ?? metadata.created ?? now.toISOString()).slice(0, 10);
    for (const words of relativeWordsIn(metadata.description).slice(0, MAX_DATES)) {
      const message = `"${words}" does not mean the same later`;
      warn("relative-date", "description", message, `write the day as a date (written on ${day})`);
    }
  }
  return problems;
}

function lineOfBody(text: string, body: string, fallback: number): number {
  const lf = toLf(text);
  const at = body === "" ? -1 : lf.lastIndexOf(body);
  return at < 0 ? fallback : lf.slice(0, at).split("\n").length;
}

interface KnownHandles {
  names: ReadonlySet<string>;
  ids: ReadonlySet<string>;
}

function handlesIn(memories: readonly StoredMemory[]): KnownHandles {
  return {
    names: new Set(memories.map(({ metadata }) => metadata.name)),
    ids: new Set(memories.map(({ metadata }) => metadata.id)),
  };
}

function findDuplicates(
  memories: readonly MemoryMetadata[],
  key: "name" | "id",
  lineOf: (metadata: MemoryMetadata, key: string) => number,
): Problem[] {
  const first = new Map<string, MemoryMetadata>();
  return memories.flatMap((metadata): Problem[] => {
    const duplicate = first.get(metadata[key]);
    if (!duplicate) {
      first.set(metadata[key], metadata);
      return [];
    }
    return [
      {
        file: metadata.file,
        line: lineOf(metadata, key),
        severity: "error",
        code: `duplicate-${key}`,
        message: `${key} "${metadata[key].slice(0, 80)}" is that of ${duplicate.file} as well`,
        remedy:
          key === "name"
            ? "rename one of the two, or merge them"
            : "delete the `id` of the copy: it gets one of its own",
      },
    ];
  });
}

function findBrokenLinks(
  metadata: MemoryMetadata,
  { names, ids }: KnownHandles,
  lineOf: (metadata: MemoryMetadata, key: string) => number,
): Problem[] {
  return metadata.links
    .filter(({ to }) => !ids.has(to) && !names.has(plainHandle(to)))
    .map(({ rel, to }) => ({
      file: metadata.file,
      line: lineOf(metadata, "links"),
      severity: "warning",
      code: "broken-link",
      message: `it ${rel === "related" ? "is related to" : rel} "${cutShown(to, 80)}", which is in no store here`,
      remedy: "mend the name or id, or remove the link",
    }));
}
