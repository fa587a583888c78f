import type { Input } from "./read-input.ts";
import { type Answer, type EventKind, type Fields, textIn } from "./adapters/adapter.ts";
import { adapterOf } from "./adapters/all-adapters.ts";

/** Events at which something is enforced: a client that gets no answer to one is told so. */
const ENFORCING: readonly (EventKind | undefined)[] = ["session-start", "prompt", "tool-use", undefined];
const EVENT = /"(?:hook_?event_?name|hookName)"\s*:\s*"(\w{1,60})"/i;
const MARK = /"(turn_id|transcript_path|cursor_version|generation_id|clineVersion)"\s*:\s*"([^"\\]{1,500})"/g;

/** What is registered for a client, and its environment. */
interface Registered {
  client: string | undefined;
  event: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** What a registration names: the client, and the event where its messages do not say it. */
export function registeredIn(argv: readonly string[]): Record<"client" | "event", string | undefined> {
  const valueOf = (flag: string): string | undefined => {
    const at = argv.indexOf(flag);
    return at > 0 ? argv[at + 1] : undefined;
  };
  return { client: valueOf("--client"), event: valueOf("--event") };
}

/** What a hook prints instead of an answer, in its client's own form, as far as its input tells which that is. */
export function replyUnanswered(said: string, input: Input, { client, event, env }: Registered): string {
  const torn = "text" in input ? input.text : "";
  const marks = Array.from(torn.matchAll(MARK), ([, key, value]) => [key, value]);
  const heard: Fields = { ...Object.fromEntries(marks), ...("value" in input && input.value) };
  const read = adapterOf(heard, client, env).read?.(heard) ?? heard;
  const name = event ?? textIn(read, "hook_event_name") ?? EVENT.exec(torn)?.[1] ?? "";
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
