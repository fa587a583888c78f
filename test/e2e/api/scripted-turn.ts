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

/** A whole answer as the Messages API gives it without streaming. */
export type ModelMessage = ReturnType<typeof messageOf>;

/** Builds the answer to one request. `serial` makes the ids unique within a session. */
export function messageOf(
  { text, toolUse = [], inputTokens = 100 }: ScriptedTurn,
  model: string,
  serial: number,
) {
  const said =
    text !== undefined || toolUse.length === 0 ? [{ type: "text", text: text ?? "ok" } as const] : [];
  const calls = toolUse.map(({ name, input = {} }, at) => {
    const id = `toolu_scripted_${serial}_${at}`;
    return { type: "tool_use", id, name, input } as const;
  });
  return {
    id: `msg_scripted_${serial}`,
    type: "message",
    role: "assistant",
    model,
    content: [...said, ...calls],
    stop_reason: toolUse.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 20,
    },
  } as const;
}

/** The same answer as the events of a stream: one delta for each block is enough for the client. */
export function streamOf(message: ModelMessage): string {
  const events: { type: string; [key: string]: unknown }[] = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  ];
  for (const [index, block] of message.content.entries()) {
    const [empty, delta] =
      block.type === "text"
        ? [
            { ...block, text: "" },
            { type: "text_delta", text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ];
    events.push(
      { type: "content_block_start", index, content_block: empty },
      { type: "content_block_delta", index, delta },
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
