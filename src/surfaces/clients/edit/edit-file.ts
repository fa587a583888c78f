import { EditRefusal, type FilePlan, type Piece, OWN_FILE_MARK } from "../entry/client.ts";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { writeFileAtomic } from "../../../machine/atomic-file.ts";
import { readRegularBytes } from "../../../machine/regular-file.ts";
import { readJson, rewriteJson } from "./edit-json.ts";
import { addToToml, removeFromToml } from "./edit-toml.ts";
import { type JsonPiece, isHeedHook, withJsonPieces, withoutJsonPieces } from "./json-pieces.ts";

export interface EditedText {
  text: string;
  whyNoRules?: string;
}

/** Adds heed's pieces, and rules where there is room. @throws EditRefusal where the rest would be touched. */
export function withPieces({ pieces, rules = [] }: FilePlan, text: string | undefined): EditedText {
  try {
    return { text: edited([...pieces, ...rules], text) };
  } catch (error) {
    if (!(error instanceof EditRefusal) || rules.length === 0 || pieces.length === 0) throw error;
    return { text: edited(pieces, text), whyNoRules: error.message };
  }
}

function edited(pieces: readonly Piece[], text: string | undefined): string {
  const [first] = pieces;
  switch (first?.kind) {
    case "by-hand":
      throw new EditRefusal("heed edits no YAML");
    case "file":
      if (text !== undefined && text !== first.text && !isOwnFile(text))
        throw new EditRefusal("a file of that name is there already, and heed did not write it");
      return first.text;
    case "toml":
      return addToToml(text ?? "", pieces as Extract<Piece, { kind: "toml" }>[]);
    default: {
      const given = text ?? "";
      return rewriteJson(given, withJsonPieces(readJson(given), pieces as JsonPiece[]));
    }
  }
}

/** The text without them: undefined where the file is heed's alone. `original` is what it was before heed came. */
export function withoutPieces(
  { pieces, rules = [] }: FilePlan,
  text: string,
  original: string | undefined,
): string | undefined {
  const all = [...pieces, ...rules];
  switch (all[0]?.kind) {
    case undefined:
    case "by-hand":
      return text;
    case "file":
      return isOwnFile(text) ? undefined : text;
    case "toml":
      return removeFromToml(text);
    default:
      return rewriteJson(
        text,
        withoutJsonPieces(readJson(text), all as JsonPiece[], readJson(original ?? "")),
      );
  }
}

export function byHand({ pieces, rules = [] }: FilePlan): string {
  return [...pieces, ...rules].map(pieceText).join("\n");
}

function pieceText(piece: Piece): string {
  if ("text" in piece) return piece.text.trim();
  const path = piece.path.join(".");
  if (piece.kind === "json-values") return `${path} += ${JSON.stringify(piece.values)}`;
  if (piece.kind === "json-entries") return `${path} += ${JSON.stringify(piece.entries)}`;
  return `${path} = ${JSON.stringify(piece.kind === "json-item" ? [piece.value] : piece.value)}`;
}

/** Whether a whole file is one that heed wrote, of any version: by its mark, or because all its hooks are heed's. */
function isOwnFile(text: string): boolean {
  if (text.slice(0, 200).includes(OWN_FILE_MARK)) return true;
  try {
    const root = JSON.parse(text) as { hooks?: Record<string, unknown[]> };
    const hooks = Object.values(root.hooks ?? {}).flat();
    return hooks.length > 0 && hooks.every(isHeedHook);
  } catch {
    return false;
  }
}

const MAX_BYTES = 8 * 1024 * 1024;

/** The bytes of a file that belongs to another program; null when there is none. */
export function readClientFile(file: string): Buffer | null {
  return existsSync(file) ? readRegularBytes(file, { maxBytes: MAX_BYTES }) : null;
}

/** Throws an `EditRefusal` for a read-only file: a rename would get around that. */
export function requireWritableFile(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) throw new EditRefusal("it is read-only");
}

/** The text of such bytes. Throws an `EditRefusal` for what is not UTF-8: it would not be written again as it is. */
export function textOfBytes(bytes: Buffer | null): string | undefined {
  if (bytes === null) return undefined;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new EditRefusal("it is not written in UTF-8");
  return text;
}

/** Replaces a file, behind a link too (dotfiles often are), its mode kept. Returns the folders made, outermost first. */
export function replaceClientFile(file: string, bytes: Buffer, mode = 0o600): string[] {
  const made: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) made.unshift(folder);
  mkdirSync(dirname(file), { recursive: true });
  const target = existsSync(file) ? realpathSync(file) : file;
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  writeFileAtomic(target, bytes, { mode });
  // The umask may have taken bits of it.
  chmodSync(target, kept & 0o777);
  return made;
}

/** Removes a file that heed made, and the empty ones of the folders made for it. Returns the folders that are not empty. */
export function removeClientFile(file: string, madeFolders: readonly string[]): string[] {
  rmSync(existsSync(file) ? realpathSync(file) : file, { force: true });
  const left = [...madeFolders];
  try {
    for (; left.length > 0; left.pop()) rmdirSync(left.at(-1) ?? "");
  } catch {}
  return left;
}
