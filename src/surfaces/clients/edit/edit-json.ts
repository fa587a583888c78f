import { isDeepStrictEqual } from "node:util";
import {
  type Node,
  type ParseError,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { EditRefusal } from "../entry/client.ts";

export type JsonFields = Record<string, unknown>;
type Path = readonly (string | number)[];

const TOLERANT = { allowTrailingComma: true, disallowComments: false } as const;
/** Blanks, a comma and comments that follow a value on its line. */
const REST_OF_LINE = /^[ \t]*(,?)((?:[ \t]*(?:\/\*[^\n]*?\*\/|\/\/[^\r\n]*))*)/;

/** The object in a JSON text, comments and trailing commas allowed; an empty text is an empty object. */
export function readJson(text: string): JsonFields {
  const plain = text.replace(/^\uFEFF/, "");
  // Cloned: the parser's objects have no prototype.
  return plain.trim() === "" ? {} : structuredClone(getNodeValue(treeOf(plain)) as JsonFields);
}

/** The text changed to say `wanted`, all else as it is. @throws EditRefusal for no JSON object, or a key twice. */
export function rewriteJson(text: string, wanted: JsonFields): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const given = text.slice(mark.length);
  const before = given.trim() === "" ? "{}\n" : given;
  const edits = editsBetween([], readJson(before), wanted);
  const after = edits.reduce(edited, before);
  if (!isDeepStrictEqual(readJson(after), wanted)) throw new EditRefusal("it cannot be edited in place");
  return mark + after;
}

interface Edit {
  path: Path;
  value?: unknown;
}

function editsBetween(path: Path, there: unknown, wanted: unknown): Edit[] {
  if (isDeepStrictEqual(there, wanted)) return [];
  if (isFields(there) && isFields(wanted)) {
    const gone = Object.keys(there).filter((key) => !Object.hasOwn(wanted, key));
    return [
      ...gone.map((key): Edit => ({ path: [...path, key] })),
      ...Object.entries(wanted).flatMap(([key, value]) =>
        editsBetween([...path, key], Object.hasOwn(there, key) ? there[key] : undefined, value),
      ),
    ];
  }
  if (Array.isArray(there) && Array.isArray(wanted)) {
    if (there.length === wanted.length)
      return wanted.flatMap((value, at) => editsBetween([...path, at], there[at], value));
    const isKept = (item: unknown): boolean => wanted.some((one) => isDeepStrictEqual(one, item));
    const kept = there.filter(isKept);
    // Removed from the end, so that indices stay right; then added at the end.
    if (isDeepStrictEqual(kept, wanted.slice(0, kept.length)))
      return [
        ...there.flatMap((item, at): Edit[] => (isKept(item) ? [] : [{ path: [...path, at] }])).toReversed(),
        ...wanted.slice(kept.length).map((value: unknown): Edit => ({ path: [...path, -1], value })),
      ];
  }
  return [{ path, value: wanted }];
}

function edited(text: string, { path, value }: Edit): string {
  if (value === undefined) return withoutValue(text, path);
  const root = treeOf(text);
  const there = findNodeAtLocation(root, [...path]);
  const holder = findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  return there === undefined
    ? withAddition(text, holder, path.at(-1), value)
    : withReplacement(text, there, value);
}

function withReplacement(text: string, { offset, length, parent }: Node, value: unknown): string {
  const line = lineOf(text, parent?.type === "property" ? parent.offset : offset);
  return text.slice(0, offset) + printed(value, text, line) + text.slice(offset + length);
}

/** Adds a value behind the last one. `modify` would lay out all of that line anew, and put its comment behind heed's. */
function withAddition(text: string, holder: Node, name: string | number | undefined, value: unknown): string {
  const key = typeof name === "string" ? `${JSON.stringify(name)}: ` : "";
  const last = holder.children?.at(-1);
  if (last === undefined) {
    const line = lineOf(text, holder.parent?.type === "property" ? holder.parent.offset : holder.offset);
    const close = holder.offset + holder.length - 1;
    const inner = { ...line, indent: line.indent + unitOf(text) };
    const entry = key + printed(value, text, inner);
    const head = text.slice(0, close).trimEnd();
    const isOnLines = line.isFirst || head.includes("\n", holder.offset);
    const [before, after] = isOnLines ? [eolOf(text) + inner.indent, eolOf(text) + line.indent] : ["", ""];
    return head + before + entry + after + text.slice(close);
  }
  const end = last.offset + last.length;
  const [rest = "", comma = ""] = REST_OF_LINE.exec(text.slice(end)) ?? [];
  const line = lineOf(text, last.offset);
  const stop = line.isFirst ? end + rest.length : end + (comma === "" ? 0 : rest.indexOf(",") + 1);
  const gap = line.isFirst ? eolOf(text) + line.indent : /[ \t]*$/.exec(text.slice(0, last.offset))?.[0];
  const behind = text.slice(end, stop);
  return `${text.slice(0, end)}${comma === "" ? "," : ""}${behind}${gap}${key}${printed(value, text, line)}${comma}${text.slice(stop)}`;
}

interface Line {
  indent: string;
  isFirst: boolean;
}

function lineOf(text: string, offset: number): Line {
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return { indent: /^[ \t]*/.exec(before)?.[0] ?? "", isFirst: before.trim() === "" };
}

/** A value as JSON: on lines of its own only where it is not among others on a line. */
function printed(value: unknown, text: string, { indent, isFirst }: Line): string {
  return isFirst
    ? JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eolOf(text) + indent)
    : JSON.stringify(value);
}

const unitOf = (text: string): string => /^([ \t]+)["[{]/m.exec(text)?.[1] ?? "  ";
const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** Removes a value with its key and comma. `modify` would take comments along, and of `[1,2]` leaves `[12]`. */
function withoutValue(text: string, path: Path): string {
  const value = findNodeAtLocation(treeOf(text), [...path]);
  if (value === undefined) return text;
  const node = value.parent?.type === "property" ? value.parent : value;
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const end = node.offset + node.length;
  const [rest = "", comma = ""] = REST_OF_LINE.exec(text.slice(end)) ?? [];
  const stop = comma === "" ? end : end + rest.indexOf(",") + 1;
  const lineStart = text.lastIndexOf("\n", node.offset - 1) + 1;
  const lineEnd = /^[ \t]*\r?\n/.exec(text.slice(stop))?.[0].length;
  const isOwnLine = text.slice(lineStart, node.offset).trim() === "" && lineEnd !== undefined;
  const before = comma === "" && at === siblings.length - 1 ? siblings[at - 1] : undefined;
  const blanks = before === undefined ? (/^[ \t]*/.exec(text.slice(stop))?.[0].length ?? 0) : 0;
  let head = text.slice(0, isOwnLine ? lineStart : node.offset);
  const tail = text.slice(isOwnLine ? stop + lineEnd : stop + blanks);
  // The last one's comma is before it, where none follows.
  if (before !== undefined) {
    const left = before.offset + before.length;
    head = head.slice(0, left) + head.slice(left).replace(/^(\s*(?:\/\*[^]*?\*\/\s*)*),(?:[ \t]*$)?/, "$1");
  }
  if (siblings.length > 1) return head + tail;
  return head.trimEnd().match(/[[{]$/) && /^\s*[\]}]/.test(tail)
    ? head.trimEnd() + tail.trimStart()
    : head + tail;
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, TOLERANT);
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
function keyTwice(node: Node): string | undefined {
  const children = node.children ?? [];
  const keys = node.type === "object" ? children.map((child) => String(child.children?.[0]?.value)) : [];
  return (
    keys.find((key, at) => keys.indexOf(key) < at) ?? children.map(keyTwice).find((key) => key !== undefined)
  );
}

export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
