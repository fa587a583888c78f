import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Actor, Heed } from "../../../heed.ts";
import { callerOf } from "./caller.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { describeError, errorResult, toolResult } from "./tool-result.ts";
import { wrongArguments } from "./wrong-arguments.ts";

/** What a tool says about itself, and what it does. */
export interface ToolDefinition<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** When to use it and what comes back; clients cut it at 2 KB. */
  description: string;
  input: Input;
  output: z.ZodType;
  annotations: ToolAnnotations;
  /** What it does counts for a session: which one is found out before it runs. */
  isOfSession?: boolean;
  /** Show the tool to the model from the start; else Claude Code tells its name only, until it is searched for. */
  isAlwaysLoaded?: boolean;
  run(input: z.output<Input>, call: ToolCall): Promise<ToolOutcome | DialogOutcome>;
}

/** A call: who makes it, heed where they work, and the request itself. */
export interface ToolCall {
  heed: Heed;
  actor: Actor;
  ctx: ServerContext;
}

/** The structured answer of a tool; `isRefused` marks a write that did not happen. */
export interface ToolOutcome {
  value: Record<string, unknown>;
  isRefused?: boolean;
}

/** What a tool says that asks the user by a dialog: a whole result, or what the client has to ask before it calls again. */
interface DialogOutcome {
  result: CallToolResult | InputRequiredResult;
}

/**
 * Registers a tool; wrong arguments, and whatever its work throws, come back as a result that says what to do. The
 * arguments are read here and not by the SDK, which would answer with the words of the schema library alone.
 */
export function addTool<Input extends z.ZodObject>(
  server: McpServer,
  sessions: HeedSessions,
  tool: ToolDefinition<Input>,
): void {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: asToldOnly(tool.input),
    outputSchema: tool.output,
    // Nothing here reaches beyond the user's own files.
    annotations: { ...tool.annotations, openWorldHint: false },
    ...(tool.isAlwaysLoaded && { _meta: { "anthropic/alwaysLoad": true } }),
  };
  const answerOf = async (given: unknown, ctx: ServerContext): Promise<ToolOutcome | DialogOutcome> => {
    const read = tool.input.safeParse(given);
    if (!read.success)
      return { value: { error: wrongArguments(read.error, given, tool.input) }, isRefused: true };
    try {
      const { actor, cwd } = await callerOf(server, ctx, sessions, tool.isOfSession === true);
      return await tool.run(read.data, { heed: await sessions.heed(cwd), actor, ctx });
    } catch (error) {
      if (!(error instanceof Error && error.name === "HeedError")) sessions.note(tool.name, error);
      return { value: { error: describeError(error) }, isRefused: true };
    }
  };
  server.registerTool<z.ZodType, StandardSchemaWithJSON>(tool.name, config, async (given, ctx) => {
    const outcome = await answerOf(given, ctx);
    if ("result" in outcome) return outcome.result;
    const { value, isRefused } = outcome;
    // With heed's core, which the tool's work has loaded.
    const { redactValue } = await import("../../../heed.ts");
    return isRefused ? errorResult(redactValue(value)) : toolResult(redactValue(value));
  });
}

/** A schema that clients are told, and that takes whatever comes. */
export function asToldOnly(schema: z.ZodObject): StandardSchemaWithJSON {
  const { vendor, version, jsonSchema } = schema["~standard"];
  return { "~standard": { vendor, version, jsonSchema, validate: (value) => ({ value }) } };
}
