import { lastUserText, textOf, type MessagesBody } from "./messages-body.ts";

/**
 * Why the client sent a request.
 *
 * `main` and `subagent`: a turn of a conversation. `compact`: asks for the summary of one. `side`: anything else,
 * such as titles, warm-ups and probes of the quota, which no scenario scripts.
 */
export type RequestKind = "main" | "subagent" | "compact" | "side";

const SUMMARY_REQUEST =
  /CRITICAL: Respond with TEXT ONLY|create a detailed summary of (?:the|this|our) conversation/;
const SUBAGENT_SYSTEM = /cc_is_subagent=true|You are an agent for Claude Code/;

/** Tells from its body why a request was sent; another client than the pinned one may need another marker. */
export function requestKind(body: MessagesBody): RequestKind {
  if (SUMMARY_REQUEST.test(lastUserText(body))) return "compact";
  if ((body.tools ?? []).length === 0) return "side";
  return SUBAGENT_SYSTEM.test(textOf(body.system)) ? "subagent" : "main";
}
