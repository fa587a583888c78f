import { JsonText, isSameJson } from "./json-text.ts";
import type { Piece } from "../entry/client.ts";

type JsonPiece = Extract<Piece, { kind: `json-${string}` }>;
type Fields = Record<string, unknown>;

/** Environment variables that heed once wrote into its entry; it writes none any more. */
const OLD_VARIABLES = new Set(["NODE_EXTRA_CA_CERTS"]);

/**
 * Puts heed's pieces into the text of a JSON file, comments and formatting kept; what is there already stays as it is.
 * Throws an `EditRefusal` for a text that is broken or has something else where a piece belongs.
 */
export function addToJson(text: string, pieces: readonly JsonPiece[]): string {
  const file = JsonText.of(text);
  for (const piece of pieces) {
    if (piece.kind === "json-value") {
      const there = file.at(piece.path);
      const value =
        isFields(there) && isFields(piece.value) ? withUsersKeys(piece.value, there) : piece.value;
      file.set(piece.path, value);
    } else if (piece.kind === "json-item") {
      addItem(file, piece);
    } else if (piece.kind === "json-entries") {
      addEntries(file, piece);
    } else {
      const missing = piece.values.filter((value) => !holds(file.list(piece.path), value));
      if (piece.isFirst === true) for (const value of missing.toReversed()) file.prepend(piece.path, value);
      else for (const value of missing) file.append(piece.path, value);
    }
  }
  return file.text;
}

/** Takes heed's pieces out; lists and objects that became empty go too, unless they stood in the `original`. */
export function removeFromJson(text: string, pieces: readonly JsonPiece[], original = ""): string {
  const file = JsonText.of(text);
  const before = original.trim() === "" ? undefined : JsonText.of(original);
  for (const piece of pieces) {
    const there = file.at(piece.path);
    if (there === undefined) continue;
    if (piece.kind === "json-value") file.remove(piece.path);
    else if (piece.kind === "json-item") removeItems(file, piece.path);
    else if (piece.kind === "json-entries") removeEntries(file, piece, before);
    else if (Array.isArray(there)) {
      const theirs = before?.at(piece.path);
      for (let at = there.length - 1; at >= 0; at--) {
        if (holds(piece.values, there[at]) && !holds(theirs, there[at])) file.remove([...piece.path, at]);
      }
    }
    for (let depth = piece.path.length; depth > 0; depth--) {
      const path = piece.path.slice(0, depth);
      const left = file.at(path);
      if (left !== undefined && !(isEmpty(left) && before?.at(path) === undefined)) break;
      if (left !== undefined) file.remove(path);
    }
  }
  return file.text;
}

/** A value that is already under one of the keys stays, whatever it says: the user chose it. */
function addEntries(
  file: JsonText,
  { path, entries, rest }: Extract<JsonPiece, { kind: "json-entries" }>,
): void {
  for (let depth = 1; depth <= path.length; depth++) {
    const there = file.at(path.slice(0, depth));
    if (typeof there === "string") file.set(path.slice(0, depth), { [rest]: there });
  }
  for (const [key, value] of Object.entries(entries))
    if (file.at([...path, key]) === undefined) file.set([...path, key], value);
}

/** Takes out the entries that were not there before; a text that was made an object becomes a text again. */
function removeEntries(
  file: JsonText,
  { path, entries, rest }: Extract<JsonPiece, { kind: "json-entries" }>,
  before: JsonText | undefined,
): void {
  for (const [key, value] of Object.entries(entries)) {
    const own = [...path, key];
    if (isSameJson(file.at(own), value) && before?.at(own) === undefined) file.remove(own);
  }
  for (let depth = path.length; depth > 0; depth--) {
    const at = path.slice(0, depth);
    const [[key, value] = [], ...more] = Object.entries(file.at(at) ?? {});
    const wasText = typeof before?.at(at) === "string";
    if (wasText && key === rest && typeof value === "string" && more.length === 0) file.set(at, value);
    else if (isEmpty(file.at(at)) && before?.at(at) === undefined) file.remove(at);
  }
}

function holds(list: unknown, value: unknown): boolean {
  return Array.isArray(list) && list.some((one) => isSameJson(one, value));
}

function addItem(file: JsonText, { path, value }: Extract<Piece, { kind: "json-item" }>): void {
  const items = file.list(path);
  const own = items.findIndex((item) => hooksOf(item).some(isHeedHook));
  if (own < 0) {
    file.append(path, value);
    return;
  }
  const isAlone = hooksOf(items[own]).every(isHeedHook);
  if (isAlone) file.set([...path, own], value);
  else {
    removeItems(file, path);
    file.append(path, value);
    return;
  }
  // One is enough: what an older version left twice goes.
  for (let at = items.length - 1; at > own; at--) {
    if (hooksOf(items[at]).every(isHeedHook)) file.remove([...path, at]);
  }
}

function removeItems(file: JsonText, path: readonly string[]): void {
  const items = file.at(path);
  if (!Array.isArray(items)) return;
  for (let at = items.length - 1; at >= 0; at--) {
    const hooks = hooksOf(items[at]);
    if (hooks.length > 0 && hooks.every(isHeedHook)) file.remove([...path, at]);
    else if (hooks.some(isHeedHook) && hooks[0] !== items[at]) {
      for (let inner = hooks.length - 1; inner >= 0; inner--) {
        if (isHeedHook(hooks[inner])) file.remove([...path, at, "hooks", inner]);
      }
    }
  }
}

/** A user's own keys in heed's entry stay (`disabled`, variables, approvals); heed's old variables go. */
function withUsersKeys(value: Fields, there: Fields): Fields {
  const { env, environment, ...rest } = { ...there, ...value };
  const variables = { env, environment };
  for (const [key, set] of Object.entries(variables)) {
    if (!isFields(set)) continue;
    const kept = Object.fromEntries(Object.entries(set).filter(([name]) => !OLD_VARIABLES.has(name)));
    if (Object.keys(kept).length > 0) rest[key] = kept;
  }
  return rest;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** The words of a command line that is heed's hook, by whatever path heed is started. */
const HOOK = /(?:^|[\s"'/\\])heed(?:\.cjs|\.cmd)?["']?\s+hook\b/;

/** Whether a hook found in a client's file is one of heed's, of any version, client and shape. */
export function isHeedHook(hook: unknown): boolean {
  if (typeof hook !== "object" || hook === null) return false;
  const { type, tool, args } = hook as Fields;
  if (type === "mcp_tool") return tool === "memory_hook";
  const rest = Array.isArray(args) ? args.map(String) : [];
  return ["command", "bash", "powershell"].some((key) => {
    const command = (hook as Fields)[key];
    return typeof command === "string" && HOOK.test([command, ...rest].join(" "));
  });
}

/** The hooks in an item of a list: the item itself, or the list that it groups. */
function hooksOf(item: unknown): readonly unknown[] {
  const inner = (item as Fields | null)?.["hooks"];
  return Array.isArray(inner) ? (inner as unknown[]) : [item];
}
