import { complaintsAbout, milliseconds } from "../api/schema.ts";
import type { SessionEvent } from "../api/session-events.ts";
import { readableData } from "./readable-data.ts";

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
