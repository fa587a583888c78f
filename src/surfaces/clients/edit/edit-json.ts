import { isDeepStrictEqual } from "node:util";
import {
  type Node,
  type ParseError,
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  modify,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { EditRefusal } from "./client-file.ts";

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

/**
 * The text changed to say `wanted`; comments, and what already says the same, stay as they are.
 *
 * @throws EditRefusal for a text that is no JSON object, or holds a key twice.
 */
export function rewriteJson(text: string, wanted: JsonFields): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const before = text.trim() === mark ? "{}\n" : text.slice(mark.length);
  const edits = editsBetween([], readJson(before), wanted);
  const after = edits.reduce(edited, before);
  if (!isDeepStrictEqual(readJson(after), wanted)) throw new EditRefusal("it cannot be edited in place");
  return mark + after;
}

/** A value to set, or to remove where it is undefined. */
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
  const unit = /^([ \t]+)["[{]/m.exec(text)?.[1] ?? "  ";
  const formattingOptions = {
    insertSpaces: !unit.startsWith("\t"),
    tabSize: unit.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

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
  const blanks = /^[ \t]*/.exec(text.slice(stop))?.[0].length ?? 0;
  let head = text.slice(0, isOwnLine ? lineStart : node.offset);
  const tail = text.slice(isOwnLine ? stop + lineEnd : stop + blanks);
  const before = siblings[at - 1];
  // The last one's comma is before it, where none follows.
  if (at === siblings.length - 1 && comma === "" && before !== undefined) {
    const left = before.offset + before.length;
    head = head.slice(0, left) + head.slice(left).replace(/^(\s*(?:\/\*[^]*?\*\/\s*)*),/, "$1");
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

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is JsonFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
