/** The user's words, an agent's closing message, a command that was fixed, or an old session record. */
export const PASSAGE_KINDS = ["said", "answer", "fixed", "record"] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/** A chunk of a past conversation that makes sense alone, without secrets. */
export interface Passage {
  kind: PassageKind;
  /** ISO time; empty when the transcript gives none. */
  time: string;
  text: string;
  /** How often it had failed, where it was fixed. */
  failures?: number;
  failed?: string;
}

/** Whether a passage only asks: then what tells comes before it. */
export function isQuestion({ kind, text }: Passage): boolean {
  return kind === "said" && text.trimEnd().endsWith("?");
}

export interface FailedCommand {
  programs: string[];
  /** One line each: the command and the last line of its output. */
  tries: string[];
  failed: string;
  failures: number;
  size: number;
  age: number;
  /** What was changed since: files, and commands that were run. */
  changes: string[];
}

export interface PendingCommand {
  /** One line, cut. */
  what: string;
  /** Characters of the whole: two scripts may begin alike. */
  size: number;
  programs: string[];
}

/** What is kept of one conversation, as plain data, bounded in every part. */
export interface Conversation {
  cwd: string;
  branch: string;
  /** ISO times of the first and the last record. */
  started: string;
  ended: string;
  /** The transcript is a subagent's: nothing in it is the person's word. */
  isSubagent: boolean;
  passages: Passage[];
  /** The agent's last message, which closes the turn unless another follows. */
  closing: Passage | undefined;
  /** Ids and beginnings of turns that were seen, so that one written twice counts once. */
  seen: string[];
  /** When the user last followed a record, by its id: what follows the same one again takes back what came since. */
  followed?: Record<string, string>;
  /** Passages, the oldest, and bytes of the transcript that are not kept. */
  missing?: { passages: number; bytes: number };
  pending: Record<string, PendingCommand>;
  open: FailedCommand[];
}

export function emptyConversation(): Conversation {
  return {
    cwd: "",
    branch: "",
    started: "",
    ended: "",
    isSubagent: false,
    passages: [],
    closing: undefined,
    seen: [],
    pending: {},
    open: [],
  };
}

/** All passages so far, the agent's last words included. */
export function passagesOf({ passages, closing }: Conversation): Passage[] {
  return closing === undefined ? passages : [...passages, closing];
}
