import type { MessagesBody } from "./messages-body.ts";

/** One call of a tool by the scripted model. */
export interface ScriptedToolUse {
  name: string;
  input?: Record<string, unknown>;
}

/** What the scripted model answers to one request; without text and tools it says "ok". */
export interface ScriptedTurn {
  text?: string;
  toolUse?: readonly ScriptedToolUse[];
  /** Reported as the size of the context; a number near the model's window makes the client compact by itself. */
  inputTokens?: number;
}

interface TextBlock {
  type: "text";
  text: string;
}

interface ToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** A whole answer as the Messages API gives it without streaming. */
export interface ModelMessage {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: (TextBlock | ToolUseBlock)[];
  stop_reason: "end_turn" | "tool_use";
  stop_sequence: null;
  usage: Record<
    "input_tokens" | "cache_creation_input_tokens" | "cache_read_input_tokens" | "output_tokens",
    number
  >;
}

/** Builds the answer to one request. `serial` makes the ids unique within a session. */
export function messageOf(turn: ScriptedTurn, body: MessagesBody, serial: number): ModelMessage {
  const toolUses = turn.toolUse ?? [];
  const content: ModelMessage["content"] = [];
  if (turn.text !== undefined || toolUses.length === 0)
    content.push({ type: "text", text: turn.text ?? "ok" });
  for (const [position, { name, input }] of toolUses.entries()) {
    content.push({
      type: "tool_use",
      id: `toolu_scripted_${serial}_${position}`,
      name,
      input: input ?? {},
    });
  }
  return {
    id: `msg_scripted_${serial}`,
    type: "message",
    role: "assistant",
    model: body.model ?? "scripted",
    content,
    stop_reason: toolUses.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: turn.inputTokens ?? 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
    },
  };
}

/** The same answer as the events of a stream: one delta for each block is enough for the client. */
export function streamOf(message: ModelMessage): string {
  const events: { type: string; [key: string]: unknown }[] = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  ];
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    events.push(
      {
        type: "content_block_start",
        index,
        content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
      },
      {
        type: "content_block_delta",
        index,
        delta: isText
          ? { type: "text_delta", text: block.text }
          : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
      },
      { type: "content_block_stop", index },
    );
  }
  events.push(
    {
      type: "message_delta",
      delta: { stop_reason: message.stop_reason, stop_sequence: null },
      usage: message.usage,
    },
    { type: "message_stop" },
  );
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}
