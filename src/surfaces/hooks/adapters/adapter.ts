import type { EventAnswer, SessionEvent } from "../../../heed.ts";

/** What a session's event is about. */
export type EventKind = SessionEvent["kind"];

/** JSON of a client, not yet looked at. */
export type Fields = Readonly<Record<string, unknown>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** What a hook process gives back to its client. */
export interface Reply {
  /** Printed as JSON, or as it is. Absent: nothing is printed. */
  stdout?: Fields | string;
  /** Printed to stderr, for clients that read a refusal there. */
  stderr?: string;
  /** Default 0. */
  exitCode?: number;
}

/** One client's way of telling events and of taking answers: the one place that knows them. */
export interface Adapter {
  /** The client, as `heed init --client` and `heed hook --client` name it. */
  client: string;
  title: string;
  /** Whether a message is this client's, by what no other client says. */
  isSpokenIn(fields: Fields): boolean;
  /** Environment variables that this client, and no other, sets for its hooks. */
  env: readonly string[];
  /** Its events that heed answers. */
  events: Readonly<Record<string, EventKind>>;
  /** Makes Claude Code's field names of its own; absent: they are the same. */
  read?(fields: Fields): Fields;
  /** Kinds of events whose context reaches the model. Told where it reaches nobody, a rule would count as told. */
  context: readonly EventKind[];
  /**
   * What becomes of a guard: `ask`: it was seen to ask its user as well (in which versions and modes:
   * `session/decide-stopped-call.ts`); `deny`: heed only refuses there; `none`: a refusal does more harm than good.
   */
  decides: "ask" | "deny" | "none";
  /** Whether it says how a call of a tool ended, by Claude Code's name of it. Absent: of none. */
  tellsResult?(tool: string): boolean;
  /** An answer at the end of a turn sends the agent back to work: tried, or by its documents. Absent: not known. */
  sendsBack?: "live" | "documents";
  /** Whether it also runs hooks that other clients' files name, or heed's plugin: one event may come twice. */
  runsOthersHooks?: boolean;
  /** The answer in its shape; only what `context` and `decides` allow is in it. Undefined: nothing to say. */
  reply(answer: EventAnswer, event: { name: string; kind: EventKind }): Reply | undefined;
  /** Whether heed reads the transcripts that it keeps: learning and history need them. */
  keepsTranscripts?: boolean;
  /** How the contract is known. */
  seen: "live" | "package" | "documents";
  /** What a user should know, for docs/clients.md. */
  remarks?: readonly string[];
}

/** A text of a client's JSON; undefined where there is none. */
export function textIn(fields: Fields | undefined, key: string): string | undefined {
  const value = fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A record of a client's JSON; undefined where there is none. */
export function fieldsIn(fields: Fields, key: string): Fields | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** Whether a message names a transcript that lies where a client keeps them. */
export function hasTranscriptIn(fields: Fields, folder: string): boolean {
  return (textIn(fields, "transcript_path") ?? "").replaceAll("\\", "/").includes(folder);
}

/** Whether one of the adapter's variables is set. */
export function isInEnvironment(adapter: Adapter, env: Environment): boolean {
  return adapter.env.some((name) => (env[name] ?? "") !== "");
}

/** The events of Claude Code that heed answers; several clients took the names over. */
export const CLAUDE_EVENTS: Readonly<Record<string, EventKind>> = {
  SessionStart: "session-start",
  SubagentStart: "subagent-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool-use",
  PostToolUse: "tool-result",
  PostToolUseFailure: "tool-failure",
  PreCompact: "compaction",
  Stop: "stop",
  SessionEnd: "session-end",
};

/** The kinds of events in whose answer Claude Code takes context. */
export const CLAUDE_CONTEXT: readonly EventKind[] = [
  "session-start",
  "subagent-start",
  "prompt",
  "tool-use",
  "tool-failure",
];

/**
 * The shape that Claude Code defined and most others took over: `hookSpecificOutput` with the event's name, and a line
 * for the user as `systemMessage`.
 */
export function nestedReply(
  answer: EventAnswer,
  event: { name: string; kind: EventKind },
): Reply | undefined {
  const { context, decision, notice, sendBack } = answer;
  if ([context, notice, decision, sendBack].every((part) => part === undefined)) return undefined;
  return {
    stdout: {
      ...(sendBack !== undefined && { decision: "block", reason: sendBack }),
      ...(notice !== undefined && { systemMessage: notice }),
      ...((context !== undefined || decision !== undefined) && {
        hookSpecificOutput: {
          hookEventName: event.name,
          ...(decision && {
            permissionDecision: decision.action,
            permissionDecisionReason: decision.reason,
          }),
          ...(context !== undefined && { additionalContext: context }),
        },
      }),
    },
  };
}

/** The same without a line for the user, for clients that have no place for one. */
export function nestedReplyAlone(
  { notice: _notice, ...answer }: EventAnswer,
  event: { name: string; kind: EventKind },
): Reply | undefined {
  return nestedReply(answer, event);
}
