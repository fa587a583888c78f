import type { EventAnswer } from "../../heed.ts";
import { type Answer, type EventKind, type Fields, textIn, adapterOf } from "./adapters/all-adapters.ts";
import type { Translated } from "./read-event.ts";
import type { Input } from "../standard-streams.ts";
import type { Environment } from "../../machine/places.ts";

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

/** Events at which something is enforced: a client that gets no answer to one is told so. */
const ENFORCING: readonly (EventKind | undefined)[] = ["session-start", "prompt", "tool-use", undefined];
const EVENT = /"hook_?event_?name"\s*:\s*"(\w{1,60})"/i;

/** What a hook prints instead of an answer, in its client's own form, as far as its input tells which that is. */
export function replyUnanswered(
  said: string,
  input: Input,
  { client, env }: { client: string | undefined; env: Environment },
): string {
  const torn = "text" in input ? input.text : "";
  const heard: Fields = { ...("value" in input && input.value) };
  const read = adapterOf(heard, client, env).read?.(heard) ?? heard;
  const name = textIn(read, "hook_event_name") ?? EVENT.exec(torn)?.[1] ?? "";
  const adapter = adapterOf({ hook_event_name: name, ...heard }, client, env);
  const kind = adapter.events[name];
  if (!ENFORCING.includes(kind)) return "";
  const reply = (part: Partial<Answer>): object | undefined =>
    adapter.reply(part, { name, kind: kind ?? "prompt" });
  const context = kind !== undefined && adapter.context.includes(kind) ? said : undefined;
  const whole = reply({ notice: said, context }) ?? reply({ context: said }) ?? {};
  // A nested answer has to name its event.
  return kind === undefined && "hookSpecificOutput" in whole ? "" : JSON.stringify(whole);
}
