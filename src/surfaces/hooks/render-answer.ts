import type { EventAnswer } from "../../heed.ts";
import type { Answer } from "./adapters/adapter.ts";
import type { Translated } from "./translate-event.ts";

/** Over 10,000 characters Claude Code shows a preview, Cursor drops everything and Codex cuts: nothing near it leaves. */
const MAX_CHARS = 9500;

/** What a hook prints for an answer; empty when there is nothing that the client can take. */
export function renderAnswer(
  answer: EventAnswer,
  { event: { kind }, name, adapter }: Pick<Translated, "event" | "name" | "adapter">,
): string {
  const decision = kind === "tool-use" ? answer.decision : undefined;
  const canDecide = decision !== undefined && [decision.action, "ask"].includes(adapter.decides);
  // What a client cannot stop it can at least say.
  const said = [decision && !canDecide ? decision.reason : "", answer.context ?? ""];
  const answered: Answer = {
    context: adapter.context.includes(kind)
      ? cut(said.filter((text) => text !== "").join("\n\n"))
      : undefined,
    notice: cut(answer.notice),
    sendBack: kind === "stop" && adapter.sendsBack === true ? cut(answer.sendBack) : undefined,
    decision: canDecide ? { action: decision.action, reason: cut(decision.reason) ?? "" } : undefined,
  };
  if (Object.values(answered).every((part) => part === undefined)) return "";
  const text = JSON.stringify(adapter.reply(answered, { name, kind }) ?? {});
  return text === "{}" ? "" : text;
}

/** The first characters of a text, never half of a surrogate pair; undefined for an empty one. */
function cut(text = ""): string | undefined {
  const last = text.charCodeAt(MAX_CHARS - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHalf ? MAX_CHARS - 1 : MAX_CHARS) || undefined;
}
