import type { EventAnswer } from "../../../heed.ts";
import type { EventKind, Reply } from "./dialect.ts";

/**
 * The shape that Claude Code defined and most others took over: `hookSpecificOutput` with the event's name, and a line
 * for the user as `systemMessage`.
 */
export function nestedReply(
  answer: EventAnswer,
  event: { name: string; kind: EventKind },
): Reply | undefined {
  const { context, decision, notice } = answer;
  if (context === undefined && notice === undefined && decision === undefined) return undefined;
  return {
    stdout: {
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
