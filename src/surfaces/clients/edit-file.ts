import type { FilePlan, Piece } from "./entry/client.ts";
import { addToJson, isHeedHook, removeFromJson } from "./edit/edit-json.ts";
import { EditRefusal } from "./edit/client-file.ts";
import { addToToml, removeFromToml } from "./edit/edit-toml.ts";
import { addToYaml, removeFromYaml } from "./edit/edit-yaml.ts";
import { OWN_FILE_MARK } from "./plugins/ask-hook.ts";

type Of<K extends string> = Extract<Piece, { kind: K }>;
type JsonPiece = Extract<Piece, { kind: `json-${string}` }>;

/** A file's text with heed in it. */
export interface EditedText {
  text: string;
  /** Why the client's rules about heed's folders are not in it. */
  whyNoRules?: string;
}

/**
 * The text of a file with heed's pieces in it, and with the client's rules where there is room for them; undefined text
 * stands for no file.
 *
 * @throws EditRefusal when the file cannot be edited without touching the rest.
 */
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
    case "file": {
      if (text !== undefined && text !== first.text && !isOwnFile(text))
        throw new EditRefusal("a file of that name is there already, and heed did not write it");
      return first.text;
    }
    case "toml":
      return addToToml(text ?? "", pieces as Of<"toml">[]);
    case "yaml":
      return addToYaml(text ?? "", first);
    default:
      return addToJson(text ?? "", pieces as JsonPiece[]);
  }
}

/** The text without them: undefined where the file is heed's alone. `original` is what it was before heed came. */
export function withoutPieces(
  plan: FilePlan,
  text: string,
  original: string | undefined,
): string | undefined {
  const pieces = [...plan.pieces, ...(plan.rules ?? [])];
  const [first] = pieces;
  switch (first?.kind) {
    case undefined:
      return text;
    case "file":
      return isOwnFile(text) ? undefined : text;
    case "toml":
      return removeFromToml(text);
    case "yaml":
      return removeFromYaml(text, first, original);
    default:
      return removeFromJson(text, pieces as JsonPiece[], original);
  }
}

/** The piece by which a file's kind is known. */
export function leadingPiece({ pieces, rules = [] }: FilePlan): Piece | undefined {
  return pieces[0] ?? rules[0];
}

/** What a person would add by hand, where heed does not. */
export function byHand({ pieces, rules = [] }: FilePlan): string {
  return [...pieces, ...rules].map(pieceText).join("\n");
}

function pieceText(piece: Piece): string {
  switch (piece.kind) {
    case "file":
    case "toml":
      return piece.text.trim();
    case "yaml":
      return addToYaml("", piece).trim();
    case "json-values":
      return `${piece.path.join(".")} += ${JSON.stringify(piece.values)}`;
    case "json-entries":
      return `${piece.path.join(".")} += ${JSON.stringify(piece.entries)}`;
    default:
      return `${piece.path.join(".")} = ${JSON.stringify(piece.kind === "json-item" ? [piece.value] : piece.value)}`;
  }
}

/** Whether a whole file is one that heed wrote, of any version: by its mark, or because all its hooks are heed's. */
function isOwnFile(text: string): boolean {
  if (text.slice(0, 200).includes(OWN_FILE_MARK)) return true;
  try {
    const root = JSON.parse(text) as { name?: unknown; hooks?: Record<string, unknown[]> };
    if (root.name === "heed") return true;
    const hooks = Object.values(root.hooks ?? {}).flat() as { hooks?: unknown[] }[];
    return hooks.length > 0 && hooks.every((item) => (item.hooks ?? [item]).every(isHeedHook));
  } catch {
    return false;
  }
}
