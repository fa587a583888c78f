import {
  readClientFile,
  removeClientFile,
  replaceClientFile,
  requireWritableFile,
  textOfBytes,
} from "./edit/client-file.ts";
import { type ClientChange, type FileChange, isBlank, plannedFiles } from "./connect-clients.ts";
import { type ConnectionRecord, digestOf } from "./connection-record.ts";
import { leadingPiece, withoutPieces } from "./edit-file.ts";
import type { Client, FilePlan, Target } from "./entry/client.ts";

/**
 * Takes heed out of a client's files. One that is as heed left it is given back byte for byte; of one that was edited
 * since, heed's part alone goes. What an older version wrote, of which nothing is recorded, goes too.
 */
export async function disconnectClient(
  client: Client,
  target: Target,
  record: ConnectionRecord,
  isDryRun: boolean,
): Promise<ClientChange> {
  const plans = (await plannedFiles(client, target)) ?? [];
  // The inner files first: their folders are empty then.
  const files = plans.toReversed().flatMap((plan): FileChange[] => {
    try {
      const change = takeOut(plan, client.name, record, isDryRun);
      return change === undefined ? [] : [change];
    } catch (error) {
      return [
        { file: plan.file, action: "left", why: error instanceof Error ? error.message : String(error) },
      ];
    }
  });
  return { client: client.name, title: client.title, files, notes: [] };
}

function takeOut(
  plan: FilePlan,
  client: string,
  record: ConnectionRecord,
  isDryRun: boolean,
): FileChange | undefined {
  const { file } = plan;
  const known = record.files.get(file);
  const others = known?.clients.filter((name) => name !== client) ?? [];
  if (known !== undefined && others.length > 0) {
    if (known.clients.length === others.length) return undefined;
    if (!isDryRun) record.set(file, { ...known, clients: others });
    return { file, action: "unchanged", why: `${others.join(", ")} still needs it` };
  }
  const bytes = readClientFile(file);
  if (bytes === null) {
    if (!isDryRun) record.delete(file);
    return undefined;
  }
  if (known === undefined && !bytes.includes("heed")) return undefined;
  const { rest, action } = restOf(plan, bytes, record);
  if (rest !== null && rest.equals(bytes)) {
    if (known !== undefined && !isDryRun) record.delete(file);
    return undefined;
  }
  const change: FileChange = {
    file,
    action,
    before: bytes.toString("utf8"),
    ...(rest !== null && { after: rest.toString("utf8") }),
  };
  requireWritableFile(file);
  if (isDryRun) return change;
  const isTheirs =
    leadingPiece(plan)?.kind === "file" && known !== undefined && digestOf(bytes) !== known.written;
  if (rest === null && isTheirs)
    change.why = `it was changed since; a copy is in ${record.keepRemoved(file, bytes)}`;
  const left = rest === null ? removeClientFile(file, known?.folders ?? []) : [];
  if (rest !== null) replaceClientFile(file, rest);
  record.delete(file);
  record.handOn(left);
  return change;
}

function restOf(
  plan: FilePlan,
  bytes: Buffer,
  record: ConnectionRecord,
): { rest: Buffer | null; action: "restored" | "changed" | "removed" } {
  const known = record.files.get(plan.file);
  const original = record.originalOf(plan.file);
  if (known !== undefined && original !== undefined && digestOf(bytes) === known.written)
    return { rest: original, action: original === null ? "removed" : "restored" };
  const text = textOfBytes(bytes) ?? "";
  const carriedOut = known === undefined ? plan : record.carriedOut(plan);
  const rest = withoutPieces(carriedOut, text, original?.toString("utf8"));
  if (rest === undefined || (original === null && isBlank(rest))) return { rest: null, action: "removed" };
  return { rest: Buffer.from(rest), action: "changed" };
}
