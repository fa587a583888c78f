import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A tool use of a real session. */
export interface RealCall {
  tool: string;
  input: Record<string, unknown>;
  cwd: string;
}

const TOOLS = new Set(["Bash", "Edit", "MultiEdit", "Write", "NotebookEdit", "Read"]);

/** The tool uses in the transcripts (Claude Code's JSON lines) of a folder and the folders in it; each once. */
export function readRealCalls(directory: string): RealCall[] {
  const calls = new Map<string, RealCall>();
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(".jsonl"),
  );
  for (const file of files) {
    for (const line of readFileSync(join(file.parentPath, file.name), "utf8").split("\n")) {
      for (const call of callsIn(line)) calls.set(JSON.stringify(call), call);
    }
  }
  return [...calls.values()];
}

/** The name under which the label of a call is kept: a hash, so that the repository holds nothing of the data. */
export function labelKey(guard: string, call: RealCall): string {
  const text = JSON.stringify([guard, call.tool, call.input]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function callsIn(line: string): RealCall[] {
  if (!line.includes('"tool_use"')) return [];
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return [];
  }
  const { message, cwd } = record as { message?: { content?: unknown }; cwd?: unknown };
  if (!Array.isArray(message?.content)) return [];
  return (message.content as { type?: string; name?: string; input?: unknown }[]).flatMap(
    ({ type, name, input }): RealCall[] =>
      type === "tool_use" &&
      name !== undefined &&
      TOOLS.has(name) &&
      typeof input === "object" &&
      input !== null
        ? [
            {
              tool: name,
              input: input as Record<string, unknown>,
              cwd: typeof cwd === "string" ? cwd : "/repo",
            },
          ]
        : [],
  );
}
