/** The parts of a Messages API request that scenarios read; everything else is passed over. */
export interface MessagesBody {
  model?: string;
  stream?: boolean;
  system?: Content;
  messages: Message[];
  tools?: { name: string; description?: string }[];
}

/** `system` in mid-conversation is how newer models are given what hooks add. */
export interface Message {
  role: "user" | "assistant" | "system";
  content: Content;
}

export type Content = string | readonly ContentBlock[];

export interface ContentBlock {
  type: string;
  text?: string;
  name?: string;
  input?: unknown;
  /** Of a tool result. */
  content?: Content;
}

/** All text of a content, tool results included, blocks divided by a newline. */
export function textOf(content: Content | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? textOf(block.content)).join("\n");
}

/** The text of the last message by the user, which is empty when there is none. */
export function lastUserText(body: MessagesBody): string {
  return textOf(body.messages.findLast((message) => message.role === "user")?.content);
}
