import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Place } from "../here/place.ts";
import { openCollection } from "../here/collection.ts";
import { absentFolders } from "../here/consent/review-store.ts";
import { waitingReviews } from "../here/consent/rule-approvals.ts";
import { whyQuarantined } from "../here/consent/standing.ts";
import { indexDirectory, typesKeyOf } from "../here/store-index.ts";
import { readUserWords } from "../store/consent.ts";
import { relativeWordsIn } from "../write/gates/text-gates.ts";
import { writeFileAtomic } from "../machine/atomic-file.ts";
import { Breather } from "../machine/breather.ts";
import { type Problem, type Report, reportTo } from "../machine/heed-error.ts";
import { failedExamplesOf, parseGuards } from "../guard/parse-guards.ts";
import { splitFrontMatter, toLf, lineOfKey } from "../memory/codec/front-matter.ts";
import { TypeTable } from "../memory/memory-type.ts";
import { parseClaim } from "../memory/claims/parse-claim.ts";
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
  /** Stores that are not there; of no other store. */
  problems: Problem[];
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
  const known = looked.flatMap(({ files }) => files.flatMap(({ memories }) => memories));
  const reviews = await waitingReviews(place, await openCollection(place));
  const reviewsOf = (store: StoreRef): Problem[] =>
    reviews.filter((one) => one.store.id === store.id).map(({ problem }) => ({ ...problem, file: "." }));
  const report: CheckReport = { stores: [], problems: await absentFolders(place), errors: 0, warnings: 0 };
  for (const { store, walk, files } of looked) {
    const memories = files.flatMap((file) => file.memories);
    const settings = readStoreConfig(store.root, place.places).problems;
    const problems = inOrder([
      ...walk.problems,
      ...settings.map((problem) => ({ ...problem, file: CONFIG_FILE })),
      ...files.flatMap((file) => file.problems),
      ...checkAmong(memories, known, (file) => textOf(store, file)),
    ]);
    problems.push(...openFolders(place, store), ...indexNotes(store, walk), ...reviewsOf(store));
    report.stores.push({ store, files: walk.files.length, memories: memories.length, problems });
  }
  for (const { severity } of [report, ...report.stores].flatMap(({ problems }) => problems))
    report[severity === "error" ? "errors" : "warnings"] += 1;
  return report;
}

/** What a file's text says by itself. It stays so while the file is as it was. */
interface CheckedFile extends FileState {
  problems: Problem[];
  memories: Related[];
}
type Related = Pick<MemoryMetadata, "name" | "id" | "links" | "file" | "section">;

/** Counted up when a file is checked otherwise. */
const CHECKS = 2;
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
    if (kept.key === key) return new Map(kept.files.map((file) => [file.file, file]));
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
    const message = `it holds ${notes.length} note${notes.length === 1 ? "" : "s"} of its own, but heed reads only the files beside it`;
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

/** What a store declares counts for reading its files before it is approved here. */
function typesOf({ types, places }: Place, { root, isTrusted }: StoreRef): TypeTable {
  return isTrusted ? types : new TypeTable([...types.all(), ...readStoreConfig(root, places).types]);
}

interface CheckedText {
  file: string;
  text: string;
  store: StoreRef;
  types: TypeTable;
}

/** What is wrong with a file by itself. */
export async function checkFile(
  place: Place,
  { memories, problems: read }: StoreScan,
  checked: CheckedText,
): Promise<Problem[]> {
  const problems = [...read];
  const report = reportTo(problems, checked.file);
  for (const memory of memories) await checkMemory(place, memory, checked, report);
  // A hand edit passes no gate. The kind of a secret is told, never its value.
  for (const { kind, start } of findSecrets(checked.text))
    report(
      "error",
      "secret",
      checked.text.slice(0, start).split("\n").length,
      `it contains a secret (${kind}): heed redacts it when it shows the memory, but the file and its history still have it`,
      "take it out with `heed scrub`, which removes it everywhere, and replace it at the service that gave it",
    );
  return problems;
}

/** What is wrong with one memory beyond how its file is written. */
async function checkMemory(
  place: Place,
  { metadata, body }: StoredMemory,
  { text, store, types }: CheckedText,
  report: Report,
): Promise<void> {
  const { name, statement, section, guard } = metadata;
  const said = { ...metadata, body };
  const policy = types.get(metadata.type);
  const split = splitFrontMatter(text);
  // A section of a file has no front matter of its own: its problems are told at the line of its first words.
  const bodyLine = lineOfBody(text, body, split.bodyLine);
  const lineOf = (key: string): number => (section === undefined ? lineOfKey(split, key) : bodyLine);
  const warn = (code: string, key: string, message: string, remedy: string): void =>
    report("warning", code, lineOf(key), message, remedy);
  const held = whyQuarantined(metadata);
  if (held !== undefined && readUserWords(place.places).get(metadata.contentHash) !== "confirmed")
    report(
      "warning",
      "hostile",
      bodyLine,
      `${held}: it is never injected`,
      `read it, then release it (heed inbox confirm ${name}) or remove it`,
    );
  if (statement.length > LIMITS.statementChars)
    warn(
      "long-description",
      "description",
      `the statement has ${statement.length} characters, ${LIMITS.statementChars} at most fit on one line of context`,
      "shorten it and put the rest in the text",
    );
  for (const problem of [...parseGuards(guard).problems, ...(await failedExamplesOf(guard))])
    report("error", problem.code, lineOf("guard"), problem.message, problem.remedy);
  if (policy && policy.injection !== "always" && guard !== undefined)
    warn(
      "guard-on-no-rule",
      "guard",
      `a memory of type ${policy.name} has a guard, but only rules enforce guards`,
      "write the rule as feedback, or remove the guard",
    );
  if (!policy || metadata.status === "superseded") return;
  for (const reading of metadata.claims.map(parseClaim))
    if (!reading.claim) warn("invalid-claim", "claims", reading.message, reading.remedy);
  // Another tool writes these files by its own rules.
  const severity = store.kind === "attached" || section !== undefined ? "warning" : "error";
  for (const { need, words, remedy } of missingNeeds(said, policy)) {
    const line = need === "trigger" ? lineOf("type") : bodyLine;
    report(severity, `missing-${need}`, line, `a memory of type ${policy.name} lacks ${words}`, remedy);
  }
  const lacked = missingAsks(said, policy);
  const better = `a memory of type ${policy.name} is better with ${lacked}`;
  if (lacked !== "") warn("missing-parts", "type", better, "add what you know");
  if (!policy.needs.includes("absolute-dates")) return;
  const day = (metadata.updated ?? metadata.created ?? place.now().toISOString()).slice(0, 10);
  for (const words of relativeWordsIn(statement)) {
    const message = `"${words}" will mean something else later`;
    warn("relative-date", "description", message, `write the day as a date (written on ${day})`);
  }
}

function lineOfBody(text: string, body: string, fallback: number): number {
  const lf = toLf(text);
  const at = body === "" ? -1 : lf.lastIndexOf(body);
  return at < 0 ? fallback : lf.slice(0, at).split("\n").length;
}

/** Names and ids that two have, and links to what is not known. */
export function checkAmong(
  memories: readonly Related[],
  linkable: readonly Related[],
  textOf: (file: string) => string,
): Problem[] {
  const problems: Problem[] = [];
  const known = new Set(linkable.flatMap(({ name, id }) => [name, id]));
  const lineOf = ({ section, file }: Related, key: string): number =>
    section === undefined ? lineOfKey(splitFrontMatter(textOf(file)), key) : 1;
  const first = new Map<string, Related>();
  for (const memory of memories) {
    const report = reportTo(problems, memory.file);
    for (const key of ["name", "id"] as const) {
      const other = first.get(`${key} ${memory[key]}`);
      if (!other) {
        first.set(`${key} ${memory[key]}`, memory);
        continue;
      }
      const message = `${key} "${memory[key].slice(0, 80)}" is that of ${other.file} as well`;
      const remedy =
        key === "name"
          ? "rename one of the two, or merge them"
          : "delete the `id` of the copy: it gets one of its own";
      report("error", `duplicate-${key}`, lineOf(memory, key), message, remedy);
    }
    for (const { rel, to } of memory.links) {
      if (known.has(to) || known.has(plainHandle(to))) continue;
      const is = rel === "related" ? "is related to" : rel;
      const message = `it ${is} "${cutShown(to, 80)}", which is in no store here`;
      const remedy = "correct the name or id, or remove the link";
      report("warning", "broken-link", lineOf(memory, "links"), message, remedy);
    }
  }
  return problems;
}
