import { asRecord } from "../../../machine/read-fields.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How a tool call ended, by its status and never by the words of its output. */
export type ToolOutcome = "ok" | "failed" | "refused";

export type TranscriptEvent =
  | {
      kind: "place";
      cwd?: string;
      branch?: string;
      /** The whole transcript is a subagent's: what it is told is another agent's word. */
      isSubagent?: boolean;
    }
  /** What reached the agent as a person's message, before it is told apart from what the client put in. */
  /** `parent`: the record that it follows; two that follow the same one are two branches, and the later one stands. */
  | { kind: "user"; text: string; time: string; id: string; parent?: string }
  | { kind: "assistant"; text: string; time: string }
  | { kind: "tool"; id: string; tool: string; input: Fields; time: string }
  | { kind: "result"; id: string; outcome: ToolOutcome; text: string; time: string };

type WithoutTime<Event> = Event extends unknown ? Omit<Event, "time"> & { time?: string } : never;
/** An event without the time of its record; one that says nothing is left out by the reader. */
export type Said = WithoutTime<TranscriptEvent>;

export interface TranscriptFormat {
  /** The agent, for example `claude-code`. */
  client: string;
  recognises(record: Fields): boolean;
  kindOf(record: Fields): string;
  /** By kind what a record says; one without a row says nothing. */
  rows: Readonly<Record<string, (record: Fields) => readonly Said[]>>;
}

/** What stands at a path of keys: `message.content`. */
export function at(record: unknown, path: string): unknown {
  return path.split(".").reduce((found, key) => asRecord(found)?.[key], record);
}

/** The first text that is not empty; empty where there is none. */
export function textAt(record: unknown, ...paths: readonly string[]): string {
  const found = paths.map((path) => at(record, path));
  return found.find((value): value is string => typeof value === "string" && value !== "") ?? "";
}

export function recordsAt(record: unknown, path: string): Fields[] {
  const value = at(record, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.map(asRecord).filter((item) => item !== undefined);
}

export function textOfContent(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => (typeof block === "string" ? block : asRecord(block)?.["text"]));
  return texts.filter((text) => typeof text === "string").join("\n");
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

/** How a call ended, by its exit code where the pattern finds one in its output. */
export function outcomeOf(hasFailed: boolean, output: string, exitCode: RegExp): ToolOutcome {
  return hasFailed || (exitCode.exec(output)?.[1] ?? "0") !== "0" ? "failed" : "ok";
}

export const user = (text: string, id: string, parent = ""): Said => ({ kind: "user", text, id, parent });

export const agent = (text: string): Said => ({ kind: "assistant", text });

export const call = (id: string, tool: string, input: unknown): Said => ({
  kind: "tool",
  id,
  tool,
  input: argumentsOf(input),
});
