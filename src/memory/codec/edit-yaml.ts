import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isMap, isScalar, isSeq, parseDocument, Scalar } from "yaml";
import { BrokenYaml } from "./broken-yaml.ts";
import { isTooNested } from "./yaml-nesting.ts";
import type { Quoting } from "./yaml-text.ts";
import { renderFlow, renderInline } from "./yaml-text.ts";

/*
 * Edits of YAML text that leave every character alone which the edit does not concern: comments, quotes, blanks and
 * order stay. `yaml`'s Document gives the places; printing the Document would reformat the rest.
 */

/** Keys from the outermost map inwards. */
export type KeyPath = readonly [string, ...string[]];

/** Sets the value under a path of keys; maps that are missing on the way are made. Returns the new text. */
export function setYamlValue(source: string, path: KeyPath, value: unknown): string {
  const document = parse(source);
  const root = document.contents;
  if (!isMap(root)) {
    const lead = source === "" || source.endsWith("\n") ? source : `${source}\n`;
    return `${lead}${renderPair(path, value, "")}\n`;
  }
  let map: YAMLMap = root;
  for (const [depth, key] of path.entries()) {
    const pair = findPair(map, key);
    if (!pair) return insertPair(source, map, path.slice(depth), value);
    if (depth < path.length - 1 && isMap(pair.value)) map = pair.value;
    else return replaceValue(source, map, pair, path.slice(depth + 1), value);
  }
  return source;
}

/** Removes a key, wherever it stands twice both; the lines of other keys stay. Returns the new text. */
export function deleteYamlKey(source: string, path: KeyPath): string {
  let text = source;
  // Each round removes one pair; a hostile file with thousands of twins is not worth more rounds.
  for (let round = 0; round < 8; round++) {
    const map = path.slice(0, -1).reduce<unknown>((node, key) => {
      return isMap(node) ? findPair(node, key)?.value : undefined;
    }, parse(text).contents);
    const pair = isMap(map) ? findPair(map, path.at(-1) ?? "") : undefined;
    if (!isMap(map) || !pair) return text;
    text = cutItem(text, map, map.items.indexOf(pair), startOf(pair.key), endOf(text, pair));
  }
  return text;
}

/** The value under a path of keys as plain data, the last one where a key stands twice; undefined when absent. */
function findPair(map: YAMLMap, key: string): Pair | undefined {
  return map.items.findLast((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function parse(source: string): ReturnType<typeof parseDocument> {
  if (isTooNested(source)) throw new BrokenYaml(0, "nested too deep");
  return parseDocument(source, { uniqueKeys: false, logLevel: "silent", prettyErrors: false });
}

function insertPair(source: string, map: YAMLMap, path: readonly string[], value: unknown): string {
  const last = map.items.at(-1);
  if (map.flow) {
    const text = `${renderFlow(path[0])}: ${renderFlow(nest(path.slice(1), value))}`;
    if (!last) return splice(source, map.range?.[0] ?? 0, map.range?.[1] ?? 0, `{ ${text} }`);
    return insertAt(source, endOf(source, last), `, ${text}`);
  }
  const indent = lineIndent(source, startOf(map.items[0]?.key));
  return insertLine(source, last ? endOf(source, last) : source.length, renderPair(path, value, indent));
}

function replaceValue(
  source: string,
  map: YAMLMap,
  pair: Pair,
  rest: readonly string[],
  value: unknown,
): string {
  const node = pair.value as Node | null;
  const isFlow = map.flow === true;
  if (!node?.range || node.range[0] === node.range[1]) {
    // `key:` without a value: the new one goes right after the colon.
    const colon = source.indexOf(":", (pair.key as Node).range?.[1] ?? 0);
    if (rest.length === 0 || isFlow) {
      const text = isFlow ? renderFlow(nest(rest, value)) : renderInline(value);
      return insertAt(source, colon + 1, ` ${text}`);
    }
    const indent = `${lineIndent(source, startOf(pair.key))}  `;
    return insertLine(source, colon + 1, renderPair(rest, value, indent));
  }
  if (rest.length === 0 && Array.isArray(value) && isSeq(node)) return replaceList(source, node, value);
  const render = isFlow ? renderFlow : renderInline;
  return splice(source, node.range[0], endOf(source, node), render(nest(rest, value), quotingOf(node)));
}

/** Changes a list by cutting and appending items where that is all it takes, so that the others keep their comments. */
function replaceList(source: string, list: YAMLSeq, values: readonly unknown[]): string {
  const old = list.items.map((item) => JSON.stringify((item as Node).toJS?.(parse(""))));
  const wanted = values.map((value) => JSON.stringify(value));
  const kept = old.filter((item) => wanted.includes(item));
  const isExtension = kept.every((item, i) => wanted[i] === item) && new Set(old).size === old.length;
  const indent = lineIndent(source, list.range?.[0] ?? 0);
  if (!isExtension || kept.length === 0 || values.length === 0) {
    const text =
      list.flow || values.length === 0
        ? renderFlow(values)
        : values.map((value) => `- ${renderInline(value)}`).join(`\n${indent}`);
    return splice(source, list.range?.[0] ?? 0, endOf(source, list), text);
  }
  const added = values.slice(kept.length);
  const end = endOf(source, list);
  let text = list.flow
    ? insertAt(
        source,
        endOf(source, list.items.at(-1)),
        added.map((value) => `, ${renderFlow(value)}`).join(""),
      )
    : added.length === 0
      ? source
      : insertLine(source, end, added.map((value) => `${indent}- ${renderInline(value)}`).join("\n"));
  for (const [i, item] of [...list.items.entries()].reverse()) {
    if (wanted.includes(old[i] ?? "")) continue;
    text = cutItem(text, list, i, startOf(item), endOf(source, item));
  }
  return text;
}

/** Removes one item of a map or list with its separator (flow) or its lines (block). */
function cutItem(
  source: string,
  collection: YAMLMap | YAMLSeq,
  index: number,
  start: number,
  end: number,
): string {
  if (collection.flow) {
    const before = collection.items[index - 1];
    const after = collection.items[index + 1];
    if (before) return splice(source, endOf(source, before), end, "");
    return splice(source, start, after ? startOf(isPair(after) ? after.key : after) : end, "");
  }
  const lineStart = source.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = source.indexOf("\n", end);
  const next = lineEnd < 0 ? source.length : lineEnd + 1;
  return splice(source, lineStart, next, "");
}

function renderPair(path: readonly string[], value: unknown, indent: string): string {
  const [key, ...rest] = path;
  const head = `${indent}${renderInline(key)}:`;
  // `metadata` is made as a block, as every tool writes it; what is below it stands on one line each.
  if (rest.length > 0 && key === "metadata") return `${head}\n${renderPair(rest, value, `${indent}  `)}`;
  return `${head} ${renderInline(nest(rest, value))}`;
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function quotingOf(node: unknown): Quoting {
  if (isScalar(node) && node.type === Scalar.QUOTE_DOUBLE) return "double";
  return isScalar(node) && node.type === Scalar.QUOTE_SINGLE ? "single" : "plain";
}

function isPair(item: unknown): item is Pair {
  return typeof item === "object" && item !== null && "key" in item;
}

function startOf(node: unknown): number {
  return (node as Node | undefined)?.range?.[0] ?? 0;
}

/** Where the text of a node ends, without comments and line ends after it. */
function endOf(source: string, node: unknown): number {
  if (isPair(node)) {
    const value = node.value as Node | null;
    if (value?.range && value.range[1] > value.range[0]) return endOf(source, value);
    return source.indexOf(":", (node.key as Node).range?.[1] ?? 0) + 1;
  }
  const range = (node as Node | undefined)?.range;
  if (!range) return source.length;
  if ((isMap(node) || isSeq(node)) && !node.flow && node.items.length > 0)
    return endOf(source, node.items.at(-1));
  return range[0] + source.slice(range[0], range[1]).trimEnd().length;
}

function lineIndent(source: string, offset: number): string {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  return /^ */.exec(source.slice(lineStart, offset))?.[0] ?? "";
}

/** Inserts whole lines below the line of an offset. */
function insertLine(source: string, offset: number, lines: string): string {
  const lineEnd = source.indexOf("\n", offset);
  if (lineEnd < 0) return `${source}\n${lines}`;
  return insertAt(source, lineEnd, `\n${lines}`);
}

function insertAt(source: string, offset: number, text: string): string {
  return splice(source, offset, offset, text);
}

function splice(source: string, start: number, end: number, text: string): string {
  return source.slice(0, start) + text + source.slice(end);
}
