import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Piece } from "../entry/client.ts";
import { EditRefusal } from "./client-file.ts";

type YamlPiece = Extract<Piece, { kind: "yaml" }>;

/**
 * Puts heed's entry into a YAML file as lines, under the key where it belongs; all other lines stay as they are. What
 * comes out is read again and must say what it said before, and heed's part. Throws an `EditRefusal` otherwise.
 */
export function addToYaml(text: string, piece: YamlPiece): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const before = read(text);
  const entry = entryIn(text, piece);
  const lines = entryLines(piece, entry.indent);
  if (
    entry.span &&
    text
      .slice(...entry.span)
      .replaceAll("\r\n", "\n")
      .trimEnd() === lines.join("\n")
  )
    return text;
  const rest = entry.span ? text.slice(0, entry.span[0]) + text.slice(entry.span[1]) : text;
  const place = entryIn(rest, piece);
  const wanted = lines.join(eol) + eol;
  const edited =
    place.end === undefined
      ? `${rest}${rest === "" || rest.endsWith("\n") ? "" : eol}${piece.key}:${eol}${wanted}`
      : insertAt(rest, place.end, wanted, eol);
  const after = read(edited);
  for (const [key, value] of Object.entries(before)) {
    if (key !== piece.key && JSON.stringify(value) !== JSON.stringify(after[key]))
      throw new EditRefusal(`heed's entry would change "${key}"`);
  }
  const count = (root: Record<string, unknown>): number => Object.keys(root[piece.key] ?? {}).length;
  if (count(after) !== count(before) + (entry.span ? 0 : 1))
    throw new EditRefusal(`heed's entry cannot be put under "${piece.key}" without touching the rest`);
  return edited;
}

/** Takes heed's entry out, and its key where nothing else is under it and it did not stand in the `original`. */
export function removeFromYaml(text: string, piece: YamlPiece, original = ""): string {
  const { span } = entryIn(text, piece);
  if (!span) return text;
  const rest = text.slice(0, span[0]) + text.slice(span[1]);
  const hadKey = original.trim() !== "" && piece.key in read(original);
  const left = read(rest)[piece.key];
  if (left !== null || hadKey) return rest;
  return rest.replace(new RegExp(`^${piece.key}:[ \\t]*\\r?\\n`, "m"), "");
}

interface Place {
  /** Blanks before an entry. */
  indent: number;
  /** Where heed's own entry stands, whole lines. */
  span?: [number, number];
  /** Where a further entry goes; undefined when the key is not there. */
  end?: number;
}

function entryIn(text: string, { key, name, isList }: YamlPiece): Place {
  const root = parseDocument(text).contents;
  const pair = isMap(root)
    ? root.items.find(({ key: one }) => isScalar(one) && one.value === key)
    : undefined;
  if (!pair) return { indent: isList ? 2 : 2 };
  const value = pair.value;
  if (value === null || (isScalar(value) && value.value === null)) {
    const at = (isScalar(pair.key) ? pair.key.range?.[1] : 0) ?? 0;
    return { indent: 2, end: lineEnd(text, at) };
  }
  if (isList ? !isSeq(value) : !isMap(value))
    throw new EditRefusal(`"${key}" is no ${isList ? "list" : "mapping"}`);
  if (!(isSeq(value) || isMap(value)) || value.flow === true)
    throw new EditRefusal(`"${key}" is written in one line`);
  const starts: number[] = [];
  let own = -1;
  for (const item of value.items) {
    const node = (isMap(value) ? (item as { key: unknown }).key : item) as {
      range?: [number, number, number];
    };
    starts.push(lineStart(text, node.range?.[0] ?? 0));
    const label = isMap(value)
      ? isScalar(node) && node.value
      : isMap(node) && (node as unknown as { get(key: string): unknown }).get("name");
    if (label === name) own = starts.length - 1;
  }
  const first = starts[0] ?? 0;
  const indent = /^[ \t]*/.exec(text.slice(first))?.[0].length ?? 2;
  const end = endOfLines(text, value.range?.[1] ?? text.length);
  if (own < 0) return { indent, end };
  const start = starts[own] ?? 0;
  return { indent, end, span: [start, endOfLines(text, starts[own + 1] ?? end)] };
}

function entryLines({ name, lines, isList }: YamlPiece, indent: number): string[] {
  const blanks = " ".repeat(indent);
  return isList
    ? [`${blanks}- name: ${name}`, ...lines.map((line) => `${blanks}  ${line}`)]
    : [`${blanks}${name}:`, ...lines.map((line) => `${blanks}  ${line}`)];
}

function insertAt(text: string, at: number, wanted: string, eol: string): string {
  const head = text.slice(0, at);
  return `${head}${head === "" || head.endsWith("\n") ? "" : eol}${wanted}${text.slice(at)}`;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found < 0 ? text.length : found + 1;
}

/** The end of the line in which something ends; comments and blank lines after it are others'. */
function endOfLines(text: string, at: number): number {
  const upTo = text.slice(0, at).trimEnd().length;
  return at > 0 && text[at - 1] === "\n" && upTo === at - 1 ? at : lineEnd(text, upTo);
}

function read(text: string): Record<string, unknown> {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new EditRefusal(error.message.split("\n")[0] ?? "it is no YAML");
  const value = document.toJS() as unknown;
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new EditRefusal("it is no YAML mapping");
  return value as Record<string, unknown>;
}
