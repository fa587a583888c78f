import { isDeepStrictEqual } from "node:util";
import { diffLines } from "diff";
import type { ConnectionRecord } from "./this-machine.ts";
import {
  byHand,
  readClientFile,
  removeClientFile,
  replaceClientFile,
  requireWritableFile,
  withPieces,
  withoutPieces,
  withoutStale,
} from "./edit/edit-file.ts";
import { type Client, type FilePlan, type Piece, type Target, EditRefusal } from "./entry/client.ts";

export interface FileChange {
  file: string;
  /** `left`: it could not be edited, and is as it was. */
  action: "created" | "changed" | "unchanged" | "left" | "removed";
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

/** Puts heed into a client's files. Where one cannot be edited the others are left too: half a connection misleads. */
export async function connectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const { name, title, isPrinted } = client;
  const about = { client: name, title };
  const plans = await plannedFiles(client, target);
  if (plans === undefined)
    return { ...about, files: [], notes: [`heed has nothing to add to a repository for ${title}.`] };
  const run = (isDry: boolean): FileChange[] =>
    plans.map((plan) => {
      const { file, pieces, rules = [] } = plan;
      try {
        return change(plan, name, target, record, isDry);
      } catch (error) {
        return { file, action: "left", why: wordsOf(error), byHand: byHand([...pieces, ...rules]) };
      }
    });
  const planned = run(true);
  // Without the client's rules alone the connection holds.
  if (planned.some(({ action }, at) => action === "left" && plans[at]?.pieces.length !== 0)) {
    const note = `nothing was added to ${title}: it works with all of its files or none. Then: heed init --client ${name}`;
    const files = planned.filter(({ action }) => action === "left" || action === "unchanged");
    return { ...about, files, notes: isPrinted ? [...(client.notes ?? [])] : [note] };
  }
  const files = isDryRun ? planned : run(false);
  const isNew = !isDryRun && files.some(({ action }) => action === "created" || action === "changed");
  return { ...about, files, notes: isNew ? [...(client.notes ?? [])] : [] };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function change(
  { file, pieces, rules = [], rulesName = "rules about heed's folders" }: FilePlan,
  client: string,
  { scope, root }: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): FileChange {
  const known = record.files.get(file);
  const before = readClientFile(file);
  const isIn = (list: readonly Piece[], rule: Piece): boolean =>
    list.some((one) => isDeepStrictEqual(one, rule));
  const recorded = known?.rules ?? [];
  const stale = recorded.filter((rule) => !isIn(rules, rule));
  const base = before && withoutStale(before, stale);
  let after: string;
  let whyNoRules: string | undefined;
  try {
    after = withPieces([...pieces, ...rules], base);
  } catch (error) {
    if (!(error instanceof EditRefusal) || rules.length === 0 || pieces.length === 0) throw error;
    after = withPieces(pieces, base);
    whyNoRules = error.message;
  }
  const report: FileChange = {
    file,
    action: before === undefined ? "created" : after === before ? "unchanged" : "changed",
    why: whyNoRules && `without its ${rulesName} (${whyNoRules})`,
    byHand: whyNoRules && byHand(rules),
    ...(after !== before && { before, after }),
  };
  if (after !== before) requireWritableFile(file);
  if (isDryRun) return report;
  if (after !== before) replaceClientFile(file, after);
  // One that the user had already stays theirs.
  const isAdded = (rule: Piece): boolean => isIn(recorded, rule) || withPieces([rule], base) !== (base ?? "");
  record.set(file, {
    clients: [...new Set([...(known?.clients ?? []), client])],
    scope,
    root,
    isMade: before === undefined || known?.isMade === true,
    rules: whyNoRules === undefined ? rules.filter(isAdded) : [],
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

export function shownChange({
  files,
  ...change
}: ClientChange): Omit<ClientChange, "files"> & { files: Omit<FileChange, "before" | "after">[] } {
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

/** Takes heed out of all files that it wrote for a client, of any version; the rest of each stays. */
export async function disconnectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const { name, title } = client;
  const plans = client.isPrinted ? [] : ((await plannedFiles(client, target)) ?? []);
  const recorded = [...record.files].flatMap(([file, { clients }]) => (clients.includes(name) ? [file] : []));
  const files = [...new Set([...recorded, ...plans.map(({ file }) => file)])];
  const taken = files.flatMap((file): FileChange[] => {
    try {
      return takeOut(file, name, target, record, isDryRun);
    } catch (error) {
      return [{ file, action: "left", why: wordsOf(error) }];
    }
  });
  return { client: name, title, files: taken, notes: [] };
}

function takeOut(
  file: string,
  client: string,
  { places }: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): FileChange[] {
  const known = record.files.get(file);
  const others = known?.clients.filter((name) => name !== client) ?? [];
  if (known !== undefined && others.length > 0) {
    if (known.clients.length === others.length) return [];
    record.set(file, { ...known, clients: others }, isDryRun);
    return [{ file, action: "unchanged", why: `${others.join(", ")} still needs it` }];
  }
  const before = readClientFile(file);
  const isOurs = before !== undefined && (known !== undefined || before.includes("heed"));
  const rest = isOurs ? withoutPieces(file, before, known?.rules ?? []) : before;
  const isBlank = known?.isMade === true && BLANK.test(rest ?? "");
  if (before === undefined || rest === before) {
    if (!isDryRun) record.delete(file);
    return [];
  }
  requireWritableFile(file);
  const after = isBlank ? undefined : rest;
  if (!isDryRun) {
    if (after === undefined) removeClientFile(file, known?.scope === "project" ? known.root : places.home);
    else replaceClientFile(file, after);
    record.delete(file);
  }
  return [{ file, action: after === undefined ? "removed" : "changed", before, after }];
}

/** What heed made and nobody added to, but for the version of the format. */
const BLANK = /^\uFEFF?\s*(?:\{\s*(?:"version":\s*1,?\s*)?\}\s*)?$/;
