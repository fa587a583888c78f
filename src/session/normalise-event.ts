import type { SessionEvent } from "../here/api/session-events.ts";
import { withoutPrivate } from "../memory/typed-text.ts";

const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
const CUTS = ["entries", "text"] as const;
const REACHES = ["none", "late"] as const;

/**
 * An event as the rest of heed takes it, of one whose kind is known and that has the text or tool which its kind is about.
 * Guards and rules must not fall silent over a field that they can do without: null and what cannot be read count as
 * absent, an absent text as empty, an unknown source as `startup`, and a tool's input is what is data in it. What the user
 * keeps from heed in a prompt ends here.
 */
export function normaliseEvent(given: SessionEvent): SessionEvent {
  const text = (key: string): string | undefined => {
    const value = fieldOf(given, key);
    return typeof value === "string" ? value : undefined;
  };
  const agentId = text("agentId");
  const transcriptPath = text("transcriptPath");
  const cwd = text("cwd") ?? "";
  const permissionMode = text("permissionMode");
  const toolUseId = text("toolUseId");
  const clientVersion = text("clientVersion");
  const reach = REACHES.find((word) => word === text("reach"));
  const base = {
    session: text("session") ?? "",
    // No directory has a name with the null character: the session is where heed was opened, as without any.
    cwd: cwd.includes("\0") ? "" : cwd,
    client: text("client") ?? "",
    ...(agentId !== undefined && { agentId }),
    ...(transcriptPath !== undefined && { transcriptPath }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(toolUseId !== undefined && { toolUseId }),
    ...(clientVersion !== undefined && { clientVersion }),
    ...(reach !== undefined && { reach }),
  };
  const { kind } = given;
  switch (kind) {
    case "session-start": {
      const said = text("source");
      const source = START_SOURCES.find((word) => word === said) ?? "startup";
      return { ...base, kind, source, ...(fieldOf(given, "isTyped") === false && { isTyped: false }) };
    }
    case "subagent-start":
      return { ...base, kind, agentType: text("agentType") ?? "" };
    case "prompt":
      return {
        ...base,
        kind,
        prompt: withoutPrivate(text("prompt") ?? ""),
        ...(fieldOf(given, "isTyped") === false && { isTyped: false }),
      };
    case "tool-use": {
      const said = CUTS.find((word) => word === text("cut"));
      const { input, cut = said } = boundInput(fieldOf(given, "input"));
      const tellsResult = fieldOf(given, "tellsResult") === true && { tellsResult: true };
      return { ...base, kind, tool: text("tool") ?? "", input, ...(cut && { cut }), ...tellsResult };
    }
    case "tool-result":
      return { ...base, kind, tool: text("tool") ?? "", input: boundInput(fieldOf(given, "input")).input };
    case "tool-failure": {
      const { input } = boundInput(fieldOf(given, "input"));
      return { ...base, kind, tool: text("tool") ?? "", input, error: text("error") ?? "" };
    }
    case "stop":
      return {
        ...base,
        kind,
        lastMessage: text("lastMessage"),
        ...(fieldOf(given, "canSendBack") === true && { canSendBack: true }),
        ...(fieldOf(given, "isContinued") === true && { isContinued: true }),
      };
    case "compaction":
      return { ...base, kind };
    default:
      return { ...base, kind, reason: text("reason") ?? "other" };
  }
}

/** Undefined too for a field that throws when it is read. */
function fieldOf(value: unknown, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

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
  cut?: "entries" | "text";
}

/**
 * A copy of what JSON could hold of a tool's input, in which nothing is deeper than 5 levels or wider than 100 entries,
 * with 256 KiB of long texts in all. Left out is what is not data (functions, symbols, bigints) and what throws when it is
 * looked at; what is cut is told. Empty for what is not an object.
 */
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
    const keys = keysOf(part);
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
  return { input, ...(cut && { cut }) };
}

function isList(part: object): boolean {
  try {
    return Array.isArray(part);
  } catch {
    return false;
  }
}

function keysOf(from: object): string[] {
  try {
    return Object.keys(from);
  } catch {
    return [];
  }
}
