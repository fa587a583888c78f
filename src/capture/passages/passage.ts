import { oneLine, pushBounded } from "../one-line.ts";
import { isLook } from "../tool-call.ts";
import type { ToolOutcome } from "../transcript/transcript-event.ts";

/** The user's words, an agent's closing message, a command that was fixed, or an old session record. */
export const PASSAGE_KINDS = ["said", "answer", "fixed", "record"] as const;
export type PassageKind = (typeof PASSAGE_KINDS)[number];

/** A chunk of a past conversation that makes sense alone, without secrets. */
export interface Passage {
  kind: PassageKind;
  /** ISO time; empty when the transcript gives none. */
  time: string;
  text: string;
}

/** Whether a passage only asks: then what tells comes before it. */
export function isQuestion({ kind, text }: Passage): boolean {
  return kind === "said" && text.trimEnd().endsWith("?");
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
  pending: Record<string, PendingCommand>;
  open: FailedCommand[];
}

/** A conversation of which nothing was read. */
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

/** A command that failed, and the other tries at it. */
export interface FailedCommand {
  programs: string[];
  /** One line each: the command and the last line of its output. */
  tries: string[];
  /** Commands since the last try. */
  age: number;
}

/** A command line that waits for its result. */
export interface PendingCommand {
  what: string;
  programs: string[];
}

/** After this many other commands a failure is given up. */
const MAX_AGE = 25;
const MAX_OPEN = 8;
const MAX_TRIES = 5;

/**
 * Takes the result of a command. After failures, a different command line with the same program that succeeds
 * is the fix: returns the failed tries and the success as text. Goes by exit status and program name alone.
 */
export function trackFailures(
  open: FailedCommand[],
  { what, programs }: PendingCommand,
  outcome: ToolOutcome,
  output: string,
): string | undefined {
  // What an older heed kept has another form.
  for (const failure of open.splice(0))
    if (Array.isArray(failure.tries) && (failure.age += 1) <= MAX_AGE) open.push(failure);
  const doing = programs.filter((program) => !isLook(program));
  if (outcome === "refused" || doing.length === 0) return undefined;
  const at = open.findLastIndex((failure) => failure.programs.some((program) => doing.includes(program)));
  const known = open[at];
  if (outcome === "failed") {
    const line = `failed: ${what} (${lastLine(output)})`;
    if (!known) {
      pushBounded(open, { programs: doing, tries: [line], age: 0 }, MAX_OPEN);
      return undefined;
    }
    known.age = 0;
    // The first and the last tries tell most.
    if (!known.tries.includes(line)) known.tries.push(line);
    if (known.tries.length > MAX_TRIES) known.tries.splice(1, 1);
    return undefined;
  }
  if (!known) return undefined;
  open.splice(at, 1);
  // The same command line succeeds once its cause is fixed elsewhere, which it does not tell.
  const isSame = known.tries.every((line) => line.startsWith(`failed: ${what} (`));
  return isSame ? undefined : `${known.tries.join("\n")}\nworked then: ${what}`;
}

function lastLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  return oneLine(lines.at(-1) ?? "", 240);
}
