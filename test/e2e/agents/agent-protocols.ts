/** Parsed JSON of a request. */
export type Json = Readonly<Record<string, unknown>>;

/** What is sent back. */
export interface AgentReply {
  text: string;
  isStream: boolean;
  /** A request of the model, as against a list of models or a count of tokens. */
  isModelCall: boolean;
  isAfterTool: boolean;
}

/** The shell of each client, by the names that they give it. */
const SHELL =
  /^(?:shell|bash|run_shell_command|exec_command|run_commands?|execute_command|shell_command|run_in_terminal|execute)$/i;
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const DONE = "DONE";

interface Tool {
  name: string;
  schema: Json;
}

/** Answers a request of any of the protocols: the shell once, then a text. */
export function replyOf(path: string, url: string, body: Json, command: string): AgentReply {
  const all = JSON.stringify(body);
  const plain = { isStream: false, isModelCall: false, isAfterTool: false };
  if (path.endsWith("/responses")) {
    const isAfterTool = /"type":"\w*_output"/.test(all);
    return model(responses(callOf(toolsOf(body), command, isAfterTool)), true, isAfterTool);
  }
  if (path.endsWith("/chat/completions")) {
    const isAfterTool = all.includes('"role":"tool"');
    const call = callOf(toolsOf(body), command, isAfterTool);
    return body["stream"] === true
      ? model(chunks(call), true, isAfterTool)
      : model(JSON.stringify(completion(call)), false, isAfterTool);
  }
  if (path.includes("enerateContent")) {
    const isAfterTool = all.includes('"functionResponse"');
    const parts = JSON.stringify(geminiAnswer(callOf(toolsOf(body), command, isAfterTool), all));
    const isStream = url.includes("stream");
    return model(isStream ? `data: ${parts}\r\n\r\n` : parts, isStream, isAfterTool);
  }
  if (path.includes("countTokens")) return { ...plain, text: '{"totalTokens":1}' };
  const models = {
    object: "list",
    data: [{ id: "scripted", object: "model" }],
    models: [{ name: "models/scripted" }],
  };
  return { ...plain, text: JSON.stringify(models) };
}

function model(text: string, isStream: boolean, isAfterTool: boolean): AgentReply {
  return { text, isStream, isModelCall: true, isAfterTool };
}

function toolsOf(body: Json): Tool[] {
  const listed = (body["tools"] ?? []) as Json[];
  return listed
    .flatMap(
      (tool) => (tool["functionDeclarations"] as Json[] | undefined) ?? [(tool["function"] as Json) ?? tool],
    )
    .map((tool) => ({
      name: typeof tool["name"] === "string" ? tool["name"] : "",
      schema: (tool["parameters"] ?? tool["parametersJsonSchema"] ?? {}) as Json,
    }));
}

/** The call of a client's shell with whatever its schema wants; undefined once it was called, or where there is none. */
function callOf(
  tools: readonly Tool[],
  command: string,
  isAfterTool: boolean,
): { name: string; args: Json } | undefined {
  const tool = tools.find(({ name }) => SHELL.test(name));
  if (tool === undefined || isAfterTool) return undefined;
  const properties = (tool.schema["properties"] ?? {}) as Record<string, Json>;
  const required = (tool.schema["required"] ?? []) as string[];
  const wanted = new Set([
    ...required,
    ...Object.keys(properties).filter((key) => /^(?:command|cmd|commands)$/.test(key)),
  ]);
  const args = [...wanted].map((key) => [key, valueFor(key, properties[key] ?? {}, command)] as const);
  return { name: tool.name, args: Object.fromEntries(args) };
}

function valueFor(key: string, schema: Json, command: string): unknown {
  const type = String(
    Array.isArray(schema["type"]) ? schema["type"][0] : (schema["type"] ?? ""),
  ).toLowerCase();
  if (key === "commands") return [command];
  if (/^(?:command|cmd)$/.test(key)) return type === "array" ? ["bash", "-lc", command] : command;
  if (type === "number" || type === "integer") return 5000;
  if (type === "boolean") return false;
  if (type === "array") return [];
  return Array.isArray(schema["enum"]) ? (schema["enum"][0] as unknown) : "x";
}

type Call = ReturnType<typeof callOf>;

function responses(call: Call): string {
  const args = JSON.stringify(call?.args ?? {});
  const item = call
    ? {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: call.name,
        arguments: args,
        status: "completed",
      }
    : {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: DONE, annotations: [] }],
      };
  const details = {
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const response = {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "scripted",
    output: [item],
    usage: { ...USAGE, ...details },
  };
  const event = (type: string, fields: Json): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  return [
    event("response.created", { response: { ...response, status: "in_progress", output: [] } }),
    event("response.output_item.added", { output_index: 0, item }),
    event("response.output_item.done", { output_index: 0, item }),
    event("response.completed", { response }),
  ].join("");
}

function messageOf(call: Call): Json {
  if (!call) return { role: "assistant", content: DONE };
  const tool = { name: call.name, arguments: JSON.stringify(call.args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: tool }],
  };
}

function completion(call: Call): Json {
  const choice = { index: 0, message: messageOf(call), finish_reason: call ? "tool_calls" : "stop" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return { id: "c", object: "chat.completion", created: 1, model: "scripted", choices: [choice], usage };
}

function chunks(call: Call): string {
  const base = { id: "c", object: "chat.completion.chunk", created: 1, model: "scripted" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const lines = [
    { ...base, choices: [{ index: 0, delta: messageOf(call), finish_reason: null }] },
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" }], usage },
  ];
  return [...lines.map((line) => `data: ${JSON.stringify(line)}\n\n`), "data: [DONE]\n\n"].join("");
}

function geminiAnswer(call: Call, request: string): Json {
  const text = request.includes('"responseMimeType":"application/json"') ? "{}" : DONE;
  const part = call ? { functionCall: { name: call.name, args: call.args } } : { text };
  const usage = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
  return { candidates: [candidate], usageMetadata: usage, modelVersion: "scripted" };
}
