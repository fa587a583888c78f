import { isDeepStrictEqual } from "node:util";
import { type Piece, EditRefusal } from "../entry/client.ts";
import { type JsonFields, isFields } from "./edit-json.ts";

export type JsonPiece = Extract<Piece, { kind: `json-${string}` }>;
type Entries = Extract<JsonPiece, { kind: "json-entries" }>;

/** The object with heed's pieces in it. What is there already stays as it is. */
export function withJsonPieces(given: JsonFields, pieces: readonly JsonPiece[]): JsonFields {
  const root = structuredClone(given);
  for (const piece of pieces) {
    const { path } = piece;
    if (piece.kind === "json-value") {
      const there = valueAt(root, path);
      // The user's own keys in heed's entry stay: `disabled`, variables, approvals.
      const isMerged = isFields(there) && isFields(piece.value);
      place(root, path, isMerged ? { ...there, ...(piece.value as JsonFields) } : piece.value);
    } else if (piece.kind === "json-entries") addEntries(root, piece);
    else {
      const list = valueAt(root, path) ?? [];
      if (!Array.isArray(list)) throw new EditRefusal(`"${path.join(".")}" is no list`);
      place(
        root,
        path,
        piece.kind === "json-item" ? withItem(list, piece.value) : withAll(list, piece.values),
      );
    }
  }
  return root;
}

/** The object without them. Lists and objects that became empty go too, unless the `original` has them. */
export function withoutJsonPieces(
  given: JsonFields,
  pieces: readonly JsonPiece[],
  original: JsonFields,
): JsonFields {
  const root = structuredClone(given);
  const isNew = Object.keys(original).length === 0;
  // The format's version comes first and goes last.
  for (const piece of pieces.toReversed()) {
    const { path } = piece;
    const there = valueAt(root, path);
    const theirs = valueAt(original, path);
    if (there === undefined) continue;
    if (piece.kind === "json-value") {
      // It stays where it was before, and in a file of heed's that others use since.
      const isShared = theirs !== undefined || (isNew && Object.keys(root).length > 1);
      if (isFields(piece.value) || !isShared) place(root, path, undefined);
    } else if (piece.kind === "json-entries") removeEntries(root, piece, original);
    else if (Array.isArray(there)) {
      const isOwn = (item: unknown): boolean =>
        piece.kind === "json-values" && holds(piece.values, item) && !holds(theirs, item);
      place(
        root,
        path,
        piece.kind === "json-item" ? withoutHooks(there) : there.filter((one) => !isOwn(one)),
      );
    }
    prune(root, path, original);
  }
  return root;
}

function withAll(list: readonly unknown[], values: readonly unknown[]): unknown[] {
  return [...list, ...values.filter((value) => !holds(list, value))];
}

/** heed's item of before is replaced in its place; what an older version left twice goes. */
function withItem(list: readonly unknown[], value: unknown): unknown[] {
  const at = list.findIndex((item) => withoutHooks([item]).length === 0);
  const others = withoutHooks(list);
  return at < 0 ? [...others, value] : others.toSpliced(at, 0, value);
}

/** A list without hooks of heed's, alone or among others in a group. */
function withoutHooks(list: readonly unknown[]): unknown[] {
  return list.flatMap((item): unknown[] => {
    const group = (item as JsonFields | null)?.["hooks"];
    if (!Array.isArray(group)) return isHeedHook(item) ? [] : [item];
    const hooks = group.filter((hook) => !isHeedHook(hook));
    if (hooks.length === group.length) return [item];
    return hooks.length === 0 ? [] : [{ ...(item as JsonFields), hooks }];
  });
}

/** A value that is already under one of the keys stays, whatever it says: the user chose it. */
function addEntries(root: JsonFields, { path, entries, rest }: Entries): void {
  for (const at of waysTo(path)) {
    const there = valueAt(root, at);
    if (typeof there === "string") place(root, at, { [rest]: there });
  }
  const there = valueAt(root, path) ?? {};
  if (!isFields(there)) throw new EditRefusal(`"${path.join(".")}" is no object`);
  place(root, path, {
    ...there,
    ...Object.fromEntries(Object.entries(entries).filter(([key]) => !(key in there))),
  });
}

/** Takes out the entries that were not there before; a text that was made an object becomes a text again. */
function removeEntries(root: JsonFields, { path, entries, rest }: Entries, original: JsonFields): void {
  for (const [key, value] of Object.entries(entries)) {
    const own = [...path, key];
    if (isDeepStrictEqual(valueAt(root, own), value) && valueAt(original, own) === undefined)
      place(root, own, undefined);
  }
  prune(root, path, original);
  for (const at of waysTo(path).toReversed()) {
    const there = valueAt(root, at);
    const [[key, value] = [], ...more] = isFields(there) ? Object.entries(there) : [];
    const wasText = typeof valueAt(original, at) === "string";
    if (wasText && key === rest && typeof value === "string" && more.length === 0) place(root, at, value);
  }
}

function prune(root: JsonFields, path: readonly string[], original: JsonFields): void {
  for (const at of waysTo(path).toReversed()) {
    const left = valueAt(root, at);
    const isEmpty = typeof left === "object" && left !== null && Object.keys(left).length === 0;
    if (isEmpty && valueAt(original, at) === undefined) place(root, at, undefined);
  }
}

const waysTo = (path: readonly string[]): string[][] => path.map((_, at) => path.slice(0, at + 1));

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    root,
  );
}

function place(root: JsonFields, path: readonly string[], value: unknown): void {
  let holder = root;
  for (const [at, key] of path.slice(0, -1).entries()) {
    holder[key] ??= {};
    const next = holder[key];
    if (!isFields(next)) throw new EditRefusal(`"${path.slice(0, at + 1).join(".")}" is no object`);
    holder = next;
  }
  const key = path.at(-1) ?? "";
  if (value === undefined) delete holder[key];
  else holder[key] = value;
}

const holds = (list: unknown, value: unknown): boolean =>
  Array.isArray(list) && list.some((one) => isDeepStrictEqual(one, value));

/** The words of a command line that is heed's hook, by whatever path heed is started. */
const HOOK = /(?:^|[\s"'/\\])heed(?:\.cjs|\.cmd)?["']?\s+hook\b/;

/** Whether a hook found in a client's file is one of heed's, of any client and shape. */
export function isHeedHook(hook: unknown): boolean {
  if (!isFields(hook)) return false;
  const { type, tool, args, command } = hook;
  if (type === "mcp_tool") return tool === "memory_hook";
  const rest = Array.isArray(args) ? args.map(String) : [];
  return typeof command === "string" && HOOK.test([command, ...rest].join(" "));
}
