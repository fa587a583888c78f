import type { EventAnswer } from "../../heed.ts";
import type { Reply } from "./adapters/adapter.ts";
import type { Translated } from "./translate-event.ts";

/** Over 10,000 characters Claude Code shows a preview, Cursor drops everything and Codex cuts: nothing near it leaves. */
const MAX_CHARS = 9500;

/** What a hook process gives its client for an answer; undefined when there is nothing that the client can take. */
export function renderAnswer(
  answer: EventAnswer,
  { event, name, adapter }: Pick<Translated, "event" | "name" | "adapter">,
): Reply | undefined {
  const { kind } = event;
  const decision = kind === "tool-use" ? answer.decision : undefined;
  const canDecide = decision !== undefined && [decision.action, "ask"].includes(adapter.decides);
  // What a client cannot stop it can at least say.
  const said = [...(decision && !canDecide ? [decision.reason] : []), answer.context ?? ""];
  const context = cut(adapter.context.includes(kind) ? said.filter((text) => text !== "").join("\n\n") : "");
  const notice = cut(answer.notice ?? "");
  const sendBack = kind === "stop" && adapter.sendsBack !== undefined ? cut(answer.sendBack ?? "") : "";
  if (context === "" && notice === "" && sendBack === "" && !canDecide) return undefined;
  const answered = {
    ...(context !== "" && { context }),
    ...(notice !== "" && { notice }),
    ...(sendBack !== "" && { sendBack }),
    ...(canDecide && { decision: { action: decision.action, reason: cut(decision.reason) } }),
  };
  return adapter.reply(answered, { name, kind });
}

/** What a reply prints on stdout; empty when it prints nothing. */
export function stdoutOf(reply: Reply | undefined): string {
  const { stdout } = reply ?? {};
  if (stdout === undefined) return "";
  if (typeof stdout === "string") return stdout;
  return Object.keys(stdout).length === 0 ? "" : JSON.stringify(stdout);
}

/** The first characters of a text, never half of a surrogate pair. */
function cut(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const last = text.charCodeAt(MAX_CHARS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MAX_CHARS - 1 : MAX_CHARS);
}
