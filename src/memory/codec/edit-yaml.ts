import { isDeepStrictEqual } from "node:util";
import type { Node, Pair, YAMLMap } from "yaml";
import { isMap, isPair, isScalar, isSeq } from "yaml";
import { asRecord } from "../../machine/read-fields.ts";
import { closeLine } from "./front-matter.ts";
import { MAX_YAML_ALIASES, openYaml, valueOf } from "./read-yaml.ts";
import { renderInline } from "./encode-memory.ts";

export type KeyPath = readonly [string, ...string[]];

/** Sets the value under a path of keys; undefined takes the key away. The lines of other keys stay as they are, where YAML allows. */
export function setYamlValue(source: string, path: KeyPath, value: unknown): string {
  const edited = editLines(source, path, value);
  return edited !== undefined && hasValue(edited, path, value) ? edited : reprint(source, path, value);
}

/** Writes the pair anew that the path leads to by lines of their own; undefined: all of it is within brackets. */
function editLines(source: string, path: KeyPath, value: unknown): string | undefined {
  const document = openYaml(source);
  let map = document.contents as unknown;
  if (!isMap(map)) return value === undefined ? source : closeLine(source) + renderPair(path, value, "");
  if (map.flow === true) return undefined;
  let depth = 0;
  for (let inner = pairsOf(map, path[0]).at(-1)?.value; depth < path.length - 1;) {
    if (!isMap(inner) || inner.flow === true) break;
    map = inner;
    depth += 1;
    inner = pairsOf(inner, path[depth]).at(-1)?.value;
  }
  const [key = "", ...rest] = path.slice(depth);
  const pairs = pairsOf(map as YAMLMap, key);
  const last = pairs.at(-1);
  const indent = lineIndent(source, startOf((map as YAMLMap).items[0]));
  if (!last)
    return value === undefined
      ? source
      : insertLines(
          source,
          endOf(source, (map as YAMLMap).items.at(-1)),
          renderPair([key, ...rest], value, indent),
        );
  const inner = (last.value as Node | null)?.toJS(document, { maxAliasCount: MAX_YAML_ALIASES }) as unknown;
  const said = withValue(inner, rest, value);
  if (said === undefined) return pairs.reduceRight((text, pair) => withoutLines(text, source, pair), source);
  const keyEnd = (last.key as Node).range?.[1] ?? 0;
  return `${source.slice(0, keyEnd)}: ${renderInline(said)}${source.slice(endOf(source, last))}`;
}

function pairsOf(map: YAMLMap, key: string | undefined): Pair[] {
  return map.items.filter((pair) => isScalar(pair.key) && String(pair.key.value) === key);
}

/** A record with a value under a path of keys, or without it. */
function withValue(record: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: inner, ...others } = asRecord(record) ?? {};
  const set = withValue(inner, rest, value);
  return set === undefined ? others : { ...asRecord(record), [key]: set };
}

function hasValue(text: string, path: KeyPath, value: unknown): boolean {
  try {
    const found = path.reduce((at: unknown, key) => asRecord(at)?.[key], valueOf(openYaml(text), text));
    return isDeepStrictEqual(found, value);
  } catch {
    return false;
  }
}

/** For YAML too odd to edit by its lines: comments and order stay, blanks and quotes do not. */
function reprint(source: string, path: KeyPath, value: unknown): string {
  const document = openYaml(source);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(value, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** New lines for a value; `metadata` is made as a block, as every tool writes it, with one line per key. */
function renderPair([key, ...rest]: readonly string[], value: unknown, indent: string): string {
  const head = `${indent}${renderInline(key)}:`;
  return rest.length > 0 && key === "metadata"
    ? `${head}\n${renderPair(rest, value, `${indent}  `)}`
    : `${head} ${renderInline(withValue(undefined, rest, value))}\n`;
}

function startOf(pair: Pair | undefined): number {
  return (pair?.key as Node | undefined)?.range?.[0] ?? 0;
}

/** Where the text of an item ends, without comments and line ends after it; of a pair without a value, its colon. */
function endOf(source: string, item: unknown): number {
  if (isPair(item)) {
    const value = item.value as Node | null;
    if (value?.range && value.range[1] > value.range[0]) return endOf(source, value);
    return source.indexOf(":", (item.key as Node).range?.[1] ?? 0) + 1;
  }
  if ((isMap(item) || isSeq(item)) && !item.flow && item.items.length > 0)
    return endOf(source, item.items.at(-1));
  const [start, end] = (item as Node | undefined)?.range ?? [source.length, source.length];
  return start + source.slice(start, end).trimEnd().length;
}

function lineIndent(source: string, offset: number): string {
  return /^ */.exec(source.slice(source.lastIndexOf("\n", offset - 1) + 1, offset))?.[0] ?? "";
}

function insertLines(source: string, offset: number, lines: string): string {
  const lineEnd = source.indexOf("\n", offset);
  return lineEnd < 0
    ? `${source}\n${lines.trimEnd()}`
    : source.slice(0, lineEnd + 1) + lines + source.slice(lineEnd + 1);
}

/** A text without the lines of a pair; its place is that in `parsed`, which the text begins as. */
function withoutLines(text: string, parsed: string, pair: Pair): string {
  const lineEnd = parsed.indexOf("\n", endOf(parsed, pair));
  const start = parsed.lastIndexOf("\n", startOf(pair) - 1) + 1;
  return text.slice(0, start) + (lineEnd < 0 ? "" : text.slice(lineEnd + 1));
}
