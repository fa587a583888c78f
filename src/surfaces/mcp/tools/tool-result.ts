import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * A tool's result. Clients that read `structuredContent` drop the text, others know only the text: both say the same.
 */
export function toolResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/**
 * The result of a call that failed, as text alone: an output schema describes what a tool answers when it works, and
 * clients that hold structured content of errors against it would hide what went wrong.
 */
export function errorResult(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], isError: true };
}

/** What went wrong and what would go right; the model reads it and can try again. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { code: "internal", message: String(error) };
  // Told by its name: the core is loaded when it is first needed, its error class with it.
  if (error.name === "HeedError") {
    const { code, data } = error as Error & { code?: unknown; data?: unknown };
    const details = typeof data === "object" && data !== null ? plainData(data) : {};
    return { ...details, code: String(code), message: error.message };
  }
  return {
    code: "internal",
    message: `${error.message}. This is an error of heed's; see heed.log (heed status says where).`,
  };
}

/** Data of an error without what is no JSON. */
function plainData(data: object): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
