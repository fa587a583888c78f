import { isDeepStrictEqual } from "node:util";
import { parse, TomlError } from "smol-toml";
import { type Piece, type JsonPiece, EditRefusal, OWN_FILE_MARK } from "../entry/client.ts";
import {
  type Node,
  type ParseError,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { isUtf8 } from "node:buffer";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, rmdirSync, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import { writeFileAtomic } from "../../../machine/atomic-file.ts";
import { readRegularBytes } from "../../../machine/regular-file.ts";

type TomlPiece = Extract<Piece, { kind: "toml" }>;

const BEGIN = "# heed: begin (written by `heed init`; `heed uninit` takes it out)";
const END = "# heed: end";
const BLOCK = /(?:\r?\n)*(?:^|(?<=\n))# heed: begin[^\n]*\n[\s\S]*?# heed: end[^\n]*(?:\n|$)/;

/** Puts heed's tables in one marked block at the end. @throws EditRefusal where the file would say something else. */
function addToToml(text: string, pieces: readonly TomlPiece[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = [BEGIN, ...pieces.map((piece) => piece.text.trim()), END].join("\n").replaceAll("\n", eol);
  if (text.includes(block)) return text;
  const rest = removeFromToml(text);
  const before = read(rest);
  for (const { table } of pieces) {
    const there = table.reduce<unknown>((value, key) => (value as typeof before | undefined)?.[key], before);
    if (there !== undefined)
      throw new EditRefusal(`it has a table [${table.join(".")}] that heed did not write`);
  }
  const gap = rest === "" ? "" : rest.endsWith("\n") ? eol : eol + eol;
  const edited = `${rest}${gap}${block}${eol}`;
  const after = read(edited, "heed's tables cannot be at its end: ");
  const others = Object.keys(before).filter((key) => pieces.every(({ table }) => table[0] !== key));
  if (!others.every((key) => isDeepStrictEqual(before[key], after[key])))
    throw new EditRefusal("heed's tables would change others");
  return edited;
}

/** heed's own tables in its block; a program that adds one at the file's end puts it before the block's last comment. */
const OWN_TABLE =
  /^\[(?:mcp_servers\.heed\b|shell_environment_policy\.set\](?:\s|# heed.*)*$|\[hooks\]\][^]*\bheed\b)/;
/** heed's variables in a table in which others are set too: TOML takes it once. */
const OWN_VARIABLE = /^(?:BASH_ENV = ".*bash-env\.sh"|HEED_BASH_ENV = .*)\r?\n/gm;

/** Takes heed's block out; tables of others in it stay. */
function removeFromToml(text: string): string {
  const found = BLOCK.exec(text);
  if (found === null) return text;
  const head = text.slice(0, found.index);
  const tail = text.slice(found.index + found[0].length);
  const others = found[0]
    .split(/^(?=\[)/m)
    .slice(1)
    .map((table) => table.replace(OWN_VARIABLE, ""))
    .filter((table) => !OWN_TABLE.test(table))
    .join("")
    .replace(/^# heed: end.*\n?/m, "");
  const gap = /^\r?\n/.exec(found[0])?.[0] ?? "";
  return head === "" ? others + tail : head + gap + (others === "" ? "" : gap) + others + tail;
}

function read(text: string, why = ""): Record<string, unknown> {
  try {
    return parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new EditRefusal(why + (error instanceof TomlError ? `line ${error.line}: ` : "") + message);
  }
}

export type JsonFields = Record<string, unknown>;
/** Keys and indices; -1: behind the last of a list. */
export type JsonPath = readonly (string | number)[];

/** The object in a JSON text, comments and trailing commas allowed. @throws EditRefusal */
function readJson(text: string): JsonFields {
  // Cloned: the parser's objects have no prototype.
  return structuredClone(getNodeValue(treeOf(text)) as JsonFields);
}

/** The text with a value, in the place of what is there, else behind the last; no other line changes. @throws EditRefusal */
function withValue(text: string, path: JsonPath, value: unknown): string {
  const root = treeOf(text);
  const there = findNodeAtLocation(root, [...path]);
  if (there !== undefined) {
    const end = there.offset + there.length;
    return text.slice(0, there.offset) + printed(value, text, indentOf(text, there)) + text.slice(end);
  }
  let depth = path.length - 1;
  while (findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const holder = findNodeAtLocation(root, path.slice(0, depth)) ?? root;
  const [name, ...inner] = path.slice(depth);
  const isList = typeof name === "number";
  if (holder.type !== (isList ? "array" : "object"))
    throw new EditRefusal(`"${path.slice(0, depth).join(".")}" is no ${isList ? "list" : "object"}`);
  const whole = inner.reduceRight<unknown>(
    (held, key) => (typeof key === "number" ? [held] : { [key]: held }),
    value,
  );
  return withAddition(text, holder, isList ? "" : `${JSON.stringify(name)}: `, whole);
}

function withAddition(text: string, holder: Node, key: string, value: unknown): string {
  const eol = eolOf(text);
  const last = holder.children?.at(-1);
  if (last === undefined) {
    const close = holder.offset + holder.length - 1;
    const head = text.slice(0, close).trimEnd();
    // A comment may be in it.
    const isOnLines = text.lastIndexOf("\n", close) > holder.offset;
    const indent = indentOf(text, holder) ?? (isOnLines ? "" : undefined);
    if (indent === undefined) return head + key + printed(value, text, indent) + text.slice(close);
    const inner = indent + unitOf(text);
    return `${head}${eol}${inner}${key}${printed(value, text, inner)}${eol}${indent}${text.slice(close)}`;
  }
  const indent = indentOf(text, last);
  const end = last.offset + last.length;
  // A comment on its line stays there.
  const [rest = "", comma = ""] = /^[ \t]*(,?)[ \t]*/.exec(withoutComments(text).slice(end)) ?? [];
  const stop = end + (indent === undefined ? rest.indexOf(",") + 1 : rest.length);
  const before = `${text.slice(0, end)}${comma === "" ? "," : ""}${text.slice(end, stop).trimEnd()}`;
  const gap = indent === undefined ? " " : eol + indent;
  return `${before}${gap}${key}${printed(value, text, indent)}${comma}${text.slice(stop)}`;
}

/** The text without a value, and without the lists and objects above it that are empty then. Comments stay. */
function withoutValue(text: string, path: JsonPath): string {
  const root = treeOf(text);
  const value = findNodeAtLocation(root, [...path]);
  if (value === undefined) return text;
  const node = value.parent?.type === "property" ? value.parent : value;
  const siblings = node.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const bare = withoutComments(text);
  let head = text.slice(0, node.offset);
  let tail = text.slice(node.offset + node.length);
  const after = /^\s*,/.exec(bare.slice(node.offset + node.length))?.[0];
  if (after !== undefined) tail = tail.slice(0, after.length - 1) + tail.slice(after.length);
  else if (previous !== undefined) {
    const comma = bare.indexOf(",", previous.offset + previous.length);
    head = head.slice(0, comma) + head.slice(comma + 1);
  }
  const isOwnLine = /(?:^|\n)[ \t]*$/.test(head.slice(-200)) && /^[ \t]*(?:\r?\n|$)/.test(tail);
  if (isOwnLine) [head, tail] = [head.replace(/[ \t]*$/, ""), tail.replace(/^[ \t]*(?:\r?\n|$)/, "")];
  else if (after === undefined) head = head.replace(/[ \t]+$/, "");
  else tail = tail.replace(/^[ \t]+/, "");
  const left = head + tail;
  const above = path.slice(0, -1);
  const holder = above.length === 0 ? undefined : findNodeAtLocation(treeOf(left), above);
  const { offset, length } = (holder?.parent?.type === "property" ? holder.parent : holder) ?? root;
  const isEmpty = holder !== undefined && EMPTY.test(left.slice(offset, offset + length));
  return isEmpty ? withoutValue(left, above) : left;
}

/** A list or object, perhaps with its key, that holds nothing, no comment either. */
const EMPTY = /^(?:"(?:[^"\\]|\\.)*"\s*:\s*)?[[{]\s*[\]}]$/;

/** The blanks before a value, or its key, where nothing else is before it on its line. */
function indentOf(text: string, { offset, parent }: Node): string | undefined {
  const start = parent?.type === "property" ? parent.offset : offset;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  return before.trim() === "" ? before : undefined;
}

/** On lines of its own only where it is not among others on a line. */
function printed(value: unknown, text: string, indent: string | undefined): string {
  return indent === undefined
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eolOf(text) + indent);
}

/** The text with blanks for its comments. (The parser's own `stripComments` moves what follows.) */
function withoutComments(text: string): string {
  let bare = text;
  visit(text, {
    onComment(offset, length) {
      const blanks = text.slice(offset, offset + length).replace(/[^\r\n]/g, " ");
      bare = bare.slice(0, offset) + blanks + bare.slice(offset + length);
    },
  });
  return bare;
}

const unitOf = (text: string): string => /^([ \t]+)["[{]/m.exec(text)?.[1] ?? "  ";
const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw new EditRefusal(`line ${line}: ${printParseErrorCode(error.error)}`);
  }
  if (root?.type !== "object") throw new EditRefusal("it is no JSON object");
  const twice = keyTwice(root);
  if (twice !== undefined) throw new EditRefusal(`the key "${twice}" is in it twice`);
  return root;
}

/** A key that an object holds twice: programs disagree about which one counts. */
function keyTwice({ type, children = [] }: Node): string | undefined {
  const keys = type === "object" ? children.map((child) => String(child.children?.[0]?.value)) : [];
  const twice =
    keys.length === new Set(keys).size ? undefined : keys.find((key, at) => keys.indexOf(key) < at);
  return twice ?? children.map(keyTwice).find((key) => key !== undefined);
}

function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text with a piece in it. @throws EditRefusal where something else is in its place. */
function withPiece(text: string, piece: JsonPiece): string {
  const { path, value } = piece;
  const root = readJson(text);
  const there = valueAt(root, path);
  if (piece.kind === "item") {
    const list = Array.isArray(there) ? there : [];
    if (!isHeedHook(value) && hooksIn([value]).length === 0)
      return list.some((one) => isDeepStrictEqual(one, value)) ? text : withValue(text, [...path, -1], value);
    const own = hooksIn(list);
    const place = own.find((one) => one.length === 1);
    if (own.length === 1 && place && isDeepStrictEqual(list[Number(place[0])], value)) return text;
    const rest = own
      .filter((one) => one !== place)
      .reduceRight((left, one) => withoutValue(left, [...path, ...one]), text);
    return withValue(rest, [...path, ...(place ?? [-1])], value);
  }
  if (isFields(there) && isFields(value))
    return Object.entries(value)
      .filter(([key, one]) => !isDeepStrictEqual(there[key], one))
      .reduce((left, [key, one]) => withValue(left, [...path, key], one), text);
  if (there !== undefined && !isFields(value)) return text;
  const word = path
    .map((_, at) => path.slice(0, at + 1))
    .find((way) => piece.rest !== undefined && typeof valueAt(root, way) === "string");
  if (word === undefined) return withValue(text, path, value);
  return withPiece(withValue(text, word, { [piece.rest ?? ""]: valueAt(root, word) }), piece);
}

/** The text without heed's server, its hooks and these rules. */
function withoutHeed(text: string, rules: readonly JsonPiece[]): string {
  const ways = Object.entries(readJson(text)).flatMap(([key, value]): JsonPath[] => {
    if (!isFields(value)) return [];
    const server = /mcp|servers/i.test(key) && isFields(value["heed"]) ? [[key, "heed"]] : [];
    const hooks = Object.entries(value).flatMap(([event, list]) =>
      hooksIn(list).map((way) => [key, event, ...way]),
    );
    return [...server, ...hooks];
  });
  return withoutRules(
    ways.reduceRight((left, way) => withoutValue(left, way), text),
    rules,
  );
}

function withoutRules(text: string, rules: readonly JsonPiece[]): string {
  return rules.reduceRight((left, { kind, path, value }) => {
    const there = valueAt(readJson(left), path);
    const isSame = (one: unknown): boolean => isDeepStrictEqual(one, value);
    const at = Array.isArray(there) ? there.findIndex(isSame) : -1;
    if (kind === "key") return isSame(there) ? withoutValue(left, path) : left;
    return at < 0 ? left : withoutValue(left, [...path, at]);
  }, text);
}

/** Where hooks of heed's are in a list: alone, in a group of their own, or among others in a group. */
function hooksIn(list: unknown): JsonPath[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, at): JsonPath[] => {
    const group = isFields(item) ? item["hooks"] : undefined;
    if (!Array.isArray(group)) return isHeedHook(item) ? [[at]] : [];
    const own = group.flatMap((hook, i) => (isHeedHook(hook) ? [[at, "hooks", i]] : []));
    return own.length === group.length && own.length > 0 ? [[at]] : own;
  });
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

/** The words of a command line that is heed's hook, by whatever path heed is started. */
const HOOK = /(?:^|[\s"'/\\])heed(?:\.cjs|\.cmd)?["']?\s+hook\b/;

/** Whether a hook found in a client's file is one of heed's, of any client and shape. */
function isHeedHook(hook: unknown): boolean {
  if (!isFields(hook)) return false;
  const { type, tool, args, command } = hook;
  if (type === "mcp_tool") return tool === "memory_hook";
  const rest = Array.isArray(args) ? args.map(String) : [];
  return typeof command === "string" && HOOK.test([command, ...rest].join(" "));
}

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
