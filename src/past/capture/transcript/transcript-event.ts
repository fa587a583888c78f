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
