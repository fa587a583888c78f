import { redactSecrets } from "../../screening/find-secrets.ts";
import { oneLine, pushBounded, setBounded, spanTime } from "../one-line.ts";
import { commandOfCall, programsOf, withoutHeredocs } from "../tool-call.ts";
import type { TranscriptEvent } from "../transcript/transcript-event.ts";
import { MAX_TYPED_CHARS, userWords } from "../transcript/user-words.ts";
import { type Conversation, type Passage, type PassageKind, trackFailures } from "./passage.ts";

const MAX_PASSAGES = 600;
/** What is longer is pasted, or a report. */
const MAX_CHARS = 2000;
/** A short answer may still be a long path. */
const MAX_ANSWER = 200;
const MAX_SEEN = 100;
const MAX_PENDING = 60;
/** Fewer words than these ("Down.", "go on") say nothing without what they answer, and are kept with it. */
const MIN_WORDS = 3;

/** Takes one event of the main conversation into what is kept of it. */
export function foldPassage(conversation: Conversation, event: TranscriptEvent): void {
  spanTime(conversation, event);
  switch (event.kind) {
    case "place":
      conversation.cwd ||= event.cwd ?? "";
      conversation.branch = event.branch ?? conversation.branch;
      conversation.isSubagent ||= event.isSubagent === true;
      return;
    case "user":
      foldSaid(conversation, event);
      return;
    case "assistant": {
      const closing = passageOf("answer", event.time, event.text);
      if (closing) conversation.closing = closing;
      return;
    }
    case "tool":
      foldCall(conversation, event);
      return;
    case "result":
      foldResult(conversation, event);
      return;
    case "compaction":
      return;
  }
}

function foldSaid(conversation: Conversation, event: Extract<TranscriptEvent, { kind: "user" }>): void {
  // Some clients write a message twice: when it is queued and when it is taken up, with other ids and times.
  const said = userWords(redactSecrets(event.text.slice(0, MAX_TYPED_CHARS))).said.slice(0, 4 * MAX_CHARS);
  const beginning = `said:${said.slice(0, 80)}`;
  if (said === "" || conversation.seen.includes(event.id) || conversation.seen.at(-1) === beginning) return;
  if (event.id !== "") pushBounded(conversation.seen, event.id, MAX_SEEN);
  pushBounded(conversation.seen, beginning, MAX_SEEN);
  const passage = passageOf("said", event.time, said);
  // The turn is over: the agent's last message in it was its closing one.
  const { closing, isSubagent } = conversation;
  if (closing && !passage && !isSubagent) closing.text += `\n\nThe user answered: ${oneLine(said, MAX_ANSWER)}`;
  if (closing) pushBounded(conversation.passages, closing, MAX_PASSAGES);
  conversation.closing = undefined;
  if (passage && !isSubagent) pushBounded(conversation.passages, passage, MAX_PASSAGES);
}

function foldCall(conversation: Conversation, event: Extract<TranscriptEvent, { kind: "tool" }>): void {
  const given = commandOfCall(event.tool, event.input);
  if (given === undefined || event.id === "") return;
  const command = redactSecrets(given.slice(0, 20_000));
  const call = { what: oneLine(withoutHeredocs(command), 400), programs: programsOf(command) };
  setBounded(conversation.pending, event.id, call, MAX_PENDING);
}

function foldResult(conversation: Conversation, event: Extract<TranscriptEvent, { kind: "result" }>): void {
  const { pending, open } = conversation;
  const command = Object.hasOwn(pending, event.id) ? pending[event.id] : undefined;
  if (!command) return;
  delete pending[event.id];
  const output = event.outcome === "failed" ? redactSecrets(event.text.slice(-4000)) : "";
  const text = trackFailures(open, command, event.outcome, output);
  const passage = text === undefined ? undefined : passageOf("fixed", event.time, text);
  if (passage) pushBounded(conversation.passages, passage, MAX_PASSAGES);
}

function passageOf(kind: PassageKind, time: string, given: string): Passage | undefined {
  // A secret that the cut would tear is still whole here.
  const text = redactSecrets(given.slice(0, MAX_TYPED_CHARS)).trim();
  if ((text.match(/\p{L}{2,}|\p{Lo}/gu)?.length ?? 0) < MIN_WORDS) return undefined;
  if (text.length <= MAX_CHARS) return { kind, time, text };
  // What an agent asks is at the end of its message.
  const end = kind === "answer" ? text.slice(-MAX_CHARS / 4) : "";
  return { kind, time, text: `${text.slice(0, MAX_CHARS - end.length)} […] ${end}`.trimEnd() };
}
