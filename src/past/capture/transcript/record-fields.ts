import { asRecord } from "../../../machine/read-fields.ts";
import type { ToolOutcome, TranscriptEvent } from "./transcript-event.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function placeEvents(
  place: { cwd?: string; branch?: string },
  isSubagent: boolean = false,
): TranscriptEvent[] {
  const said = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== ""));
  if (Object.keys(said).length === 0 && !isSubagent) return [];
  return [{ kind: "place", ...said, ...(isSubagent && { isSubagent }) }];
}

export function userEvents(text: string, time: string, id: string, parent = ""): TranscriptEvent[] {
  return text.trim() === "" ? [] : [{ kind: "user", text, time, id, ...(parent !== "" && { parent }) }];
}

export function agentEvents(text: string, time: string): TranscriptEvent[] {
  return text.trim() === "" ? [] : [{ kind: "assistant", text, time }];
}

/** How a call ended, by its exit code where the pattern finds one in its output. */
export function outcomeOf(hasFailed: boolean, output: string, exitCode: RegExp): ToolOutcome {
  const code = exitCode.exec(output)?.[1];
  return hasFailed || (code !== undefined && code !== "0") ? "failed" : "ok";
}

export function textAt(record: Fields | undefined, key: string): string {
  const value = record?.[key];
  return typeof value === "string" ? value : "";
}

export function recordAt(record: Fields | undefined, key: string): Fields | undefined {
  return asRecord(record?.[key]);
}

export function recordsAt(record: Fields | undefined, key: string): Fields[] {
  const value = record?.[key];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asRecord).filter((item) => item !== undefined);
}

export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((block: unknown) => {
      if (typeof block === "string") return [block];
      const text = asRecord(block)?.["text"];
      return typeof text === "string" ? [text] : [];
    })
    .join("\n");
}

/** The arguments of a call: a record, or one as JSON text; a text of another kind under `input`. */
export function argumentsOf(value: unknown): Fields {
  if (typeof value !== "string") return asRecord(value) ?? {};
  try {
    return asRecord(JSON.parse(value)) ?? {};
  } catch {
    return { input: value };
  }
}
