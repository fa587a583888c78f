import { textOf, type Message, type MessagesBody } from "./api/messages-body.ts";
import type { RecordedRequest } from "./api/messages-api.ts";
import type { SessionRecord } from "./client/session.ts";

const HOOK_MARK = /^\w+(?::\S*)? hook (?:additional context|success): /m;
/** How the parts begin that the client adds to the same message by itself. */
const CLIENT_PART =
  /^(?:# Environment|You are powered by|The following deferred tools|Available agent types|When you launch multiple agents|The following skills are|Today's date is|As you answer the user's questions|Attribution for git commits)/m;

/** Everything that the model reads in a request: system prompt and conversation. */
export function readByModel({ body }: RecordedRequest): string {
  return [textOf(body.system), ...body.messages.map((message) => textOf(message.content))].join("\n");
}

/** What hooks added to a conversation, in system messages. The client's own additions are left out. */
export function contextOf({ body }: RecordedRequest): string {
  return body.messages.map(addedBy).join("\n");
}

/** What hooks added since the last message of the user that holds `prompt`. Throws when the request holds no such one. */
export function contextSince(prompt: string, { body }: RecordedRequest): string {
  return body.messages.slice(indexOfPrompt(prompt, body)).map(addedBy).join("\n");
}

/** A text without the lines of maps: what is told of a memory beyond its line. */
export function besideMap(text: string): string {
  return text.replace(/<heed-map>[^]*?<\/heed-map>/g, "");
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
  return message.role === "system" ? hookParts(textOf(message.content)).join("\n") : "";
}

function hookParts(text: string): string[] {
  const start = HOOK_MARK.exec(text);
  if (start === null) return [];
  const fromHook = text.slice(start.index);
  const end = CLIENT_PART.exec(fromHook)?.index ?? fromHook.length;
  return [fromHook.slice(0, end), ...hookParts(fromHook.slice(end))];
}
