import type { SessionEvent } from "../here/records/session-events.ts";
import { readOrEmpty } from "../machine/regular-file.ts";
import { withoutPrivate } from "../memory/typed-text.ts";

/** An event with every default filled in. */
export type HeardEvent = SessionEvent & Required<Pick<SessionEvent, "isTyped" | "reach">>;

/** Reads an event, taking what cannot be read as absent: guards and rules must not fall silent. Private text ends here. */
export function normaliseEvent(given: SessionEvent): HeardEvent {
  const field = (key: string): unknown => fieldOf(given, key);
  const text = (key: string): string | undefined => {
    const value = field(key);
    return typeof value === "string" ? value : undefined;
  };
  const word = <Word>(key: string, ...words: readonly Word[]): Word | undefined =>
    words.find((one) => one === field(key));
  const cwd = text("cwd") ?? "";
  const { input, cut = word("cut", "entries", "text") } = boundInput(field("input"));
  return {
    kind: given.kind,
    session: text("session") ?? "",
    // No directory has a name with the null character: the session is where heed was opened, as without any.
    cwd: cwd.includes("\0") ? "" : cwd,
    client: text("client") ?? "",
    clientVersion: text("clientVersion"),
    agentId: text("agentId"),
    transcriptPath: text("transcriptPath"),
    permissionMode: text("permissionMode"),
    toolUseId: text("toolUseId"),
    reach: word("reach", "late", "none") ?? "now",
    isTyped: field("isTyped") !== false,
    source: word("source", "resume", "clear", "compact", "fork") ?? "startup",
    agentType: text("agentType") ?? "",
    prompt: withoutPrivate(text("prompt") ?? ""),
    tool: text("tool") ?? "",
    input,
    cut,
    error: text("error") ?? "",
    tellsResult: field("tellsResult") === true,
    lastMessage: text("lastMessage"),
    canSendBack: field("canSendBack") === true,
    isContinued: field("isContinued") === true,
    reason: text("reason") ?? "other",
  };
}

/** Undefined where looking throws: a getter, a revoked proxy. */
function look<T>(at: () => T): T | undefined {
  try {
    return at();
  } catch {
    return undefined;
  }
}

const fieldOf = (from: unknown, key: string): unknown =>
  look(() => (from as Readonly<Record<string, unknown>> | null | undefined)?.[key]);
const isList = (part: object): boolean => look(() => Array.isArray(part)) === true;

const MAX_DEPTH = 5;
const MAX_ENTRIES = 100;
/** Guards look into commands and what edits bring in: whole source files, not data. */
const MAX_CHARS = 256 * 1024;
/** Of all its maps and lists together, wherever the same one stands twice. */
const MAX_ENTRIES_IN_ALL = 100_000;
/** A shorter text is kept whole: the name of a file is never cut, whatever stands before it. */
const SHORT_CHARS = 4096;

interface BoundedInput {
  input: Record<string, unknown>;
  cut?: "entries" | "text" | undefined;
}

/** Copies what JSON could hold of a tool's input, bounded in depth, entries and text; `cut` tells what is missing. */
export function boundInput(given: unknown): BoundedInput {
  let charsLeft = MAX_CHARS;
  let entriesLeft = MAX_ENTRIES_IN_ALL;
  let cut: BoundedInput["cut"];
  const bound = (part: unknown, depth: number): unknown => {
    if (typeof part === "string") {
      const text = part.length < SHORT_CHARS ? part : part.slice(0, charsLeft);
      charsLeft = Math.max(0, charsLeft - text.length);
      if (text.length < part.length) cut ??= "text";
      return text;
    }
    if (typeof part === "number" || typeof part === "boolean" || part === null) return part;
    if (typeof part !== "object") return undefined;
    const keys = look(() => Object.keys(part)) ?? [];
    const most = depth < MAX_DEPTH ? Math.min(MAX_ENTRIES, entriesLeft) : 0;
    if (depth >= MAX_DEPTH || keys.length > most) cut = "entries";
    if (depth >= MAX_DEPTH) return undefined;
    entriesLeft -= Math.min(keys.length, most);
    const entries = keys
      .slice(0, most)
      .map((key) => [key, bound(fieldOf(part, key), depth + 1)] as const)
      .filter(([, item]) => item !== undefined);
    // Entries are defined, not assigned: a key named __proto__ stays an ordinary key.
    return isList(part) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  };
  const isMap = typeof given === "object" && given !== null && !isList(given);
  const input = isMap ? (bound(given, 0) as Record<string, unknown>) : {};
  return { input, cut };
}

/** The last records of a transcript lie in so many bytes; each carries the version of the client that wrote it. */
const TAIL_BYTES = 64 * 1024;
const VERSION = /"version":"(\d{1,4})\.(\d{1,4})\.(\d{1,6})"/g;
/** The first Claude Code that was seen to keep what hooks told at the very end of a conversation. */
const KEEPS_LAST_HOOKS: readonly number[] = [2, 1, 139];

/** Whether the client that wrote a transcript still knows what hooks told after its last message. True where unknown. */
export function keepsLastHooks({ transcriptPath = "" }: HeardEvent): boolean {
  const tail = readOrEmpty(transcriptPath, { maxBytes: TAIL_BYTES, part: "end" });
  const last = [...tail.matchAll(VERSION)].at(-1)?.slice(1).map(Number);
  if (!last) return true;
  const at = last.findIndex((part, i) => part !== KEEPS_LAST_HOOKS[i]);
  return at < 0 || (last[at] ?? 0) > (KEEPS_LAST_HOOKS[at] ?? 0);
}
