import {
  type Node,
  type ParseError,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  visit,
} from "jsonc-parser";
import { EditRefusal } from "../entry/client.ts";

export type JsonFields = Record<string, unknown>;
/** Keys and indices; -1: behind the last of a list. */
export type JsonPath = readonly (string | number)[];

/** The object in a JSON text, comments and trailing commas allowed. @throws EditRefusal */
export function readJson(text: string): JsonFields {
  // Cloned: the parser's objects have no prototype.
  return structuredClone(getNodeValue(treeOf(text)) as JsonFields);
}

/** The text with a value, in the place of what is there, else behind the last; no other line changes. @throws EditRefusal */
export function withValue(text: string, path: JsonPath, value: unknown): string {
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
export function withoutValue(text: string, path: JsonPath): string {
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

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
