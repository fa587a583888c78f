import type { Client, FilePlan, Target } from "./entry/client.ts";
import { type ConnectionRecord, digestOf } from "./connection-record.ts";
import {
  type EditedText,
  byHand,
  readClientFile,
  removeClientFile,
  replaceClientFile,
  requireWritableFile,
  textOfBytes,
  withPieces,
  withoutPieces,
} from "./edit/edit-file.ts";
import { diffLines } from "diff";

export interface FileChange {
  file: string;
  /** `left`: it could not be edited, and is as it was. */
  action: "created" | "changed" | "unchanged" | "left" | "restored" | "removed";
  why?: string | undefined;
  byHand?: string | undefined;
  /** The text before and after; may hold others' secrets. */
  before?: string | undefined;
  after?: string | undefined;
}

export interface ClientChange {
  client: string;
  title: string;
  files: FileChange[];
  notes: string[];
}

/** How often a file that its owner rewrites at the same moment is tried again. */
const MAX_TRIES = 3;

/** Puts heed into a client's files. Where one cannot be edited the others are left too: half a connection misleads. */
export async function connectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const { name, title } = client;
  const about = { client: name, title };
  const plans = await plannedFiles(client, target);
  if (plans === undefined)
    return { ...about, files: [], notes: [`${title} has no configuration per project.`] };
  const run = (isDry: boolean): FileChange[] =>
    plans.map((plan) => {
      try {
        return change(plan, name, target, record, isDry);
      } catch (error) {
        return { file: plan.file, action: "left", why: wordsOf(error), byHand: byHand(plan) };
      }
    });
  const planned = run(true);
  if (client.isPrinted) return { ...about, files: planned, notes: [] };
  // The connection holds without files that are heed's alone or have the client's rules alone.
  const isNeeded = (plan: FilePlan | undefined): boolean =>
    plan?.pieces.some(({ kind }) => kind !== "file") === true;
  if (planned.some(({ action }, at) => action === "left" && isNeeded(plans[at]))) {
    const note = `nothing was added to ${title}: it works with all of its files or none. Then: heed init --client ${name}`;
    const files = planned.filter(({ action }) => action === "left" || action === "unchanged");
    return { ...about, files, notes: [note] };
  }
  const files = isDryRun ? planned : run(false);
  const isNew = !isDryRun && files.some(({ action }) => action === "created" || action === "changed");
  return { ...about, files, notes: isNew ? [...(client.notes ?? [])] : [] };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A file's text with heed in it, and without rules that heed wrote there and no longer has. */
function editedText(plan: FilePlan, text: string | undefined, record: ConnectionRecord): EditedText {
  const { file, rules = [] } = record.carriedOut(plan);
  const isSame = plan.rules === undefined || JSON.stringify(rules) === JSON.stringify(plan.rules);
  if (text === undefined || isSame || rules.length === 0) return withPieces(plan, text);
  const original = record.originalOf(file)?.toString("utf8");
  return withPieces(plan, withoutPieces({ file, pieces: [], rules }, text, original));
}

function change(
  plan: FilePlan,
  client: string,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
  tries = 1,
): FileChange {
  const { file, pieces, rules, rulesName = "rules about heed's folders" } = plan;
  const bytes = readClientFile(file);
  const before = textOfBytes(bytes);
  const { text: after, whyNoRules } = editedText(plan, before, record);
  const isLacking = whyNoRules !== undefined && rules !== undefined;
  const report: FileChange = {
    file,
    action: before === undefined ? "created" : after === before ? "unchanged" : "changed",
    why: isLacking ? `without its ${rulesName} (${whyNoRules})` : undefined,
    byHand: isLacking ? byHand({ file, pieces: rules }) : undefined,
    ...(after !== before && { before, after }),
  };
  if (after !== before) requireWritableFile(file);
  if (isDryRun) return report;
  const now = readClientFile(file);
  const isSame = bytes === null ? now === null : now?.equals(bytes) === true;
  if (!isSame && tries < MAX_TRIES) return change(plan, client, target, record, false, tries + 1);
  const known = record.files.get(file);
  const isFirst = known === undefined || bytes === null;
  const original = isFirst ? record.keepOriginal(file, bytes) : known.original;
  // The original comes back whole only while nobody but heed wrote the file.
  const isWhole = isFirst ? before?.includes("heed") !== true : digestOf(bytes) === known.written;
  const [first] = pieces.length > 0 ? pieces : (rules ?? []);
  const mode = first?.kind === "file" ? (first.mode ?? 0o644) : undefined;
  const made = after === before ? [] : replaceClientFile(file, Buffer.from(after), mode);
  record.set(file, {
    clients: [...new Set([...(known?.clients ?? []), client])],
    scope: target.scope,
    root: target.root,
    written: isWhole ? digestOf(Buffer.from(after)) : "",
    original,
    folders: [...made, ...(known?.folders ?? [])],
    rules: rules === undefined ? known?.rules : whyNoRules === undefined ? rules : [],
  });
  return report;
}

/** heed's parts of a client's files, with the client's own rules in the user's. Undefined: nothing per project. */
export async function plannedFiles(client: Client, target: Target): Promise<FilePlan[] | undefined> {
  const plans = await client.plan(target);
  if (plans === undefined || target.scope === "project") return plans;
  const { file: ruled, rules } = client.permissions?.(target) ?? {};
  const own = plans.map((plan) => (plan.file === ruled ? { ...plan, rules } : plan));
  const isBeside = ruled !== undefined && own.every(({ file }) => file !== ruled);
  return isBeside ? [...own, { file: ruled, pieces: [], rules }] : own;
}

export interface ShownChange extends Omit<ClientChange, "files"> {
  files: Omit<FileChange, "before" | "after">[];
}

export function shownChange({ files, ...change }: ClientChange): ShownChange {
  return { ...change, files: files.map(({ before: _before, after: _after, ...report }) => report) };
}

/** The lines that come and go, without those around them. */
export function changedLines({ before = "", after = "" }: FileChange): { sign: "+" | "-"; text: string }[] {
  return diffLines(before, after, { ignoreNewlineAtEof: true })
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ value, added }) =>
      value
        .replace(/\n$/, "")
        .split("\n")
        .map((text) => ({ sign: added ? ("+" as const) : ("-" as const), text })),
    );
}

/** Takes heed's part out, also what an older version wrote. A file that only heed changed gets its original bytes back. */
export async function disconnectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const plans = client.isPrinted ? [] : ((await plannedFiles(client, target)) ?? []);
  // The inner files first: their folders are empty then.
  const files = plans.toReversed().flatMap((plan): FileChange[] => {
    try {
      return takeOut(plan, client.name, record, isDryRun);
    } catch (error) {
      return [{ file: plan.file, action: "left", why: wordsOf(error) }];
    }
  });
  return { client: client.name, title: client.title, files, notes: [] };
}

function takeOut(plan: FilePlan, client: string, record: ConnectionRecord, isDryRun: boolean): FileChange[] {
  const { file } = plan;
  const known = record.files.get(file);
  const others = known?.clients.filter((name) => name !== client) ?? [];
  if (known !== undefined && others.length > 0) {
    if (known.clients.length === others.length) return [];
    if (!isDryRun) record.set(file, { ...known, clients: others });
    return [{ file, action: "unchanged", why: `${others.join(", ")} still needs it` }];
  }
  const bytes = readClientFile(file);
  const isAsLeft = known !== undefined && bytes !== null && digestOf(bytes) === known.written;
  const isOurs = bytes !== null && (known !== undefined || bytes.includes("heed"));
  const rest = isOurs ? restOf(plan, bytes, record, isAsLeft) : bytes;
  if (rest === bytes || rest?.equals(bytes ?? rest)) {
    if (!isDryRun) record.delete(file);
    return [];
  }
  const change: FileChange = {
    file,
    action: rest === null ? "removed" : isAsLeft ? "restored" : "changed",
    before: bytes?.toString("utf8"),
    after: rest?.toString("utf8"),
  };
  requireWritableFile(file);
  if (isDryRun || bytes === null) return [change];
  const [first] = plan.pieces.length > 0 ? plan.pieces : (plan.rules ?? []);
  if (rest === null && known !== undefined && !isAsLeft && first?.kind === "file")
    change.why = `it was changed since; a copy is in ${record.keepRemoved(file, bytes)}`;
  const left = rest === null ? removeClientFile(file, known?.folders ?? []) : [];
  if (rest !== null) replaceClientFile(file, rest);
  record.delete(file);
  record.handOn(left);
  return [change];
}

/** A file's bytes without heed's part; null where nothing of it is left. */
function restOf(plan: FilePlan, bytes: Buffer, record: ConnectionRecord, isAsLeft: boolean): Buffer | null {
  const original = record.originalOf(plan.file);
  if (isAsLeft && original !== undefined) return original;
  const carriedOut = original === undefined ? plan : record.carriedOut(plan);
  const rest = withoutPieces(carriedOut, textOfBytes(bytes) ?? "", original?.toString("utf8"));
  const isBlank = rest === undefined || /^\s*(?:\{\s*\})?\s*$/.test(rest.replace(/^\uFEFF/, ""));
  return rest === undefined || (original === null && isBlank) ? null : Buffer.from(rest);
}
