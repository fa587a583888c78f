import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import { isMap, isPair, isScalar, isSeq, Scalar } from "yaml";
import { closeLine } from "./front-matter.ts";
import { openYaml } from "./read-yaml.ts";
import { type Quoting, renderFlow, renderInline } from "./encode-memory.ts";

/* Edits of YAML by the places that `yaml`'s Document gives: printing it would reformat comments, quotes and blanks. */

export type KeyPath = readonly [string, ...string[]];

/** Sets the value under a path of keys; maps that are missing on the way are made. Returns the new text. */
export function setYamlValue(source: string, path: KeyPath, value: unknown): string {
  let map: unknown = openYaml(source).contents;
  if (!isMap(map)) return `${closeLine(source)}${renderPair(path, value, "")}\n`;
  for (const [depth, key] of path.entries()) {
    if (!isMap(map)) break;
    const pair = findPair(map, key);
    if (!pair) return insertPair(source, map, path.slice(depth), value);
    const rest = path.slice(depth + 1);
    if (rest.length === 0 || !isMap(pair.value)) return replaceValue(source, { map, pair }, rest, value);
    map = pair.value;
  }
  return source;
}

/** Removes a key, both where it is given twice; the lines of other keys stay. Returns the new text. */
export function deleteYamlKey(source: string, path: KeyPath): string {
  let text = source;
  // Each round removes one pair; a hostile file with thousands of them is not worth more rounds.
  for (let round = 0; round < 8; round++) {
    let map: unknown = openYaml(text).contents;
    for (const key of path.slice(0, -1)) map = isMap(map) ? findPair(map, key)?.value : undefined;
    const pair = isMap(map) ? findPair(map, path.at(-1) ?? "") : undefined;
    if (!isMap(map) || !pair) break;
    text = cutItem(text, map, map.items.indexOf(pair));
  }
  return text;
}

function findPair(map: YAMLMap, key: string): Pair | undefined {
  return map.items.findLast((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

function insertPair(source: string, map: YAMLMap, path: readonly string[], value: unknown): string {
  const last = map.items.at(-1);
  if (map.flow) {
    const text = `${renderFlow(path[0])}: ${renderFlow(nest(path.slice(1), value))}`;
    if (!last) return splice(source, map.range?.[0] ?? 0, map.range?.[1] ?? 0, `{ ${text} }`);
    return insertAt(source, endOf(source, last), `, ${text}`);
  }
  const indent = lineIndent(source, startOf(map.items[0]));
  return insertLine(source, last ? endOf(source, last) : source.length, renderPair(path, value, indent));
}

function replaceValue(
  source: string,
  { map, pair }: { map: YAMLMap; pair: Pair },
  rest: readonly string[],
  value: unknown,
): string {
  const node = pair.value as Node | null;
  const isFlow = map.flow === true;
  if (!node?.range || node.range[0] === node.range[1]) {
    // `key:` without a value: the new one goes right after the colon.
    const colon = endOf(source, pair);
    if (isFlow) return insertAt(source, colon, ` ${renderFlow(nest(rest, value))}`);
    const indent = `${lineIndent(source, startOf(pair))}  `;
    if (rest.length > 0) return insertLine(source, colon, renderPair(rest, value, indent));
    return insertAt(source, colon, ` ${renderInline(value)}`);
  }
  if (rest.length === 0 && Array.isArray(value) && isSeq(node)) return replaceList(source, node, value);
  const render = isFlow ? renderFlow : renderInline;
  return splice(source, node.range[0], endOf(source, node), render(nest(rest, value), quotingOf(node)));
}

/** Changes a list by cutting and appending items where that is all it takes, so that the others keep their comments. */
function replaceList(source: string, list: YAMLSeq, values: readonly unknown[]): string {
  const document = openYaml("");
  const old = list.items.map((item) => JSON.stringify((item as Node).toJS?.(document)));
  const wanted = values.map((item) => JSON.stringify(item));
  const kept = old.filter((item) => wanted.includes(item));
  const [start, end] = [list.range?.[0] ?? 0, endOf(source, list)];
  const indent = lineIndent(source, start);
  const linesOf = (items: readonly unknown[]): string =>
    items.map((item) => `${indent}- ${renderInline(item)}`).join("\n");
  const isExtension = kept.every((item, i) => wanted[i] === item) && new Set(old).size === old.length;
  if (!isExtension || kept.length === 0) {
    const isInline = list.flow === true || values.length === 0;
    return splice(source, start, end, isInline ? renderFlow(values) : linesOf(values).slice(indent.length));
  }
  const added = values.slice(kept.length);
  let text = source;
  if (list.flow === true)
    text = insertAt(
      source,
      endOf(source, list.items.at(-1)),
      added.map((item) => `, ${renderFlow(item)}`).join(""),
    );
  else if (added.length > 0) text = insertLine(source, end, linesOf(added));
  for (const [i, item] of [...old.entries()].reverse())
    if (!wanted.includes(item)) text = cutItem(text, list, i, source);
  return text;
}

/** Removes one item of a map or list with its separator (flow) or its lines (block); ranges are those of `parsed`. */
function cutItem(source: string, { items, flow }: YAMLMap | YAMLSeq, index: number, parsed = source): string {
  const [start, end] = [startOf(items[index]), endOf(parsed, items[index])];
  if (flow) {
    const [before, after] = [items[index - 1], items[index + 1]];
    if (before) return splice(source, endOf(parsed, before), end, "");
    return splice(source, start, after ? startOf(after) : end, "");
  }
  const lineEnd = source.indexOf("\n", end);
  return splice(
    source,
    source.lastIndexOf("\n", start - 1) + 1,
    lineEnd < 0 ? source.length : lineEnd + 1,
    "",
  );
}

function renderPair(path: readonly string[], value: unknown, indent: string): string {
  const [key, ...rest] = path;
  const head = `${indent}${renderInline(key)}:`;
  // `metadata` is made as a block, as every tool writes it, with one line per key.
  return rest.length > 0 && key === "metadata"
    ? `${head}\n${renderPair(rest, value, `${indent}  `)}`
    : `${head} ${renderInline(nest(rest, value))}`;
}

function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

function quotingOf(node: unknown): Quoting {
  if (isScalar(node) && node.type === Scalar.QUOTE_DOUBLE) return "double";
  return isScalar(node) && node.type === Scalar.QUOTE_SINGLE ? "single" : "plain";
}

function startOf(item: unknown): number {
  return ((isPair(item) ? item.key : item) as Node | undefined)?.range?.[0] ?? 0;
}

/** Where the text of an item ends, without comments and line ends after it; of a pair without a value, its colon. */
function endOf(source: string, item: unknown): number {
  if (isPair(item)) {
    const value = item.value as Node | null;
    if (value?.range && value.range[1] > value.range[0]) return endOf(source, value);
    return source.indexOf(":", (item.key as Node).range?.[1] ?? 0) + 1;
  }
  const range = (item as Node | undefined)?.range;
  if (!range) return source.length;
  if ((isMap(item) || isSeq(item)) && !item.flow && item.items.length > 0)
    return endOf(source, item.items.at(-1));
  return range[0] + source.slice(range[0], range[1]).trimEnd().length;
}

function lineIndent(source: string, offset: number): string {
  const lineStart = source.lastIndexOf("\n", offset - 1) + 1;
  return /^ */.exec(source.slice(lineStart, offset))?.[0] ?? "";
}

function insertLine(source: string, offset: number, lines: string): string {
  const lineEnd = source.indexOf("\n", offset);
  return lineEnd < 0 ? `${source}\n${lines}` : insertAt(source, lineEnd, `\n${lines}`);
}

function insertAt(source: string, offset: number, text: string): string {
  return splice(source, offset, offset, text);
}

function splice(source: string, start: number, end: number, text: string): string {
  return source.slice(0, start) + text + source.slice(end);
}
