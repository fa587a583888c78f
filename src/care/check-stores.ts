import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../here/place.ts";
import { openCollection } from "../here/collection.ts";
import { absentFolders } from "../here/consent/review-store.ts";
import { waitingReviews } from "../here/consent/rule-approvals.ts";
import { whyQuarantined } from "../here/consent/standing.ts";
import { indexDirectory, typesKeyOf } from "../here/store-index.ts";
import { readUserWords } from "../store/consent.ts";
import { SUMMARY_ALONE, isSummaryAlone } from "../write/gates/schema-gate.ts";
import { relativeWordsIn } from "../write/gates/text-gates.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { Breather } from "../machine/breather.ts";
import { type Problem, reportTo } from "../machine/heed-error.ts";
import { failedExamplesOf, parseGuards } from "../guard/parse-guards.ts";
import { splitFrontMatter, toLf, lineOfKey } from "../memory/codec/front-matter.ts";
import { type TypePolicy, TypeTable } from "../memory/memory-type.ts";
import { missingAsks, missingNeeds } from "../memory/codec/sections.ts";
import { plainHandle } from "../memory/handle.ts";
import { shellWord } from "../machine/shell-word.ts";
import { notesInIndex } from "./formats/read-statements.ts";
import { LIMITS } from "../memory/limits.ts";
import type { MemoryMetadata, StoreRef } from "../memory/memory.ts";
import {
  MAX_OWN_FILE_BYTES,
  isOpenToOthers,
  namesInFolder,
  readOrEmpty,
  readRegularFile,
} from "../machine/regular-file.ts";
import { cutShown, findSecrets } from "../memory/screening/find-secrets.ts";
import { CONFIG_FILE, readStoreConfig } from "../store/config/store-config.ts";
import type { FileState, StoreScan, StoreWalk, StoredMemory } from "../store/files/scan-store.ts";
import { fileStates, readMemoryFile, walkStore } from "../store/files/scan-store.ts";

/** What `heed check` found in one store. */
export interface CheckReport {
  stores: { store: StoreRef; files: number; memories: number; problems: Problem[] }[];
  errors: number;
  warnings: number;
}

/** Every problem of every store that holds here, with file, line and remedy. Reads the files that changed since the last look. */
export async function checkStores(place: Place): Promise<CheckReport> {
  const looked: { store: StoreRef; walk: StoreWalk; files: CheckedFile[] }[] = [];
  for (const store of place.stores) {
    const walk = walkStore(store.root);
    looked.push({ store, walk, files: await checkFiles(place, store, walk) });
  }
  // A link may point into another store: a project's memory to one of the user's.
  const known = handlesIn(looked.flatMap(({ files }) => files.flatMap(({ memories }) => memories)));
  const reviews = await waitingReviews(place, await openCollection(place));
  const reviewsOf = (store: StoreRef): Problem[] =>
    reviews.filter((one) => one.store.id === store.id).map(({ problem }) => ({ ...problem, file: "." }));
  const report: CheckReport = { stores: [], errors: 0, warnings: 0 };
  for (const { store, walk, files } of looked) {
    const memories = files.flatMap((file) => file.memories);
    const settings = readStoreConfig(store.root, place.places).problems;
    const problems = inOrder([
      ...walk.problems,
      ...settings.map((problem) => ({ ...problem, file: CONFIG_FILE })),
      ...files.flatMap((file) => file.problems),
      ...checkAmong(memories, known, (file) => textOf(store, file)),
    ]);
    const absent = store === place.stores[0] ? absentFolders(place) : [];
    problems.push(...openFolders(place, store), ...indexNotes(store, walk), ...reviewsOf(store), ...absent);
    report.stores.push({ store, files: walk.files.length, memories: memories.length, problems });
    report.errors += problems.filter(({ severity }) => severity === "error").length;
    report.warnings += problems.filter(({ severity }) => severity === "warning").length;
  }
  return report;
}

/** What a file's text says by itself. It stays so while the file is as it was. */
interface CheckedFile extends FileState {
  problems: Problem[];
  memories: Related[];
}
type Related = Pick<MemoryMetadata, "name" | "id" | "links" | "file" | "section">;

/** Counted up when a file is checked otherwise. */
const CHECKS = 1;
const MAX_KEPT_BYTES = 512 * 1024 * 1024;

async function checkFiles(place: Place, store: StoreRef, { files }: StoreWalk): Promise<CheckedFile[]> {
  const types = typesOf(place, store);
  const keptIn = `${indexDirectory(place.places, store)}.checked.json`;
  const key = `${CHECKS} ${store.kind} ${typesKeyOf(types)}`;
  const kept = readKept(keptIn, key);
  const checked: CheckedFile[] = [];
  const lasting: CheckedFile[] = [];
  const breather = new Breather();
  for (const state of fileStates(store.root, files)) {
    const last = kept.get(state.file);
    if (last?.mtimeMs === state.mtimeMs && last.sizeBytes === state.sizeBytes) {
      checked.push(last);
      lasting.push(last);
      continue;
    }
    const read = readMemoryFile(store, state.file, types);
    const text = read.text ?? textOf(store, state.file);
    const problems = await checkFile(place, read, { file: state.file, text, store, types });
    const memories = read.memories.map(({ metadata: { name, id, links, file, section } }) => ({
      name,
      id,
      links,
      file,
      ...(section !== undefined && { section }),
    }));
    checked.push({ ...state, problems, memories });
    // The user's word, an example of a guard and today's date may decide otherwise the next time.
    const isLasting = read.memories.every(
      ({ metadata: { flags, guard, updated, created } }) => !flags && !guard && (updated ?? created),
    );
    if (read.state && isLasting) lasting.push({ ...read.state, problems, memories });
    if (breather.isDue) await breather.rest();
  }
  const isKept = lasting.length === kept.size && lasting.every((one) => kept.get(one.file) === one);
  if (!isKept) keepChecked(keptIn, { key, files: lasting });
  return checked;
}

function readKept(path: string, key: string): Map<string, CheckedFile> {
  try {
    const text = readRegularFile(path, { maxBytes: MAX_KEPT_BYTES });
    const kept = JSON.parse(text) as { key: string; files: CheckedFile[] };
    const isWhole = ({ file, problems, memories }: CheckedFile): boolean =>
      typeof file === "string" &&
      Array.isArray(problems) &&
      memories.every(({ links }) => Array.isArray(links));
    if (kept.key === key && kept.files.every(isWhole))
      return new Map(kept.files.map((file) => [file.file, file]));
  } catch {
    // None yet, or damaged: all is looked at.
  }
  return new Map();
}

function keepChecked(path: string, kept: { key: string; files: CheckedFile[] }): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileAtomic(path, JSON.stringify(kept), { mode: 0o600, isDurable: false });
  } catch {
    // The next look takes as long as this one.
  }
}

const textOf = (store: StoreRef, file: string): string =>
  readOrEmpty(join(store.root, file), { maxBytes: MAX_OWN_FILE_BYTES });

const inOrder = (problems: Problem[]): Problem[] =>
  problems.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));

/** What another tool wrote into an index itself is in no file that is read. */
function indexNotes({ kind, root }: StoreRef, { files }: StoreWalk): Problem[] {
  const folders = kind === "attached" ? new Set([".", ...files.map((file) => dirname(file))]) : [];
  return [...folders].flatMap((folder): Problem[] => {
    const name = namesInFolder(join(root, folder)).find((one) => /^memory\.md$/i.test(one));
    const file = join(folder, name ?? "");
    const path = join(root, file);
    const notes = name === undefined ? [] : notesInIndex(readOrEmpty(path, { maxBytes: MAX_OWN_FILE_BYTES }));
    const [first] = notes;
    if (!first) return [];
    const message = `it holds ${notes.length} note${notes.length === 1 ? "" : "s"} of its own, and heed reads the files beside it alone`;
    const remedy = `copy them: heed import ${shellWord(path)}`;
    return [{ file, line: first.line, severity: "warning", code: "notes-in-index", message, remedy }];
  });
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

/** What is wrong with files that need not be on disk, by themselves and beside each other. */
export async function checkStore(
  place: Place,
  scan: StoreScan,
  texts: ReadonlyMap<string, string>,
  { store, types }: { store: StoreRef; types: TypeTable },
): Promise<Problem[]> {
  const problems = [...scan.problems];
  const byFile = new Map<string, StoredMemory[]>();
  for (const memory of scan.memories)
    byFile.set(memory.metadata.file, [...(byFile.get(memory.metadata.file) ?? []), memory]);
  for (const [file, text] of texts) {
    const read = { memories: byFile.get(file) ?? [], problems: [] };
    problems.push(...(await checkFile(place, read, { file, text, store, types })));
  }
  const memories = scan.memories.map(({ metadata }) => metadata);
  return inOrder([
    ...problems,
    ...checkAmong(memories, handlesIn(memories), (file) => texts.get(file) ?? ""),
  ]);
}

async function checkFile(
  place: Place,
  { memories, problems: read }: StoreScan,
  { file, text, store, types }: { file: string; text: string; store: StoreRef; types: TypeTable },
): Promise<Problem[]> {
  const problems = [...read];
  for (const memory of memories) {
    const { metadata } = memory;
    const held = whyQuarantined(metadata);
    if (held !== undefined && readUserWords(place.places).get(metadata.contentHash) !== "confirmed")
      problems.push({
        file,
        severity: "warning",
        code: "hostile",
        message: `${held}: it is told to nobody`,
        remedy: `read it, then release it (heed inbox confirm ${metadata.name}) or remove it`,
      });
    const isForeign = store.kind === "attached" || metadata.section !== undefined;
    const failed = await failedExamplesOf(metadata.guard);
    const policy = types.get(metadata.type);
    problems.push(...checkMemory(memory, { policy, isForeign, now: place.now(), text, failed }));
  }
  return [...problems, ...checkSecrets(file, text)];
}

function checkAmong(
  memories: readonly Related[],
  known: KnownHandles,
  textOf: (file: string) => string,
): Problem[] {
  const lineOf = ({ section, file }: Related, key: string): number =>
    section === undefined ? lineOfKey(splitFrontMatter(textOf(file)), key) : 1;
  return [
    ...(["name", "id"] as const).flatMap((key) => findDuplicates(memories, key, lineOf)),
    ...memories.flatMap((metadata) => findBrokenLinks(metadata, known, lineOf)),
  ];
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
  const { length } = metadata.statement;
  if (length > LIMITS.statementChars)
    warn(
      "long-description",
      "description",
      `the statement has ${length} characters, ${LIMITS.statementChars} at most fit on one line of context`,
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
    const message = `a memory of type ${policy.name} lacks ${words}`;
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
    for (const words of relativeWordsIn(metadata.statement).slice(0, MAX_DATES)) {
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

function handlesIn(memories: readonly Related[]): KnownHandles {
  return { names: new Set(memories.map(({ name }) => name)), ids: new Set(memories.map(({ id }) => id)) };
}

function findDuplicates(
  memories: readonly Related[],
  key: "name" | "id",
  lineOf: (metadata: Related, key: string) => number,
): Problem[] {
  const first = new Map<string, Related>();
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
  metadata: Related,
  { names, ids }: KnownHandles,
  lineOf: (metadata: Related, key: string) => number,
): Problem[] {
  return metadata.links
    .filter(({ to }) => !ids.has(to) && !names.has(plainHandle(to)))
    .map(({ rel, to }) => ({
      file: metadata.file,
      line: lineOf(metadata, "links"),
      severity: "warning",
      code: "broken-link",
      message: `it ${rel === "related" ? "is related to" : rel} "${cutShown(to, 80)}", which is in no store here`,
      remedy: "correct the name or id, or remove the link",
    }));
}
