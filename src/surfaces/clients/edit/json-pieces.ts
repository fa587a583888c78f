import { isDeepStrictEqual } from "node:util";
import type { JsonPiece } from "../entry/client.ts";
import { type JsonPath, isFields, readJson, withValue, withoutValue } from "./edit-json.ts";

/** The text with a piece in it. @throws EditRefusal where something else is in its place. */
export function withPiece(text: string, piece: JsonPiece): string {
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
export function withoutHeed(text: string, rules: readonly JsonPiece[]): string {
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

export function withoutRules(text: string, rules: readonly JsonPiece[]): string {
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
