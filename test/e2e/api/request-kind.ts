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
const WARMUP = /^\s*(?:<system-reminder>[^]*<\/system-reminder>\s*)?Warmup\s*$/;
const AGENT_SYSTEM = /You are Claude Code|a Claude agent|interactive agent/;
const SUBAGENT_SYSTEM = /cc_is_subagent=true|You are an agent for Claude Code/;

/** Tells from its body why a request was sent. Both pinned clients are covered; a newer one may need another marker. */
export function requestKind(body: MessagesBody): RequestKind {
  const system = textOf(body.system);
  const last = lastUserText(body);
  if (body.max_tokens === 1 || WARMUP.test(last)) return "side";
  if (SUMMARY_REQUEST.test(last)) return "compact";
  if ((body.tools ?? []).length === 0 && !AGENT_SYSTEM.test(system)) return "side";
  if ((body.tools ?? []).length === 0 && /haiku/.test(body.model ?? "")) return "side";
  return SUBAGENT_SYSTEM.test(system) ? "subagent" : "main";
}
