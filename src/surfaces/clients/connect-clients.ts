import { diffLines } from "diff";
import { readClientFile, replaceClientFile, requireWritableFile, textOfBytes } from "./edit/client-file.ts";
import { type ConnectionRecord, digestOf } from "./connection-record.ts";
import { type EditedText, byHand, leadingPiece, withPieces, withoutPieces } from "./edit-file.ts";
import type { Client, FilePlan, Target } from "./entry/client.ts";

/** What became, or would become, of one file of a client. */
export interface FileChange {
  file: string;
  /** `left`: it could not be edited, and is as it was. */
  action: "created" | "changed" | "unchanged" | "left" | "restored" | "removed";
  /** Why it was left, or part of it. */
  why?: string;
  /** What to add by hand, where something was left. */
  byHand?: string;
  /** The text before and after, for whoever wants to see; may hold others' secrets. */
  before?: string;
  after?: string;
}

/** What became of one client. */
export interface ClientChange {
  client: string;
  title: string;
  files: FileChange[];
  notes: string[];
}

/** How often a file that its owner rewrites at the same moment is tried again. */
const MAX_TRIES = 3;

/**
 * Puts heed into a client's files, or with `isDryRun` says what that would do. A file that is broken, locked or holds
 * something else where heed belongs is left alone, and with it the client's others: half a connection misleads.
 */
export async function connectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const report: ClientChange = { client: client.name, title: client.title, files: [], notes: [] };
  const plans = await plannedFiles(client, target);
  if (plans === undefined) {
    report.notes.push(`${client.title} has no configuration per project.`);
    return report;
  }
  const dryRuns = plans.map((plan) => tryChange(plan, () => dryRun(plan, record)));
  const isWhole = dryRuns.every(({ action }, at) => action !== "left" || isBeside(plans[at]));
  if (isDryRun || !isWhole) {
    report.files = isWhole
      ? dryRuns
      : dryRuns.filter(({ action }) => action === "left" || action === "unchanged");
    if (!isWhole)
      report.notes.push(
        `nothing was added to ${client.title}: it works with all of its files or none. Then: heed init --client ${client.name}`,
      );
    return report;
  }
  report.files = plans.map((plan) => tryChange(plan, () => change(plan, client, target, record)));
  if (report.files.some(({ action }) => action === "created" || action === "changed"))
    report.notes.push(...(client.notes ?? []));
  return report;
}

/** Whether the connection holds without a file: one that is heed's alone, or has the client's rules alone. */
function isBeside(plan: FilePlan | undefined): boolean {
  return plan === undefined || plan.pieces.every(({ kind }) => kind === "file");
}

/** What cannot be done is said of the file, not thrown. */
function tryChange(plan: FilePlan, run: () => FileChange): FileChange {
  try {
    return run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { file: plan.file, action: "left", why, byHand: byHand(plan) };
  }
}

/** A file's text with heed in it, and without rules that heed wrote there and no longer has. */
function editedText(plan: FilePlan, text: string | undefined, record: ConnectionRecord): EditedText {
  const { file, rules = [] } = record.carriedOut(plan);
  const isSame = plan.rules === undefined || JSON.stringify(rules) === JSON.stringify(plan.rules);
  if (text === undefined || isSame || rules.length === 0) return withPieces(plan, text);
  const original = record.originalOf(file)?.toString("utf8");
  return withPieces(plan, withoutPieces({ file, pieces: [], rules }, text, original));
}

function dryRun(plan: FilePlan, record: ConnectionRecord): FileChange {
  const before = textOfBytes(readClientFile(plan.file));
  const { text: after, whyNoRules } = editedText(plan, before, record);
  const report = { file: plan.file, ...reportOfRules(plan, whyNoRules) };
  if (after === before) return { ...report, action: "unchanged" };
  requireWritableFile(plan.file);
  return {
    ...report,
    action: before === undefined ? "created" : "changed",
    ...(before !== undefined && { before }),
    after,
  };
}

function reportOfRules(
  { file, rules, rulesName = "rules about heed's folders" }: FilePlan,
  whyNoRules: string | undefined,
): Pick<FileChange, "why" | "byHand"> {
  if (whyNoRules === undefined || rules === undefined) return {};
  return {
    why: `without its ${rulesName} (${whyNoRules})`,
    byHand: byHand({ file, pieces: rules }),
  };
}

function change(plan: FilePlan, client: Client, target: Target, record: ConnectionRecord): FileChange {
  const { file } = plan;
  const { scope, root } = target;
  for (let tries = 1; ; tries++) {
    const bytes = readClientFile(file);
    const text = textOfBytes(bytes);
    const known = record.files.get(file);
    const isAsLeft = known !== undefined && bytes !== null && digestOf(bytes) === known.written;
    const edited = editedText(plan, text, record);
    const after = Buffer.from(edited.text);
    const report = reportOfRules(plan, edited.whyNoRules);
    const clients = [...new Set([...(known?.clients ?? []), client.name])];
    const action = bytes === null ? "created" : bytes.equals(after) ? "unchanged" : "changed";
    // What the user did since is part of what they get back.
    const original = isAsLeft ? known.original : record.keepOriginal(file, withoutHeed(plan, text, record));
    const folders = known?.folders ?? [];
    const rules = plan.rules === undefined ? known?.rules : edited.whyNoRules === undefined ? plan.rules : [];
    const kept = { clients, scope, root, written: digestOf(after), original, ...(rules && { rules }) };
    if (action === "unchanged") {
      record.set(file, { ...kept, folders });
      return { file, action, ...report };
    }
    if (tries < MAX_TRIES && !isSameBytes(readClientFile(file), bytes)) continue;
    const first = leadingPiece(plan);
    const made = replaceClientFile(file, after, first?.kind === "file" ? (first.mode ?? 0o644) : undefined);
    record.set(file, { ...kept, folders: [...made, ...folders] });
    return { file, action, ...report, ...(text !== undefined && { before: text }), after: edited.text };
  }
}

/** A file's bytes as they would be without heed; null where it would not be there. */
function withoutHeed(plan: FilePlan, text: string | undefined, record: ConnectionRecord): Buffer | null {
  if (text === undefined) return null;
  if (!text.includes("heed")) return Buffer.from(text);
  const before = record.originalOf(plan.file);
  const rest = withoutPieces(record.carriedOut(plan), text, before?.toString("utf8"));
  if (rest === undefined || (before === null && isBlank(rest))) return null;
  return Buffer.from(rest);
}

/** Whether a text that heed made, without heed's part, says nothing. */
export function isBlank(text: string): boolean {
  return /^\s*(?:\{\s*\})?\s*$/.test(text.replace(/^\uFEFF/, ""));
}

function isSameBytes(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/**
 * What heed puts into a client's files: its own parts, and in the user's files the client's rules about heed's folders.
 * Undefined: the client has nothing per project.
 */
export async function plannedFiles(client: Client, target: Target): Promise<FilePlan[] | undefined> {
  const plans = await client.plan(target);
  if (plans === undefined || target.scope === "project") return plans;
  const rules = new Map(client.permissions?.(target).map((one) => [one.file, one.rules]));
  const own = plans.map((plan) => {
    const beside = rules.get(plan.file);
    rules.delete(plan.file);
    return beside === undefined ? plan : { ...plan, rules: beside };
  });
  return [...own, ...[...rules].map(([file, beside]) => ({ file, pieces: [], rules: beside }))];
}

/** A change without the texts of files: others' servers may have secrets there. */
export interface ShownChange {
  client: string;
  title: string;
  files: Omit<FileChange, "before" | "after">[];
  notes: string[];
}

/** What a report may show of a change. */
export function shownChange({ client, title, files, notes }: ClientChange): ShownChange {
  return {
    client,
    title,
    files: files.map(({ before: _before, after: _after, ...report }) => report),
    notes,
  };
}

/** A line that comes into a file, or goes. */
export interface ChangedLine {
  sign: "+" | "-";
  text: string;
}

/** The lines that come and go, without those around them. */
export function changedLines({ before, after }: FileChange): ChangedLine[] {
  if (before === undefined && after === undefined) return [];
  return diffLines(before ?? "", after ?? "", { ignoreNewlineAtEof: true }).flatMap(
    ({ value, added, removed }): ChangedLine[] => {
      if (!added && !removed) return [];
      const sign = added ? "+" : "-";
      return value
        .replace(/\n$/, "")
        .split("\n")
        .map((text) => ({ sign, text }));
    },
  );
}
