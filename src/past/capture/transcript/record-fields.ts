import { asRecord } from "../../../machine/read-fields.ts";
import type { ToolOutcome, TranscriptEvent } from "./transcript-event.ts";

/** A record of a transcript. */
export type Fields = Readonly<Record<string, unknown>>;

/** Where a session runs, as far as a record says; no event for one that says nothing. */
export function placeEvents(
  place: { cwd?: string; branch?: string },
  isSubagent: boolean = false,
): TranscriptEvent[] {
  const said = Object.fromEntries(Object.entries(place).filter(([, value]) => value !== ""));
  if (Object.keys(said).length === 0 && !isSubagent) return [];
  return [{ kind: "place", ...said, ...(isSubagent && { isSubagent }) }];
}

/** A message of the user; none for a blank one. */
export function userEvents(text: string, time: string, id: string, parent = ""): TranscriptEvent[] {
  return text.trim() === "" ? [] : [{ kind: "user", text, time, id, ...(parent !== "" && { parent }) }];
}

/** A message of the agent; none for a blank one. */
export function agentEvents(text: string, time: string): TranscriptEvent[] {
  return text.trim() === "" ? [] : [{ kind: "assistant", text, time }];
}

/** How a call ended, by its exit code where the pattern finds one in its output. */
export function outcomeOf(hasFailed: boolean, output: string, exitCode: RegExp): ToolOutcome {
  const code = exitCode.exec(output)?.[1];
  return hasFailed || (code !== undefined && code !== "0") ? "failed" : "ok";
}

/** A text of a record; empty when it is not a text. */
export function textAt(record: Fields | undefined, key: string): string {
  const value = record?.[key];
  return typeof value === "string" ? value : "";
}

/** A record inside a record; undefined when it is not a record. */
export function recordAt(record: Fields | undefined, key: string): Fields | undefined {
  return asRecord(record?.[key]);
}

/** The records of a list; invalid entries are left out. */
export function recordsAt(record: Fields | undefined, key: string): Fields[] {
  const value = record?.[key];
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asRecord).filter((item) => item !== undefined);
}

/** The text of a message: a string, or the text of its blocks. */
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
