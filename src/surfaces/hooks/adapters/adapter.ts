import type { EventAnswer, SessionEvent } from "../../../heed.ts";

export type EventKind = SessionEvent["kind"];

/** JSON of a client, not yet looked at. */
export type Fields = Readonly<Record<string, unknown>>;

export type Answer = { [Part in keyof EventAnswer]: EventAnswer[Part] | undefined };

/** One client's way of telling events and of taking answers: the one place that knows them. */
export interface Adapter {
  /** The client, as `heed init --client` and `heed hook --client` name it. */
  client: string;
  /** Fields that no other client's messages have, and parts of the paths where it alone keeps transcripts. */
  marks?: readonly string[];
  transcripts?: readonly string[];
  /** Another sign that a message is this client's. */
  isSpokenIn?(fields: Fields): boolean;
  /** Environment variables that this client, and no other, sets for its hooks. */
  env?: readonly string[];
  events: Readonly<Record<string, EventKind>>;
  read?(fields: Fields): Fields;
  /** Kinds of events whose context reaches the model. Told where it reaches nobody, a rule would count as told. */
  context: readonly EventKind[];
  /**
   * What becomes of a guard: `ask`: it was seen to ask its user as well (in which versions and modes:
   * `session/decide-stopped-call.ts`); `deny`: heed only refuses there.
   */
  decides: "ask" | "deny";
  /** Whether it says how a call of a tool (Claude Code's name) ended. Default: never. */
  tellsResult?(tool: string): boolean;
  /** An answer at the end of a turn sends the agent back to work: tried, or by its documents. Default: not known. */
  sendsBack?: boolean;
  /** Whether it also runs hooks that other clients' files name, or heed's plugin: one event may come twice. */
  runsOthersHooks?: boolean;
  /** The answer in its shape; only what `context` and `decides` allow is in it. Undefined: nothing to say. */
  reply(answer: Answer, event: { name: string; kind: EventKind }): Fields | undefined;
}

export function textIn(fields: Fields | undefined, key: string): string | undefined {
  const value = fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function fieldsIn(fields: Fields, key: string): Fields | undefined {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
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

/** The shape that Claude Code defined and most others took over; `systemMessage` is a line for the user. */
export function nestedReply(
  { context, decision, notice, sendBack }: Answer,
  event: { name: string },
): Fields | undefined {
  if ([context, notice, decision, sendBack].every((part) => part === undefined)) return undefined;
  return {
    ...(sendBack !== undefined && { decision: "block", reason: sendBack }),
    systemMessage: notice,
    ...((context !== undefined || decision !== undefined) && {
      hookSpecificOutput: {
        hookEventName: event.name,
        permissionDecision: decision?.action,
        permissionDecisionReason: decision?.reason,
        additionalContext: context,
      },
    }),
  };
}

/** The client that a registration names. */
export function clientIn(argv: readonly string[]): string | undefined {
  const at = argv.indexOf("--client");
  return at > 0 ? argv[at + 1] : undefined;
}
