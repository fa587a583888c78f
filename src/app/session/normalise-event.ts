import { complaintsAbout, milliseconds } from "../api/schema.ts";
import type { SessionEvent } from "../api/session-events.ts";

const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
const CUTS = ["entries", "text"] as const;
const REACHES = ["none", "late"] as const;

/**
 * An event as the rest of heed takes it, of one whose kind is known and that has the text or tool which its kind is about.
 * Guards and rules must not fall silent over a field that they can do without: null and what cannot be read count as
 * absent, an absent text as empty, an unknown source as `startup`, and a tool's input is what is data in it.
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
        prompt: text("prompt") ?? "",
        ...(fieldOf(given, "isTyped") === false && { isTyped: false }),
      };
    case "tool-use": {
      const cut = CUTS.find((word) => word === text("cut"));
      const input = readableData(fieldOf(given, "input"));
      return { ...base, kind, tool: text("tool") ?? "", input, ...(cut && { cut }) };
    }
    case "tool-failure": {
      const input = readableData(fieldOf(given, "input"));
      return { ...base, kind, tool: text("tool") ?? "", input, error: text("error") ?? "" };
    }
    case "stop":
      return { ...base, kind, lastMessage: text("lastMessage") };
    case "compaction":
      return { ...base, kind };
    default:
      return { ...base, kind, reason: text("reason") ?? "other" };
  }
}

/** The deadline that options name, in milliseconds; undefined where they name none that a timer can keep. */
export function normaliseDeadline(options: unknown): number | undefined {
  const deadlineMs = fieldOf(options, "deadlineMs");
  return complaintsAbout(milliseconds, deadlineMs, "").length === 0 ? (deadlineMs as number) : undefined;
}

/** A field, or undefined where there is none, or it throws when it is looked at. */
function fieldOf(value: unknown, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Data from JSON is deeper nowhere. */
const MAX_DEPTH = 200;
const MAX_ENTRIES = 100_000;

type Container = Record<string, unknown> | unknown[];

/** An object or list that is still to be copied, with those that it stands in. */
interface Waiting {
  from: object;
  to: Container;
  depth: number;
  within: Waiting | undefined;
}

/**
 * What of a value JSON could hold, as a copy: empty for what is no object. Left out is what is no data (functions,
 * symbols, bigints), what holds itself, what throws when it is looked at, and what is too deep or too much. The outermost
 * is read first: where a command stands is never cut for what is deep inside.
 */
function readableData(value: unknown): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  if (typeof value !== "object" || value === null || isList(value)) return whole;
  const queue: Waiting[] = [{ from: value, to: whole, depth: 0, within: undefined }];
  let entriesLeft = MAX_ENTRIES;
  for (const waiting of queue) {
    for (const key of keysOf(waiting.from)) {
      if (entriesLeft === 0) return whole;
      entriesLeft -= 1;
      const part = partOf(waiting.from, key);
      if (typeof part !== "object" || part === null) {
        if (isScalar(part)) put(waiting.to, key, part);
      } else if (waiting.depth < MAX_DEPTH && !isInside(part, waiting)) {
        const to: Container = isList(part) ? [] : {};
        put(waiting.to, key, to);
        queue.push({ from: part, to, depth: waiting.depth + 1, within: waiting });
      }
    }
  }
  return whole;
}

function isScalar(part: unknown): boolean {
  return part === null || typeof part === "string" || typeof part === "number" || typeof part === "boolean";
}

function isInside(part: object, waiting: Waiting): boolean {
  for (let at: Waiting | undefined = waiting; at; at = at.within) if (at.from === part) return true;
  return false;
}

function put(to: Container, key: string, part: unknown): void {
  if (Array.isArray(to)) to.push(part);
  // Defined, not assigned: a key named __proto__ stays an ordinary key.
  else Object.defineProperty(to, key, { value: part, enumerable: true, configurable: true, writable: true });
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

function partOf(from: object, key: string): unknown {
  try {
    return (from as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}
