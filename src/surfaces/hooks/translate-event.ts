import type { SessionEvent } from "../../heed.ts";
import { boundValue } from "./bound-value.ts";

/** Longest text that an event carries on; a prompt of more says nothing further about what it is about. */
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_WORD_CHARS = 4096;

const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
/** Prompts that nobody typed: reports of the client about its own work. */
const UNTYPED_SOURCES = new Set(["system", "poll_event"]);

/**
 * Translates a hook's JSON, from stdin or from the arguments of the server's hook tool, into a session event.
 *
 * Undefined for anything that heed has no answer to: an unknown event, wrong types, the client's own notices
 * (`<task-notification>` …), raw slash commands, internal agents. In the tool's arguments everything is text: nested
 * values come as JSON, and a field that the event lacks comes empty or as its unfilled placeholder.
 */
export function translateEvent(raw: unknown, client: string, fallbackCwd: string): SessionEvent | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  const fields = new EventFields(raw as Record<string, unknown>);
  const agentId = fields.word("agent_id");
  const transcriptPath = fields.word("transcript_path");
  const base = {
    session: fields.word("session_id") ?? "",
    cwd: fields.word("cwd") ?? fallbackCwd,
    client,
    ...(agentId !== undefined && { agentId }),
    ...(transcriptPath !== undefined && { transcriptPath }),
  };
  switch (fields.word("hook_event_name")) {
    case "SessionStart": {
      const said = fields.word("source");
      const source = START_SOURCES.find((word) => word === said) ?? "startup";
      return { ...base, kind: "session-start", source };
    }
    case "SubagentStart": {
      // The client starts agents of its own, without a type, for example to summarise: they get no memories.
      const agentType = fields.word("agent_type");
      return agentType === undefined ? undefined : { ...base, kind: "subagent-start", agentType };
    }
    case "UserPromptSubmit": {
      const prompt = fields.text("prompt");
      if (prompt === undefined || UNTYPED_SOURCES.has(fields.word("source") ?? "")) return undefined;
      return isTyped(prompt) ? { ...base, kind: "prompt", prompt } : undefined;
    }
    case "PreToolUse": {
      const tool = fields.word("tool_name");
      return tool === undefined
        ? undefined
        : { ...base, kind: "tool-use", tool, input: fields.record("tool_input") };
    }
    case "PostToolUseFailure": {
      const tool = fields.word("tool_name");
      if (tool === undefined) return undefined;
      const error = fields.text("error") ?? "";
      return { ...base, kind: "tool-failure", tool, input: fields.record("tool_input"), error };
    }
    case "PreCompact":
      return { ...base, kind: "compaction" };
    case "Stop":
      return { ...base, kind: "stop", lastMessage: fields.text("last_assistant_message") };
    case "SessionEnd":
      return { ...base, kind: "session-end", reason: fields.word("reason") ?? "other" };
    default:
      return undefined;
  }
}

/** Whether a person typed this prompt as a prompt: no notice of the client, no slash command. */
function isTyped(prompt: string): boolean {
  const text = prompt.trimStart();
  if (
    /^<(?:task-notification|command-(?:name|message|args)|local-command-[a-z]+|bash-(?:input|stdout|stderr))>/.test(
      text,
    )
  ) {
    return false;
  }
  // A path (`/etc/hosts is wrong`) goes on with a slash or a dot, a command with a blank or nothing.
  return !/^\/[a-zA-Z][\w:-]*(?:\s|$)/.test(text);
}

class EventFields {
  readonly #raw: Readonly<Record<string, unknown>>;

  constructor(raw: Readonly<Record<string, unknown>>) {
    this.#raw = raw;
  }

  text(key: string): string | undefined {
    const value = Object.hasOwn(this.#raw, key) ? this.#raw[key] : undefined;
    if (typeof value !== "string" || value.trim() === "" || value === `\${${key}}`) return undefined;
    return value.slice(0, MAX_TEXT_CHARS);
  }

  word(key: string): string | undefined {
    return this.text(key)?.slice(0, MAX_WORD_CHARS);
  }

  /** A record, or the JSON text of one; empty for anything else. Deep and long values are cut. */
  record(key: string): Record<string, unknown> {
    let value = Object.hasOwn(this.#raw, key) ? this.#raw[key] : undefined;
    if (typeof value === "string") {
      try {
        value = JSON.parse(value) as unknown;
      } catch {
        return {};
      }
    }
    const bounded = boundValue(value);
    return typeof bounded === "object" && bounded !== null && !Array.isArray(bounded)
      ? (bounded as Record<string, unknown>)
      : {};
  }
}
