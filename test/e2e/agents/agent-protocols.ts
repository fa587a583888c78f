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
const WRITER = /^(?:write|write_file|writefile|create|create_file|write_to_file)$/i;
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const TOKENS = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const COMPLETION = { id: "c", created: 1, model: "scripted" };
const DONE = "DONE";

interface Tool {
  name: string;
  schema: Json;
  /** Where a client offers the tools of a server under the server's name. */
  namespace?: string;
}

/** What the scripted model does in one turn. */
export type AgentStep =
  | { shell: string }
  | { write: string; text: string }
  /** Calls the tool whose name ends so. */
  | { tool: string; args: Json };

/** Answers a request of any of the protocols: one step after another, then a text. */
export function replyOf(path: string, url: string, body: Json, steps: readonly AgentStep[]): AgentReply {
  const all = JSON.stringify(body);
  const plain = { isStream: false, isModelCall: false, isAfterTool: false };
  const next = (results: number): { call: Call | undefined; isAfterTool: boolean } => ({
    call: callOf(toolsOf(body), steps[results], results),
    isAfterTool: results > 0,
  });
  if (path.endsWith("/responses")) {
    const { call, isAfterTool } = next(count(all, /"type":"\w*_output"/g));
    return model(responses(call), true, isAfterTool);
  }
  if (path.endsWith("/chat/completions")) {
    const { call, isAfterTool } = next(count(all, /"role":"tool"/g));
    return body["stream"] === true
      ? model(chunks(call), true, isAfterTool)
      : model(JSON.stringify(completion(call)), false, isAfterTool);
  }
  if (path.includes("enerateContent")) {
    const { call, isAfterTool } = next(count(all, /"functionResponse"/g));
    const parts = JSON.stringify(geminiAnswer(call, all));
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

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function model(text: string, isStream: boolean, isAfterTool: boolean): AgentReply {
  return { text, isStream, isModelCall: true, isAfterTool };
}

function toolsOf(body: Json): Tool[] {
  const listed = (body["tools"] ?? []) as Json[];
  return listed
    .flatMap((tool): Json[] => {
      const space = ((tool["tools"] as Json[] | undefined) ?? []).map((one) => ({
        ...one,
        in: tool["name"],
      }));
      if (space.length > 0) return space;
      return (tool["functionDeclarations"] as Json[] | undefined) ?? [(tool["function"] as Json) ?? tool];
    })
    .map((tool) => ({
      name: typeof tool["name"] === "string" ? tool["name"] : "",
      schema: (tool["parameters"] ?? tool["parametersJsonSchema"] ?? {}) as Json,
      ...(typeof tool["in"] === "string" && { namespace: tool["in"] }),
    }));
}

interface Call {
  id: string;
  name: string;
  namespace?: string;
  args: Json;
}

/** The call of a step, with whatever the schema of its tool wants; undefined where there is no step, or no such tool. */
function callOf(tools: readonly Tool[], step: AgentStep | undefined, at: number): Call | undefined {
  const tool = step && tools.find(({ name }) => isToolOf(step, name));
  if (step === undefined || tool === undefined) return undefined;
  const properties = (tool.schema["properties"] ?? {}) as Record<string, Json>;
  const required = (tool.schema["required"] ?? []) as string[];
  const known = "tool" in step ? step.args : valuesOf(step, properties);
  const args = [...new Set([...required, ...Object.keys(known)])].map(
    (key) => [key, known[key] ?? anyValue(properties[key] ?? {})] as const,
  );
  const { name, namespace } = tool;
  return { id: `call_${at + 1}`, name, args: Object.fromEntries(args), ...(namespace && { namespace }) };
}

function isToolOf(step: AgentStep, name: string): boolean {
  if ("tool" in step) return name.endsWith(step.tool);
  return ("shell" in step ? SHELL : WRITER).test(name);
}

/** The arguments of a step by the names that a client's schema has for them. */
function valuesOf(step: Exclude<AgentStep, { tool: string }>, properties: Record<string, Json>): Json {
  const values = Object.entries(properties).flatMap(([key, schema]): [string, unknown][] => {
    if ("shell" in step) {
      if (key === "commands") return [[key, [step.shell]]];
      if (!/^(?:command|cmd)$/.test(key)) return [];
      return [[key, typeOf(schema) === "array" ? ["bash", "-lc", step.shell] : step.shell]];
    }
    if (/^(?:file_?path|path|absolute_path)$/i.test(key)) return [[key, step.write]];
    return /^(?:contents?|file_text|text)$/.test(key) ? [[key, step.text]] : [];
  });
  return Object.fromEntries(values);
}

function typeOf(schema: Json): string {
  const type = schema["type"];
  return String(Array.isArray(type) ? type[0] : (type ?? "")).toLowerCase();
}

function anyValue(schema: Json): unknown {
  const type = typeOf(schema);
  if (type === "number" || type === "integer") return 5000;
  if (type === "boolean") return false;
  if (type === "array") return [];
  return Array.isArray(schema["enum"]) ? (schema["enum"][0] as unknown) : "x";
}

function responses(call: Call | undefined): string {
  const args = JSON.stringify(call?.args ?? {});
  const item = call
    ? {
        type: "function_call",
        id: `fc_${call.id}`,
        call_id: call.id,
        name: call.name,
        ...(call.namespace && { namespace: call.namespace }),
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

function messageOf(call: Call | undefined): Json {
  if (!call) return { role: "assistant", content: DONE };
  const tool = { name: call.name, arguments: JSON.stringify(call.args) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ index: 0, id: call.id, type: "function", function: tool }],
  };
}

function completion(call: Call | undefined): Json {
  const choice = { index: 0, message: messageOf(call), finish_reason: call ? "tool_calls" : "stop" };
  return { ...COMPLETION, object: "chat.completion", choices: [choice], usage: TOKENS };
}

function chunks(call: Call | undefined): string {
  const base = { ...COMPLETION, object: "chat.completion.chunk" };
  const end = { index: 0, delta: {}, finish_reason: call ? "tool_calls" : "stop" };
  const lines = [
    { ...base, choices: [{ index: 0, delta: messageOf(call), finish_reason: null }] },
    { ...base, choices: [end], usage: TOKENS },
  ];
  return [...lines.map((line) => `data: ${JSON.stringify(line)}\n\n`), "data: [DONE]\n\n"].join("");
}

function geminiAnswer(call: Call | undefined, request: string): Json {
  const text = request.includes('"responseMimeType":"application/json"') ? "{}" : DONE;
  const part = call ? { functionCall: { name: call.name, args: call.args } } : { text };
  const usage = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 };
  return { candidates: [candidate], usageMetadata: usage, modelVersion: "scripted" };
}
