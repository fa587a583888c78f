import { redactSecrets } from "../../../memory/screening/find-secrets.ts";
import { inputText } from "../fold-event.ts";
import { oneLine, pushBounded, rewoundTo, setBounded, spanTime } from "../one-line.ts";
import { commandOfCall, filesOfCall, programsOf, withoutHeredocs } from "../tool-call.ts";
import type { TranscriptEvent } from "../transcript/transcript-event.ts";
import { MAX_TYPED_CHARS, userWords } from "../../../memory/typed-text.ts";
import type { Conversation, Passage, PassageKind } from "../../../here/records/past-conversations.ts";
import { noteChange, trackStruggles } from "./track-struggles.ts";

const MAX_PASSAGES = 600;
/** What is longer is pasted, or a report. */
const MAX_CHARS = 2000;
const MAX_ANSWER = 200;
const MAX_SEEN = 100;
const MAX_PENDING = 60;
/** Fewer words than these ("Down.", "go on") say nothing without what they answer, and are kept with it. */
const MIN_WORDS = 3;

/** Takes one event of the main conversation into what is kept of it. Returns a struggle that it ends. */
export function foldPassage(conversation: Conversation, event: TranscriptEvent): Passage | undefined {
  spanTime(conversation, event);
  switch (event.kind) {
    case "place":
      conversation.cwd ||= event.cwd ?? "";
      conversation.branch = event.branch ?? conversation.branch;
      conversation.isSubagent ||= event.isSubagent === true;
      return undefined;
    case "user":
      foldSaid(conversation, event);
      return undefined;
    case "assistant": {
      const closing = passageOf("answer", event.time, event.text);
      if (closing) conversation.closing = closing;
      return undefined;
    }
    case "tool":
      foldCall(conversation, event);
      return undefined;
    case "result":
      return foldResult(conversation, event);
    default:
      return undefined;
  }
}

function foldSaid(conversation: Conversation, event: Extract<TranscriptEvent, { kind: "user" }>): void {
  // Some clients write a message twice: when it is queued and when it is taken up, with other ids and times.
  const said = userWords(redactSecrets(event.text.slice(0, MAX_TYPED_CHARS))).said.slice(0, 4 * MAX_CHARS);
  const beginning = `said:${said.slice(0, 80)}`;
  if (said === "" || conversation.seen.includes(event.id) || conversation.seen.at(-1) === beginning) return;
  if (event.id !== "") pushBounded(conversation.seen, event.id, MAX_SEEN);
  pushBounded(conversation.seen, beginning, MAX_SEEN);
  takeBack(conversation, event);
  const passage = passageOf("said", event.time, said);
  // The turn is over: the agent's last message in it was its closing one.
  const { closing, isSubagent } = conversation;
  if (closing && !passage && !isSubagent)
    closing.text += `\n\nThe user answered: ${oneLine(said, MAX_ANSWER)}`;
  if (closing) keep(conversation, closing);
  conversation.closing = undefined;
  if (passage && !isSubagent) keep(conversation, passage);
}

function keep(conversation: Conversation, passage: Passage): void {
  conversation.passages.push(passage);
  if (conversation.passages.length <= MAX_PASSAGES) return;
  conversation.passages.shift();
  noteMissing(conversation, { passages: 1, bytes: 0 });
}

/** Counts what is not kept of a conversation. */
export function noteMissing(conversation: Conversation, more: NonNullable<Conversation["missing"]>): void {
  const { passages, bytes } = conversation.missing ?? { passages: 0, bytes: 0 };
  conversation.missing = { passages: passages + more.passages, bytes: bytes + more.bytes };
}

/** What the user went back behind was not said, as it were. */
function takeBack(conversation: Conversation, event: { time: string; parent?: string }): void {
  const since = rewoundTo((conversation.followed ??= {}), event);
  if (since === undefined) return;
  const isBefore = ({ time }: Passage): boolean => time < since;
  conversation.passages = conversation.passages.filter(isBefore);
  if (conversation.closing && !isBefore(conversation.closing)) conversation.closing = undefined;
}

function foldCall(conversation: Conversation, event: Extract<TranscriptEvent, { kind: "tool" }>): void {
  const { id, tool, input } = event;
  for (const file of filesOfCall(tool, input))
    noteChange(conversation.open, oneLine(redactSecrets(file.slice(0, 1000)), 120));
  const given = commandOfCall(tool, input);
  if (id === "" || (given === undefined && isFileTool(input))) return;
  const command = given === undefined ? inputText(input) : redactSecrets(given.slice(0, 20_000));
  const call = {
    what: oneLine(given === undefined ? `${tool} ${command}` : withoutHeredocs(command), 400),
    size: command.length,
    programs: given === undefined ? [tool] : programsOf(command),
  };
  setBounded(conversation.pending, id, call, MAX_PENDING);
}

/** What reads and edits files fails by a wrong line or path, which is no struggle. */
function isFileTool(input: Readonly<Record<string, unknown>>): boolean {
  return ["file_path", "path", "notebook_path", "absolute_path", "filePath", "pattern"].some(
    (key) => key in input,
  );
}

function foldResult(
  conversation: Conversation,
  { id, time, outcome, text }: Extract<TranscriptEvent, { kind: "result" }>,
): Passage | undefined {
  const { pending, open } = conversation;
  const call = Object.hasOwn(pending, id) ? pending[id] : undefined;
  if (!call) return undefined;
  delete pending[id];
  const struggle = trackStruggles(open, call, outcome, text.slice(-4000));
  const passage = struggle && passageOf("fixed", time, struggle.text);
  if (!passage) return undefined;
  passage.failures = struggle.failures;
  passage.failed = struggle.failed;
  keep(conversation, passage);
  return passage;
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
