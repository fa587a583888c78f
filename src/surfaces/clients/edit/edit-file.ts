import { isUtf8 } from "node:buffer";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, rmdirSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { writeFileAtomic } from "../../../machine/atomic-file.ts";
import { readRegularBytes } from "../../../machine/regular-file.ts";
import { EditRefusal, type JsonPiece, OWN_FILE_MARK, type Piece } from "../entry/client.ts";
import { addToToml, removeFromToml } from "./edit-toml.ts";
import { withoutHeed, withoutRules, withPiece } from "./json-pieces.ts";

/** A text with heed's pieces in it. @throws EditRefusal where the rest would be touched. */
export function withPieces(pieces: readonly Piece[], text: string | undefined): string {
  const [first] = pieces;
  switch (first?.kind) {
    case undefined:
      return text ?? "";
    case "by-hand":
      throw new EditRefusal("heed does not edit it");
    case "file":
      if (text !== undefined && !isOwnFile(text))
        throw new EditRefusal("a file of that name is there already, and heed did not write it");
      return first.text;
    case "toml":
      return addToToml(text ?? "", pieces as Extract<Piece, { kind: "toml" }>[]);
    default:
      return editedJson(text ?? "", (json) => (pieces as JsonPiece[]).reduce(withPiece, json));
  }
}

export function withoutStale(text: string, rules: readonly Piece[]): string {
  const stale = rules.filter(isJson);
  return stale.length === 0 ? text : editedJson(text, (json) => withoutRules(json, stale));
}

/** A file's text without heed's part; undefined where the file is heed's alone. */
export function withoutPieces(file: string, text: string, rules: readonly Piece[]): string | undefined {
  if (isOwnFile(text)) return undefined;
  if (!/\.jsonc?$/.test(file)) return removeFromToml(text);
  return editedJson(text, (json) => withoutHeed(json, rules.filter(isJson)));
}

const isJson = (piece: Piece): piece is JsonPiece => piece.kind === "key" || piece.kind === "item";

function editedJson(text: string, edit: (json: string) => string): string {
  const [mark = ""] = /^\uFEFF?/.exec(text) ?? [];
  const given = text.slice(mark.length);
  return mark + edit(given.trim() === "" ? "{}\n" : given);
}

export function byHand(pieces: readonly Piece[]): string {
  const lines = pieces.map((piece) => {
    if ("text" in piece) return piece.text.trim();
    return `${piece.path.join(".")} ${piece.kind === "item" ? "+=" : "="} ${JSON.stringify(piece.value)}`;
  });
  return lines.join("\n");
}

const isOwnFile = (text: string): boolean => text.slice(0, 200).includes(OWN_FILE_MARK);

const MAX_BYTES = 8 * 1024 * 1024;

/** The text of a file that belongs to another program. @throws EditRefusal for what would not be written again as it is. */
export function readClientFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = readRegularBytes(file, { maxBytes: MAX_BYTES });
  if (!isUtf8(bytes)) throw new EditRefusal("it is not written in UTF-8");
  return bytes.toString("utf8");
}

/** Throws an `EditRefusal` for a read-only file: a rename would get around that. */
export function requireWritableFile(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & 0o222) === 0) throw new EditRefusal("it is read-only");
}

/** Replaces a file, behind a link too (dotfiles often are), its mode kept. */
export function replaceClientFile(file: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  const target = existsSync(file) ? realpathSync(file) : file;
  const kept = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  writeFileAtomic(target, text, { mode });
  // The umask may have taken bits of it.
  chmodSync(target, kept & 0o777);
}

/** Removes a file that heed made, and the folders above it that are empty then, below `top`. */
export function removeClientFile(file: string, top: string): void {
  rmSync(existsSync(file) ? realpathSync(file) : file, { force: true });
  try {
    for (let folder = dirname(file); folder.startsWith(top + sep); folder = dirname(folder))
      rmdirSync(folder);
  } catch {}
}
