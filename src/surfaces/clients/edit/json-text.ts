import {
  type Node,
  type ParseError,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { EditRefusal } from "./client-file.ts";

type JsonPath = readonly (string | number)[];

const TOLERANT = { allowTrailingComma: true, disallowComments: false } as const;
/** Blanks, a comma and comments that follow a value on its line. */
const REST_OF_LINE = /^[ \t]*(,?)((?:[ \t]*(?:\/\*[^\n]*?\*\/|\/\/[^\r\n]*))*)/;

/**
 * The text of a JSON file, comments and trailing commas allowed, edited in place: each edit puts in or takes out its own
 * characters, and every other one stays as it is.
 */
export class JsonText {
  #text: string;
  #root: Node;
  readonly #mark: string;
  readonly #eol: string;
  readonly #unit: string;

  private constructor(text: string, mark: string, root: Node) {
    this.#text = text;
    this.#root = root;
    this.#mark = mark;
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
    this.#unit = /^([ \t]+)["[{]/m.exec(text)?.[1] ?? "  ";
  }

  /** Reads a text; an empty one is an empty object. Throws an `EditRefusal` for what is no JSON object. */
  static of(given: string): JsonText {
    const mark = given.startsWith("\uFEFF") ? "\uFEFF" : "";
    const text = given.slice(mark.length);
    return text.trim() === ""
      ? new JsonText("{}\n", mark, treeOf("{}\n"))
      : new JsonText(text, mark, treeOf(text));
  }

  get text(): string {
    return this.#mark + this.#text;
  }

  /** The value at a path; undefined where there is none. */
  at(path: JsonPath): unknown {
    const node = this.#nodeAt(path);
    return node && (getNodeValue(node) as unknown);
  }

  /** The list at a path, empty where there is none. Throws an `EditRefusal` where something else is. */
  list(path: JsonPath): readonly unknown[] {
    this.#requireWay(path);
    const there = this.at(path) ?? [];
    if (!Array.isArray(there)) throw new EditRefusal(`"${path.join(".")}" is no list`);
    return there as unknown[];
  }

  /** Sets a value; one that says the same already stays as it is written. */
  set(path: JsonPath, value: unknown): void {
    this.#requireWay(path);
    const node = this.#nodeAt(path);
    if (node === undefined) this.#add(path, value);
    else if (!isSameJson(getNodeValue(node), value))
      this.#splice(node.offset, node.offset + node.length, this.#written(value, node.offset));
  }

  /** Puts a value at the end of a list, which is made where there is none. */
  append(path: JsonPath, value: unknown): void {
    const list = this.#nodeAt(path);
    if (list === undefined) this.#add(path, [value]);
    else this.#insert(list, (indentAt) => this.#written(value, indentAt));
  }

  /** Puts a value at the start of a list, which is made where there is none. */
  prepend(path: JsonPath, value: unknown): void {
    const [first] = this.#nodeAt(path)?.children ?? [];
    const list = first?.parent;
    if (first === undefined || list === undefined) this.append(path, value);
    else {
      const isOwnLine = this.#text.slice(list.offset, first.offset).includes("\n");
      const indent = isOwnLine ? this.#indentAt(first.offset) : undefined;
      const gap = indent === undefined ? " " : this.#eol + indent;
      this.#splice(first.offset, first.offset, `${this.#written(value, indent)},${gap}`);
    }
  }

  /** Takes a value out, with its key and its comma. */
  remove(path: JsonPath): void {
    const value = this.#nodeAt(path);
    if (value === undefined) return;
    const node = value.parent?.type === "property" ? value.parent : value;
    const siblings = node.parent?.children ?? [];
    const at = siblings.indexOf(node);
    const before = siblings[at - 1];
    const end = node.offset + node.length;
    const [rest = "", comma = ""] = REST_OF_LINE.exec(this.#text.slice(end)) ?? [];
    const lineStart = this.#text.lastIndexOf("\n", node.offset - 1) + 1;
    const isOwnLine = this.#text.slice(lineStart, node.offset).trim() === "";
    const isLast = at === siblings.length - 1;
    const stop = comma === "" ? end : end + rest.indexOf(",") + 1;
    const lineEnd = /^[ \t]*\r?\n/.exec(this.#text.slice(stop))?.[0].length;
    const blanks = /^[ \t]*/.exec(this.#text.slice(stop))?.[0].length ?? 0;
    if (isOwnLine && lineEnd !== undefined) this.#splice(lineStart, stop + lineEnd, "");
    else this.#splice(node.offset, stop + blanks, "");
    // The last one's comma stood before it, where none follows.
    if (isLast && comma === "" && before !== undefined) {
      const left = before.offset + before.length;
      const between = /^\s*,[ \t]*(?=[\]}])|^[ \t]*,/.exec(this.#text.slice(left))?.[0];
      if (between !== undefined) this.#splice(left, left + between.length, "");
    }
    this.#collapse(path.slice(0, -1));
  }

  /** An object or list that is empty now is written without the lines that its entries stood on. */
  #collapse(path: JsonPath): void {
    const node = this.#nodeAt(path);
    if (node === undefined || (node.children ?? []).length > 0) return;
    const inner = this.#text.slice(node.offset + 1, node.offset + node.length - 1);
    if (inner !== "" && inner.trim() === "") this.#splice(node.offset + 1, node.offset + node.length - 1, "");
  }

  #nodeAt(path: JsonPath): Node | undefined {
    return path.length === 0 ? this.#root : findNodeAtLocation(this.#root, [...path]);
  }

  /** All that a path leads through must be objects, or lists by their places. */
  #requireWay(path: JsonPath): void {
    for (let depth = 1; depth < path.length; depth++) {
      const type = this.#nodeAt(path.slice(0, depth))?.type;
      const wanted = typeof path[depth] === "number" ? "array" : "object";
      if (type !== undefined && type !== wanted)
        throw new EditRefusal(
          `"${path.slice(0, depth).join(".")}" is no ${wanted === "array" ? "list" : "object"}`,
        );
    }
  }

  #add(path: JsonPath, value: unknown): void {
    let depth = path.length - 1;
    while (depth > 0 && this.#nodeAt(path.slice(0, depth)) === undefined) depth -= 1;
    const holder = this.#nodeAt(path.slice(0, depth)) as Node;
    const made = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
    const key = JSON.stringify(path[depth]);
    this.#insert(holder, (at) => `${key}: ${this.#written(made, at)}`);
  }

  /** Puts an entry at the end of an object or a list: on a line of its own where its neighbours have one. */
  #insert(holder: Node, render: (indentAt: string | undefined) => string): void {
    const last = holder.children?.at(-1);
    const holderIndent = this.#indentAt(holder.offset);
    const close = holder.offset + holder.length - 1;
    if (last === undefined) {
      const inner = this.#text.slice(holder.offset + 1, close);
      const indent = holderIndent + this.#unit;
      const kept = inner.trimEnd();
      const entry = `${kept}${this.#eol}${indent}${render(indent)}${this.#eol}${holderIndent}`;
      this.#splice(holder.offset + 1, close, entry);
      return;
    }
    const end = last.offset + last.length;
    const isOwnLine = this.#text.slice(holder.offset, last.offset).includes("\n");
    if (!isOwnLine) {
      const [, comma = ""] = REST_OF_LINE.exec(this.#text.slice(end)) ?? [];
      const at = comma === "" ? end : end + this.#text.slice(end).indexOf(",") + 1;
      this.#splice(at, at, comma === "" ? `, ${render(undefined)}` : ` ${render(undefined)},`);
      return;
    }
    const indent = this.#indentAt(last.offset);
    const [rest = "", comma = ""] = REST_OF_LINE.exec(this.#text.slice(end)) ?? [];
    const entry = `${this.#eol}${indent}${render(indent)}${comma}`;
    this.#splice(end, end + rest.length, `${comma === "" ? "," : ""}${rest}${entry}`);
  }

  /** A value as text; undefined indent: on one line. A number is a place in the text whose line's indent counts. */
  #written(value: unknown, indent: string | number | undefined): string {
    if (indent === undefined) return JSON.stringify(value);
    const blanks = typeof indent === "number" ? this.#indentAt(indent) : indent;
    return JSON.stringify(value, null, this.#unit).replaceAll("\n", this.#eol + blanks);
  }

  #indentAt(offset: number): string {
    const start = this.#text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.#text.slice(start))?.[0] ?? "";
  }

  #splice(start: number, end: number, text: string): void {
    this.#text = this.#text.slice(0, start) + text + this.#text.slice(end);
    this.#root = treeOf(this.#text);
  }
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
  const keys = new Set<string>();
  for (const child of node.children ?? []) {
    if (node.type === "object") {
      const key = String(child.children?.[0]?.value);
      if (keys.has(key)) return key;
      keys.add(key);
    }
    const inner = keyTwice(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Whether two JSON values say the same; the order of keys says nothing. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [Object.entries(a), b as Readonly<Record<string, unknown>>];
  return (
    first.length === Object.keys(second).length &&
    first.every(([key, value]) => Object.hasOwn(second, key) && isSameJson(value, second[key]))
  );
}
