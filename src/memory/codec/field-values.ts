import { MEMORY_FIELDS } from "../memory-fields.ts";
import { type Link, type LinkRelation, type MemoryHeader, type Scope, LINK_RELATIONS } from "../memory.ts";
import { asRecord, FieldReader, MAX_LIST_ITEMS, onOneLine } from "../../machine/read-fields.ts";

/** The list under which Claude Memory and others name related memories; read as links. */
export const RELATED_KEY: string = "related";

/** Other tools' words for heed's: those of bettermemory, Bob and others. Maps: a file may say `source: constructor`. */
const FOREIGN_WORDS: Readonly<Partial<Record<keyof MemoryHeader, ReadonlyMap<string, string>>>> = {
  source: new Map([
    ["explicit-statement", "instructed"],
    ["explicit", "instructed"],
    ["user-statement", "instructed"],
    ["user-inference", "inferred"],
    ["inference", "inferred"],
    ["observation", "observed"],
  ]),
  status: new Map([
    ["active", "confirmed"],
    ["accepted", "confirmed"],
    ["draft", "provisional"],
    ["tentative", "provisional"],
    ["archived", "superseded"],
    ["deprecated", "superseded"],
    ["obsolete", "superseded"],
  ]),
};

const TYPE_OF_LAYER = new Map([
  ["procedural", "feedback"],
  ["semantic", "project"],
  ["episodic", "episode"],
]);

/** A type in heed's words: what other tools call a layer becomes the type that holds it. */
export function heedType(word: string): string {
  const lower = word.toLowerCase();
  return lower === "preference" ? "user" : (TYPE_OF_LAYER.get(lower) ?? lower);
}

/** Whether a word names a layer of memories rather than a type: a file of such a kind holds many memories. */
export function isLayerWord(word: string): boolean {
  return TYPE_OF_LAYER.has(word.toLowerCase());
}

export function readField<K extends keyof MemoryHeader>(
  fields: FieldReader,
  name: K,
): MemoryHeader[K] | undefined {
  return read(fields, name) as MemoryHeader[K] | undefined;
}

function read(fields: FieldReader, name: keyof MemoryHeader): unknown {
  const { kind, keys } = MEMORY_FIELDS[name];
  switch (kind) {
    case "text":
      return name === "type" ? typeIn(fields) : fields.text(...keys);
    case "word":
      return wordIn(fields, name);
    case "time":
      return fields.time(...keys);
    case "list": {
      const list = fields.list(...keys);
      // Bob's lessons say `match: { keywords: […] }` for the words that call them up.
      return name === "trigger" && list.length === 0
        ? new FieldReader(asRecord(fields.get("match")) ?? {}).list("keywords")
        : list;
    }
    case "links":
      return [...linksIn(fields), ...fields.list(RELATED_KEY).map((to): Link => ({ rel: "related", to }))];
    case "map":
      return name === "scope" ? scopeIn(fields.get(...keys)) : originIn(fields);
    default:
      return fields.get(...keys);
  }
}

function typeIn(fields: FieldReader): string | undefined {
  const word = fields.text("type");
  return word === undefined ? undefined : heedType(word);
}

function wordIn(fields: FieldReader, name: keyof MemoryHeader): string | undefined {
  const { keys, words = [] } = MEMORY_FIELDS[name];
  const text = fields.text(...keys)?.toLowerCase() ?? "";
  if (name === "confidence" && /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(text)) {
    // A number from 0 to 1, as other tools keep it.
    return Number(text) >= 0.8 ? "high" : Number(text) >= 0.5 ? "medium" : "low";
  }
  const word = words.includes(text) ? text : FOREIGN_WORDS[name]?.get(text);
  const isInferred = name === "source" && fields.text("category") === "user-inference";
  return word ?? (isInferred ? "inferred" : undefined);
}

export function linksIn(fields: FieldReader): Link[] {
  const links = fields.get(...MEMORY_FIELDS.links.keys);
  return (Array.isArray(links) ? links.slice(0, MAX_LIST_ITEMS) : []).flatMap((item): Link[] => {
    const link = new FieldReader(asRecord(item) ?? {});
    const rel = link.word<LinkRelation>(LINK_RELATIONS, "rel");
    const to = onOneLine(link.text("to") ?? "");
    return rel && to ? [{ rel, to }] : [];
  });
}

function scopeIn(value: unknown): Scope {
  if (typeof value === "string" && value.includes("/")) return { repo: onOneLine(value), paths: [] };
  const fields = new FieldReader(asRecord(value) ?? {});
  const text = (key: string): string => onOneLine(fields.text(key) ?? "");
  const [repo, branch, worktree] = [text("repo"), text("branch"), text("worktree")];
  const paths = fields.list("paths", "globs");
  return { ...(repo && { repo }), ...(branch && { branch }), ...(worktree && { worktree }), paths };
}

/** `origin`, and the session that Claude Code's own files record. */
function originIn(fields: FieldReader): Record<string, string> {
  const session = fields.text("originSessionId");
  const origin = new FieldReader(asRecord(fields.get(...MEMORY_FIELDS.origin.keys)) ?? {});
  const parts = (MEMORY_FIELDS.origin.parts ?? []).map((part) => [part, origin.text(part)] as const);
  return {
    ...(session !== undefined && { session }),
    ...Object.fromEntries(parts.filter(([, text]) => text !== undefined)),
  };
}

/** Reports values that a field cannot have: it then has its default, and of a long list the beginning. */
export function checkFields(
  fields: FieldReader,
  report: (key: string, code: string, message: string, remedy: string) => void,
): void {
  for (const [name, { kind, keys, words = [] }] of Object.entries(MEMORY_FIELDS)) {
    const field = name as keyof MemoryHeader;
    const value = fields.get(...keys);
    if (value === undefined) continue;
    const isUnread = (kind === "time" || kind === "word") && read(fields, field) === undefined;
    if (!isUnread && !Array.isArray(value)) continue;
    const key = keys.find((one) => fields.get(one) !== undefined) ?? keys[0];
    const shown = (JSON.stringify(value) ?? "nothing").slice(0, 80);
    if (isUnread && kind === "time") {
      const remedy = "write it as 2026-03-05 or 2026-03-05T10:23:00Z";
      report(key, "bad-time", `${key} is not a valid date: ${shown}`, remedy);
    } else if (isUnread) {
      const known = [...words, ...(FOREIGN_WORDS[field]?.keys() ?? [])];
      report(key, "bad-word", `${key} is ${shown}`, `use one of ${known.join(", ")}`);
    } else if (
      Array.isArray(value) &&
      (kind === "list" || kind === "links") &&
      value.length > MAX_LIST_ITEMS
    ) {
      const message = `${key} has ${value.length} items, the first ${MAX_LIST_ITEMS} are read`;
      report(key, "long-list", message, "keep the few that matter");
    }
  }
}
