import type { Client, FilePlan, Target } from "./entry/client.ts";
import { type ClientChange, type FileChange, plannedFiles, wordsOf } from "./connect-clients.ts";
import { type ConnectionRecord, digestOf } from "./connection-record.ts";
import {
  readClientFile,
  removeClientFile,
  replaceClientFile,
  requireWritableFile,
  textOfBytes,
} from "./edit/client-file.ts";
import { withoutPieces } from "./edit/edit-file.ts";

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
