import type { McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Actor } from "../../../heed.ts";
import { clientName } from "./client-name.ts";
import type { HeedSessions } from "./heed-sessions.ts";
import { toolError, toolResult } from "./tool-result.ts";

/** What a tool says about itself, and what it does. */
export interface ToolDefinition<Input extends z.ZodType> {
  name: string;
  title: string;
  /** When to use it and what comes back; clients cut it at 2 KB. */
  description: string;
  input: Input;
  output: z.ZodType;
  annotations: ToolAnnotations;
  /** Show the tool to the model from the start; else Claude Code tells its name only, until it is searched for. */
  isAlwaysLoaded?: boolean;
  run(input: z.output<Input>, actor: Actor): Promise<ToolOutcome>;
}

/** The structured answer of a tool; `isRefused` marks a write that did not happen. */
export interface ToolOutcome {
  value: Record<string, unknown>;
  isRefused?: boolean;
}

/** Registers a tool; whatever its work throws comes back as a result that says what to do. */
export function addTool<Input extends z.ZodType>(
  server: McpServer,
  sessions: HeedSessions,
  tool: ToolDefinition<Input>,
): void {
  const config = {
    title: tool.title,
    description: tool.description,
    inputSchema: tool.input,
    outputSchema: tool.output,
    // Nothing here reaches beyond the user's own files.
    annotations: { ...tool.annotations, openWorldHint: false },
    ...(tool.isAlwaysLoaded && { _meta: { "anthropic/alwaysLoad": true } }),
  };
  server.registerTool<z.ZodType, z.ZodType>(tool.name, config, async (input, ctx) => {
    try {
      const actor = sessions.actor(clientName(server, ctx));
      const { value, isRefused } = await tool.run(input as z.output<Input>, actor);
      // With heed's core, which the tool's work has loaded.
      const { redactValue } = await import("../../../heed.ts");
      const shown = redactValue(value);
      return isRefused ? { ...toolResult(shown), isError: true } : toolResult(shown);
    } catch (error) {
      if (!(error instanceof Error && error.name === "HeedError")) sessions.note(tool.name, error);
      return toolError(error);
    }
  });
}
