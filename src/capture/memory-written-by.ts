import { filesOfCall } from "./tool-call.ts";
import { textAt } from "./transcript/record-fields.ts";

/**
 * What a tool call writes into a memory, heed's own or the client's: what the agent has kept itself is not proposed
 * again. Undefined for any other call.
 */
export function memoryWrittenBy(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  command: string | undefined,
): string | undefined {
  if (/(?:^|__)memory_(?:write|update|propose|confirm|remove)$/.test(tool))
    return ["statement", "description", "body", "handle", "quote"]
      .map((key) => textAt(input, key))
      .join("\n");
  if (command !== undefined && /(?:^|[\s;&|/])heed(?:\.cjs)? (?:write|update|confirm|remove)\b/.test(command))
    return command;
  const isMemoryFile = filesOfCall(tool, input).some((file) =>
    /(?:^|[\\/])(?:\.claude[\\/]projects[\\/][^\\/]+[\\/]memory|\.heed|CLAUDE(?:\.local)?\.md$|AGENTS\.md$|GEMINI\.md$|\.learnings)/.test(
      file,
    ),
  );
  if (!isMemoryFile) return undefined;
  return ["content", "new_string", "new_str", "input"]
    .map((key) => textAt(input, key))
    .join("\n")
    .trim();
}
