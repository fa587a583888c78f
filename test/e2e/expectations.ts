import { textOf, type Message, type MessagesBody } from "./api/messages-body.ts";
import type { RecordedRequest } from "./api/messages-api.ts";
import type { SessionRecord } from "./client/session.ts";

const REMINDER = /<system-reminder>([^]*?)<\/system-reminder>/g;

/** Everything that the model reads in a request: system prompt and conversation. */
export function readByModel({ body }: RecordedRequest): string {
  return [textOf(body.system), ...body.messages.map((message) => textOf(message.content))].join("\n");
}

/**
 * What was added to a conversation beside the words of user and model, by hooks and by the client itself: system
 * messages in mid-conversation (newer models) and reminders within user messages (older ones).
 */
export function contextOf({ body }: RecordedRequest): string {
  return body.messages.map(addedBy).join("\n");
}

/** What was added since the last message of the user that holds `prompt`. Throws when the request holds no such one. */
export function contextSince(prompt: string, { body }: RecordedRequest): string {
  return body.messages.slice(indexOfPrompt(prompt, body)).map(addedBy).join("\n");
}

/** The first request of the main conversation that carries this prompt as its newest. */
export function requestFor(prompt: string, session: SessionRecord): RecordedRequest {
  const found = session.main.find(({ body }) => {
    const index = body.messages.findLastIndex((message) => message.role === "user");
    return index >= 0 && textOf(body.messages[index]?.content).includes(prompt);
  });
  if (found === undefined)
    throw new Error(`no request carries the prompt "${prompt}" (${session.main.length} requests)`);
  return found;
}

/** How often `needle` occurs in `text`. */
export function occurrences(needle: string, text: string): number {
  return text.split(needle).length - 1;
}

function indexOfPrompt(prompt: string, body: MessagesBody): number {
  const index = body.messages.findLastIndex(
    (message) => message.role === "user" && textOf(message.content).includes(prompt),
  );
  if (index < 0) throw new Error(`the request does not carry the prompt "${prompt}"`);
  return index;
}

function addedBy(message: Message): string {
  const text = textOf(message.content);
  if (message.role === "system") return text;
  if (message.role === "assistant") return "";
  return [...text.matchAll(REMINDER)].map((match) => match[1]).join("\n");
}
