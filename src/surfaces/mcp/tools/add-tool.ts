import type {
  McpServer,
  ServerContext,
  CallToolResult,
  InputRequiredResult,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { Actor, Heed, HeedError } from "../../../heed.ts";
import { ADAPTERS } from "../../hooks/adapters/all-adapters.ts";
import { given } from "../../given.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { type Schema, complaintsAbout, jsonSchemaOf, sentence, valueAs } from "../../../here/schema.ts";

/** Where each request of the newer protocol names its client. */
export const CLIENT_INFO: string = "io.modelcontextprotocol/clientInfo";
const MAX_WORD_CHARS = 100;
/** The id that Claude Code gives to a model's call of a tool; its hooks' calls carry none. */
const TOOL_USE_ID = "claudecode/toolUseId";

export interface ClientInfo {
  name?: string;
  version?: string;
}

/**
 * In which session a model calls; undefined where it cannot be told, as its turns hold the quotes that count.
 *
 * - Claude Code: the session that its tool hook named for this very call (see {@link CallBindings}). Never one that the
 *   environment names: programs inherit it, and `/clear` leaves it behind.
 * - Other clients: the newest session in which the user spoke to this client in this working tree.
 * - A server that no client started: nobody's.
 */
async function callerOf(
  server: McpServer,
  ctx: ServerContext,
  sessions: HeedSessions,
  isOfSession: boolean,
): Promise<{ actor: Actor; cwd: string }> {
  const { name } = clientInfo(server, ctx);
  const actor: Actor = { kind: "model", ...given({ client: name }) };
  const here = { actor, cwd: sessions.directory };
  if (!isOfSession || sessions.whose().client === undefined) return here;
  if (isClaude(name)) {
    const id = ctx.mcpReq._meta?.[TOOL_USE_ID];
    const bound = await sessions.bindings.of(typeof id === "string" ? id : "");
    if (bound === undefined) return here;
    const { cwd, ...who } = bound;
    return { actor: { ...actor, ...given(who) }, cwd };
  }
  if (sessions.whose().userless !== undefined) return here;
  const adapter = adapterNamed(name);
  const heed = await sessions.heed();
  const session = adapter === undefined ? undefined : await heed.session.newest(adapter);
  return { ...here, actor: { ...actor, ...given({ session }) } };
}

/** The client's name and version: each request carries them in the newer protocol, the handshake in the older one. */
export function clientInfo(server: McpServer, ctx: ServerContext): ClientInfo {
  const envelope = ctx.mcpReq.envelope as
    | Record<string, { name?: unknown; version?: unknown } | undefined>
    | undefined;
  const { name, version } = envelope?.[CLIENT_INFO] ?? server.server.getClientVersion() ?? {};
  const word = (value: unknown): string | undefined =>
    typeof value === "string" ? value.slice(0, MAX_WORD_CHARS) : undefined;
  return given({ name: word(name), version: word(version) });
}

/** Whether a call is a model's: Claude Code marks those with the id of the tool use and a progress token. */
export function isModelsCall(ctx: ServerContext): boolean {
  const meta = ctx.mcpReq._meta;
  return meta?.[TOOL_USE_ID] !== undefined || meta?.["progressToken"] !== undefined;
}

export function isClaude(client: string | undefined): boolean {
  return client?.startsWith("claude") === true;
}

/** heed's name of the client that an MCP client's name is of: `codex-mcp-client`, `cursor-vscode`, `Visual Studio Code`. */
function adapterNamed(name = ""): string | undefined {
  const plain = name.toLowerCase().replace("visual studio code", "vscode");
  const names = ADAPTERS.map(({ client }) => client);
  return names.find((one) => plain.startsWith(one)) ?? names.find((one) => plain.includes(one));
}

const MAX_ISSUES = 5;

interface ToolDefinition<Input> {
  name: string;
  title: string;
  /** When to use it and what comes back; clients cut it at 2 KB. */
  description: string;
  input: Schema<Input>;
  annotations: ToolAnnotations;
  /** What it does counts for a session: which one is found out before it runs. */
  isOfSession?: boolean;
  /** Show the tool to the model from the start; else Claude Code tells its name only, until it is searched for. */
  isAlwaysLoaded?: boolean;
  /** The answer; of a dialog the whole result, or what the client has to ask before it calls again. */
  run(input: Input, call: ToolCall): Promise<ToolOutcome | CallToolResult | InputRequiredResult>;
}

/** A tool of any input. */
export type Tool = ToolDefinition<unknown>;
export const tool = <Input>(definition: ToolDefinition<Input>): Tool => definition;

export interface ToolCall {
  server: McpServer;
  sessions: HeedSessions;
  heed: Heed;
  actor: Actor;
  ctx: ServerContext;
}

/** The answer of a tool; `isRefused` marks a write that did not happen. */
export interface ToolOutcome {
  value: Record<string, unknown>;
  isRefused?: boolean;
}

/** Registers a tool. heed checks the arguments, not the SDK; errors come back as results with a remedy. */
export function addTool(server: McpServer, sessions: HeedSessions, tool: Tool): void {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: describedSchema(tool.input),
    // Nothing here reaches beyond the user's own files.
    annotations: { ...tool.annotations, openWorldHint: false },
    ...(tool.isAlwaysLoaded && { _meta: { "anthropic/alwaysLoad": true } }),
  };
  server.registerTool(tool.name, config, async (given, ctx) => {
    const input = valueAs(tool.input, given);
    const error = wrongArguments(tool.input, input);
    let outcome: Awaited<ReturnType<Tool["run"]>> = { value: { error }, isRefused: true };
    try {
      if (!error) {
        const { actor, cwd } = await callerOf(server, ctx, sessions, tool.isOfSession === true);
        const heed = await sessions.heed(cwd);
        outcome = await tool.run(input, { server, sessions, heed, actor, ctx });
      }
    } catch (error) {
      outcome = { value: { error: describeError(error, tool.name, sessions) }, isRefused: true };
    }
    if (!isPlain(outcome)) return outcome;
    // With heed's core, which the tool's work has loaded.
    const { redactValue } = await import("../../../heed.ts");
    return toolResult(redactValue(outcome.value), outcome.isRefused);
  });
}

const isPlain = (outcome: object): outcome is ToolOutcome => "value" in outcome;

/** A schema that clients are told, and that takes whatever comes. */
export function describedSchema(schema: Schema): StandardSchemaWithJSON {
  const input = (): Record<string, unknown> => jsonSchemaOf(schema);
  const jsonSchema = { input, output: input };
  return { "~standard": { vendor: "heed", version: 1, jsonSchema, validate: (value) => ({ value }) } };
}

/** What is wrong with a tool's arguments: each one, what it is, and what to send. */
export function wrongArguments(
  schema: Schema,
  given: unknown,
): { code: "invalid-input"; argument: string; message: string } | undefined {
  const complaints = complaintsAbout(schema, given, "");
  const [first] = complaints;
  if (!first) return undefined;
  const [argument = ""] = first.at.split(/[.[]/);
  const message = complaints.slice(0, MAX_ISSUES).map(sentence).join("; ");
  return { code: "invalid-input", argument, message };
}

/** A tool's result, as text: the one form that all clients show. */
export function toolResult(value: Record<string, unknown>, isError = false): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], ...(isError && { isError }) };
}

/** What went wrong and what would go right; the model reads it and can try again. */
function describeError(error: unknown, where: string, sessions: HeedSessions): Record<string, unknown> {
  const { name, message, code, data } = error as HeedError;
  // Told by its name: the core is loaded when it is first needed, its error class with it.
  if (name === "HeedError") return { ...data, code, message };
  sessions.note(where, error);
  return {
    code: "internal",
    message: `${message}. This is an error of heed's; see heed.log (heed doctor says where).`,
  };
}
